-- The service's own upkeep of the database: housekeeping, and the check whether the database can store imports.

-- Sums up receipts, numbers events, and deletes what has expired. One session at a time does this; calls in other sessions do
-- nothing and return false. A call works on a bounded number of rows, and returns true if there is more; the caller then calls
-- again soon. The function runs with its owner's rights, because nobody else may delete rows from these tables.
CREATE FUNCTION data_import.housekeeping(
    p_import_log_days integer, p_events_days integer, p_idempotency_retention interval, p_most integer DEFAULT 50000)
RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_most_worked_on bigint;
BEGIN
    IF NOT pg_try_advisory_xact_lock(data_import.lock_number('housekeeping', '')) THEN
        RETURN false;
    END IF;
    v_most_worked_on := greatest(
        data_import.sum_up_receipts(p_most),
        data_import.idempotency_keys_purge(p_idempotency_retention, p_most),
        data_import.account_refusals_purge(now() - make_interval(days => p_import_log_days), p_most),
        data_import.keep_events(p_events_days, p_most));
    PERFORM data_import.merge_rates();
    PERFORM data_import.forget_token_requests(1000);
    PERFORM data_import.refused_requests_purge(p_import_log_days);
    PERFORM data_import.bulk_refusals_purge(p_import_log_days, 10000);
    PERFORM data_import.refusals_of_unknown_purge(10000);
    RETURN v_most_worked_on >= p_most;
END
$$;
COMMENT ON FUNCTION data_import.housekeeping IS
    'Sums up receipts, numbers events, keeps open accounts and purges what has expired: refused requests and events after so many '
    'days, kept answers after their retention.';

CREATE TABLE data_import.readiness (
    id         boolean PRIMARY KEY DEFAULT true CONSTRAINT readiness_is_one_row CHECK (id),
    written_at timestamptz NOT NULL
);
COMMENT ON TABLE data_import.readiness IS 'One row, which is written to see whether the database can write.';
COMMENT ON COLUMN data_import.readiness.id IS 'True: there is one row.';
COMMENT ON COLUMN data_import.readiness.written_at IS 'When it was written last.';
INSERT INTO data_import.readiness (written_at) VALUES (now());

-- Does what imports need: runs a function of PL/pgSQL, takes space on the disk and commits a row. Returns false if the database
-- is read-only; raises an error if it cannot do this.
--
-- The update of the row needs no new space. So the function makes a temporary file, by counting more rows than fit into work_mem.
-- Load balancers ask several hosts every second, so the row is written only once a second. A check that finds the row being
-- written by another check waits for at most 1 s for the commit of that check, and then writes nothing.
CREATE FUNCTION data_import.check_readiness() RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET work_mem = '64kB' SET lock_timeout = '1s' AS $$
DECLARE
    v_now constant timestamptz := clock_timestamp();
BEGIN
    IF current_setting('transaction_read_only')::boolean THEN
        RETURN false;
    END IF;
    PERFORM count(*) FROM generate_series(1, 10000);
    UPDATE data_import.readiness SET written_at = v_now
    WHERE written_at NOT BETWEEN v_now - interval '1 second' AND v_now;
    RETURN true;
END
$$;
COMMENT ON FUNCTION data_import.check_readiness IS
    'Raises an error where the database cannot do what imports need; false: it is read-only.';

-- The last findings of `data-importctl doctor` on each host, for the operators' page.

CREATE TABLE data_import.doctor_run (
    host        text PRIMARY KEY CONSTRAINT host_is_of_1_to_255_characters CHECK (char_length(host) BETWEEN 1 AND 255),
    at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    operator_name text NOT NULL,
    findings    json NOT NULL
);
COMMENT ON TABLE data_import.doctor_run IS 'The last look of data-importctl doctor at each host; without any secret.';
COMMENT ON COLUMN data_import.doctor_run.host IS 'Name of the host.';
COMMENT ON COLUMN data_import.doctor_run.at IS 'When it was looked at.';
COMMENT ON COLUMN data_import.doctor_run.operator_name IS
    'System user who did it: whoever called sudo, where that was used. Others than root do not see everything.';
COMMENT ON COLUMN data_import.doctor_run.findings IS 'What was found, as doctor --json prints it.';

GRANT SELECT ON data_import.doctor_run TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.check_readiness, data_import.housekeeping TO "data-import";
