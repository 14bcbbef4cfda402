-- Documents: delivery notes, energy amounts and market participant invoices.

-- A document (delivery note, energy amount, invoice) belongs to one account and is known by its content, so a repeated request
-- stores nothing. content_digest is the first 16 bytes of a SHA-256 over the content. Numbers, instants and codes are stored as
-- sent. NULL stands for a field that was not sent, and for a field that was sent as null; the two make different contents. If
-- fields may be null, sent_as_null tells the two apart.
--
-- The functions below take rows of the tables as json whose members are columns. The type is json, because jsonb would change how
-- numbers are written, and some fields have to keep every number as it was sent. jsonb also raises an error for numbers that
-- numeric cannot hold.
--
-- A call imports documents of one kind. Several of them may be of the same account if they differ.

CREATE TYPE data_import.documents_stored AS (
    account_keys    uuid[],
    content_digests uuid[]
);
COMMENT ON TYPE data_import.documents_stored IS 'Those documents of a call that were not there before.';
COMMENT ON COLUMN data_import.documents_stored.account_keys IS 'The account of each.';
COMMENT ON COLUMN data_import.documents_stored.content_digests IS 'The digest of each.';

-- Returns the accounts whose imports begin_imports has refused. p_verdict holds the verdict of begin_imports for each element of
-- p_account_key; any verdict except done is a refusal.
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

-- Stores delivery notes, except those of the accounts in p_refused, and returns those that were stored. A delivery note has a
-- list of amounts, each with seven fields. For each field, one of the seven arrays after p_bounds holds the values of all
-- delivery notes, one delivery note after the other. p_bounds holds seven zeros, and then for each delivery note the seven places
-- at which its values in these arrays end.
--
-- The function takes slices of the arrays from a materialized row. PL/pgSQL keeps array parameters in an expanded form, so each
-- slice of a parameter would copy the whole array first.
CREATE FUNCTION data_import.store_delivery_notes(
    p_rows json, p_refused uuid[], p_bounds integer[], p_period_start_at timestamptz[], p_period_end_at timestamptz[],
    p_product_identifier text[], p_product_identifier_type text[], p_quantity numeric[], p_quantity_unit text[],
    p_line_item_identifier text[])
RETURNS data_import.documents_stored LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_stored data_import.documents_stored;
BEGIN
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
        WHERE account_key <> ALL (p_refused)
        ON CONFLICT DO NOTHING RETURNING account_key, content_digest
    )
    SELECT array_agg(account_key), array_agg(content_digest) INTO v_stored FROM stored;
    RETURN v_stored;
END
$$;
COMMENT ON FUNCTION data_import.store_delivery_notes IS
    'Stores delivery notes, but for those of refused accounts and those that are there, and tells which.';

CREATE FUNCTION data_import.store_documents(p_kind text, p_rows json, p_refused uuid[]) RETURNS data_import.documents_stored
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_stored data_import.documents_stored;
BEGIN
    IF p_kind = 'energy_amounts' THEN
        WITH stored AS (
            INSERT INTO data_import.energy_amount
            SELECT sent.* FROM json_populate_recordset(NULL::data_import.energy_amount, p_rows) AS sent
            WHERE account_key <> ALL (p_refused)
            ON CONFLICT DO NOTHING RETURNING account_key, content_digest
        )
        SELECT array_agg(account_key), array_agg(content_digest) INTO v_stored FROM stored;
    ELSIF p_kind = 'market_participant_invoices' THEN
        WITH stored AS (
            INSERT INTO data_import.market_participant_invoice
            SELECT sent.* FROM json_populate_recordset(NULL::data_import.market_participant_invoice, p_rows) AS sent
            WHERE account_key <> ALL (p_refused)
            ON CONFLICT DO NOTHING RETURNING account_key, content_digest
        )
        SELECT array_agg(account_key), array_agg(content_digest) INTO v_stored FROM stored;
    ELSE
        RAISE EXCEPTION 'there is no kind of documents %', p_kind;
    END IF;
    RETURN v_stored;
END
$$;
COMMENT ON FUNCTION data_import.store_documents IS
    'Stores documents without columns of items, but for those of refused accounts and those that are there, and tells which.';

-- Adds receipts and news for the documents that this call stored (p_stored). Returns the verdicts of p_verdict, with `repeated`
-- in place of `done` for each document that was stored already. p_figure and p_value hold the figures of all documents. p_request
-- holds for each figure the index of its document in p_account_key.
CREATE FUNCTION data_import.add_document_receipts(
    p_kind text, p_stored data_import.documents_stored, p_verdict text[], p_account_key uuid[], p_import_supplier text[],
    p_content_digest uuid[], p_request integer[], p_figure text[], p_value numeric[])
RETURNS text[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_is_stored boolean[] := array_fill(true, ARRAY[cardinality(p_account_key)]);
BEGIN
    IF cardinality(p_stored.content_digests) IS DISTINCT FROM cardinality(p_account_key) THEN
        v_is_stored := ARRAY(
            SELECT stored.account_key IS NOT NULL
            FROM unnest(p_account_key, p_content_digest) WITH ORDINALITY AS sent (account_key, content_digest, place)
            LEFT JOIN unnest(p_stored.account_keys, p_stored.content_digests) AS stored (account_key, content_digest)
                USING (account_key, content_digest)
            ORDER BY place);
    END IF;
    INSERT INTO data_import.import_receipt (import_supplier, kind, figure, value)
    SELECT p_import_supplier[request], p_kind, figure, sum(value)
    FROM unnest(p_request, p_figure, p_value) AS sent (request, figure, value)
    WHERE v_is_stored[request]
    GROUP BY 1, 3;
    IF current_setting('data_import.tells_news', true) = 'on' THEN
        PERFORM data_import.add_news(ARRAY(SELECT DISTINCT unnest(p_stored.account_keys)), now());
    END IF;
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

-- Imports documents of one kind (contract, sections 5.2, 5.3 and 5.6), one for each request; begin_imports describes the arrays.
-- Returns the verdicts of begin_imports, and `repeated` for a document that the account had already. p_rows holds the rows of the
-- documents, and p_figure and p_value the figures for their receipts. The arrays after p_bounds hold the amounts of delivery
-- notes, as store_delivery_notes describes.
CREATE FUNCTION data_import.documents_import(
    p_rows json, p_account_key uuid[], p_import_supplier text[],
    p_content_digest uuid[], p_request integer[], p_figure text[], p_value numeric[], p_bounds integer[] DEFAULT NULL,
    p_period_start_at timestamptz[] DEFAULT NULL, p_period_end_at timestamptz[] DEFAULT NULL,
    p_product_identifier text[] DEFAULT NULL, p_product_identifier_type text[] DEFAULT NULL, p_quantity numeric[] DEFAULT NULL,
    p_quantity_unit text[] DEFAULT NULL, p_line_item_identifier text[] DEFAULT NULL, p_kind text DEFAULT NULL)
RETURNS text[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_verdict constant text[] := data_import.begin_imports(p_account_key, p_import_supplier);
    v_refused uuid[];
    v_stored data_import.documents_stored;
BEGIN
    IF 'done' <> ALL (v_verdict) THEN
        RETURN v_verdict;
    END IF;
    v_refused := data_import.accounts_refused(p_account_key, v_verdict);
    v_stored := CASE p_kind WHEN 'delivery_notes'
                            THEN data_import.store_delivery_notes(
                                p_rows, v_refused, p_bounds, p_period_start_at, p_period_end_at, p_product_identifier,
                                p_product_identifier_type, p_quantity, p_quantity_unit, p_line_item_identifier)
                            ELSE data_import.store_documents(p_kind, p_rows, v_refused) END;
    RETURN data_import.add_document_receipts(
        p_kind, v_stored, v_verdict, p_account_key, p_import_supplier, p_content_digest, p_request, p_figure, p_value);
END
$$;
COMMENT ON FUNCTION data_import.documents_import IS
    'Stores documents of several accounts, except where the account has one of this content.';

GRANT EXECUTE ON FUNCTION data_import.accounts_refused, data_import.store_delivery_notes, data_import.store_documents,
    data_import.add_document_receipts, data_import.documents_import TO "data-import";
