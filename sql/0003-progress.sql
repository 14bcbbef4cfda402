-- Exact figures of progress.
--
-- To count millions of rows on each look would be too slow, and counters that every import updates would make imports wait for
-- each other. So whatever is stored leaves a receipt in a table that is only appended to, in the same transaction.
-- housekeeping() moves receipts into totals, and who reads adds up totals and receipts in one snapshot: the figures are exact
-- at any time, and cost the same with ten accounts and with ten million.

CREATE TABLE data_import.import_receipt (
    import_supplier text COLLATE "C" NOT NULL,
    kind            text COLLATE "C" NOT NULL,
    figure          text COLLATE "C" NOT NULL DEFAULT 'records',
    value           numeric NOT NULL,
    at              timestamptz NOT NULL DEFAULT now()
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000);
-- without a key, its rows are told by all their columns where they are replicated logically: else no row could be deleted
ALTER TABLE data_import.import_receipt REPLICA IDENTITY FULL;
COMMENT ON TABLE data_import.import_receipt IS
    'What was stored and is not in the totals yet, with no index, because every import adds to it: a row for each figure of '
    'what a call stored for a supplier. Rows leave it by housekeeping().';
COMMENT ON COLUMN data_import.import_receipt.import_supplier IS
    'Code of the supplier; empty for records that belong to no supplier.';
COMMENT ON COLUMN data_import.import_receipt.kind IS
    'Kind of the records, as the counts of accounts and suppliers call it (notes, transactions, ...), or account_ and a '
    'state.';
COMMENT ON COLUMN data_import.import_receipt.figure IS
    'What is counted or summed up: records that suppliers sent; pinned, notes that the service added itself; differing, records '
    'that were sent again with other content, and not stored; or a field, where several are kept apart with what they are kept '
    'apart by (amount:CHARGE, quantity:KWH, gross_amount).';
COMMENT ON COLUMN data_import.import_receipt.value IS
    'The sum over what was stored, repeats not among it; of account_ how many accounts came into the state; negative for '
    'what was taken out again.';
COMMENT ON COLUMN data_import.import_receipt.at IS 'When.';

CREATE TABLE data_import.import_total (
    import_supplier text COLLATE "C" NOT NULL,
    kind            text COLLATE "C" NOT NULL,
    figure          text COLLATE "C" NOT NULL,
    value           numeric NOT NULL,
    last_at         timestamptz NOT NULL,
    PRIMARY KEY (import_supplier, kind, figure)
);
COMMENT ON TABLE data_import.import_total IS
    'Sums of all receipts that are gone. With the receipts that are there it is what the database holds.';
COMMENT ON COLUMN data_import.import_total.import_supplier IS 'As in import_receipt.';
COMMENT ON COLUMN data_import.import_total.kind IS 'As in import_receipt.';
COMMENT ON COLUMN data_import.import_total.figure IS 'As in import_receipt.';
COMMENT ON COLUMN data_import.import_total.value IS 'Sum of the receipts'' values.';
COMMENT ON COLUMN data_import.import_total.last_at IS
    'Time of the last of these receipts that brought anything, which takes nothing out; -infinity: none did.';

CREATE TABLE data_import.import_rate (
    import_supplier text COLLATE "C" NOT NULL,
    kind            text COLLATE "C" NOT NULL,
    seconds         integer NOT NULL CHECK (seconds IN (5, 60, 3600)),
    began_at        timestamptz NOT NULL,
    records         bigint NOT NULL,
    PRIMARY KEY (import_supplier, seconds, began_at, kind)
);
CREATE INDEX import_rate_by_age ON data_import.import_rate (seconds, began_at);
COMMENT ON TABLE data_import.import_rate IS
    'What the receipts that are gone say of when it came: sums for every 5 seconds of the last minutes, for every minute of the '
    'last 25 hours, and for every hour before, which are kept for good. Of accounts, only how many were imported; nothing of '
    'what was taken out again.';
COMMENT ON COLUMN data_import.import_rate.import_supplier IS 'As in import_receipt.';
COMMENT ON COLUMN data_import.import_rate.kind IS 'As in import_receipt.';
COMMENT ON COLUMN data_import.import_rate.seconds IS 'Length of the time that is summed up.';
COMMENT ON COLUMN data_import.import_rate.began_at IS 'Its begin: a multiple of its length.';
COMMENT ON COLUMN data_import.import_rate.records IS 'Sum of the records of receipts in this time.';

-- A row for each kind that a supplier has, differing_ and a kind for those that differ. The times that last_... look back to
-- begin up to 5 seconds (of the minute) or a minute (of the others) earlier. hour_began_at is the begin of what was counted in
-- last_hour, null for nothing; last_at is when any came last, whatever was taken out since, null where none did. last_day is null
-- unless it is asked for: it reads 24 times as much as the hour.
CREATE FUNCTION data_import.progress_figures(p_import_suppliers text[], p_with_day boolean)
RETURNS TABLE (import_supplier text, kind text, records bigint, last_at timestamptz, last_minute bigint,
               last_hour bigint, last_day bigint, hour_began_at timestamptz)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_since constant timestamptz := now() - CASE WHEN p_with_day THEN interval '1441 minutes' ELSE interval '61 minutes' END;
BEGIN
    RETURN QUERY
        WITH receipt AS MATERIALIZED (
            SELECT import_supplier, CASE figure WHEN 'differing' THEN 'differing_' || kind ELSE kind END AS kind,
                   value AS records, at
            FROM data_import.import_receipt
            WHERE import_supplier = ANY (p_import_suppliers) AND figure IN ('records', 'pinned', 'differing')
        ), summed AS (
            SELECT counted.import_supplier, counted.kind, sum(counted.records)::bigint AS records,
                   nullif(max(counted.at), '-infinity') AS last_at
            FROM (SELECT import_supplier, CASE figure WHEN 'differing' THEN 'differing_' || kind ELSE kind END AS kind,
                         value AS records, last_at AS at
                  FROM data_import.import_total
                  WHERE import_supplier = ANY (p_import_suppliers) AND figure IN ('records', 'pinned', 'differing')
                  UNION ALL
                  SELECT import_supplier, kind, records, CASE WHEN records > 0 THEN at END FROM receipt) AS counted
            GROUP BY counted.import_supplier, counted.kind
        ), arrived AS (
            SELECT counted.import_supplier, counted.kind,
                   sum(counted.records) FILTER (WHERE counted.at >= now() - interval '65 seconds')::bigint AS last_minute,
                   sum(counted.records) FILTER (WHERE counted.at >= now() - interval '61 minutes')::bigint AS last_hour,
                   sum(counted.records)::bigint AS last_day,
                   min(counted.at) FILTER (WHERE counted.at >= now() - interval '61 minutes') AS hour_began_at
            FROM (SELECT import_supplier, kind, records, began_at AS at FROM data_import.import_rate
                  WHERE import_supplier = ANY (p_import_suppliers) AND seconds IN (5, 60) AND began_at >= v_since
                  UNION ALL
                  SELECT import_supplier, kind, records, at FROM receipt WHERE records > 0 AND at >= v_since) AS counted
            GROUP BY counted.import_supplier, counted.kind
        )
        SELECT import_supplier, kind, summed.records, summed.last_at, coalesce(arrived.last_minute, 0),
               coalesce(arrived.last_hour, 0), CASE WHEN p_with_day THEN coalesce(arrived.last_day, 0) END,
               arrived.hour_began_at
        FROM summed LEFT JOIN arrived USING (import_supplier, kind);
END
$$;
COMMENT ON FUNCTION data_import.progress_figures IS
    'Exact figures of suppliers'' migrations by kind: all records, and those of the last minute, hour and day.';

-- These rows of one supplier, or a single one without a kind; none for an unknown supplier.
CREATE FUNCTION data_import.migration_progress(p_import_supplier text)
RETURNS TABLE (status text, as_of timestamptz, kind text, records bigint, last_at timestamptz, last_minute bigint,
               last_hour bigint, last_day bigint, hour_began_at timestamptz)
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
        SELECT supplier.status, now(), figure.kind, figure.records, figure.last_at, figure.last_minute, figure.last_hour,
               figure.last_day, figure.hour_began_at
        FROM data_import.import_supplier AS supplier
        LEFT JOIN data_import.progress_figures(ARRAY[p_import_supplier], true) AS figure ON true
        WHERE supplier.code = p_import_supplier;
END
$$;
COMMENT ON FUNCTION data_import.migration_progress IS 'How far the migration of one supplier has come.';

-- Receipts that are to be summed up leave in the same statement in which their sums arrive.
CREATE FUNCTION data_import.sum_up_receipts(p_most integer) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_finest_from constant timestamptz := date_trunc('minute', now() - interval '2 minutes');
    v_taken bigint;
BEGIN
    WITH taken AS (
        DELETE FROM data_import.import_receipt
        WHERE ctid = ANY (ARRAY(SELECT ctid FROM data_import.import_receipt LIMIT p_most))
        RETURNING import_supplier, kind, figure, value, at
    ), totals AS (
        INSERT INTO data_import.import_total AS total (import_supplier, kind, figure, value, last_at)
        SELECT import_supplier, kind, figure, sum(value), coalesce(max(at) FILTER (WHERE value > 0), '-infinity')
        FROM taken GROUP BY import_supplier, kind, figure
        ON CONFLICT (import_supplier, kind, figure) DO UPDATE
            SET value = total.value + excluded.value, last_at = greatest(total.last_at, excluded.last_at)
    ), rates AS (
        INSERT INTO data_import.import_rate AS rate (import_supplier, kind, seconds, began_at, records)
        SELECT import_supplier, kind, span.seconds,
               date_bin(make_interval(secs => span.seconds), at, timestamptz '2000-01-01 00:00:00+00'), sum(value)
        FROM taken
        CROSS JOIN LATERAL (SELECT CASE WHEN at >= v_finest_from THEN 5 ELSE 60 END) AS span (seconds)
        WHERE figure IN ('records', 'pinned') AND value > 0
          AND kind NOT IN ('account_staged', 'account_in_progress', 'account_failed')
        GROUP BY 1, 2, 3, 4
        ON CONFLICT (import_supplier, kind, seconds, began_at) DO UPDATE SET records = rate.records + excluded.records
    )
    SELECT count(*) INTO v_taken FROM taken;
    RETURN v_taken;
END
$$;
COMMENT ON FUNCTION data_import.sum_up_receipts IS
    'Moves at most so many receipts into the totals and rates, and tells how many.';

CREATE FUNCTION data_import.merge_rates_into(p_seconds integer, p_finer integer, p_before timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    WITH old AS (
        DELETE FROM data_import.import_rate WHERE seconds = p_finer AND began_at < p_before
        RETURNING import_supplier, kind, began_at, records
    )
    INSERT INTO data_import.import_rate AS rate (import_supplier, kind, seconds, began_at, records)
    SELECT import_supplier, kind, p_seconds,
           date_bin(make_interval(secs => p_seconds), began_at, timestamptz '2000-01-01 00:00:00+00'), sum(records)
    FROM old GROUP BY 1, 2, 4
    ON CONFLICT (import_supplier, kind, seconds, began_at) DO UPDATE SET records = rate.records + excluded.records;
END
$$;
COMMENT ON FUNCTION data_import.merge_rates_into IS 'Turns rates of before that time into those of a longer one.';

CREATE FUNCTION data_import.merge_rates() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM data_import.merge_rates_into(60, 5, date_trunc('minute', now() - interval '2 minutes')),
            data_import.merge_rates_into(3600, 60, date_trunc('hour', now() - interval '25 hours'));
END
$$;
COMMENT ON FUNCTION data_import.merge_rates IS
    'Turns rates of 5 seconds that are older than some minutes into those of a minute, and those of 25 hours ago into those of '
    'an hour.';

-- Exact: the curve of a whole migration adds up to what is there. Times of p_seconds that were imported in; nothing where
-- nothing came.
CREATE FUNCTION data_import.migration_throughput(p_import_supplier text, p_since timestamptz, p_seconds integer)
RETURNS TABLE (kind text, began_at timestamptz, records bigint)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_length constant interval := make_interval(secs => p_seconds);
BEGIN
    RETURN QUERY
        SELECT counted.kind, date_bin(v_length, counted.at, timestamptz '2000-01-01 00:00:00+00'), sum(counted.records)::bigint
        FROM (SELECT kind, began_at AS at, records FROM data_import.import_rate
              WHERE import_supplier = p_import_supplier AND began_at >= p_since
              UNION ALL
              SELECT kind, at, value FROM data_import.import_receipt
              WHERE import_supplier = p_import_supplier AND at >= p_since AND figure IN ('records', 'pinned') AND value > 0
                AND kind NOT IN ('account_staged', 'account_in_progress', 'account_failed')) AS counted
        GROUP BY 1, 2
        ORDER BY 1, 2;
END
$$;
COMMENT ON FUNCTION data_import.migration_throughput IS
    'How many records of each kind were stored, and accounts (account_imported) imported, in each time of so many seconds.';

-- Control totals (extensions, section 4): what suppliers say they have, beside what the same receipts and totals say is here.

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
    CHECK (cardinality(kind) > 0 AND cardinality(figure) = cardinality(kind) AND cardinality(value) = cardinality(kind))
);
COMMENT ON TABLE data_import.control_total_declaration IS
    'What suppliers have declared to have. The last declaration of a supplier counts, the others are kept.';
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

-- What suppliers have brought, as they can declare it: kinds whose records have all been taken out again are none, and accounts
-- of all states are one figure beside those of each.
CREATE FUNCTION data_import.held_figures(p_import_suppliers text[])
RETURNS TABLE (import_supplier text, kind text, figure text, value numeric)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        WITH stored AS MATERIALIZED (
            SELECT counted.import_supplier, counted.kind, counted.figure, sum(counted.value) AS value
            FROM (SELECT import_supplier, kind, figure, value FROM data_import.import_total
                  WHERE import_supplier = ANY (p_import_suppliers)
                  UNION ALL
                  SELECT import_supplier, kind, figure, value FROM data_import.import_receipt
                  WHERE import_supplier = ANY (p_import_suppliers)) AS counted
            WHERE counted.figure NOT IN ('pinned', 'differing')
            GROUP BY counted.import_supplier, counted.kind, counted.figure
        )
        SELECT stored.* FROM stored
        JOIN stored AS counted USING (import_supplier, kind)
        WHERE counted.figure = 'records' AND counted.value <> 0
        UNION ALL
        SELECT import_supplier, 'accounts', 'accounts', sum(value) FROM stored WHERE starts_with(kind, 'account_') GROUP BY 1;
END
$$;
COMMENT ON FUNCTION data_import.held_figures IS 'Exact figures of all that suppliers have brought.';

-- Only of suppliers that have declared anything.
CREATE FUNCTION data_import.differing_suppliers(p_import_suppliers text[])
RETURNS TABLE (import_supplier text, differs boolean)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        WITH declaration AS MATERIALIZED (
            SELECT supplier.code, last.kind, last.figure, last.value
            FROM unnest(p_import_suppliers) AS supplier (code)
            CROSS JOIN LATERAL (SELECT kind, figure, value FROM data_import.control_total_declaration
                                WHERE import_supplier = supplier.code ORDER BY number DESC LIMIT 1) AS last
        ), declared AS (
            SELECT code AS import_supplier, unnest(kind) AS kind, unnest(figure) AS figure, unnest(value) AS value
            FROM declaration
        )
        SELECT import_supplier, bool_or(declared.value <> coalesce(held.value, 0))
        FROM declared
        LEFT JOIN data_import.held_figures(ARRAY(SELECT code FROM declaration)) AS held USING (import_supplier, kind, figure)
        GROUP BY import_supplier;
END
$$;
COMMENT ON FUNCTION data_import.differing_suppliers IS 'Whether what suppliers hold is other than what they have declared.';

-- A row for each figure that is held or declared, in the order of their names with a kind's records first; a single row without
-- a kind where there is none. difference is what is held, 0 where nothing is, minus what is declared; null where they are equal or
-- nothing is declared. Units are the suppliers' own: of each kind the sums of so many units are told that nobody has declared,
-- and left_out says how many are not.
CREATE FUNCTION data_import.control_totals(p_import_supplier text, p_most integer)
RETURNS TABLE (as_of timestamptz, kind text, figure text, held text, declared text, difference text, left_out bigint)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        WITH declaration AS (
            SELECT kind, figure, value FROM data_import.control_total_declaration
            WHERE import_supplier = p_import_supplier
            ORDER BY number DESC LIMIT 1
        ), declared AS (
            SELECT unnest(kind) AS kind, unnest(figure) AS figure, unnest(value) AS value FROM declaration
        ), held AS (
            SELECT kind, figure, value FROM data_import.held_figures(ARRAY[p_import_supplier])
        ), beside AS (
            SELECT kind, figure, held.value AS held, declared.value AS declared,
                   count(*) FILTER (WHERE declared.value IS NULL AND figure LIKE 'quantity:%')
                       OVER (PARTITION BY kind ORDER BY figure <> 'records', figure COLLATE "C") AS undeclared,
                   count(*) FILTER (WHERE declared.value IS NULL AND figure LIKE 'quantity:%')
                       OVER (PARTITION BY kind) AS all_undeclared
            FROM held FULL JOIN declared USING (kind, figure)
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

-- A declaration that says what the last one says is not kept again, so that repeats fill nothing. Raises 55P03 where another
-- declaration of the supplier takes long.
CREATE FUNCTION data_import.control_totals_declare(
    p_import_supplier text, p_request_id uuid, p_api_key_id bigint, p_kind text[], p_figure text[], p_value numeric[],
    p_most integer)
RETURNS TABLE (as_of timestamptz, kind text, figure text, held text, declared text, difference text, left_out bigint)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '50ms' AS $$
DECLARE
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
    END IF;
    RETURN QUERY SELECT * FROM data_import.control_totals(p_import_supplier, p_most);
END
$$;
COMMENT ON FUNCTION data_import.control_totals_declare IS
    'Keeps what a supplier declares to have, and answers as control_totals does.';

GRANT SELECT, INSERT ON data_import.import_receipt, data_import.control_total_declaration TO "data-import";
GRANT SELECT ON data_import.import_total, data_import.import_rate TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.progress_figures, data_import.migration_progress, data_import.migration_throughput,
    data_import.held_figures, data_import.differing_suppliers, data_import.control_totals, data_import.control_totals_declare
    TO "data-import";
