-- How far migrations have come: exact figures at any time, from totals and receipts.

-- Returns a row for each of the suppliers p_import_suppliers and each kind that the supplier has (kinds as in import_receipt).
-- Repeats that came with other content are counted under a kind of their own, such as differing_transactions.
--
--   last_at        time of the last arrival, also of records that were removed since; null: nothing has arrived
--   last_minute    how many came in the last 60 to 65 seconds
--   last_hour      how many came in the last 60 to 61 minutes
--   last_day       how many came in the last 24 hours or a minute more; null unless p_with_day
--   hour_began_at  time of the first records that last_hour counts; null: it counts none
--
-- p_with_day is false where last_day is not needed, because last_day reads 24 times as much as last_hour.
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

-- Returns the rows of progress_figures for one supplier, each with the supplier's status. If progress_figures has no rows of the
-- supplier, returns a single row whose kind is null. Returns no row for an unknown supplier.
CREATE FUNCTION data_import.migration_progress(p_import_supplier text)
RETURNS TABLE (status text, as_of timestamptz, kind text, records bigint, last_at timestamptz, last_minute bigint,
               last_hour bigint, last_day bigint, hour_began_at timestamptz)
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
        SELECT supplier.status::text, now(), figure.kind, figure.records, figure.last_at, figure.last_minute, figure.last_hour,
               figure.last_day, figure.hour_began_at
        FROM data_import.import_supplier AS supplier
        LEFT JOIN data_import.progress_figures(ARRAY[p_import_supplier], true) AS figure ON true
        WHERE supplier.code = p_import_supplier;
END
$$;
COMMENT ON FUNCTION data_import.migration_progress IS 'How far the migration of one supplier has come.';

-- Returns a row for each interval of p_seconds with imports, and none for an interval without. The numbers are exact: the curve
-- of a whole migration adds up to the records that came in, and resets, erasures and corrections take nothing off it.
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
                AND at > '-infinity' AND kind NOT IN ('account_staged', 'account_in_progress', 'account_failed')) AS counted
        GROUP BY 1, 2
        ORDER BY 1, 2;
END
$$;
COMMENT ON FUNCTION data_import.migration_throughput IS
    'How many records of each kind were stored, and accounts (account_imported) imported, in each time of so many seconds.';

-- Returns how many records each supplier has stored in each interval of p_seconds since p_since; no row for an interval without
-- records. Accounts do not count as records. p_import_suppliers is null for all suppliers. p_since is at most 24 hours ago,
-- because rates of earlier times are kept by the hour, and this function does not read these.
CREATE FUNCTION data_import.throughput_by_supplier(p_import_suppliers text[], p_since timestamptz, p_seconds integer)
RETURNS TABLE (import_supplier text, began_at timestamptz, records bigint)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_length constant interval := make_interval(secs => p_seconds);
    v_suppliers constant text[] := data_import.known_suppliers(p_import_suppliers);
BEGIN
    RETURN QUERY
        SELECT counted.import_supplier, date_bin(v_length, counted.at, timestamptz '2000-01-01 00:00:00+00'),
               sum(counted.records)::bigint
        FROM (SELECT import_supplier, kind, began_at AS at, records FROM data_import.import_rate
              WHERE import_supplier = ANY (v_suppliers) AND seconds IN (5, 60) AND began_at >= p_since
              UNION ALL
              SELECT import_supplier, kind, at, value FROM data_import.import_receipt
              WHERE import_supplier = ANY (v_suppliers) AND at >= p_since AND figure IN ('records', 'pinned') AND value > 0) AS counted
        WHERE counted.kind NOT LIKE 'account\_%'
        GROUP BY 1, 2
        ORDER BY 1, 2;
END
$$;
COMMENT ON FUNCTION data_import.throughput_by_supplier IS
    'How many records suppliers have stored in each time of so many seconds.';

-- Signed reports on migrations (`data-importctl report`). A report is two files, which are not stored here. With the digests in
-- these rows, anybody who has a file can check whether it is, byte by byte, one that was signed.

CREATE TABLE data_import.signed_report (
    id              uuid PRIMARY KEY,
    import_supplier text COLLATE "C" NOT NULL,
    as_of           timestamptz NOT NULL,
    signed_by       text NOT NULL CONSTRAINT signed_by_is_of_1_to_255_characters CHECK (char_length(signed_by) BETWEEN 1 AND 255),
    signed_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    operator_name   text NOT NULL,
    host            text NOT NULL,
    html_sha256     bytea NOT NULL CONSTRAINT html_sha256_is_a_sha256 CHECK (octet_length(html_sha256) = 32),
    json_sha256     bytea NOT NULL CONSTRAINT json_sha256_is_a_sha256 CHECK (octet_length(json_sha256) = 32),
    figures_digest  bytea NOT NULL
);
COMMENT ON TABLE data_import.signed_report IS
    'Reports that were signed, a part of the audit history: never changed, kept for good.';
COMMENT ON COLUMN data_import.signed_report.id IS 'Identity of the report; both of its files say it.';
COMMENT ON COLUMN data_import.signed_report.import_supplier IS 'Code of the supplier whose migration it is about.';
COMMENT ON COLUMN data_import.signed_report.as_of IS 'The moment of which its figures tell.';
COMMENT ON COLUMN data_import.signed_report.signed_by IS 'Name of the person who signed it, as was given.';
COMMENT ON COLUMN data_import.signed_report.signed_at IS 'When it was signed.';
COMMENT ON COLUMN data_import.signed_report.operator_name IS 'System user who did it: whoever called sudo, where that was used.';
COMMENT ON COLUMN data_import.signed_report.host IS 'Name of the host on which it was done.';
COMMENT ON COLUMN data_import.signed_report.html_sha256 IS 'SHA-256 of the file for people.';
COMMENT ON COLUMN data_import.signed_report.json_sha256 IS 'SHA-256 of the file for programs.';
COMMENT ON COLUMN data_import.signed_report.figures_digest IS
    'data_import.signed_digest of the supplier at that moment: another one tells that something has changed since.';

-- Returns an overview of the suppliers p_import_suppliers; null: of all suppliers. The result has the rows of progress_figures,
-- and one row without a kind for each supplier without records. These columns are the same in all rows of a supplier:
--
--   differs            whether held and declared figures differ; null if nothing is declared
--   refused_last_hour  refusals in the last 60 to 61 minutes; without throttled requests, whose client only has to slow down
--   signed_at          when a report was signed last; null: never
--   has_changed        whether the figures are other than those of the last signed report; false if there is none
CREATE FUNCTION data_import.migration_overview(p_import_suppliers text[])
RETURNS TABLE (code text, name text, status text, differs boolean, refused_last_hour bigint, oldest_number text,
               oldest_since timestamptz, as_of timestamptz, kind text, records bigint, last_at timestamptz, last_minute bigint,
               last_hour bigint, hour_began_at timestamptz, status_since timestamptz, status_by text, signed_at timestamptz,
               has_changed boolean)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_suppliers constant text[] := data_import.known_suppliers(p_import_suppliers);
BEGIN
    RETURN QUERY
        WITH refused AS (
            SELECT import_supplier, sum(refusals)::bigint AS refusals FROM data_import.refusal_rate
            WHERE seconds = 60 AND began_at >= now() - interval '61 minutes' AND import_supplier = ANY (v_suppliers)
              AND refusal_rate.code <> 'throttled'
            GROUP BY 1
        )
        SELECT supplier.code::text, supplier.name::text, supplier.status::text, declared.differs, coalesce(refused.refusals, 0),
               oldest.external_account_number, oldest.since, now(), figure.kind, figure.records, figure.last_at,
               figure.last_minute, figure.last_hour, figure.hour_began_at, supplier.status_since, supplier.status_by,
               report.signed_at,
               coalesce(report.figures_digest <> data_import.signed_digest(declared.digest, booked.digest), false)
        FROM data_import.import_supplier AS supplier
        LEFT JOIN (SELECT DISTINCT ON (import_supplier) import_supplier, signed_at, figures_digest
                   FROM data_import.signed_report ORDER BY import_supplier, signed_at DESC) AS report
               ON report.import_supplier = supplier.code
        LEFT JOIN refused ON refused.import_supplier = supplier.code
        LEFT JOIN data_import.compared_suppliers(v_suppliers) AS declared ON declared.import_supplier = supplier.code
        LEFT JOIN data_import.booked_suppliers(v_suppliers) AS booked ON booked.import_supplier = supplier.code
        LEFT JOIN data_import.open_accounts(v_suppliers, 'in_progress', 1) AS oldest ON oldest.import_supplier = supplier.code
        LEFT JOIN data_import.progress_figures(v_suppliers, false) AS figure
               ON figure.import_supplier = supplier.code
        WHERE supplier.code = ANY (v_suppliers)
        ORDER BY supplier.code;
END
$$;
COMMENT ON FUNCTION data_import.migration_overview IS
    'How far suppliers have come, whether their control totals agree, and what wants somebody.';

CREATE TABLE data_import.acknowledgement (
    import_supplier text COLLATE "C" PRIMARY KEY,
    failed          bigint NOT NULL,
    refused         bigint NOT NULL,
    reason          data_import.reason NOT NULL,
    acknowledged_by text NOT NULL,
    acknowledged_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE data_import.acknowledgement IS
    'The figures of suppliers that an operator has looked at and acknowledged: each holds until the figure grows. The last of a '
    'supplier; access_event has them all.';
COMMENT ON COLUMN data_import.acknowledgement.import_supplier IS 'Code of the supplier.';
COMMENT ON COLUMN data_import.acknowledgement.failed IS 'How many of its accounts had failed then.';
COMMENT ON COLUMN data_import.acknowledgement.refused IS
    'How many requests had been refused in the hour before, without throttled ones.';
COMMENT ON COLUMN data_import.acknowledgement.reason IS 'Why nobody has to look at them.';
COMMENT ON COLUMN data_import.acknowledgement.acknowledged_by IS
    'System user who did it: whoever called sudo, where that was used.';
COMMENT ON COLUMN data_import.acknowledgement.acknowledged_at IS 'When it was done.';

GRANT SELECT (import_supplier, signed_at, figures_digest) ON data_import.signed_report TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.progress_figures, data_import.migration_progress, data_import.migration_throughput,
    data_import.throughput_by_supplier, data_import.migration_overview TO "data-import";
GRANT SELECT ON data_import.acknowledgement TO "data-import";
