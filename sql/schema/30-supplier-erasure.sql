-- The end of a migration: erasure of whole suppliers, begun by an operator or by a worker. A worker begins it when the supplier
-- has had the status Complete for the number of days in erase_after_days.

-- An erasure removes many accounts at a time (erase_some_accounts), in transactions of some seconds at most. This is possible
-- because a Complete supplier takes no imports and no accounts. The supplier's row in supplier_erasure is there from the
-- beginning of the erasure, and takes the place of a row in erased_account for each account. Because of this row, the supplier
-- stays Complete, no refusal of its accounts is kept, and consumers get nothing more of it, unless account_erase erases one of
-- its accounts. Consumers are not told that these accounts are erased: "erased" would mean that the platform has to forget an
-- account. Here the platform keeps what it has taken.
--
--   begin_erasure          begins the erasure of a Complete supplier whose consumers have taken everything
--   erase_some_accounts    removes events, then accounts, then rows that name unknown accounts; is called until nothing is left
--   erase_due_suppliers    is called by workers, which have no other right to erase anything
--
-- Signed reports, declared totals, the figures that were held, the import log, and the audit history are kept.
--
--   DI015  the supplier cannot be erased now, or was erased and cannot be set to another status

CREATE FUNCTION data_import.consumers_behind(p_import_supplier text) RETURNS TABLE (consumer text, is_ready boolean, accounts bigint)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT name, known.is_ready, coalesce(waiting.accounts, 0)
        FROM data_import.consumers_of(p_import_supplier) AS known
        LEFT JOIN data_import.accounts_not_taken(p_import_supplier) AS waiting ON waiting.consumer = name
        WHERE waiting.accounts > 0 OR NOT known.is_ready
        ORDER BY name;
END
$$;
COMMENT ON FUNCTION data_import.consumers_behind IS
    'The consumers that have not taken everything of a supplier, or are not added to the end.';

-- Begins the erasure of a supplier. Unless p_although_news is true, the first call raises DI015 if a consumer has not taken all
-- news of the supplier. Later calls do not check this, because consumers get no more imports of the supplier. A later call makes the
-- erasure begin with the first account again, because accounts that were on hold before may be erased now.
--
-- The lock of refusals and the lock of news make the function wait for the transactions that are storing refusals or
-- delivering news. Transactions that take these locks later find the supplier's row in supplier_erasure, and store nothing of
-- the supplier and deliver none of its imports. The function waits for at most 2 s for the supplier's row in import_supplier,
-- because no consumer gets news while the function holds the lock of news.
CREATE FUNCTION data_import.begin_erasure(p_import_supplier text, p_although_news boolean, p_author text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_status text;
    v_behind text;
    v_held record;
BEGIN
    -- for Citus, as in remove_import_supplier
    PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
    PERFORM pg_advisory_xact_lock(data_import.lock_number('account_refusal', ''));
    PERFORM pg_advisory_xact_lock(data_import.lock_number('news', ''));
    PERFORM set_config('lock_timeout', '2s', true);
    SELECT status INTO v_status FROM data_import.import_supplier WHERE code = p_import_supplier FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no import supplier %', p_import_supplier USING ERRCODE = 'DI001';
    ELSIF v_status <> 'Complete' THEN
        RAISE EXCEPTION 'import supplier % is %: only a Complete one can be erased, because imports of others may go on',
            p_import_supplier, v_status USING ERRCODE = 'DI015';
    END IF;
    SELECT string_agg(consumer, ', ') INTO v_behind
    FROM data_import.consumers_behind(p_import_supplier);
    PERFORM 1 FROM data_import.supplier_erasure WHERE import_supplier = p_import_supplier;
    IF NOT FOUND AND v_behind IS NOT NULL AND NOT p_although_news THEN
        RAISE EXCEPTION 'consumers have not taken everything of import supplier %: %', p_import_supplier, v_behind
            USING ERRCODE = 'DI015';
    END IF;
    SELECT coalesce(array_agg(kind), '{}') AS kinds, coalesce(array_agg(figure), '{}') AS figures,
           coalesce(array_agg(value), '{}') AS values
    INTO v_held
    FROM data_import.held_figures(ARRAY[p_import_supplier]);
    INSERT INTO data_import.supplier_erasure (import_supplier, begun_by, kind, figure, value)
    VALUES (p_import_supplier, coalesce(p_author, data_import.step_author()), v_held.kinds, v_held.figures, v_held.values)
    ON CONFLICT (import_supplier) DO UPDATE SET reached = NULL;
EXCEPTION WHEN lock_not_available THEN
    RAISE EXCEPTION 'somebody is working on import supplier %: try again in a minute', p_import_supplier USING ERRCODE = 'DI015';
END
$$;
COMMENT ON FUNCTION data_import.begin_erasure IS
    'Begins the erasure of a Complete supplier, whose consumers have to have taken everything unless p_although_news. Raises DI001 and '
    'DI015.';

-- Deletes at most p_most rows of a supplier's events; returns false if the supplier has no events. A reader whose cursor stands
-- before the last deleted event learns that events have expired.
--
-- The table open_account is made from events, so it is brought up to date before events are deleted. If it were updated from
-- these events after the erasure of accounts, the accounts could come back. The lock of housekeeping keeps housekeeping from
-- updating open_account at the same time.
CREATE FUNCTION data_import.drop_events(p_import_supplier text, p_most integer) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM 1 FROM data_import.event WHERE import_supplier = p_import_supplier LIMIT 1;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM pg_advisory_xact_lock(data_import.lock_number('housekeeping', '')),
            data_import.number_events(p_import_supplier, p_most), data_import.settle_open_accounts(p_most),
            data_import.expire_events(p_import_supplier, 'infinity', p_most);
    RETURN true;
END
$$;
COMMENT ON FUNCTION data_import.drop_events IS 'Deletes at most so many rows of a supplier''s events; false: there are none.';

-- Locks several accounts as hold_for_removal locks one. This cannot deadlock, because other transactions lock only one account,
-- or do not wait for locks. Leaves out accounts that are on hold, or gone meanwhile.
CREATE FUNCTION data_import.lock_for_removal(
    p_account_keys uuid[], OUT keys uuid[], OUT numbers text[], OUT service_numbers text[], OUT states text[])
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_account_key uuid;
    v_held uuid[];
BEGIN
    LOCK TABLE data_import.account IN ROW EXCLUSIVE MODE;
    FOREACH v_account_key IN ARRAY p_account_keys LOOP
        PERFORM data_import.lock_account(v_account_key),
                pg_advisory_xact_lock(data_import.lock_number('account_removal', v_account_key::text));
    END LOOP;
    v_held := ARRAY(SELECT account_key FROM data_import.account_hold WHERE account_key = ANY (p_account_keys));
    SELECT coalesce(array_agg(account_key), '{}'), array_agg(external_account_number::text),
           array_agg(service_account_number::text), array_agg(state::text)
    INTO keys, numbers, service_numbers, states
    FROM data_import.account WHERE account_key = ANY (p_account_keys) AND account_key <> ALL (v_held);
END
$$;
COMMENT ON FUNCTION data_import.lock_for_removal IS 'Locks accounts until the transaction ends, and tells those that are not on hold.';

CREATE FUNCTION data_import.remove_rows_of_accounts(p_account_keys uuid[], p_is_imported boolean) RETURNS void
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET jit = off AS $$
DECLARE
    v_table name;
BEGIN
    FOR v_table IN SELECT table_name FROM data_import.tables_of_accounts()
                   WHERE is_imported = p_is_imported AND table_name <> 'service_account_number' LOOP
        EXECUTE format('DELETE FROM data_import.%I WHERE account_key = ANY ($1)', v_table) USING p_account_keys;
    END LOOP;
END
$$;
COMMENT ON FUNCTION data_import.remove_rows_of_accounts IS 'As remove_rows, of several accounts.';

-- Deletes the news of accounts. Waits only for 2 s for a session that is taking these accounts.
CREATE FUNCTION data_import.forget_news(p_import_supplier text, p_account_keys uuid[]) RETURNS void
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET jit = off SET lock_timeout = '2s' AS $$
BEGIN
    WITH gone AS (
        DELETE FROM data_import.consumer_news WHERE subject = ANY (p_account_keys) RETURNING consumer, is_held
    )
    INSERT INTO data_import.consumer_count (consumer, supplier, waiting)
    SELECT consumer, p_import_supplier, -count(*) FROM gone WHERE NOT is_held GROUP BY consumer;
EXCEPTION WHEN lock_not_available THEN
    RAISE EXCEPTION 'a session is taking accounts of import supplier % for a consumer, and is in its transaction still: end that first',
        p_import_supplier USING ERRCODE = 'lock_not_available';
END
$$;
COMMENT ON FUNCTION data_import.forget_news IS 'Takes accounts back from consumers that have not taken them.';

-- Erases accounts that the caller has locked (lock_for_removal), and returns the number of their records. The arrays have one
-- element for each account: its key, its number at the supplier, its number on the platform, and its state. The lock of refusals
-- is taken last, for the reason that the comment of account_erase gives.
CREATE FUNCTION data_import.erase_locked_accounts(
    p_import_supplier text, p_keys uuid[], p_numbers text[], p_service_numbers text[], p_states text[]) RETURNS bigint
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET jit = off AS $$
DECLARE
    v_off record;
BEGIN
    SELECT array_agg(kind) AS kinds, array_agg(figure) AS figures, array_agg(value) AS values,
           coalesce(sum(value) FILTER (WHERE figure IN ('records', 'pinned')), 0) AS records
    INTO v_off
    FROM (SELECT kind, figure, sum(value) AS value FROM data_import.record_figure WHERE account_key = ANY (p_keys)
          GROUP BY kind, figure) AS summed
    WHERE value <> 0;
    INSERT INTO data_import.import_receipt (import_supplier, kind, figure, value)
    SELECT p_import_supplier, kind, figure, -value FROM unnest(v_off.kinds, v_off.figures, v_off.values) AS off (kind, figure, value)
    UNION ALL
    SELECT p_import_supplier, 'account_' || state, 'records', -count(*) FROM unnest(p_states) AS state GROUP BY state;
    PERFORM data_import.forget_news(p_import_supplier, p_keys), data_import.remove_rows_of_accounts(p_keys, true);
    DELETE FROM data_import.service_account_number WHERE service_account_number = ANY (p_service_numbers);
    DELETE FROM data_import.open_account WHERE import_supplier = p_import_supplier AND external_account_number = ANY (p_numbers);
    DELETE FROM data_import.idempotency_key_use WHERE placed_by = ANY (p_keys);
    PERFORM pg_advisory_xact_lock(data_import.lock_number('account_refusal', '')),
            data_import.remove_rows_of_accounts(p_keys, false);
    RETURN v_off.records;
END
$$;
COMMENT ON FUNCTION data_import.erase_locked_accounts IS 'Removes accounts with all that is known of them, and tells how many records.';

-- Ends a pass of the erasure over the supplier's accounts, which has left only accounts on hold. Deletes what else is left of the
-- supplier: accepted differences and news of accounts that are gone, refusals of accounts that were not known, kept answers that
-- name no account, and the supplier's row in acknowledgement. News of accounts that account_erase has erased stay, because consumers
-- have to be told of these. The erasure has ended (ended_at) if no account is left.
CREATE FUNCTION data_import.end_erasure(p_import_supplier text) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_left constant uuid[] := ARRAY(SELECT account_key FROM data_import.account WHERE import_supplier = p_import_supplier);
    v_gone constant uuid[] := ARRAY(
        SELECT subject FROM data_import.consumer_news AS news JOIN data_import.consumer ON name = news.consumer
        WHERE supplier = p_import_supplier AND subject <> ALL (v_left));
    v_told constant uuid[] := ARRAY(SELECT account_key FROM data_import.erased_account WHERE account_key = ANY (v_gone));
BEGIN
    PERFORM data_import.forget_news(p_import_supplier, ARRAY(SELECT key FROM unnest(v_gone) AS key WHERE key <> ALL (v_told)));
    DELETE FROM data_import.accepted_difference
    WHERE import_supplier = p_import_supplier AND account_key <> ALL (v_left);
    DELETE FROM data_import.idempotency_key
    WHERE import_supplier = p_import_supplier AND account_key IS NULL;
    DELETE FROM data_import.acknowledgement WHERE import_supplier = p_import_supplier;
    PERFORM data_import.forget_empty_figures(p_import_supplier);
    PERFORM pg_advisory_xact_lock(data_import.lock_number('account_refusal', ''));
    DELETE FROM data_import.account_refusal WHERE import_supplier = p_import_supplier AND NOT was_known;
    UPDATE data_import.supplier_erasure
    SET reached = NULL, passed_at = clock_timestamp(),
        ended_at = CASE WHEN v_left = '{}' THEN coalesce(ended_at, clock_timestamp()) END
    WHERE import_supplier = p_import_supplier;
END
$$;
COMMENT ON FUNCTION data_import.end_erasure IS 'Removes what names accounts of the supplier that are not there.';

-- Does a part of an erasure that has begun. A call deletes some events of the supplier. If there are none left, it erases at most
-- p_most accounts, but no more accounts than have 100,000 records together, so that a call takes some seconds at most; one account
-- is erased whatever it has. If there are no more accounts, the call ends the pass over them (end_erasure). accounts and records
-- are how many this call has erased; is_done is true at the end of the pass. If two sessions erase the same supplier, one waits
-- until the other's transaction has ended.
CREATE FUNCTION data_import.erase_some_accounts(
    p_import_supplier text, p_most integer DEFAULT 50, OUT accounts bigint, OUT records bigint, OUT is_done boolean)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_most_records constant bigint := 100000;
    v_reached text;
    v_next record;
    v_counted record;
    v_keys uuid[];
    v_last text;
    v_locked record;
BEGIN
    -- for Citus, as in remove_import_supplier
    PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
    SELECT reached INTO v_reached FROM data_import.supplier_erasure WHERE import_supplier = p_import_supplier FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the erasure of import supplier % has not begun', p_import_supplier USING ERRCODE = 'DI015';
    END IF;
    accounts := 0;
    records := 0;
    is_done := false;
    IF v_reached IS NULL AND data_import.drop_events(p_import_supplier, 5000) THEN
        RETURN;
    END IF;
    SELECT array_agg(account_key) AS keys, array_agg(number) AS numbers INTO v_next
    FROM (SELECT account_key, external_account_number::text AS number FROM data_import.account
          WHERE import_supplier = p_import_supplier AND external_account_number > coalesce(v_reached, '')
          ORDER BY external_account_number LIMIT p_most) AS next;
    IF v_next.keys IS NULL THEN
        PERFORM data_import.end_erasure(p_import_supplier);
        is_done := true;
        RETURN;
    END IF;
    SELECT array_agg(account_key) AS keys, array_agg(counted.records) AS records INTO v_counted
    FROM data_import.count_new_records(v_next.keys, array_fill('-infinity'::timestamptz, ARRAY[cardinality(v_next.keys)])) AS counted;
    SELECT array_agg(key), max(number) INTO v_keys, v_last
    FROM (SELECT next.key, number COLLATE "C" AS number, row_number() OVER by_number AS place,
                 sum(counted.records) OVER by_number AS records
          FROM unnest(v_next.keys, v_next.numbers) AS next (key, number)
          LEFT JOIN unnest(v_counted.keys, v_counted.records) AS counted (key, records) USING (key)
          WINDOW by_number AS (ORDER BY number COLLATE "C")) AS next
    WHERE place = 1 OR coalesce(next.records, 0) <= v_most_records;
    v_locked := data_import.lock_for_removal(v_keys);
    accounts := cardinality(v_locked.keys);
    IF accounts > 0 THEN
        records := data_import.erase_locked_accounts(
            p_import_supplier, v_locked.keys, v_locked.numbers, v_locked.service_numbers, v_locked.states);
    END IF;
    UPDATE data_import.supplier_erasure AS erasure
    SET reached = v_last, accounts = erasure.accounts + erase_some_accounts.accounts,
        records = erasure.records + erase_some_accounts.records
    WHERE import_supplier = p_import_supplier;
END
$$;
COMMENT ON FUNCTION data_import.erase_some_accounts IS
    'Erases the next accounts of a supplier, at most so many, those on hold left out, without telling consumers; is_done: there is '
    'nothing more to do. Raises DI015.';

-- Returns whether the erasure of a supplier that has been Complete since p_status_since may begin. Its consumers must have taken
-- everything, and in the hour after p_status_since no import may be running.
--
-- An import that began before the supplier became Complete may still store something. Consumers have to get it before the erasure,
-- and the figures that the erasure keeps have to count it.
CREATE FUNCTION data_import.may_begin_erasure(p_import_supplier text, p_status_since timestamptz) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (p_status_since < now() - interval '1 hour' OR data_import.running_imports() = '{}')
        AND NOT EXISTS (SELECT 1 FROM data_import.consumers_behind(p_import_supplier));
END
$$;
COMMENT ON FUNCTION data_import.may_begin_erasure IS
    'Whether a Complete supplier gets nothing more, and consumers have all of it.';

-- Does one step of the erasure of one supplier that has been Complete for erase_after_days. Returns true if there may be more to
-- do; the caller then calls again. Passes over a supplier that another session is erasing, and looks only once a day at a
-- supplier with accounts on hold. Workers of all hosts call this function every ten seconds.
--
-- A call does only one step, so that it never holds the locks of two suppliers.
CREATE FUNCTION data_import.erase_due_suppliers(p_host text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_author constant text := 'data-importd';
    v_due record;
    v_step record;
BEGIN
    FOR v_due IN
        SELECT code, status_since, began_at IS NOT NULL AS has_begun, passed_at IS NOT NULL AS has_passed
        FROM data_import.import_supplier LEFT JOIN data_import.supplier_erasure ON import_supplier = code
        WHERE status = 'Complete' AND status_since + make_interval(days => erase_after_days) <= now() AND ended_at IS NULL
          AND (passed_at IS NULL OR reached IS NOT NULL OR passed_at < now() - interval '1 day')
        ORDER BY code
    LOOP
        IF NOT v_due.has_begun THEN
            CONTINUE WHEN NOT data_import.may_begin_erasure(v_due.code, v_due.status_since);
            PERFORM data_import.begin_erasure(v_due.code, false, v_author);
            RETURN true;
        END IF;
        PERFORM 1 FROM data_import.supplier_erasure WHERE import_supplier = v_due.code FOR UPDATE SKIP LOCKED;
        CONTINUE WHEN NOT FOUND;
        SELECT * INTO v_step FROM data_import.erase_some_accounts(v_due.code);
        IF v_step.is_done THEN
            INSERT INTO data_import.access_event (action, operator_name, host, import_supplier, details)
            SELECT 'supplier_erased', v_author, p_host, v_due.code, format('%s accounts with %s records', accounts, records)
            FROM data_import.supplier_erasure
            WHERE import_supplier = v_due.code AND (ended_at IS NOT NULL OR NOT v_due.has_passed);
        END IF;
        RETURN true;
    END LOOP;
    RETURN false;
END
$$;
COMMENT ON FUNCTION data_import.erase_due_suppliers IS
    'Erases some accounts of a supplier that became Complete as many days ago as erase_after_days says.';

GRANT EXECUTE ON FUNCTION data_import.erase_due_suppliers TO "data-import";
