-- Market participants (specification, sections 2.11 and 4.12; decisions, section 5).

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
    request_id          uuid NOT NULL,
    api_key_id          bigint NOT NULL,
    imported_at         timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE data_import.market_participant IS 'Participants of the energy market (specification, section 2.11).';
COMMENT ON COLUMN data_import.market_participant.code IS 'Unique code of the participant.';
COMMENT ON COLUMN data_import.market_participant.code_type IS 'Who gives out such codes.';
COMMENT ON COLUMN data_import.market_participant.name IS 'Name of the participant.';
COMMENT ON COLUMN data_import.market_participant.role IS 'Role in the market: NETWORK_OPERATOR for one.';
COMMENT ON COLUMN data_import.market_participant.energy IS 'What the participant deals with: ELECTRICITY for one.';
COMMENT ON COLUMN data_import.market_participant.has_contact_details IS
    'Whether contact_details were sent, be it without any contact.';
COMMENT ON COLUMN data_import.market_participant.organisation IS
    'Organisation of the API key that brought the participant: the contacts are shown to it alone.';
COMMENT ON COLUMN data_import.market_participant.request_id IS
    'The request that brought the participant: X-Request-Id of its answer.';
COMMENT ON COLUMN data_import.market_participant.api_key_id IS 'The API key of that request''s token.';
COMMENT ON COLUMN data_import.market_participant.imported_at IS 'When the participant was stored.';

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

-- Imports one market participant (specification 4.12; decisions, section 5). A participant with the code stays as it is. The
-- members of p_participant are the columns of its row; contact_details holds those of its contacts. Answers the participant as
-- stored, in a row for each contact in their order or a single one with none, and whether this call stored it. Contacts that
-- another organisation has sent are not shown.
CREATE FUNCTION data_import.market_participant_import(p_participant json)
RETURNS TABLE (created boolean, shows_contacts boolean, participant data_import.market_participant,
               contact data_import.market_participant_contact)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_sent data_import.market_participant;
    v_contact data_import.market_participant_contact;
BEGIN
    v_sent := json_populate_record(v_sent, p_participant);
    -- waits for another request that is storing the same code; one of the two creates it
    INSERT INTO data_import.market_participant SELECT v_sent.* ON CONFLICT DO NOTHING;
    created := FOUND;
    IF created THEN
        v_contact.market_participant_code := v_sent.code;
        INSERT INTO data_import.market_participant_contact
        SELECT sent.* FROM json_populate_recordset(v_contact, p_participant -> 'contact_details') AS sent;
        INSERT INTO data_import.import_receipt (import_supplier, kind, value) VALUES ('', 'market_participants', 1);
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

GRANT SELECT ON data_import.market_participant, data_import.market_participant_contact TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.market_participant_import TO "data-import";
