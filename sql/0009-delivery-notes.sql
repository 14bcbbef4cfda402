-- Delivery notes (specification, sections 2.5 and 4.2; decisions, section 5).
--
-- A document (delivery note, energy amount, invoice) belongs to one account and is known by its content: content_digest is
-- the first 16 bytes of a SHA-256 over the document in canonical form, so that a request that is sent again stores nothing.
-- Numbers, instants and codes are stored as sent; a field that was not sent and one that was sent as null are NULL. The two
-- are different contents all the same.
--
-- The functions take a document as json whose members are columns, not as jsonb: fields that may hold any number keep it
-- as it was written, where jsonb would raise for what numeric cannot hold. The amounts of a delivery note come, and stay,
-- as one array for each field (in json a string, which costs less to read than an array there): a migration brings
-- hundreds of them for every account, and a row with an index entry for each costs far more.

CREATE TABLE data_import.delivery_note (
    account_key                    uuid NOT NULL,
    content_digest                 uuid NOT NULL,
    malo_number                    text NOT NULL,
    preceding_reference            text,
    cancelled                      boolean NOT NULL,
    validation_status              boolean NOT NULL,
    last_validation_at             timestamptz,
    edifact_reference_number       text NOT NULL,
    amount_period_start_at         timestamptz[] NOT NULL,
    amount_period_end_at           timestamptz[] NOT NULL,
    amount_product_identifier      text[] NOT NULL,
    amount_product_identifier_type text[] NOT NULL,
    amount_quantity                numeric[] NOT NULL,
    amount_quantity_unit           text[] NOT NULL,
    amount_line_item_identifier    text[] NOT NULL,
    request_id                     uuid NOT NULL,
    api_key_id                     bigint NOT NULL,
    imported_at                    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_key, content_digest)
);
COMMENT ON TABLE data_import.delivery_note IS
    'Imported delivery notes (specification, section 2.5). The arrays amount_... hold one element for each amount, in '
    'their order; the view delivery_note_amount shows them as rows.';
COMMENT ON COLUMN data_import.delivery_note.account_key IS 'The account.';
COMMENT ON COLUMN data_import.delivery_note.content_digest IS
    'What the delivery note is known by: digest of its content.';
COMMENT ON COLUMN data_import.delivery_note.malo_number IS 'Number of the market location, 11 digits.';
COMMENT ON COLUMN data_import.delivery_note.preceding_reference IS 'Reference of the delivery note before this one.';
COMMENT ON COLUMN data_import.delivery_note.cancelled IS 'Whether the delivery note was cancelled.';
COMMENT ON COLUMN data_import.delivery_note.validation_status IS 'Whether the delivery note passed its validation.';
COMMENT ON COLUMN data_import.delivery_note.last_validation_at IS 'When it was validated last.';
COMMENT ON COLUMN data_import.delivery_note.edifact_reference_number IS
    'Reference of the EDIFACT message it came with.';
COMMENT ON COLUMN data_import.delivery_note.amount_period_start_at IS 'Begins of the periods that were metered.';
COMMENT ON COLUMN data_import.delivery_note.amount_period_end_at IS 'Ends of these periods, none before its begin.';
COMMENT ON COLUMN data_import.delivery_note.amount_product_identifier IS 'What was delivered.';
COMMENT ON COLUMN data_import.delivery_note.amount_product_identifier_type IS 'The code lists of product_identifier.';
COMMENT ON COLUMN data_import.delivery_note.amount_quantity IS 'How much was delivered, in quantity_unit.';
COMMENT ON COLUMN data_import.delivery_note.amount_quantity_unit IS 'Units of quantity.';
COMMENT ON COLUMN data_import.delivery_note.amount_line_item_identifier IS 'Identifiers of the lines in the message.';
COMMENT ON COLUMN data_import.delivery_note.request_id IS 'The request that brought it: X-Request-Id of its answer.';
COMMENT ON COLUMN data_import.delivery_note.api_key_id IS 'The API key of that request''s token.';
COMMENT ON COLUMN data_import.delivery_note.imported_at IS 'When it was stored.';

CREATE VIEW data_import.delivery_note_amount AS
SELECT note.account_key, note.content_digest, amount.place::integer - 1 AS position, amount.period_start_at,
       amount.period_end_at, amount.product_identifier, amount.product_identifier_type, amount.quantity,
       amount.quantity_unit, amount.line_item_identifier
FROM data_import.delivery_note AS note,
     unnest(note.amount_period_start_at, note.amount_period_end_at, note.amount_product_identifier,
            note.amount_product_identifier_type, note.amount_quantity, note.amount_quantity_unit,
            note.amount_line_item_identifier) WITH ORDINALITY
     AS amount (period_start_at, period_end_at, product_identifier, product_identifier_type, quantity, quantity_unit,
                line_item_identifier, place);
COMMENT ON VIEW data_import.delivery_note_amount IS 'Amounts of delivery notes, a row for each.';
COMMENT ON COLUMN data_import.delivery_note_amount.account_key IS 'The account.';
COMMENT ON COLUMN data_import.delivery_note_amount.content_digest IS 'The delivery note.';
COMMENT ON COLUMN data_import.delivery_note_amount.position IS 'Place in the delivery note''s amounts, from 0.';
COMMENT ON COLUMN data_import.delivery_note_amount.period_start_at IS 'Begin of the period that was metered.';
COMMENT ON COLUMN data_import.delivery_note_amount.period_end_at IS 'End of that period, not before its begin.';
COMMENT ON COLUMN data_import.delivery_note_amount.product_identifier IS 'What was delivered.';
COMMENT ON COLUMN data_import.delivery_note_amount.product_identifier_type IS 'The code list of product_identifier.';
COMMENT ON COLUMN data_import.delivery_note_amount.quantity IS 'How much was delivered, in quantity_unit.';
COMMENT ON COLUMN data_import.delivery_note_amount.quantity_unit IS 'Unit of quantity.';
COMMENT ON COLUMN data_import.delivery_note_amount.line_item_identifier IS 'Identifier of the line in the message.';

-- Imports one delivery note (specification 4.2; decisions, section 5): verdict as of import_verdict. With done the
-- account has it, whether from this call or an earlier one. The members of p_row are columns of the table.
CREATE FUNCTION data_import.delivery_note_import(
    p_account_key uuid, p_import_supplier text, p_request_id uuid, p_api_key_id bigint, p_content_digest uuid, p_row json)
RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_verdict constant text := data_import.import_verdict(p_account_key, p_import_supplier);
    v_note data_import.delivery_note;
BEGIN
    IF v_verdict <> 'done' THEN
        RETURN v_verdict;
    END IF;
    PERFORM data_import.lock_account(p_account_key);
    IF EXISTS (SELECT FROM data_import.delivery_note
               WHERE account_key = p_account_key AND content_digest = p_content_digest) THEN
        PERFORM data_import.await_standbys();
        RETURN v_verdict;
    END IF;
    v_note := json_populate_record(v_note, p_row);
    v_note.account_key := p_account_key;
    v_note.content_digest := p_content_digest;
    v_note.request_id := p_request_id;
    v_note.api_key_id := p_api_key_id;
    v_note.imported_at := now();
    INSERT INTO data_import.delivery_note SELECT v_note.*;
    INSERT INTO data_import.import_receipt (import_supplier, kind, value) VALUES (p_import_supplier, 'delivery_notes', 1);
    RETURN v_verdict;
END
$$;
COMMENT ON FUNCTION data_import.delivery_note_import IS
    'Stores a delivery note unless the account has one of this content.';

GRANT SELECT, INSERT ON data_import.delivery_note TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.delivery_note_import TO "data-import";
