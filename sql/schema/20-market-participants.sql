-- Market participants (contract, sections 4.9 and 5.12).

-- Market participants with their contacts, and the price sheets of their fees. They belong to no account: small tables
-- that all accounts share.
CREATE TABLE data_import.market_participant (
    code                bigint PRIMARY KEY CONSTRAINT code_is_of_13_digits_at_most CHECK (code BETWEEN 1 AND 9999999999999),
    code_type           text NOT NULL,
    name                text NOT NULL,
    role                text NOT NULL,
    energy              text NOT NULL,
    has_contact_details boolean NOT NULL,
    organisation        text COLLATE "C" NOT NULL,
    LIKE data_import.provenance INCLUDING DEFAULTS INCLUDING COMMENTS
);
COMMENT ON TABLE data_import.market_participant IS 'Participants of the energy market (contract, section 4.9).';
COMMENT ON COLUMN data_import.market_participant.code IS 'Unique code of the participant.';
COMMENT ON COLUMN data_import.market_participant.code_type IS 'Who gives out such codes.';
COMMENT ON COLUMN data_import.market_participant.name IS 'Name of the participant.';
COMMENT ON COLUMN data_import.market_participant.role IS 'Role in the market: NETWORK_OPERATOR for one.';
COMMENT ON COLUMN data_import.market_participant.energy IS 'What the participant deals with: ELECTRICITY for one.';
COMMENT ON COLUMN data_import.market_participant.has_contact_details IS
    'Whether contact_details were sent, be it without any contact.';
COMMENT ON COLUMN data_import.market_participant.organisation IS
    'Organisation of the API key that brought the participant: the contacts are shown to it alone.';

CREATE TABLE data_import.market_participant_contact (
    market_participant_code bigint NOT NULL REFERENCES data_import.market_participant (code),
    ordinal                 integer NOT NULL,
    category                text NOT NULL,
    name                    text,
    email                   text,
    phone                   text,
    valid_from              timestamptz,
    PRIMARY KEY (market_participant_code, ordinal)
);
COMMENT ON TABLE data_import.market_participant_contact IS 'Whom to turn to at a market participant.';
COMMENT ON COLUMN data_import.market_participant_contact.market_participant_code IS 'The participant.';
COMMENT ON COLUMN data_import.market_participant_contact.ordinal IS 'Place in contact_details, from 0.';
COMMENT ON COLUMN data_import.market_participant_contact.category IS 'Code of what the contact is for.';
COMMENT ON COLUMN data_import.market_participant_contact.name IS 'Name of the contact; null where none was sent.';
COMMENT ON COLUMN data_import.market_participant_contact.email IS 'E-mail address; null where none was sent.';
COMMENT ON COLUMN data_import.market_participant_contact.phone IS 'Telephone number, E.164; null where none was sent.';
COMMENT ON COLUMN data_import.market_participant_contact.valid_from IS
    'From when on the contact is the right one; null where that was not sent.';

-- Imports one market participant (contract, section 5.12). If a participant with this code is stored already, nothing is changed.
-- The members of p_participant are the columns of the participant's row; its member contact_details holds the columns of each
-- contact's row.
--
-- Returns one row for each contact of the stored participant, in their order, or a single row if there is no contact. `created`
-- says whether this call stored the participant. Contacts of a participant that another organisation sent are not returned.
-- shows_contacts is false for such a participant, and for one that was sent without contact_details.
CREATE FUNCTION data_import.market_participant_import(p_participant json)
RETURNS TABLE (created boolean, shows_contacts boolean, participant data_import.market_participant,
               contact data_import.market_participant_contact)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_sent data_import.market_participant;
    v_contact data_import.market_participant_contact;
BEGIN
    v_sent := json_populate_record(v_sent, p_participant);
    -- waits if another request stores the same code; one of the two creates the participant
    INSERT INTO data_import.market_participant SELECT v_sent.* ON CONFLICT DO NOTHING;
    created := FOUND;
    IF created THEN
        v_contact.market_participant_code := v_sent.code;
        INSERT INTO data_import.market_participant_contact
        SELECT sent.* FROM json_populate_recordset(v_contact, p_participant -> 'contact_details') AS sent;
        INSERT INTO data_import.import_receipt (import_supplier, kind, value) VALUES ('', 'market_participants', 1);
        PERFORM data_import.add_market_participants(ARRAY[v_sent.code], least(v_sent.imported_at, now()));
    ELSE
        PERFORM data_import.await_standbys();
    END IF;
    RETURN QUERY
        SELECT created, stored.has_contact_details AND stored.organisation = v_sent.organisation, stored, known
        FROM data_import.market_participant AS stored
        LEFT JOIN data_import.market_participant_contact AS known
            ON known.market_participant_code = stored.code AND stored.organisation = v_sent.organisation
        WHERE stored.code = v_sent.code
        ORDER BY known.ordinal;
END
$$;
COMMENT ON FUNCTION data_import.market_participant_import IS
    'Stores the market participant unless there is one with its code; answers the stored one.';

-- Price sheets of market participants' fees (contract, sections 4.10 and 5.13).

CREATE TABLE data_import.price_sheet (
    organisation              text COLLATE "C" NOT NULL,
    market_participant_code   bigint NOT NULL REFERENCES data_import.market_participant (code),
    external_id               text COLLATE "C" NOT NULL
                              CONSTRAINT external_id_is_of_1_to_128_characters CHECK (char_length(external_id) BETWEEN 1 AND 128),
    price_sheet_type          text NOT NULL,
    document_number           text NOT NULL,
    preceding_document_number text,
    is_price_sheet_unused     boolean NOT NULL DEFAULT false,
    active_from               timestamptz NOT NULL,
    content_digest            uuid NOT NULL,
    LIKE data_import.provenance INCLUDING DEFAULTS INCLUDING COMMENTS,
    PRIMARY KEY (organisation, market_participant_code, external_id)
);
COMMENT ON TABLE data_import.price_sheet IS
    'Price sheets of market participants'' fees, one PRICAT message each (contract, section 4.10).';
COMMENT ON COLUMN data_import.price_sheet.organisation IS 'Organisation of the API key that brought the sheet.';
COMMENT ON COLUMN data_import.price_sheet.market_participant_code IS 'The participant whose fees these are.';
COMMENT ON COLUMN data_import.price_sheet.external_id IS
    'Identifier in the supplier''s system: an organisation has one sheet of a participant for each.';
COMMENT ON COLUMN data_import.price_sheet.price_sheet_type IS 'Code of the kind of sheet.';
COMMENT ON COLUMN data_import.price_sheet.document_number IS 'Number of the PRICAT message.';
COMMENT ON COLUMN data_import.price_sheet.preceding_document_number IS
    'Number of the message that this one replaces; null where none was sent.';
COMMENT ON COLUMN data_import.price_sheet.is_price_sheet_unused IS
    'Whether the participant does not use the sheet; false where it was not sent.';
COMMENT ON COLUMN data_import.price_sheet.active_from IS 'From when on the prices hold.';
COMMENT ON COLUMN data_import.price_sheet.content_digest IS
    'First 16 bytes of a SHA-256 over all that was sent of the sheet: a repetition has the same.';

CREATE TABLE data_import.article_price (
    organisation              text COLLATE "C" NOT NULL,
    market_participant_code   bigint NOT NULL,
    external_id               text COLLATE "C" NOT NULL,
    ordinal                   integer NOT NULL,
    article_id                text NOT NULL,
    price_cents               numeric NOT NULL,
    interval_zone_lower_bound numeric,
    interval_zone_upper_bound numeric,
    PRIMARY KEY (organisation, market_participant_code, external_id, ordinal)
);
COMMENT ON TABLE data_import.article_price IS 'The prices on a price sheet.';
COMMENT ON COLUMN data_import.article_price.organisation IS 'Organisation that the sheet is of.';
COMMENT ON COLUMN data_import.article_price.market_participant_code IS 'The participant of the sheet.';
COMMENT ON COLUMN data_import.article_price.external_id IS 'The sheet, together with organisation and participant.';
COMMENT ON COLUMN data_import.article_price.ordinal IS 'Place in article_prices, from 0.';
COMMENT ON COLUMN data_import.article_price.article_id IS 'Code of the article that the price is for.';
COMMENT ON COLUMN data_import.article_price.price_cents IS 'Price in minor currency units, with the digits that were sent.';
COMMENT ON COLUMN data_import.article_price.interval_zone_lower_bound IS
    'Lower bound of the zone that the price holds in; null where none was sent.';
COMMENT ON COLUMN data_import.article_price.interval_zone_upper_bound IS
    'Upper bound of the zone that the price holds in; null where none was sent.';

-- Locks the price sheets of an organisation until the transaction ends, so that its imports of price sheets wait for each other.
-- Raises 55P03 after a wait of 50 ms (lock_timeout). The worker then tries the request again later, because a worker that waits
-- cannot take other requests.
--
-- All sheets of an organisation share one lock, because PostgreSQL's lock table has no room for one lock each.
CREATE FUNCTION data_import.lock_price_sheets(p_organisation text) RETURNS void
LANGUAGE plpgsql VOLATILE SET lock_timeout = '50ms' AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(data_import.lock_number('price_sheets', p_organisation));
END
$$;
COMMENT ON FUNCTION data_import.lock_price_sheets IS
    'Locks the price sheets of the organisation. Raises 55P03 where somebody keeps the lock for long.';

-- Returns the outcome of each sheet: imported; already_imported, if an earlier request, or an earlier sheet of this request, had
-- the same content; or a refusal: unknown_participant, other_content. A sheet may be refused for both reasons.
CREATE FUNCTION data_import.judge_price_sheets(p_price_sheets json) RETURNS TABLE (sheet integer, outcome text)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH compared AS (
        SELECT (sent.ordinality - 1)::integer AS sheet, known.code IS NOT NULL AS has_participant, sent.content_digest,
               stored.content_digest IS NULL AND row_number() OVER same = 1 AS is_new,
               coalesce(stored.content_digest, first_value(sent.content_digest) OVER same) AS known_digest
        FROM json_populate_recordset(NULL::data_import.price_sheet, p_price_sheets) WITH ORDINALITY AS sent
        LEFT JOIN data_import.price_sheet AS stored USING (organisation, market_participant_code, external_id)
        LEFT JOIN data_import.market_participant AS known ON known.code = sent.market_participant_code
        WINDOW same AS (PARTITION BY sent.market_participant_code, sent.external_id ORDER BY sent.ordinality)
    )
    SELECT sheet, 'unknown_participant' FROM compared WHERE NOT has_participant
    UNION ALL
    SELECT sheet, CASE WHEN content_digest <> known_digest THEN 'other_content'
                       WHEN is_new THEN 'imported'
                       ELSE 'already_imported' END
    FROM compared
    ORDER BY 1, 2;
END
$$;
COMMENT ON FUNCTION data_import.judge_price_sheets IS
    'Tells for each price sheet, by its 0-based place, what is to become of it.';

-- Imports either all price sheets or none (contract, section 5.13), and returns the rows of judge_price_sheets. If a row is a
-- refusal, nothing was stored; otherwise there is one row for each sheet. The members of each sheet are the columns of its row.
-- The member article_prices holds the columns of the sheet's prices.
CREATE FUNCTION data_import.price_sheets_import(p_price_sheets json) RETURNS TABLE (sheet integer, outcome text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_sheet integer[];
    v_outcome text[];
BEGIN
    PERFORM data_import.lock_price_sheets(p_price_sheets -> 0 ->> 'organisation');
    SELECT array_agg(judged.sheet), array_agg(judged.outcome) INTO v_sheet, v_outcome
    FROM data_import.judge_price_sheets(p_price_sheets) AS judged;
    IF 'imported' = ANY (v_outcome) AND v_outcome <@ ARRAY['imported', 'already_imported'] THEN
        INSERT INTO data_import.price_sheet
        SELECT stored.*
        FROM json_array_elements(p_price_sheets) WITH ORDINALITY AS sent (sheet, place),
            json_populate_record(NULL::data_import.price_sheet, sent.sheet) AS stored
        WHERE v_outcome[sent.place] = 'imported';
        INSERT INTO data_import.article_price
        SELECT price.*
        FROM json_array_elements(p_price_sheets) WITH ORDINALITY AS sent (sheet, place),
            json_populate_recordset(json_populate_record(NULL::data_import.article_price, sent.sheet),
                                    sent.sheet -> 'article_prices') AS price
        WHERE v_outcome[sent.place] = 'imported';
        INSERT INTO data_import.import_receipt (import_supplier, kind, value)
        VALUES ('', 'price_sheets', cardinality(array_positions(v_outcome, 'imported')));
        PERFORM data_import.add_market_participants(
            ARRAY(SELECT DISTINCT (sent.sheet ->> 'market_participant_code')::bigint
                  FROM json_array_elements(p_price_sheets) WITH ORDINALITY AS sent (sheet, place)
                  WHERE v_outcome[sent.place] = 'imported'),
            now());
    ELSIF v_outcome <@ ARRAY['already_imported'] THEN
        PERFORM data_import.await_standbys();
    END IF;
    RETURN QUERY SELECT * FROM unnest(v_sheet, v_outcome);
END
$$;
COMMENT ON FUNCTION data_import.price_sheets_import IS
    'Stores the price sheets that are not there yet, or none when one of them cannot be stored.';

-- Indexes for the view platform.record, which joins the records of all kinds with the accounts. A query for some accounts reads
-- their records by the primary key of each kind's table.
--
-- Market participants and price sheets have no account, so their account key is NULL in the view. By these two indexes on NULL,
-- PostgreSQL sees at once that an account has no such records. Without the indexes, PostgreSQL would read all participants and
-- sheets for each account.
CREATE INDEX market_participant_without_account ON data_import.market_participant ((NULL::uuid));
CREATE INDEX price_sheet_without_account ON data_import.price_sheet ((NULL::uuid));

GRANT SELECT ON data_import.market_participant, data_import.market_participant_contact, data_import.price_sheet,
    data_import.article_price TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.market_participant_import, data_import.price_sheets_import TO "data-import";
