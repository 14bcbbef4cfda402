-- Market participants (specification, sections 2.11 and 4.12; decisions, section 5).

-- Market participants with their contacts, and the price sheets of their fees. They belong to no account: small tables
-- that all accounts share.
CREATE TABLE data_import.market_participant (
    code                bigint PRIMARY KEY CHECK (code BETWEEN 1 AND 9999999999999),
    code_type           text NOT NULL,
    name                text NOT NULL,
    role                text NOT NULL,
    energy              text NOT NULL,
    has_contact_details boolean NOT NULL,
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
COMMENT ON COLUMN data_import.market_participant.request_id IS
    'The request that brought the participant: X-Request-Id of its answer.';
COMMENT ON COLUMN data_import.market_participant.api_key_id IS 'The API key of that request''s token.';
COMMENT ON COLUMN data_import.market_participant.imported_at IS 'When the participant was stored.';

CREATE TABLE data_import.market_participant_contact (
    market_participant_code bigint NOT NULL REFERENCES data_import.market_participant (code),
    position                int NOT NULL,
    category                text NOT NULL,
    name                    text,
    email                   text,
    phone                   text,
    valid_from              timestamptz,
    PRIMARY KEY (market_participant_code, position)
);
COMMENT ON TABLE data_import.market_participant_contact IS 'Whom to turn to at a market participant.';
COMMENT ON COLUMN data_import.market_participant_contact.market_participant_code IS 'The participant.';
COMMENT ON COLUMN data_import.market_participant_contact.position IS 'Place in contact_details, from 0.';
COMMENT ON COLUMN data_import.market_participant_contact.category IS 'Code of what the contact is for.';
COMMENT ON COLUMN data_import.market_participant_contact.name IS 'Name of the contact; null where none was sent.';
COMMENT ON COLUMN data_import.market_participant_contact.email IS 'E-mail address; null where none was sent.';
COMMENT ON COLUMN data_import.market_participant_contact.phone IS 'Telephone number, E.164; null where none was sent.';
COMMENT ON COLUMN data_import.market_participant_contact.valid_from IS
    'From when on the contact is the right one; null where that was not sent.';

-- Imports one market participant (specification 4.12; decisions, section 5). A participant with the code stays as it is.
-- One row for each contact in their order, or a single one with a null category; each with the participant as stored, and
-- whether this call stored it.
CREATE FUNCTION data_import.market_participant_import(p_request_id uuid, p_api_key_id bigint, p_participant jsonb)
RETURNS TABLE (created boolean, code bigint, code_type text, name text, role text, energy text,
               has_contact_details boolean, category text, contact_name text, email text, phone text,
               valid_from timestamptz)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
    v_code constant bigint := (p_participant ->> 'code')::bigint;
    v_created boolean;
BEGIN
    -- waits for another request that is storing the same code; one of the two creates it
    INSERT INTO data_import.market_participant (code, code_type, name, role, energy, has_contact_details, request_id,
                                                api_key_id)
    SELECT v_code, field.code_type, field.name, field.role, field.energy, p_participant ? 'contact_details',
           p_request_id, p_api_key_id
    FROM jsonb_to_record(p_participant) AS field (code_type text, name text, role text, energy text)
    ON CONFLICT (code) DO NOTHING;
    v_created := FOUND;
    IF v_created THEN
        INSERT INTO data_import.import_receipt (import_supplier, kind, value) VALUES ('', 'market_participants', 1);
        INSERT INTO data_import.market_participant_contact (market_participant_code, position, category, name, email,
                                                            phone, valid_from)
        SELECT v_code, sent.number - 1, field.category, field.name, field.email, field.phone, field.valid_from
        FROM jsonb_array_elements(p_participant -> 'contact_details') WITH ORDINALITY AS sent (contact, number),
            jsonb_to_record(sent.contact) AS field (category text, name text, email text, phone text,
                                                    valid_from timestamptz);
    ELSE
        PERFORM data_import.await_standbys();
    END IF;
    RETURN QUERY
        SELECT v_created, participant.code, participant.code_type, participant.name, participant.role,
               participant.energy, participant.has_contact_details, contact.category, contact.name, contact.email,
               contact.phone, contact.valid_from
        FROM data_import.market_participant AS participant
        LEFT JOIN data_import.market_participant_contact AS contact ON contact.market_participant_code = participant.code
        WHERE participant.code = v_code
        ORDER BY contact.position;
END
$$;
COMMENT ON FUNCTION data_import.market_participant_import IS
    'Stores the market participant unless there is one with its code; answers the stored one.';

GRANT SELECT, INSERT ON data_import.market_participant, data_import.market_participant_contact TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.market_participant_import TO "data-import";
