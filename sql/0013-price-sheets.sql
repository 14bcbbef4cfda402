-- Price sheets of market participants' fees (specification, sections 2.12 and 4.13; decisions, section 5).

CREATE TABLE data_import.price_sheet (
    market_participant_code   bigint NOT NULL REFERENCES data_import.market_participant (code),
    external_id               text COLLATE "C" NOT NULL CHECK (char_length(external_id) BETWEEN 1 AND 128),
    price_sheet_type          text NOT NULL,
    document_number           text NOT NULL,
    preceding_document_number text,
    is_price_sheet_unused     boolean NOT NULL DEFAULT false,
    active_from               timestamptz NOT NULL,
    content_digest            uuid NOT NULL,
    request_id                uuid NOT NULL,
    api_key_id                bigint NOT NULL,
    imported_at               timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (market_participant_code, external_id)
);
COMMENT ON TABLE data_import.price_sheet IS
    'Price sheets of market participants'' fees, one PRICAT message each (specification, section 2.12).';
COMMENT ON COLUMN data_import.price_sheet.market_participant_code IS 'The participant whose fees these are.';
COMMENT ON COLUMN data_import.price_sheet.external_id IS
    'Identifier in the supplier''s system: one sheet of a participant for each.';
COMMENT ON COLUMN data_import.price_sheet.price_sheet_type IS 'Code of the kind of sheet.';
COMMENT ON COLUMN data_import.price_sheet.document_number IS 'Number of the PRICAT message.';
COMMENT ON COLUMN data_import.price_sheet.preceding_document_number IS
    'Number of the message that this one replaces; null where none was sent.';
COMMENT ON COLUMN data_import.price_sheet.is_price_sheet_unused IS
    'Whether the participant does not use the sheet; false where it was not sent.';
COMMENT ON COLUMN data_import.price_sheet.active_from IS 'From when on the prices hold.';
COMMENT ON COLUMN data_import.price_sheet.content_digest IS
    'First 16 bytes of a SHA-256 over all that was sent of the sheet: a repetition has the same.';
COMMENT ON COLUMN data_import.price_sheet.request_id IS
    'The request that brought the sheet: X-Request-Id of its answer.';
COMMENT ON COLUMN data_import.price_sheet.api_key_id IS 'The API key of that request''s token.';
COMMENT ON COLUMN data_import.price_sheet.imported_at IS 'When the sheet was stored.';

CREATE TABLE data_import.article_price (
    market_participant_code   bigint NOT NULL,
    external_id               text COLLATE "C" NOT NULL,
    position                  int NOT NULL,
    article_id                text NOT NULL,
    price_cents               numeric NOT NULL,
    interval_zone_lower_bound numeric,
    interval_zone_upper_bound numeric,
    PRIMARY KEY (market_participant_code, external_id, position)
);
COMMENT ON TABLE data_import.article_price IS 'The prices on a price sheet.';
COMMENT ON COLUMN data_import.article_price.market_participant_code IS 'The participant of the sheet.';
COMMENT ON COLUMN data_import.article_price.external_id IS 'The sheet, together with the participant.';
COMMENT ON COLUMN data_import.article_price.position IS 'Place in article_prices, from 0.';
COMMENT ON COLUMN data_import.article_price.article_id IS 'Code of the article that the price is for.';
COMMENT ON COLUMN data_import.article_price.price_cents IS 'Price in minor currency units, with the digits that were sent.';
COMMENT ON COLUMN data_import.article_price.interval_zone_lower_bound IS
    'Lower bound of the zone that the price holds in; null where none was sent.';
COMMENT ON COLUMN data_import.article_price.interval_zone_upper_bound IS
    'Upper bound of the zone that the price holds in; null where none was sent.';

-- Imports of price sheets of one participant wait for each other; the lock ends with the transaction.
CREATE FUNCTION data_import.lock_market_participant(p_code bigint) RETURNS void
LANGUAGE sql VOLATILE AS $$
    SELECT pg_advisory_xact_lock(data_import.lock_number('market_participant', p_code::text))
$$;
COMMENT ON FUNCTION data_import.lock_market_participant IS
    'Waits for others who import price sheets of the participant, until the transaction ends.';

-- In the order of the codes, so that two requests never wait for each other.
CREATE FUNCTION data_import.lock_market_participants(p_price_sheets jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_code bigint;
BEGIN
    FOR v_code IN
        SELECT DISTINCT (sent.sheet ->> 'market_participant_code')::bigint AS code
        FROM jsonb_array_elements(p_price_sheets) AS sent (sheet)
        WHERE EXISTS (SELECT FROM data_import.market_participant AS known
                      WHERE known.code = (sent.sheet ->> 'market_participant_code')::bigint)
        ORDER BY code
    LOOP
        PERFORM data_import.lock_market_participant(v_code);
    END LOOP;
END
$$;
COMMENT ON FUNCTION data_import.lock_market_participants IS 'Locks all known participants that the sheets are of.';

-- What is to become of each sheet: imported; already_imported, with the same content, by an earlier request or further
-- ahead in this one; or a refusal: unknown_participant, other_content. A sheet may be refused for both reasons.
CREATE FUNCTION data_import.judge_price_sheets(p_price_sheets jsonb, p_content_digest uuid[])
RETURNS TABLE (sheet int, outcome text)
LANGUAGE sql STABLE AS $$
    WITH sent AS (
        SELECT (sent.number - 1)::int AS sheet, (sent.sheet ->> 'market_participant_code')::bigint AS code,
               sent.sheet ->> 'external_id' AS external_id, p_content_digest[sent.number] AS content_digest
        FROM jsonb_array_elements(p_price_sheets) WITH ORDINALITY AS sent (sheet, number)
    ), compared AS (
        SELECT sent.sheet, sent.code, sent.content_digest, stored.content_digest IS NULL AS is_new,
               row_number() OVER same AS occurrence,
               coalesce(stored.content_digest, first_value(sent.content_digest) OVER same) AS known_digest
        FROM sent
        LEFT JOIN data_import.price_sheet AS stored
            ON stored.market_participant_code = sent.code AND stored.external_id = sent.external_id
        WINDOW same AS (PARTITION BY sent.code, sent.external_id ORDER BY sent.sheet)
    )
    SELECT sheet, 'unknown_participant'
    FROM compared
    WHERE NOT EXISTS (SELECT FROM data_import.market_participant WHERE market_participant.code = compared.code)
    UNION ALL
    SELECT sheet, CASE WHEN content_digest <> known_digest THEN 'other_content'
                       WHEN is_new AND occurrence = 1 THEN 'imported'
                       ELSE 'already_imported' END
    FROM compared
    ORDER BY 1, 2
$$;
COMMENT ON FUNCTION data_import.judge_price_sheets IS
    'Tells for each price sheet, by its 0-based place, what is to become of it.';

CREATE FUNCTION data_import.store_price_sheets(
    p_request_id uuid, p_api_key_id bigint, p_price_sheets jsonb, p_content_digest uuid[], p_sheets int[])
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO data_import.price_sheet (
        market_participant_code, external_id, price_sheet_type, document_number, preceding_document_number,
        is_price_sheet_unused, active_from, content_digest, request_id, api_key_id)
    SELECT field.market_participant_code, field.external_id, field.price_sheet_type, field.document_number,
           field.preceding_document_number, coalesce(field.is_price_sheet_unused, false), field.active_from,
           p_content_digest[chosen.sheet + 1], p_request_id, p_api_key_id
    FROM unnest(p_sheets) AS chosen (sheet),
        jsonb_to_record(p_price_sheets -> chosen.sheet) AS field (
            market_participant_code bigint, external_id text, price_sheet_type text, document_number text,
            preceding_document_number text, is_price_sheet_unused boolean, active_from timestamptz);
    INSERT INTO data_import.article_price (
        market_participant_code, external_id, position, article_id, price_cents, interval_zone_lower_bound,
        interval_zone_upper_bound)
    SELECT field.market_participant_code, field.external_id, sent.number - 1, price.article_id, price.price_cents,
           (price.interval_zone ->> 'lower_bound')::numeric, (price.interval_zone ->> 'upper_bound')::numeric
    FROM unnest(p_sheets) AS chosen (sheet),
        jsonb_to_record(p_price_sheets -> chosen.sheet) AS field (
            market_participant_code bigint, external_id text, article_prices jsonb),
        jsonb_array_elements(field.article_prices) WITH ORDINALITY AS sent (price, number),
        jsonb_to_record(sent.price) AS price (article_id text, price_cents numeric, interval_zone jsonb);
END
$$;
COMMENT ON FUNCTION data_import.store_price_sheets IS
    'Stores those of the price sheets whose 0-based places are given, with their prices.';

-- Imports price sheets (specification 4.13; decisions, section 5), all or none. p_content_digest holds one digest for each
-- sheet in their order. Answers the rows of judge_price_sheets; with a refusal among them nothing was stored.
CREATE FUNCTION data_import.price_sheets_import(
    p_request_id uuid, p_api_key_id bigint, p_price_sheets jsonb, p_content_digest uuid[])
RETURNS TABLE (sheet int, outcome text)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
    v_sheets int[];
    v_outcomes text[];
    v_imported int[];
BEGIN
    PERFORM data_import.lock_market_participants(p_price_sheets);
    SELECT array_agg(sheet), array_agg(outcome), array_agg(sheet) FILTER (WHERE outcome = 'imported')
    INTO v_sheets, v_outcomes, v_imported
    FROM data_import.judge_price_sheets(p_price_sheets, p_content_digest);
    IF v_imported IS NOT NULL AND v_outcomes <@ ARRAY['imported', 'already_imported'] THEN
        PERFORM data_import.store_price_sheets(p_request_id, p_api_key_id, p_price_sheets, p_content_digest, v_imported);
        INSERT INTO data_import.import_receipt (import_supplier, kind, value)
        VALUES ('', 'price_sheets', cardinality(v_imported));
    ELSIF v_outcomes <@ ARRAY['already_imported'] THEN
        PERFORM data_import.await_standbys();
    END IF;
    RETURN QUERY SELECT * FROM unnest(v_sheets, v_outcomes);
END
$$;
COMMENT ON FUNCTION data_import.price_sheets_import IS
    'Stores the price sheets that are not there yet, or none when one of them cannot be stored.';

GRANT SELECT, INSERT ON data_import.price_sheet, data_import.article_price TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.lock_market_participant, data_import.lock_market_participants,
    data_import.judge_price_sheets, data_import.store_price_sheets, data_import.price_sheets_import TO "data-import";
