-- Control totals (contract, section 12): the figures that suppliers declare, and their comparison with the figures of what is
-- stored.

CREATE TABLE data_import.control_total_declaration (
    import_supplier text COLLATE "C" NOT NULL,
    number          integer NOT NULL,
    kind            text[] COLLATE "C" NOT NULL,
    figure          text[] COLLATE "C" NOT NULL,
    value           numeric[] NOT NULL,
    request_id      uuid NOT NULL,
    api_key_id      bigint NOT NULL,
    declared_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (import_supplier, number),
    CONSTRAINT each_figure_has_kind_and_value
        CHECK (cardinality(kind) > 0 AND cardinality(figure) = cardinality(kind) AND cardinality(value) = cardinality(kind))
);
COMMENT ON TABLE data_import.control_total_declaration IS
    'What suppliers have declared to have. The last declaration of a supplier counts; the 99 before it are kept, too.';
COMMENT ON COLUMN data_import.control_total_declaration.import_supplier IS 'Code of the supplier.';
COMMENT ON COLUMN data_import.control_total_declaration.number IS 'Place among the supplier''s declarations, from 1.';
COMMENT ON COLUMN data_import.control_total_declaration.kind IS
    'Of each declared figure the kind of records, as in import_receipt; accounts for the accounts of all states.';
COMMENT ON COLUMN data_import.control_total_declaration.figure IS
    'What is counted or summed up, as in import_receipt; accounts for the number of accounts.';
COMMENT ON COLUMN data_import.control_total_declaration.value IS 'The figure''s value.';
COMMENT ON COLUMN data_import.control_total_declaration.request_id IS
    'The request that brought the declaration: X-Request-Id of its answer.';
COMMENT ON COLUMN data_import.control_total_declaration.api_key_id IS 'The API key of that request''s token.';
COMMENT ON COLUMN data_import.control_total_declaration.declared_at IS 'When it was declared.';

-- Returns the figures of suppliers' records, as suppliers can declare them. A kind whose records have all been removed has no
-- figures. The number of accounts in all states is a figure of its own, in addition to the figures by state.
--
-- An erased supplier has the figures from before its erasure, because these were declared, compared and signed.
CREATE FUNCTION data_import.held_figures(p_import_suppliers text[])
RETURNS TABLE (import_supplier text, kind text, figure text, value numeric)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_erased constant text[] := ARRAY(
        SELECT import_supplier FROM data_import.supplier_erasure WHERE import_supplier = ANY (p_import_suppliers));
BEGIN
    RETURN QUERY
        WITH stored AS MATERIALIZED (
            SELECT counted.import_supplier, counted.kind, counted.figure, sum(counted.value) AS value
            FROM data_import.counted_figure AS counted
            WHERE counted.import_supplier = ANY (p_import_suppliers) AND counted.import_supplier <> ALL (v_erased)
              AND counted.figure NOT IN ('pinned', 'differing')
            GROUP BY counted.import_supplier, counted.kind, counted.figure
        )
        SELECT stored.* FROM stored
        JOIN stored AS counted USING (import_supplier, kind)
        WHERE counted.figure = 'records' AND counted.value <> 0
        UNION ALL
        SELECT import_supplier, 'accounts', 'accounts', sum(value) FROM stored WHERE starts_with(kind, 'account_') GROUP BY 1
        UNION ALL
        SELECT import_supplier, unnest(kind), unnest(figure), unnest(value) FROM data_import.supplier_erasure
        WHERE import_supplier = ANY (v_erased);
END
$$;
COMMENT ON FUNCTION data_import.held_figures IS 'Exact figures of all that suppliers have brought.';

CREATE FUNCTION data_import.declared_figures(p_import_suppliers text[])
RETURNS TABLE (import_supplier text, kind text, figure text, value numeric)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT supplier.code, unnest(last.kind), unnest(last.figure), unnest(last.value)
        FROM unnest(p_import_suppliers) AS supplier (code)
        CROSS JOIN LATERAL (SELECT kind, figure, value FROM data_import.control_total_declaration
                            WHERE import_supplier = supplier.code ORDER BY number DESC LIMIT 1) AS last;
END
$$;
COMMENT ON FUNCTION data_import.declared_figures IS 'The figures that suppliers have declared last.';

-- Compares the held figures of suppliers with the declared ones. Returns only suppliers that have declared anything. The digest
-- covers all held and all declared figures.
CREATE FUNCTION data_import.compared_suppliers(p_import_suppliers text[])
RETURNS TABLE (import_supplier text, differs boolean, digest bytea)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        WITH declared AS MATERIALIZED (
            SELECT * FROM data_import.declared_figures(p_import_suppliers)
        )
        SELECT import_supplier, bool_or(declared.value <> coalesce(held.value, 0)),
               sha256(convert_to(string_agg(
                   row(kind, figure, trim_scale(held.value), trim_scale(declared.value))::text, E'\n'
                   ORDER BY kind COLLATE "C", figure COLLATE "C"), 'UTF8'))
        FROM declared
        FULL JOIN (SELECT * FROM data_import.held_figures(ARRAY(SELECT DISTINCT import_supplier FROM declared))
                   WHERE value <> 0) AS held USING (import_supplier, kind, figure)
        GROUP BY import_supplier;
END
$$;
COMMENT ON FUNCTION data_import.compared_suppliers IS 'Whether what suppliers hold is other than what they have declared.';

-- Returns a row for each figure of a supplier that is held or declared. If there is no figure, returns a single row whose kind is
-- null. The rows are ordered by kind; within a kind, the figure called `records` comes first, and the other figures follow by
-- name.
--
--   difference  `held` (null counts as 0) minus `declared`; null if the result is 0, or if the figure is not declared
--   left_out    number of the kind's quantities that are not returned
--
-- For each kind, at most p_most quantities that are not declared are returned. The limit is needed because suppliers choose the
-- units of quantities, so a kind may have many figures `quantity:UNIT`.
CREATE FUNCTION data_import.control_totals(p_import_supplier text, p_most integer)
RETURNS TABLE (as_of timestamptz, kind text, figure text, held text, declared text, difference text, left_out bigint)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        WITH beside AS (
            SELECT kind, figure, held.value AS held, declared.value AS declared,
                   count(*) FILTER (WHERE declared.value IS NULL AND figure LIKE 'quantity:%')
                       OVER (PARTITION BY kind ORDER BY figure <> 'records', figure COLLATE "C") AS undeclared,
                   count(*) FILTER (WHERE declared.value IS NULL AND figure LIKE 'quantity:%')
                       OVER (PARTITION BY kind) AS all_undeclared
            FROM data_import.held_figures(ARRAY[p_import_supplier]) AS held
            FULL JOIN data_import.declared_figures(ARRAY[p_import_supplier]) AS declared USING (kind, figure)
        ), told AS (
            SELECT kind, figure, held, declared, greatest(all_undeclared - p_most, 0) AS left_out FROM beside
            WHERE declared IS NOT NULL OR undeclared <= p_most
        )
        SELECT now(), told.kind, told.figure, trim_scale(told.held)::text, trim_scale(told.declared)::text,
               trim_scale(nullif(coalesce(told.held, 0) - told.declared, 0))::text, told.left_out
        FROM (SELECT 1) AS one
        LEFT JOIN told ON true
        ORDER BY told.kind COLLATE "C", told.figure <> 'records', told.figure COLLATE "C";
END
$$;
COMMENT ON FUNCTION data_import.control_totals IS
    'Exact figures of all that a supplier has brought, beside those that it has declared.';

-- Stores the figures that a supplier declares, and returns the rows of control_totals, which describes p_most, too. p_kind,
-- p_figure and p_value have one element for each figure. A declaration equal to the supplier's last one by the same API key is
-- not stored again, so that repeats do not fill the table. Raises 55P03 after a wait of 50 ms for another declaration of the
-- supplier.
CREATE FUNCTION data_import.control_totals_declare(
    p_import_supplier text, p_request_id uuid, p_api_key_id bigint, p_kind text[], p_figure text[], p_value numeric[],
    p_most integer)
RETURNS TABLE (as_of timestamptz, kind text, figure text, held text, declared text, difference text, left_out bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '50ms' AS $$
DECLARE
    v_most_kept constant integer := 100;
    v_last data_import.control_total_declaration;
BEGIN
    PERFORM pg_advisory_xact_lock(data_import.lock_number('control_totals', p_import_supplier));
    SELECT * INTO v_last FROM data_import.control_total_declaration AS known
    WHERE known.import_supplier = p_import_supplier ORDER BY known.number DESC LIMIT 1;
    IF (v_last.kind, v_last.figure, v_last.value, v_last.api_key_id) = (p_kind, p_figure, p_value, p_api_key_id) THEN
        PERFORM data_import.await_standbys();
    ELSE
        INSERT INTO data_import.control_total_declaration (import_supplier, number, kind, figure, value, request_id, api_key_id)
        VALUES (p_import_supplier, coalesce(v_last.number, 0) + 1, p_kind, p_figure, p_value, p_request_id, p_api_key_id);
        DELETE FROM data_import.control_total_declaration AS known
        WHERE known.import_supplier = p_import_supplier AND known.number <= v_last.number + 1 - v_most_kept;
    END IF;
    RETURN QUERY SELECT * FROM data_import.control_totals(p_import_supplier, p_most);
END
$$;
COMMENT ON FUNCTION data_import.control_totals_declare IS
    'Keeps what a supplier declares to have, with the 99 declarations before it, and answers as control_totals does.';

-- Returns the figures in which receipts and totals (told) differ from the stored records (counted). They differ after records
-- were removed or changed by SQL.
--
-- All are read in one snapshot, and each import stores its records and its receipts in one transaction. So the figures are exact
-- while imports go on. On several machines there is no such snapshot.
CREATE FUNCTION data_import.recount(p_import_supplier text)
RETURNS TABLE (kind text, figure text, told numeric, counted numeric)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_counted record;
BEGIN
    SELECT array_agg(kind) AS kinds, array_agg(figure) AS figures, array_agg(value) AS values INTO v_counted
    FROM (SELECT kind, figure, sum(value) AS value
          FROM data_import.record_figure JOIN data_import.account USING (account_key)
          WHERE import_supplier = p_import_supplier
          GROUP BY kind, figure
          UNION ALL
          SELECT 'account_' || state, 'records', count(*) FROM data_import.account WHERE import_supplier = p_import_supplier
          GROUP BY state) AS summed;
    RETURN QUERY
        SELECT kind, figure, trim_scale(coalesce(known.value, 0)), trim_scale(coalesce(counted.value, 0))
        FROM (SELECT kind, figure, sum(value) AS value FROM data_import.counted_figure
              WHERE import_supplier = p_import_supplier AND figure <> 'differing'
              GROUP BY kind, figure) AS known
        FULL JOIN unnest(v_counted.kinds, v_counted.figures, v_counted.values) AS counted (kind, figure, value)
            USING (kind, figure)
        WHERE coalesce(known.value, 0) <> coalesce(counted.value, 0)
        ORDER BY kind COLLATE "C", figure <> 'records', figure COLLATE "C";
END
$$;
COMMENT ON FUNCTION data_import.recount IS
    'The figures of a supplier in which receipts and totals (told) are not what its records and accounts say (counted).';

CREATE FUNCTION data_import.correct_totals(p_import_supplier text)
RETURNS TABLE (kind text, figure text, told numeric, counted numeric)
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(data_import.lock_number('recount', p_import_supplier));
    RETURN QUERY
        WITH wrong AS MATERIALIZED (
            SELECT * FROM data_import.recount(p_import_supplier)
        ), corrected AS (
            INSERT INTO data_import.import_receipt (import_supplier, kind, figure, value, at)
            SELECT p_import_supplier, wrong.kind, wrong.figure, wrong.counted - wrong.told, '-infinity' FROM wrong
        )
        SELECT * FROM wrong;
END
$$;
COMMENT ON FUNCTION data_import.correct_totals IS
    'Makes the totals of a supplier those of its records, and answers as recount does what they were.';

-- Differences that an operator has accepted with `data-importctl reconcile`. Each is a difference between the records that a
-- supplier says it has for an account, and the records that are stored here. Section 12.4 of the contract describes the figures
-- that are compared. The account may be one that is not known here, and never becomes known.

CREATE TABLE data_import.accepted_difference (
    account_key             uuid NOT NULL,
    kind                    text COLLATE "C" NOT NULL,
    accepted_at             timestamptz NOT NULL DEFAULT clock_timestamp(),
    import_supplier         text COLLATE "C" NOT NULL,
    external_account_number data_import.account_number NOT NULL,
    declared_records        bigint NOT NULL,
    declared_amount         numeric,
    declared_fingerprint    uuid,
    declared_sums           jsonb,
    held_records            bigint NOT NULL,
    held_amount             numeric NOT NULL,
    held_fingerprint        uuid NOT NULL,
    accepted_by             text NOT NULL,
    reason                  data_import.reason NOT NULL,
    PRIMARY KEY (account_key, kind, accepted_at)
);
COMMENT ON TABLE data_import.accepted_difference IS
    'Known differences of accounts. One counts as long as both sides are as they were when it was accepted.';
COMMENT ON COLUMN data_import.accepted_difference.account_key IS
    'data_import.account_key of the supplier and the number; of an account that may not exist.';
COMMENT ON COLUMN data_import.accepted_difference.kind IS 'Kind of the records, notes for one.';
COMMENT ON COLUMN data_import.accepted_difference.accepted_at IS 'When it was accepted.';
COMMENT ON COLUMN data_import.accepted_difference.import_supplier IS 'Code of the supplier.';
COMMENT ON COLUMN data_import.accepted_difference.external_account_number IS
    'Number of the account at the supplier: of one that is not known here nothing else tells it.';
COMMENT ON COLUMN data_import.accepted_difference.declared_records IS 'How many records the supplier has.';
COMMENT ON COLUMN data_import.accepted_difference.declared_amount IS 'Their amount; null where the supplier does not say it.';
COMMENT ON COLUMN data_import.accepted_difference.declared_fingerprint IS
    'Their fingerprint; null where the supplier does not say it.';
COMMENT ON COLUMN data_import.accepted_difference.declared_sums IS
    'Each of their sums as an object of decimal strings, {"amount:CHARGE": "12.5"}; null where the supplier does not say them.';
COMMENT ON COLUMN data_import.accepted_difference.held_records IS 'How many records were held here.';
COMMENT ON COLUMN data_import.accepted_difference.held_amount IS 'Their amount; 0 where the kind has none.';
COMMENT ON COLUMN data_import.accepted_difference.held_fingerprint IS 'Their fingerprint.';
COMMENT ON COLUMN data_import.accepted_difference.accepted_by IS 'The system user who accepted it.';
COMMENT ON COLUMN data_import.accepted_difference.reason IS 'Why.';
CREATE INDEX accepted_difference_by_account
    ON data_import.accepted_difference (import_supplier, external_account_number, kind, accepted_at DESC);

CREATE TABLE data_import.account_comparison (
    import_supplier text COLLATE "C" PRIMARY KEY,
    accounts        bigint NOT NULL,
    open            bigint NOT NULL,
    accepted        bigint NOT NULL,
    figures_digest  bytea,
    compared_by     text NOT NULL,
    compared_at     timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE data_import.account_comparison IS
    'When the accounts of a supplier were compared one by one with its file last, and what was found: data-importctl reconcile.';
COMMENT ON COLUMN data_import.account_comparison.import_supplier IS 'Code of the supplier.';
COMMENT ON COLUMN data_import.account_comparison.accounts IS 'How many accounts were compared.';
COMMENT ON COLUMN data_import.account_comparison.open IS 'How many differences were found that are not accepted.';
COMMENT ON COLUMN data_import.account_comparison.accepted IS 'How many differences were found that are accepted.';
COMMENT ON COLUMN data_import.account_comparison.figures_digest IS
    'data_import.compared_suppliers of the supplier at that moment, as in signed_report; null where it had declared nothing.';
COMMENT ON COLUMN data_import.account_comparison.compared_by IS
    'System user who did it: whoever called sudo, where that was used.';
COMMENT ON COLUMN data_import.account_comparison.compared_at IS 'When it was done.';

-- When the stored totals of each supplier were last compared with its records. `data-importctl doctor` compares as many suppliers
-- as its time allows in each run, and goes on where the last run, on any host, has ended.
CREATE TABLE data_import.totals_comparison (
    supplier    text COLLATE "C" PRIMARY KEY,
    tried_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    compared_at timestamptz,
    differing   integer
);
COMMENT ON TABLE data_import.totals_comparison IS
    'The last comparison of the totals of suppliers with their records, by doctor or recount.';
COMMENT ON COLUMN data_import.totals_comparison.supplier IS
    'Code of the supplier, which may be gone: a comparison does not prevent remove_import_supplier, as rows with import_supplier do.';
COMMENT ON COLUMN data_import.totals_comparison.tried_at IS 'When it was last tried.';
COMMENT ON COLUMN data_import.totals_comparison.compared_at IS 'When it was last done to the end; null: never yet.';
COMMENT ON COLUMN data_import.totals_comparison.differing IS
    'How many figures differed then; 0: the totals were what the records say.';

GRANT SELECT ON data_import.control_total_declaration, data_import.accepted_difference, data_import.account_comparison TO
    "data-import";
GRANT EXECUTE ON FUNCTION data_import.held_figures, data_import.declared_figures, data_import.compared_suppliers,
    data_import.control_totals, data_import.control_totals_declare TO "data-import";
