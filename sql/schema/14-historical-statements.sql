-- Historical statements, and the locations of documents that payloads refer to.

CREATE TABLE data_import.historical_statement (
    account_key           uuid NOT NULL,
    statement_id          text COLLATE "C" NOT NULL
                          CONSTRAINT statement_id_is_of_1_to_128_characters CHECK (char_length(statement_id) BETWEEN 1 AND 128),
    bill_period_from_date date NOT NULL,
    bill_period_to_date   date NOT NULL,
    issued_date           date,
    number                text,
    gross_amount          numeric,
    statement_path        text,
    supply_type           text,
    is_annulled           boolean NOT NULL DEFAULT false,
    has_is_annulled       boolean NOT NULL,
    content_digest        uuid NOT NULL,
    LIKE data_import.provenance INCLUDING DEFAULTS INCLUDING COMMENTS,
    PRIMARY KEY (account_key, statement_id),
    CONSTRAINT bill_period_has_a_day CHECK (bill_period_from_date <= bill_period_to_date)
);
COMMENT ON TABLE data_import.historical_statement IS
    'Statements that the supplier issued before the migration (contract, section 4.6).';
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
COMMENT ON COLUMN data_import.historical_statement.has_is_annulled IS 'Whether is_annulled was sent.';
COMMENT ON COLUMN data_import.historical_statement.content_digest IS
    'First 16 bytes of a SHA-256 over all that was sent of the statement: a repetition has the same.';

CREATE FUNCTION data_import.historical_statement_figures(p_records bigint, p_gross_amount numeric)
RETURNS TABLE (figure text, value numeric) LANGUAGE sql IMMUTABLE AS $$
    VALUES ('records', p_records::numeric), ('gross_amount', p_gross_amount)
$$;
COMMENT ON FUNCTION data_import.historical_statement_figures IS
    'Figures of so many statements, whose gross amounts add up to p_gross_amount; null where none has one.';

-- Imports statements (contract, section 5.5); begin_imports describes the arrays and the verdicts. The caller passes no
-- statement_id twice in one request. An element of p_is_annulled is null if the field was not sent.
--
-- With the verdict 'done', a request gets one of two answers. If the account has none of the request's statement ids with other
-- content, the request gets one row: `differing` is null, and `stored` is the number of new statements. Otherwise nothing of the
-- request is stored. Then each statement whose stored content is different gets a row, in which `differing` is the statement's
-- place in the request, from 0.
CREATE FUNCTION data_import.historical_statements_import(
    p_account_key uuid[], p_import_supplier text[], p_request_id uuid[], p_api_key_id bigint[],
    p_request integer[], p_statement_id text[], p_bill_period_from_date date[], p_bill_period_to_date date[],
    p_issued_date date[], p_number text[], p_gross_amount numeric[], p_statement_path text[], p_supply_type text[],
    p_is_annulled boolean[], p_content_digest uuid[])
RETURNS TABLE (request integer, verdict text, differing integer, stored integer)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
    v_verdict constant text[] := data_import.begin_imports(p_account_key, p_import_supplier);
    v_differs boolean[] := array_fill(false, ARRAY[cardinality(p_request)]);
    v_is_added boolean[] := array_fill(true, ARRAY[cardinality(p_request)]);
    v_known record;
    v_from integer;
    v_to integer := 0;
BEGIN
    SELECT array_agg(sent.place) AS place, array_agg(known.content_digest <> p_content_digest[sent.place]) AS differs
    INTO v_known
    FROM (SELECT unnest(p_request) AS request, unnest(p_statement_id) AS statement_id,
                 generate_subscripts(p_request, 1) AS place) AS sent
    JOIN data_import.historical_statement AS known
        ON known.account_key = p_account_key[sent.request] AND known.statement_id = sent.statement_id;
    FOR v_place IN 1 .. coalesce(cardinality(v_known.place), 0) LOOP
        v_is_added[v_known.place[v_place]] := false;
        v_differs[v_known.place[v_place]] := v_known.differs[v_place];
    END LOOP;

    FOR v_request IN 1 .. cardinality(p_account_key) LOOP
        request := v_request;
        verdict := v_verdict[v_request];
        v_from := v_to + 1;
        v_to := coalesce(array_position(p_request, v_request + 1, v_from) - 1, cardinality(p_request));
        stored := 0;
        IF verdict = 'done' AND NOT true = ANY (v_differs[v_from:v_to]) THEN
            stored := cardinality(array_positions(v_is_added[v_from:v_to], true));
            RETURN NEXT;
            CONTINUE;
        END IF;
        v_is_added[v_from:v_to] := array_fill(false, ARRAY[v_to - v_from + 1]);
        IF verdict = 'done' THEN
            RETURN QUERY SELECT v_request, 'done', at - v_from, 0 FROM generate_series(v_from, v_to) AS at
                         WHERE v_differs[at] ORDER BY at;
        ELSE
            RETURN NEXT;
        END IF;
    END LOOP;

    INSERT INTO data_import.historical_statement (
        account_key, statement_id, bill_period_from_date, bill_period_to_date, issued_date, number, gross_amount,
        statement_path, supply_type, is_annulled, has_is_annulled, content_digest, request_id, api_key_id)
    SELECT p_account_key[request], statement_id, bill_period_from_date, bill_period_to_date, issued_date, number, gross_amount,
           statement_path, supply_type, coalesce(is_annulled, false), is_annulled IS NOT NULL, content_digest,
           p_request_id[request], p_api_key_id[request]
    FROM (SELECT unnest(v_is_added) AS is_added, unnest(p_request) AS request, unnest(p_statement_id) AS statement_id,
                 unnest(p_bill_period_from_date) AS bill_period_from_date,
                 unnest(p_bill_period_to_date) AS bill_period_to_date, unnest(p_issued_date) AS issued_date,
                 unnest(p_number) AS number, unnest(p_gross_amount) AS gross_amount,
                 unnest(p_statement_path) AS statement_path, unnest(p_supply_type) AS supply_type,
                 unnest(p_is_annulled) AS is_annulled, unnest(p_content_digest) AS content_digest) AS sent
    WHERE is_added;
    INSERT INTO data_import.import_receipt (import_supplier, kind, figure, value)
    SELECT import_supplier, 'historical_statements', figure, value
    FROM (SELECT p_import_supplier[request], count(*), sum(gross_amount)
          FROM (SELECT unnest(v_is_added) AS is_added, unnest(p_request) AS request,
                       unnest(p_gross_amount) AS gross_amount) AS sent
          WHERE is_added
          GROUP BY 1) AS added (import_supplier, records, gross_amount),
         data_import.historical_statement_figures(records, gross_amount)
    WHERE value IS NOT NULL;
    IF current_setting('data_import.tells_news', true) = 'on' THEN
        PERFORM data_import.add_news(
            ARRAY(SELECT DISTINCT p_account_key[request]
                  FROM (SELECT unnest(v_is_added) AS is_added, unnest(p_request) AS request) AS sent WHERE is_added),
            now());
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.historical_statements_import IS
    'Stores the statements that the accounts do not have yet; of each request all, or none when one contradicts a stored one.';

-- Returns the location of a document inside the document bucket. Several slashes in a row become one, and slashes at the
-- beginning are left out, so that one document has one location. Neither roots nor paths name the bucket; only references are
-- stored (contract, section 1.5).
--
-- Only a path with two slashes in a row needs the regular expression, and hardly any path has them. The function is not STRICT,
-- because PostgreSQL would not inline it then.
CREATE FUNCTION data_import.location_in_bucket(p_document_root text, p_document_path text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT ltrim(CASE WHEN strpos(p_document_root || '/' || p_document_path, '//') = 0
                      THEN p_document_root || '/' || p_document_path
                      ELSE regexp_replace(p_document_root || '/' || p_document_path, '/+', '/', 'g') END, '/')
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
    'Every reference to a document in the imported data, with where the document is (contract, section 1.5).';
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
GRANT EXECUTE ON FUNCTION data_import.historical_statement_figures, data_import.historical_statements_import,
    data_import.location_in_bucket TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.location_in_bucket TO "data-import-platform", "data-import-reader";
