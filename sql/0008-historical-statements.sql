-- Historical statements, and where the documents are that payloads refer to.

CREATE TABLE data_import.historical_statement (
    account_key           uuid NOT NULL,
    statement_id          text COLLATE "C" NOT NULL CHECK (char_length(statement_id) BETWEEN 1 AND 128),
    bill_period_from_date date NOT NULL,
    bill_period_to_date   date NOT NULL,
    issued_date           date,
    number                text,
    gross_amount          numeric,
    statement_path        text,
    supply_type           text,
    is_annulled           boolean NOT NULL DEFAULT false,
    content_digest        uuid NOT NULL,
    request_id            uuid NOT NULL,
    api_key_id            bigint NOT NULL,
    imported_at           timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_key, statement_id),
    CHECK (bill_period_from_date <= bill_period_to_date)
);
COMMENT ON TABLE data_import.historical_statement IS
    'Statements that the supplier issued before the migration (specification, section 2.8).';
COMMENT ON COLUMN data_import.historical_statement.account_key IS 'The account.';
COMMENT ON COLUMN data_import.historical_statement.statement_id IS
    'Identifier in the supplier''s system: one statement of an account for each.';
COMMENT ON COLUMN data_import.historical_statement.bill_period_from_date IS 'First day that the statement covers.';
COMMENT ON COLUMN data_import.historical_statement.bill_period_to_date IS 'Last day that the statement covers.';
COMMENT ON COLUMN data_import.historical_statement.issued_date IS 'Day of issue; null where none was sent.';
COMMENT ON COLUMN data_import.historical_statement.number IS
    'The number printed on the statement; null where none was sent.';
COMMENT ON COLUMN data_import.historical_statement.gross_amount IS
    'Amount with taxes, with the digits that were sent; null where none was sent.';
COMMENT ON COLUMN data_import.historical_statement.statement_path IS
    'Path of the document as sent, relative to the supplier''s document root; null where none was sent.';
COMMENT ON COLUMN data_import.historical_statement.supply_type IS
    'Code of what was supplied, ELECTRICITY for one; null where none was sent.';
COMMENT ON COLUMN data_import.historical_statement.is_annulled IS
    'Whether the statement has been annulled; false where it was not sent.';
COMMENT ON COLUMN data_import.historical_statement.content_digest IS
    'First 16 bytes of a SHA-256 over all that was sent of the statement: a repetition has the same.';
COMMENT ON COLUMN data_import.historical_statement.request_id IS
    'The request that brought the statement: X-Request-Id of its answer.';
COMMENT ON COLUMN data_import.historical_statement.api_key_id IS 'The API key of that request''s token.';
COMMENT ON COLUMN data_import.historical_statement.imported_at IS 'When the statement was stored.';

-- Imports statements into one account (specification 4.5; decisions, section 5). p_statements is the array as sent, each
-- statement_id once, p_content_digest its digests in the same order.
-- Verdict in every row: done, supplier_not_ongoing, account_not_found. With done, one row for each statement whose id the
-- account has with other content, with its 0-based place; nothing was stored then. Else a single row, place null: all are
-- stored, those that the account had already not again.
CREATE FUNCTION data_import.historical_statements_import(
    p_account_key uuid, p_import_supplier text, p_request_id uuid, p_api_key_id bigint,
    p_statements jsonb, p_content_digest uuid[])
RETURNS TABLE (verdict text, differing int)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_stored bigint;
BEGIN
    verdict := data_import.import_verdict(p_account_key, p_import_supplier);
    IF verdict <> 'done' THEN
        RETURN NEXT;
        RETURN;
    END IF;
    PERFORM data_import.lock_account(p_account_key);
    RETURN QUERY
        SELECT 'done'::text, (sent.number - 1)::int
        FROM unnest(p_content_digest) WITH ORDINALITY AS sent (content_digest, number)
        JOIN data_import.historical_statement AS stored
            ON stored.account_key = p_account_key
            AND stored.statement_id = p_statements -> (sent.number - 1)::int ->> 'statement_id'
        WHERE stored.content_digest <> sent.content_digest
        ORDER BY sent.number;
    IF FOUND THEN
        RETURN;
    END IF;
    INSERT INTO data_import.historical_statement (
        account_key, statement_id, bill_period_from_date, bill_period_to_date, issued_date, number, gross_amount,
        statement_path, supply_type, is_annulled, content_digest, request_id, api_key_id)
    SELECT p_account_key, field.statement_id, field.bill_period_from_date, field.bill_period_to_date, field.issued_date,
           field.number, field.gross_amount, field.statement_path, field.supply_type,
           coalesce(field.is_annulled, false), p_content_digest[sent.number], p_request_id, p_api_key_id
    FROM jsonb_array_elements(p_statements) WITH ORDINALITY AS sent (statement, number),
        jsonb_to_record(sent.statement) AS field (
            statement_id text, bill_period_from_date date, bill_period_to_date date, issued_date date, number text,
            gross_amount numeric, statement_path text, supply_type text, is_annulled boolean)
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS v_stored = ROW_COUNT;
    IF v_stored > 0 THEN
        INSERT INTO data_import.import_receipt (import_supplier, kind, value)
        VALUES (p_import_supplier, 'historical_statements', v_stored);
    ELSE
        PERFORM data_import.await_standbys();
    END IF;
    RETURN NEXT;
END
$$;
COMMENT ON FUNCTION data_import.historical_statements_import IS
    'Stores the statements that the account does not have yet, or none when one contradicts a stored one.';

-- Only references are stored (specification, section 2.2). Roots and paths hold no bucket; slashes that meet or lead count
-- once, so that one document has one location.
CREATE FUNCTION data_import.location_in_bucket(p_document_root text, p_document_path text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ltrim(regexp_replace(p_document_root || '/' || p_document_path, '/+', '/', 'g'), '/')
$$;
COMMENT ON FUNCTION data_import.location_in_bucket IS
    'Where in the document bucket a document is: the supplier''s root, then the path of the payload.';

CREATE VIEW data_import.document_location AS
SELECT account_key, account.import_supplier, account.external_account_number, referred.kind, referred.document_path,
       data_import.location_in_bucket(supplier.document_root, referred.document_path) AS location
FROM (
    SELECT note.account_key, 'notes' AS kind, path.document_path
    FROM data_import.note, unnest(note.document_paths) AS path (document_path)
    UNION ALL
    SELECT statement.account_key, 'historical_statements', statement.statement_path
    FROM data_import.historical_statement AS statement
    WHERE statement.statement_path IS NOT NULL
) AS referred
JOIN data_import.account USING (account_key)
JOIN data_import.import_supplier AS supplier ON supplier.code = account.import_supplier;
COMMENT ON VIEW data_import.document_location IS
    'Every reference to a document in the imported data, with where the document is (specification, section 2.2).';
COMMENT ON COLUMN data_import.document_location.account_key IS 'The account that the reference belongs to.';
COMMENT ON COLUMN data_import.document_location.import_supplier IS 'Code of the account''s supplier.';
COMMENT ON COLUMN data_import.document_location.external_account_number IS
    'The account''s number in the supplier''s system.';
COMMENT ON COLUMN data_import.document_location.kind IS 'What refers to the document: notes or historical_statements.';
COMMENT ON COLUMN data_import.document_location.document_path IS 'The path as sent.';
COMMENT ON COLUMN data_import.document_location.location IS
    'The supplier''s document root, then the path: the document''s place inside the bucket that the installation names.';

GRANT SELECT, INSERT ON data_import.historical_statement TO "data-import";
GRANT SELECT ON data_import.document_location TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.historical_statements_import, data_import.location_in_bucket TO "data-import";
