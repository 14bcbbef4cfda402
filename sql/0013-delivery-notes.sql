-- Delivery notes (specification, sections 2.5 and 4.2; decisions, section 5).
--
-- A document (delivery note, energy amount, invoice) belongs to one account and is known by its content: content_digest is
-- the first 16 bytes of a SHA-256 over what the document says, so that a request that is sent again stores nothing.
-- Numbers, instants and codes are stored as sent; a field that was not sent and one that was sent as null are NULL. The two
-- are different contents all the same; where fields may be null, sent_as_null tells which of the two it was.
--
-- The functions take rows of the tables as json whose members are columns, not as jsonb: fields that may hold any number keep
-- it as it was written, where jsonb would raise for what numeric cannot hold. The amounts of a delivery note come, and stay,
-- as one array for each field: a migration brings hundreds of them for every account, and a row with an index entry for each
-- costs far more. What they are, in which unit and by which code list mostly is the same for all amounts of a delivery note: a
-- text that all have in common stands in its array once.

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
-- Compressed, the amounts of a day in quarters of an hour have room in the row, just above the size from which PostgreSQL moves
-- values elsewhere: a second row and index entry for each. Of any column that is left to it, before it compresses these.
ALTER TABLE data_import.delivery_note
    ALTER malo_number SET STORAGE MAIN,
    ALTER preceding_reference SET STORAGE MAIN,
    ALTER edifact_reference_number SET STORAGE MAIN,
    ALTER amount_period_start_at SET STORAGE MAIN,
    ALTER amount_period_end_at SET STORAGE MAIN,
    ALTER amount_product_identifier SET STORAGE MAIN,
    ALTER amount_product_identifier_type SET STORAGE MAIN,
    ALTER amount_quantity SET STORAGE MAIN,
    ALTER amount_quantity_unit SET STORAGE MAIN,
    ALTER amount_line_item_identifier SET STORAGE MAIN;
COMMENT ON TABLE data_import.delivery_note IS
    'Imported delivery notes (specification, section 2.5). The arrays amount_... hold one element for each amount, in '
    'their order, or a text that is the same for all amounts once; the view delivery_note_amount shows them as rows.';
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
       amount.period_end_at, coalesce(amount.product_identifier, note.amount_product_identifier[1]) AS product_identifier,
       coalesce(amount.product_identifier_type, note.amount_product_identifier_type[1]) AS product_identifier_type,
       amount.quantity, coalesce(amount.quantity_unit, note.amount_quantity_unit[1]) AS quantity_unit,
       coalesce(amount.line_item_identifier, note.amount_line_item_identifier[1]) AS line_item_identifier
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

-- The functions that import documents take several of one account in a call, as long as they differ.

-- The accounts whose imports begin_imports has not let in.
CREATE FUNCTION data_import.accounts_refused(p_account_key uuid[], p_verdict text[]) RETURNS uuid[]
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF 'done' = ALL (p_verdict) THEN
        RETURN '{}';
    END IF;
    RETURN ARRAY(SELECT account_key FROM unnest(p_account_key, p_verdict) AS sent (account_key, verdict)
                 WHERE verdict <> 'done');
END
$$;
COMMENT ON FUNCTION data_import.accounts_refused IS 'Those of the accounts whose verdict is not done.';

-- p_stored_for and p_stored hold the accounts and digests of those documents that were not there before; p_request, p_figure and
-- p_value what receipts say of each document. Answers the verdicts, with repeated for each document that was there.
CREATE FUNCTION data_import.add_document_receipts(
    p_kind text, p_stored_for uuid[], p_stored uuid[], p_verdict text[], p_account_key uuid[], p_import_supplier text[],
    p_content_digest uuid[], p_request integer[], p_figure text[], p_value numeric[]) RETURNS text[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_is_stored boolean[] := array_fill(true, ARRAY[cardinality(p_account_key)]);
BEGIN
    IF cardinality(p_stored) IS DISTINCT FROM cardinality(p_account_key) THEN
        v_is_stored := ARRAY(
            SELECT stored.account_key IS NOT NULL
            FROM unnest(p_account_key, p_content_digest) WITH ORDINALITY AS sent (account_key, content_digest, place)
            LEFT JOIN unnest(p_stored_for, p_stored) AS stored (account_key, content_digest)
                USING (account_key, content_digest)
            ORDER BY place);
    END IF;
    INSERT INTO data_import.import_receipt (import_supplier, kind, figure, value)
    SELECT p_import_supplier[request], p_kind, figure, sum(value)
    FROM unnest(p_request, p_figure, p_value) AS sent (request, figure, value)
    WHERE v_is_stored[request]
    GROUP BY 1, 3;
    IF true = ALL (v_is_stored) THEN
        RETURN p_verdict;
    END IF;
    RETURN ARRAY(
        SELECT CASE WHEN verdict = 'done' AND NOT is_stored THEN 'repeated' ELSE verdict END
        FROM unnest(p_verdict, v_is_stored) WITH ORDINALITY AS document (verdict, is_stored, place)
        ORDER BY place);
END
$$;
COMMENT ON FUNCTION data_import.add_document_receipts IS
    'Adds receipts of those documents that were stored, and says of the others that they were there.';

-- Imports delivery notes (begin_imports; specification 4.2; decisions, section 5), one for each request: p_rows holds their
-- rows, and the arrays of the amounts' fields hold those of all. p_bounds tells where in each of the seven arrays the elements
-- of a delivery note end: seven zeros, then seven numbers for each of them. Answers the verdicts: done where this call stored
-- the delivery note, repeated where the account had it. In a materialized row the arrays are flat: each slice of a parameter
-- would copy all of it first.
CREATE FUNCTION data_import.delivery_notes_import(
    p_rows json, p_account_key uuid[], p_import_supplier text[],
    p_content_digest uuid[], p_request integer[], p_figure text[], p_value numeric[], p_bounds integer[],
    p_period_start_at timestamptz[], p_period_end_at timestamptz[], p_product_identifier text[],
    p_product_identifier_type text[], p_quantity numeric[], p_quantity_unit text[], p_line_item_identifier text[])
RETURNS text[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_verdict constant text[] := data_import.begin_imports(p_account_key, p_import_supplier);
    v_refused constant uuid[] := data_import.accounts_refused(p_account_key, v_verdict);
    v_stored_for uuid[];
    v_stored uuid[];
BEGIN
    IF 'done' <> ALL (v_verdict) THEN
        RETURN v_verdict;
    END IF;
    WITH amount AS MATERIALIZED (
        SELECT p_period_start_at AS period_start_at, p_period_end_at AS period_end_at,
               p_product_identifier AS product_identifier, p_product_identifier_type AS product_identifier_type,
               p_quantity AS quantity, p_quantity_unit AS quantity_unit, p_line_item_identifier AS line_item_identifier,
               p_bounds AS bounds
    ), note AS (
        SELECT *, 7 * row_number() OVER ()::integer AS place
        FROM json_populate_recordset(NULL::data_import.delivery_note, p_rows)
    ), stored AS (
        INSERT INTO data_import.delivery_note (
            account_key, content_digest, malo_number, preceding_reference, cancelled, validation_status, last_validation_at,
            edifact_reference_number, amount_period_start_at, amount_period_end_at, amount_product_identifier,
            amount_product_identifier_type, amount_quantity, amount_quantity_unit, amount_line_item_identifier, request_id,
            api_key_id, imported_at)
        SELECT account_key, content_digest, malo_number, preceding_reference, cancelled, validation_status,
               last_validation_at, edifact_reference_number,
               period_start_at[bounds[place - 6] + 1:bounds[place + 1]],
               period_end_at[bounds[place - 5] + 1:bounds[place + 2]],
               product_identifier[bounds[place - 4] + 1:bounds[place + 3]],
               product_identifier_type[bounds[place - 3] + 1:bounds[place + 4]],
               quantity[bounds[place - 2] + 1:bounds[place + 5]],
               quantity_unit[bounds[place - 1] + 1:bounds[place + 6]],
               line_item_identifier[bounds[place] + 1:bounds[place + 7]],
               request_id, api_key_id, imported_at
        FROM note, amount
        WHERE account_key <> ALL (v_refused)
        ON CONFLICT DO NOTHING RETURNING account_key, content_digest
    )
    SELECT array_agg(account_key), array_agg(content_digest) INTO v_stored_for, v_stored FROM stored;
    RETURN data_import.add_document_receipts(
        'delivery_notes', v_stored_for, v_stored, v_verdict, p_account_key, p_import_supplier, p_content_digest, p_request, p_figure,
        p_value);
END
$$;
COMMENT ON FUNCTION data_import.delivery_notes_import IS
    'Stores delivery notes of several accounts, except where the account has one of this content.';

GRANT SELECT, INSERT ON data_import.delivery_note TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.accounts_refused, data_import.add_document_receipts, data_import.delivery_notes_import
    TO "data-import";
