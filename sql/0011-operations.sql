-- What operators follow a migration by: the history of each account, exact figures of progress, the log of refused
-- requests, and the role of the platform's own software.
--
-- Progress. To count millions of rows on each look would be too slow, and counters that every import updates would make
-- imports wait for each other. So whatever is stored leaves a receipt in a table that is only appended to, in the same
-- transaction. housekeeping() moves receipts into totals, and who reads adds up totals and receipts in one snapshot: the
-- figures are exact at any time, and cost the same with ten accounts and with ten million.
--
-- The platform's software. Role "data-import-platform" may move accounts along and open and close statement periods, by
-- these functions and nothing else. They are in 0002 and 0005, run with the rights of their owner, and raise the errors
-- of class DI that 0002 lists:
--
--   account_stage(import_supplier, external_account_number) -> boolean           staged: known, or again after a failure
--   account_begin(import_supplier, external_account_number) -> boolean           an attempt to create it is running
--   account_complete(import_supplier, external_account_number                    it exists on the platform
--                    [, service_account_number, account_created_at,
--                       statement_first_day, statement_last_day]) -> text        ... with this service account number
--   account_fail(import_supplier, external_account_number, reason) -> boolean    the attempt failed
--   statement_open(import_supplier, external_account_number, first_day, last_day) -> boolean
--   statement_close(import_supplier, external_account_number) -> boolean
--
-- A boolean tells whether anything changed. GRANT "data-import-platform" TO the role that the software logs in with:
--
--   SELECT data_import.account_begin('ACME', '4711');
--   SELECT data_import.account_complete('ACME', '4711', 'A-1B2C3D4E', now(), '2024-05-01', '2024-05-31');

CREATE TABLE data_import.account_step (
    account_key uuid NOT NULL,
    number      integer NOT NULL,
    state       text NOT NULL CHECK (state IN ('staged', 'in_progress', 'failed', 'imported')),
    at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    author      text NOT NULL,
    reason      text,
    PRIMARY KEY (account_key, number)
);
COMMENT ON TABLE data_import.account_step IS 'The history of accounts: every step, when and by whom.';
COMMENT ON COLUMN data_import.account_step.account_key IS 'The account.';
COMMENT ON COLUMN data_import.account_step.number IS 'Place in the account''s history, from 1.';
COMMENT ON COLUMN data_import.account_step.state IS 'The state that began, as in data_import.account.';
COMMENT ON COLUMN data_import.account_step.at IS 'When it began.';
COMMENT ON COLUMN data_import.account_step.author IS
    'Who did it: the system user of data-importctl, else the role that the session had logged in with.';
COMMENT ON COLUMN data_import.account_step.reason IS 'Why it failed; null for the other steps.';

CREATE TABLE data_import.import_receipt (
    import_supplier text COLLATE "C" NOT NULL,
    kind            text COLLATE "C" NOT NULL,
    records         bigint NOT NULL,
    at              timestamptz NOT NULL DEFAULT now()
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000);
COMMENT ON TABLE data_import.import_receipt IS
    'What was stored and is not in the totals yet: one row for each request that stored something, with no index, because '
    'every import adds to it. Rows leave it by housekeeping().';
COMMENT ON COLUMN data_import.import_receipt.import_supplier IS
    'Code of the supplier; empty for records that belong to no supplier.';
COMMENT ON COLUMN data_import.import_receipt.kind IS
    'Kind of the records, as the counts of accounts and suppliers call it (notes, transactions, ...), or account_ and a '
    'state.';
COMMENT ON COLUMN data_import.import_receipt.records IS
    'How many records were stored, repeats not among them; of account_ how many accounts came into the state, negative '
    'for those that left it.';
COMMENT ON COLUMN data_import.import_receipt.at IS 'When.';

CREATE TABLE data_import.import_total (
    import_supplier text COLLATE "C" NOT NULL,
    kind            text COLLATE "C" NOT NULL,
    records         bigint NOT NULL,
    last_at         timestamptz NOT NULL,
    PRIMARY KEY (import_supplier, kind)
);
COMMENT ON TABLE data_import.import_total IS
    'Sums of all receipts that are gone. With the receipts that are there it is what the database holds.';
COMMENT ON COLUMN data_import.import_total.import_supplier IS 'As in import_receipt.';
COMMENT ON COLUMN data_import.import_total.kind IS 'As in import_receipt.';
COMMENT ON COLUMN data_import.import_total.records IS 'Sum of the receipts'' records.';
COMMENT ON COLUMN data_import.import_total.last_at IS 'Time of the last of these receipts.';

CREATE TABLE data_import.import_rate (
    import_supplier text COLLATE "C" NOT NULL,
    kind            text COLLATE "C" NOT NULL,
    seconds         integer NOT NULL CHECK (seconds IN (5, 60)),
    began_at        timestamptz NOT NULL,
    records         bigint NOT NULL,
    PRIMARY KEY (import_supplier, kind, seconds, began_at)
);
CREATE INDEX import_rate_by_age ON data_import.import_rate (seconds, began_at);
COMMENT ON TABLE data_import.import_rate IS
    'What the receipts that are gone say of the last 25 hours: sums for every 5 seconds of the last minutes, for every '
    'minute before. Of accounts, only how many were imported.';
COMMENT ON COLUMN data_import.import_rate.import_supplier IS 'As in import_receipt.';
COMMENT ON COLUMN data_import.import_rate.kind IS 'As in import_receipt.';
COMMENT ON COLUMN data_import.import_rate.seconds IS 'Length of the time that is summed up.';
COMMENT ON COLUMN data_import.import_rate.began_at IS 'Its begin: a multiple of its length.';
COMMENT ON COLUMN data_import.import_rate.records IS 'Sum of the records of receipts in this time.';

CREATE TABLE data_import.refused_request (
    day               date NOT NULL,
    import_supplier   text COLLATE "C" NOT NULL,
    endpoint          text COLLATE "C" NOT NULL,
    status            integer NOT NULL,
    code              text COLLATE "C" NOT NULL,
    item_code         text COLLATE "C" NOT NULL,
    attr              text COLLATE "C" NOT NULL CHECK (char_length(attr) <= 512),
    count             bigint NOT NULL CHECK (count > 0),
    sample_request_id uuid NOT NULL,
    last_at           timestamptz NOT NULL,
    PRIMARY KEY (day, import_supplier, endpoint, status, code, item_code, attr)
);
COMMENT ON TABLE data_import.refused_request IS
    'The import log: requests that were refused, counted by day and kind. Nothing in it was chosen by a client; rows are '
    'kept for the days that the setting import_log_days says.';
COMMENT ON COLUMN data_import.refused_request.day IS 'The day, in UTC.';
COMMENT ON COLUMN data_import.refused_request.import_supplier IS
    'Supplier in the scope of the request''s token that it was about; empty where none is known.';
COMMENT ON COLUMN data_import.refused_request.endpoint IS
    'Path of the endpoint as it is documented; empty where the address has none.';
COMMENT ON COLUMN data_import.refused_request.status IS 'HTTP status of the answer; 0 for several kinds together.';
COMMENT ON COLUMN data_import.refused_request.code IS
    'Code of the answer (decisions, section 2); other for several kinds together.';
COMMENT ON COLUMN data_import.refused_request.item_code IS 'Code of an item in its errors; empty where it had none.';
COMMENT ON COLUMN data_import.refused_request.attr IS
    'Place in the payload that the item is about, every index as N; of a field that is not documented, the place around it.';
COMMENT ON COLUMN data_import.refused_request.count IS 'How many requests.';
COMMENT ON COLUMN data_import.refused_request.sample_request_id IS 'The last of them: X-Request-Id of its answer.';
COMMENT ON COLUMN data_import.refused_request.last_at IS 'When the last one was answered.';

-- Who moves an account. data-importctl acts for a person and names him; whoever is no member of the owning role cannot
-- pass for another.
CREATE FUNCTION data_import.step_author() RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN pg_has_role(session_user, 'data-import-owner', 'MEMBER')
                THEN coalesce(nullif(current_setting('data_import.operator', true), ''), session_user)
                ELSE session_user END
$$;
COMMENT ON FUNCTION data_import.step_author() IS
    'Who moves accounts in this session: the setting data_import.operator of an administrator, else who logged in.';

-- To be called under the account's lock. p_state_before is null for an account that was not known.
CREATE FUNCTION data_import.record_account_step(
    p_account_key uuid, p_import_supplier text, p_state_before text, p_state text, p_reason text DEFAULT NULL)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO data_import.account_step (account_key, number, state, author, reason)
    SELECT p_account_key, coalesce(max(number), 0) + 1, p_state, data_import.step_author(), p_reason
    FROM data_import.account_step WHERE account_key = p_account_key;
    INSERT INTO data_import.import_receipt (import_supplier, kind, records, at)
    SELECT p_import_supplier, 'account_' || change.state, change.accounts, clock_timestamp()
    FROM (VALUES (p_state_before, -1), (p_state, 1)) AS change (state, accounts)
    WHERE change.state IS NOT NULL AND p_state_before IS DISTINCT FROM p_state;
END
$$;
COMMENT ON FUNCTION data_import.record_account_step(uuid, text, text, text, text) IS
    'Adds a step to the account''s history, and to the figures of progress where the state has changed.';

-- One row for each kind that the supplier has, or a single one without a kind; none for an unknown supplier. The times
-- that last_... look back to begin up to 5 seconds (of the minute) or a minute (of the others) earlier. hour_began_at is
-- the begin of what was counted in last_hour, null for nothing.
CREATE FUNCTION data_import.migration_progress(p_import_supplier text)
RETURNS TABLE (status text, as_of timestamptz, kind text, records bigint, last_at timestamptz, last_minute bigint,
               last_hour bigint, last_day bigint, hour_began_at timestamptz)
LANGUAGE sql STABLE AS $$
    WITH receipt AS MATERIALIZED (
        SELECT kind, records, at FROM data_import.import_receipt WHERE import_supplier = p_import_supplier
    ), summed AS (
        SELECT counted.kind, sum(counted.records)::bigint AS records, max(counted.at) AS last_at
        FROM (SELECT kind, records, last_at AS at FROM data_import.import_total
              WHERE import_supplier = p_import_supplier
              UNION ALL
              SELECT kind, records, at FROM receipt) AS counted
        GROUP BY counted.kind
    ), arrived AS (
        SELECT counted.kind,
               sum(counted.records) FILTER (WHERE counted.at >= now() - interval '65 seconds')::bigint AS last_minute,
               sum(counted.records) FILTER (WHERE counted.at >= now() - interval '61 minutes')::bigint AS last_hour,
               sum(counted.records) FILTER (WHERE counted.at >= now() - interval '1441 minutes')::bigint AS last_day,
               min(counted.at) FILTER (WHERE counted.at >= now() - interval '61 minutes') AS hour_began_at
        FROM (SELECT kind, records, began_at AS at FROM data_import.import_rate
              WHERE import_supplier = p_import_supplier
              UNION ALL
              SELECT kind, records, at FROM receipt) AS counted
        GROUP BY counted.kind
    )
    SELECT supplier.status, now(), summed.kind, summed.records, summed.last_at, coalesce(arrived.last_minute, 0),
           coalesce(arrived.last_hour, 0), coalesce(arrived.last_day, 0), arrived.hour_began_at
    FROM data_import.import_supplier AS supplier
    LEFT JOIN summed ON true
    LEFT JOIN arrived USING (kind)
    WHERE supplier.code = p_import_supplier
$$;
COMMENT ON FUNCTION data_import.migration_progress(text) IS
    'Exact figures of a supplier''s migration by kind: all records, and those of the last minute, hour and day.';

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
        RETURNING import_supplier, kind, records, at
    ), totals AS (
        INSERT INTO data_import.import_total AS total (import_supplier, kind, records, last_at)
        SELECT import_supplier, kind, sum(records), max(at) FROM taken GROUP BY import_supplier, kind
        ON CONFLICT (import_supplier, kind) DO UPDATE
            SET records = total.records + excluded.records, last_at = greatest(total.last_at, excluded.last_at)
    ), rates AS (
        INSERT INTO data_import.import_rate AS rate (import_supplier, kind, seconds, began_at, records)
        SELECT import_supplier, kind, span.seconds,
               date_bin(make_interval(secs => span.seconds), at, timestamptz '2000-01-01 00:00:00+00'), sum(records)
        FROM taken
        CROSS JOIN LATERAL (SELECT CASE WHEN at >= v_finest_from THEN 5 ELSE 60 END) AS span (seconds)
        WHERE kind NOT IN ('account_staged', 'account_in_progress', 'account_failed')
        GROUP BY 1, 2, 3, 4
        ON CONFLICT (import_supplier, kind, seconds, began_at) DO UPDATE SET records = rate.records + excluded.records
    )
    SELECT count(*) INTO v_taken FROM taken;
    RETURN v_taken;
END
$$;
COMMENT ON FUNCTION data_import.sum_up_receipts(integer) IS
    'Moves at most so many receipts into the totals and rates, and tells how many.';

CREATE FUNCTION data_import.merge_rates() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    WITH old AS (
        DELETE FROM data_import.import_rate
        WHERE seconds = 5 AND began_at < date_trunc('minute', now() - interval '2 minutes')
        RETURNING import_supplier, kind, began_at, records
    )
    INSERT INTO data_import.import_rate AS rate (import_supplier, kind, seconds, began_at, records)
    SELECT import_supplier, kind, 60, date_trunc('minute', began_at), sum(records) FROM old GROUP BY 1, 2, 4
    ON CONFLICT (import_supplier, kind, seconds, began_at) DO UPDATE SET records = rate.records + excluded.records;
    DELETE FROM data_import.import_rate WHERE seconds = 60 AND began_at < now() - interval '25 hours';
END
$$;
COMMENT ON FUNCTION data_import.merge_rates() IS
    'Turns rates of 5 seconds that are older than some minutes into those of a minute, and drops those of 25 hours ago.';

-- One session of all does it, the others do nothing. Runs with its owner's rights, because nobody else may take rows out
-- of these tables. A call works on a bounded number of rows; true: there is more, call it again soon.
CREATE FUNCTION data_import.housekeeping(
    p_import_log_days integer, p_idempotency_retention interval, p_most integer DEFAULT 50000)
RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_most_worked_on bigint;
BEGIN
    IF NOT pg_try_advisory_xact_lock(data_import.lock_number('housekeeping', '')) THEN
        RETURN false;
    END IF;
    v_most_worked_on := greatest(data_import.sum_up_receipts(p_most),
                                 data_import.idempotency_keys_purge(p_idempotency_retention, p_most));
    PERFORM data_import.merge_rates();
    PERFORM data_import.forget_token_requests(1000);
    DELETE FROM data_import.refused_request WHERE day < (now() AT TIME ZONE 'UTC')::date - p_import_log_days;
    RETURN v_most_worked_on >= p_most;
END
$$;
COMMENT ON FUNCTION data_import.housekeeping(integer, interval, integer) IS
    'Sums up receipts and purges what has expired: refused requests after so many days, kept answers after their retention.';

-- The arrays hold one element for each kind of refusal. In the order of the key, so that two workers never wait for each
-- other.
CREATE FUNCTION data_import.refused_requests_add(
    p_import_supplier text[], p_endpoint text[], p_status integer[], p_code text[], p_item_code text[], p_attr text[],
    p_count bigint[], p_sample_request_id uuid[], p_last_at timestamptz[])
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO data_import.refused_request AS known (
        day, import_supplier, endpoint, status, code, item_code, attr, count, sample_request_id, last_at)
    SELECT (last_at AT TIME ZONE 'UTC')::date AS day, import_supplier, endpoint, status, code, item_code, attr, count,
           sample_request_id, last_at
    FROM unnest(p_import_supplier, p_endpoint, p_status, p_code, p_item_code, p_attr, p_count, p_sample_request_id,
                p_last_at)
        AS noted (import_supplier, endpoint, status, code, item_code, attr, count, sample_request_id, last_at)
    ORDER BY day, import_supplier COLLATE "C", endpoint COLLATE "C", status, code COLLATE "C", item_code COLLATE "C",
             attr COLLATE "C"
    ON CONFLICT (day, import_supplier, endpoint, status, code, item_code, attr) DO UPDATE
        SET count = known.count + excluded.count,
            sample_request_id = CASE WHEN excluded.last_at >= known.last_at THEN excluded.sample_request_id
                                     ELSE known.sample_request_id END,
            last_at = greatest(known.last_at, excluded.last_at);
END
$$;
COMMENT ON FUNCTION data_import.refused_requests_add(text[], text[], integer[], text[], text[], text[], bigint[], uuid[],
    timestamptz[]) IS 'Adds refusals of one worker to the import log. No kind may stand in the arrays twice.';

CREATE TABLE data_import.readiness (
    id         boolean PRIMARY KEY DEFAULT true CHECK (id),
    written_at timestamptz NOT NULL
);
COMMENT ON TABLE data_import.readiness IS 'One row, which is written to see whether the database can write.';
COMMENT ON COLUMN data_import.readiness.id IS 'True: there is one row.';
COMMENT ON COLUMN data_import.readiness.written_at IS 'When it was written last.';
INSERT INTO data_import.readiness (written_at) VALUES (now());

-- Does what imports need: runs a function of PL/pgSQL, takes room on the disk and commits a row. The room is that of a
-- temporary file, because the row has its place already; more rows than fit into work_mem make one. Balancers ask several
-- hosts every second: the row is written once a second, and who comes meanwhile waits for no longer than that commit.
CREATE FUNCTION data_import.check_readiness() RETURNS boolean
LANGUAGE plpgsql VOLATILE SET work_mem = '64kB' SET lock_timeout = '1s' AS $$
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
COMMENT ON FUNCTION data_import.check_readiness() IS
    'Raises an error where the database cannot do what imports need; false: it is read-only.';

REVOKE ALL ON data_import.readiness FROM PUBLIC;
REVOKE ALL ON data_import.account_step, data_import.import_receipt, data_import.import_total, data_import.import_rate,
    data_import.refused_request FROM PUBLIC;
REVOKE ALL ON FUNCTION
    data_import.step_author(),
    data_import.record_account_step(uuid, text, text, text, text),
    data_import.check_readiness(),
    data_import.migration_progress(text),
    data_import.sum_up_receipts(integer),
    data_import.merge_rates(),
    data_import.housekeeping(integer, interval, integer),
    data_import.refused_requests_add(text[], text[], integer[], text[], text[], text[], bigint[], uuid[], timestamptz[])
    FROM PUBLIC;

GRANT SELECT, INSERT ON data_import.import_receipt TO "data-import";
GRANT SELECT ON data_import.import_total, data_import.import_rate TO "data-import";
GRANT SELECT, UPDATE ON data_import.readiness TO "data-import";
GRANT EXECUTE ON FUNCTION
    data_import.check_readiness(),
    data_import.migration_progress(text),
    data_import.housekeeping(integer, interval, integer),
    data_import.refused_requests_add(text[], text[], integer[], text[], text[], text[], bigint[], uuid[], timestamptz[])
    TO "data-import";

GRANT USAGE ON SCHEMA data_import TO "data-import-platform";
GRANT EXECUTE ON FUNCTION
    data_import.account_stage(text, text),
    data_import.account_begin(text, text),
    data_import.account_complete(text, text, text, timestamptz, date, date),
    data_import.account_fail(text, text, text),
    data_import.statement_open(text, text, date, date),
    data_import.statement_close(text, text)
    TO "data-import-platform";
