-- Functions for the platform's software: several sessions can take staged accounts at once, and consumers get accounts with new
-- records.

-- platform.take_accounts deletes from consumer_news the rows that it returns, in the transaction of its caller. A row can be
-- taken as soon as the transaction that delivered it has committed. The row stays until a transaction that took it has committed.
-- So what consumers get depends neither on the order of commits nor on the clock.
--
-- No import waits for a consumer. deliver_news() runs in one session at a time, and waits for others for a moment at most. If
-- a caller of take_accounts has locked the news of an account, deliver_news() holds back further news of the account until
-- that caller's transaction ends.
--
-- Deliveries are numbered, and a statement takes only what was delivered before the statement began. Otherwise, a statement that
-- takes accounts and reads their records could take news of records that it cannot see: a statement sees only what had been
-- committed when it began, but a function that it calls also sees what was committed since.

-- Sets tells_news of each supplier to whether a consumer wants its news. Callers hold the lock of news, so that no consumer is
-- added or removed meanwhile.
--
-- Another session may have locked the rows of suppliers, for as long as it loads accounts. Setting tells_news to true waits for a
-- moment and then raises lock_not_available, because imports have to tell a new consumer. Setting tells_news to false can be left
-- to a later call.
CREATE FUNCTION data_import.set_tells_news() RETURNS void
LANGUAGE plpgsql VOLATILE SET lock_timeout = '200ms' AS $$
DECLARE
    v_all constant boolean := EXISTS (SELECT 1 FROM data_import.consumer WHERE suppliers IS NULL);
    v_wanted constant text[] := ARRAY(SELECT unnest(suppliers) FROM data_import.consumer);
BEGIN
    PERFORM 1 FROM data_import.import_supplier WHERE NOT tells_news AND (v_all OR code = ANY (v_wanted));
    IF FOUND THEN
        BEGIN
            UPDATE data_import.import_supplier SET tells_news = true WHERE NOT tells_news AND (v_all OR code = ANY (v_wanted));
        EXCEPTION WHEN lock_not_available THEN
            RAISE EXCEPTION 'another session has locked an import supplier, account load for example: try again when that has ended'
                USING ERRCODE = 'lock_not_available';
        END;
    END IF;
    PERFORM 1 FROM data_import.import_supplier WHERE tells_news AND NOT (v_all OR code = ANY (v_wanted));
    IF FOUND THEN
        BEGIN
            UPDATE data_import.import_supplier SET tells_news = false WHERE tells_news AND NOT (v_all OR code = ANY (v_wanted));
        EXCEPTION WHEN lock_not_available THEN
            RETURN;
        END;
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.set_tells_news IS 'Lets imports collect news for those suppliers that consumers take.';

-- If consumer_count has 500 rows or more, replaces them by one row with the sum for each consumer and supplier. Only the session
-- that delivers news calls this function, so no two sessions do this at once.
CREATE FUNCTION data_import.add_up_consumer_counts() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF (SELECT count(*) FROM (SELECT 1 FROM data_import.consumer_count LIMIT 500) AS parts) < 500 THEN
        RETURN;
    END IF;
    WITH gone AS (
        DELETE FROM data_import.consumer_count RETURNING *
    )
    INSERT INTO data_import.consumer_count (consumer, supplier, waiting, accounts, records, at)
    SELECT consumer, supplier, sum(waiting), sum(accounts), sum(records), max(at) FROM gone GROUP BY consumer, supplier;
END
$$;
COMMENT ON FUNCTION data_import.add_up_consumer_counts IS 'Adds up the figures of consumers, where there are many parts.';

CREATE FUNCTION data_import.last_delivery() RETURNS bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN (SELECT number FROM data_import.news_delivery);
END
$$;
COMMENT ON FUNCTION data_import.last_delivery IS 'Number of the last delivery of news that the calling statement sees.';

-- Locks rows of consumer_news, and returns the keys of those that another session has locked. p_consumers and p_subjects have one
-- element for each row: its consumer, and its subject, which is an account or a market participant. A row that another session
-- has deleted is not returned if that session commits before the second SELECT of this function begins.
--
-- The function locks no other rows. take_accounts passes over locked rows, so its caller would miss the news in them for a while.
--
-- The SET clauses make plans use the index and hash joins, and keep jit from compiling the plans; workers' sessions have
-- hash joins switched off. Without `subject = ANY (p_subjects)`, a plan that was made for few rows could read all rows of a
-- consumer.
CREATE FUNCTION data_import.lock_waiting(p_consumers text[], p_subjects uuid[], OUT consumers text[], OUT subjects uuid[])
LANGUAGE plpgsql VOLATILE SET enable_nestloop = off SET enable_hashjoin = on SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    v_free record;
BEGIN
    SELECT array_agg(consumer) AS consumers, array_agg(subject) AS subjects INTO v_free
    FROM (SELECT consumer, subject FROM data_import.consumer_news
          WHERE subject = ANY (p_subjects) AND NOT is_held
            AND (consumer, subject) IN (SELECT * FROM unnest(p_consumers, p_subjects)) FOR UPDATE SKIP LOCKED) AS free;
    SELECT array_agg(consumer), array_agg(subject) INTO lock_waiting.consumers, lock_waiting.subjects
    FROM (SELECT consumer, subject FROM data_import.consumer_news
          WHERE subject = ANY (p_subjects) AND NOT is_held
            AND (consumer, subject) IN (SELECT * FROM unnest(p_consumers, p_subjects))
          EXCEPT SELECT * FROM unnest(v_free.consumers, v_free.subjects)) AS locked;
END
$$;
COMMENT ON FUNCTION data_import.lock_waiting IS
    'Locks rows of accounts that wait for consumers, and tells which of them other sessions have locked.';

-- Adds the news p_news to consumer_news, where they wait for consumers. Each element is about one consumer and one subject: an
-- account or a market participant. Leaves out the news of a supplier that is being erased or was erased, except those of accounts
-- that account_erase has erased: the platform has to forget these.
--
-- If another session is taking the row of a subject, that row stays as it is, and a second row, in which is_held is true, gets the
-- news. Callers hold the lock of news, so no other session adds rows.
--
-- Each call has a number, and writes it to the column delivery of each row that gets news, even if nothing else in the row
-- changes. By this number, take_news passes over rows that got news after the statement that calls take_news had begun. That
-- statement does not see all records of these news.
CREATE FUNCTION data_import.store_news(p_news data_import.consumer_news[]) RETURNS void
LANGUAGE plpgsql VOLATILE SET enable_nestloop = off SET enable_hashjoin = on SET enable_seqscan = off SET jit = off AS $$
DECLARE
    v_locked constant record := data_import.lock_waiting(ARRAY(SELECT consumer FROM unnest(p_news)),
                                                         ARRAY(SELECT subject FROM unnest(p_news)));
    v_removed constant uuid[] := ARRAY(SELECT subject FROM unnest(p_news) WHERE is_removed);  -- the nodes of Citus lack p_news's type
    v_erased constant uuid[] := ARRAY(SELECT account_key FROM data_import.erased_account WHERE account_key = ANY (v_removed));
    v_delivery bigint;
    v_consumer text;
BEGIN
    UPDATE data_import.news_delivery SET number = number + 1 RETURNING number INTO v_delivery;
    WITH stored AS (
        INSERT INTO data_import.consumer_news AS waiting
        SELECT consumer, subject, supplier, external_account_number, service_account_number, market_participant_code, since,
               is_removed, waiting_since, v_delivery, locked.is_locked IS NOT NULL
        FROM unnest(p_news) AS new
        LEFT JOIN (SELECT *, true AS is_locked FROM unnest(v_locked.consumers, v_locked.subjects) AS row (consumer, subject)) AS locked
            USING (consumer, subject)
        WHERE new.subject = ANY (v_erased)
           OR NOT EXISTS (SELECT 1 FROM data_import.supplier_erasure AS erasure WHERE erasure.import_supplier = new.supplier)
        ON CONFLICT (subject, consumer, is_held) DO UPDATE
        SET since = least(waiting.since, excluded.since), is_removed = waiting.is_removed OR excluded.is_removed,
            service_account_number = coalesce(excluded.service_account_number, waiting.service_account_number),
            delivery = excluded.delivery
        RETURNING consumer, supplier, is_held, xmax = 0 AS is_new  -- a row that was there has been locked
    )
    INSERT INTO data_import.consumer_count (consumer, supplier, waiting)
    SELECT consumer, supplier, count(*) FROM stored WHERE is_new AND NOT is_held GROUP BY consumer, supplier;
    FOR v_consumer IN SELECT DISTINCT consumer FROM unnest(p_news) LOOP
        PERFORM pg_notify('data_import_news', v_consumer);
    END LOOP;
END
$$;
COMMENT ON FUNCTION data_import.store_news IS 'Adds news of consumers to those that wait.';

-- Delivers the news p_told to the consumers that want them. p_told has one row for each account or market participant with news.
-- p_consumers names the consumers that may get the news; null: all. An account that is not in the table account was erased: only
-- the news of its removal are delivered.
CREATE FUNCTION data_import.deliver(p_told data_import.news[], p_consumers text[] DEFAULT NULL) RETURNS void
LANGUAGE plpgsql VOLATILE SET enable_nestloop = off SET enable_hashjoin = on SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    v_subjects constant uuid[] := ARRAY(SELECT subjects[1] FROM unnest(p_told));
    v_known record;
BEGIN
    SELECT array_agg(account_key) AS keys, array_agg(import_supplier::text) AS suppliers,
           array_agg(external_account_number::text) AS numbers, array_agg(service_account_number::text) AS service_numbers
    INTO v_known
    FROM data_import.account WHERE account_key = ANY (v_subjects);
    -- leaves out an account that is neither known nor removed: it was erased, and another row tells of that
    PERFORM data_import.store_news(ARRAY(
        SELECT ROW(consumer.name, told.subject, told.supplier, told.number, told.service_number, told.code, told.since,
                   told.is_removal, now(), 0, false)::data_import.consumer_news
        FROM (SELECT subjects[1] AS subject, market_participant_code AS code, is_removal,
                     CASE WHEN is_removal THEN 'epoch' ELSE since END AS since,
                     CASE WHEN market_participant_code IS NULL THEN coalesce(known.supplier, told.supplier) ELSE '' END AS supplier,
                     coalesce(known.number, told.external_account_number) AS number,
                     coalesce(known.service_number, told.service_account_number) AS service_number
              FROM unnest(p_told) AS told
              LEFT JOIN unnest(v_known.keys, v_known.suppliers, v_known.numbers, v_known.service_numbers)
                  AS known (key, supplier, number, service_number) ON known.key = told.subjects[1]) AS told
        JOIN data_import.consumer
            ON (p_consumers IS NULL OR consumer.name = ANY (p_consumers))
           AND (told.code IS NOT NULL OR consumer.suppliers IS NULL OR told.supplier = ANY (consumer.suppliers))
        WHERE told.supplier IS NOT NULL));
END
$$;
COMMENT ON FUNCTION data_import.deliver IS 'Gives news to the consumers that want them, or to these of them.';

-- Delivers the news that were held: the rows of consumer_news in which is_held is true. Such a row was added while a transaction
-- was taking older news of the same account for a consumer. The row stays for a later call as long as that transaction has not
-- ended. A row that an erasure is removing stays, too.
CREATE FUNCTION data_import.deliver_held() RETURNS void
LANGUAGE plpgsql VOLATILE SET enable_nestloop = off SET enable_hashjoin = on SET enable_seqscan = off SET jit = off AS $$
DECLARE
    v_held constant data_import.consumer_news[] := ARRAY(SELECT held FROM data_import.consumer_news AS held WHERE is_held);
    v_locked record;
    v_ended data_import.consumer_news[];
    v_rows tid[];
BEGIN
    IF v_held = '{}' THEN
        RETURN;
    END IF;
    v_locked := data_import.lock_waiting(ARRAY(SELECT consumer FROM unnest(v_held)), ARRAY(SELECT subject FROM unnest(v_held)));
    v_ended := ARRAY(
        SELECT held FROM unnest(v_held) AS held
        LEFT JOIN (SELECT *, true AS is_locked FROM unnest(v_locked.consumers, v_locked.subjects) AS row (consumer, subject)) AS locked
            USING (consumer, subject)
        WHERE is_locked IS NULL);
    IF v_ended <> '{}' THEN
        v_rows := ARRAY(
            SELECT held.ctid FROM data_import.consumer_news AS held
            WHERE held.is_held AND held.subject = ANY (ARRAY(SELECT subject FROM unnest(v_ended)))
              AND (held.consumer, held.subject) IN (SELECT consumer, subject FROM unnest(v_ended)) FOR UPDATE SKIP LOCKED);
        WITH gone AS (
            DELETE FROM data_import.consumer_news AS held WHERE ctid = ANY (v_rows) RETURNING held.*
        )
        SELECT coalesce(array_agg(gone::data_import.consumer_news), '{}') INTO v_ended FROM gone;
        PERFORM data_import.store_news(v_ended);
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.deliver_held IS 'Delivers what came for accounts while they were taken, if that has ended.';

-- Moves news from the table news to consumer_news, where consumers take them; the oldest first. A call ends when it has moved the
-- news of p_most accounts and market participants, or all news. Returns true if there may be more to deliver; the caller then
-- calls again. Workers of all hosts call this function every two seconds. One session at a time does the work; the calls of other
-- sessions do nothing and return false.
CREATE FUNCTION data_import.deliver_news(p_most integer DEFAULT 20000) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_until timestamptz;
    v_told data_import.news[];
BEGIN
    -- for Citus, as in remove_import_supplier
    PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
    IF NOT pg_try_advisory_xact_lock(data_import.lock_number('news', '')) THEN
        RETURN false;
    END IF;
    PERFORM data_import.deliver_held();
    PERFORM 1 FROM data_import.news LIMIT 1;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM data_import.set_tells_news();
    SELECT min(since) INTO v_until
    FROM (SELECT since, sum(size) OVER (ORDER BY since) AS subjects
          FROM (SELECT since, cardinality(subjects) AS size FROM data_import.news ORDER BY since LIMIT p_most) AS oldest) AS next
    WHERE subjects >= p_most;
    WITH gone AS (
        DELETE FROM data_import.news WHERE since <= coalesce(v_until, 'infinity') RETURNING *
    ), told AS (
        SELECT subject, min(gone.since) AS since, bool_or(gone.is_removal) AS is_removal, max(gone.supplier) AS supplier,
               max(gone.external_account_number) AS external_account_number,
               max(gone.service_account_number) AS service_account_number,
               max(gone.market_participant_code) AS market_participant_code
        FROM gone, unnest(gone.subjects) AS subject
        GROUP BY subject
    )
    SELECT array_agg(ROW(subject, ARRAY[subject], since, is_removal, supplier, external_account_number, service_account_number,
                         market_participant_code)::data_import.news)
    INTO v_told FROM told;
    IF v_told IS NULL THEN
        RETURN false;
    END IF;
    PERFORM data_import.deliver(v_told);
    PERFORM data_import.add_up_consumer_counts();
    RETURN v_until IS NOT NULL;
END
$$;
COMMENT ON FUNCTION data_import.deliver_news IS 'Delivers some 20000 accounts with news to the consumers, the oldest news first.';

-- Functions by which data-importctl, as the owner, adds and removes consumers. They lock the table of consumers before they take
-- the lock of news.

CREATE FUNCTION data_import.consumer_add(p_name text, p_begins text, p_suppliers text[], p_added_by text) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    LOCK TABLE data_import.consumer IN EXCLUSIVE MODE;
    PERFORM pg_advisory_xact_lock(data_import.lock_number('news', ''));
    INSERT INTO data_import.consumer (name, suppliers, begins, added_by) VALUES (p_name, p_suppliers, p_begins, p_added_by)
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM data_import.set_tells_news();
    RETURN true;
END
$$;
COMMENT ON FUNCTION data_import.consumer_add IS
    'Adds a consumer, which is not ready yet; false: there is one of this name. Imports that begin after the commit tell it. '
    'Raises lock_not_available while another session holds a supplier that it wants.';

-- Returns the transactions of other sessions that hold a lock on the table of suppliers, on all nodes of Citus. Each import holds
-- this lock until it ends, whatever role it has logged in with. A dump is left out, because it holds the lock for hours, and
-- imports nothing.
--
-- An import that read its supplier before a consumer was added adds no news for that consumer. All such imports have ended when
-- the transactions have ended that this function returns right after the commit of consumer_add.
CREATE FUNCTION data_import.running_imports() RETURNS text[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_query constant text := $query$
        SELECT array_agg(DISTINCT coalesce(held.pid::text, 'prepared') || ' ' || held.virtualtransaction)
        FROM pg_catalog.pg_locks AS held
        JOIN pg_catalog.pg_class AS class ON class.oid = held.relation
        LEFT JOIN pg_catalog.pg_stat_activity AS session USING (pid)
        WHERE held.granted AND held.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
          AND class.relnamespace = 'data_import'::regnamespace AND class.relname ~ '^import_supplier(_[0-9]+)?$'
          AND held.pid IS DISTINCT FROM pg_backend_pid() AND session.application_name IS DISTINCT FROM 'pg_dump' $query$;
    v_running text[];
BEGIN
    IF to_regclass('pg_catalog.pg_dist_node') IS NULL THEN
        EXECUTE v_query INTO v_running;
    ELSE
        SELECT array_agg(node.nodeid || ' ' || one) INTO v_running
        FROM run_command_on_all_nodes(v_query) AS node, unnest(nullif(node.result, '')::text[]) AS one;
    END IF;
    RETURN coalesce(v_running, '{}');
END
$$;
COMMENT ON FUNCTION data_import.running_imports IS 'Transactions that may be imports and run now, on all nodes of Citus.';

-- Delivers the next p_most imported accounts to the consumer p_name, which was just added and begins with all accounts that are
-- imported already. The accounts are those that follow the key p_after in the order of their keys. accounts is how many these
-- are. last_key is the key of the last one; null if there are none. An account that the consumer has taken since it was added is
-- delivered once more.
CREATE FUNCTION data_import.consumer_fill(p_name text, p_after uuid, p_most integer, OUT accounts integer, OUT last_key uuid)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_suppliers text[];
    v_keys uuid[];
BEGIN
    PERFORM pg_advisory_xact_lock(data_import.lock_number('news', ''));
    SELECT suppliers INTO v_suppliers FROM data_import.consumer WHERE name = p_name;
    SELECT array_agg(account_key ORDER BY account_key) INTO v_keys
    FROM (SELECT account_key FROM data_import.account
          WHERE account_key > p_after AND state = 'imported'
            AND (v_suppliers IS NULL OR import_supplier = ANY (v_suppliers))
          ORDER BY account_key LIMIT p_most) AS next;
    accounts := coalesce(cardinality(v_keys), 0);
    last_key := v_keys[accounts];
    PERFORM data_import.deliver(ARRAY(
        SELECT ROW(key, ARRAY[key], 'epoch', false, NULL, NULL, NULL, NULL)::data_import.news FROM unnest(v_keys) AS key),
        ARRAY[p_name]);
END
$$;
COMMENT ON FUNCTION data_import.consumer_fill IS
    'Delivers to a consumer the next accounts that were imported before it was added, and tells the key of the last.';

CREATE FUNCTION data_import.consumer_ready(p_name text) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_begins text;
BEGIN
    LOCK TABLE data_import.consumer IN ROW EXCLUSIVE MODE;
    PERFORM pg_advisory_xact_lock(data_import.lock_number('news', ''));
    UPDATE data_import.consumer SET is_ready = true WHERE name = p_name RETURNING begins INTO v_begins;
    IF v_begins = 'beginning' THEN
        PERFORM data_import.deliver(ARRAY(
            SELECT ROW(key, ARRAY[key], 'epoch', false, NULL, NULL, NULL, code)::data_import.news
            FROM (SELECT code, data_import.account_key('', code::text) AS key FROM data_import.market_participant) AS known),
            ARRAY[p_name]);
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.consumer_ready IS
    'Ends the adding of a consumer, to which it delivers the market participants that were there.';

-- Removes a consumer; returns false if there is no consumer of this name. Waits for 2 s for a session that is taking accounts of
-- the consumer, or declaring what the consumer has booked. Then raises lock_not_available.
--
-- The wait is short, because other consumers get no news while this function holds the lock of news.
CREATE FUNCTION data_import.consumer_remove(p_name text) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    LOCK TABLE data_import.consumer IN ROW EXCLUSIVE MODE;
    PERFORM pg_advisory_xact_lock(data_import.lock_number('news', ''));
    PERFORM set_config('lock_timeout', '2s', true);
    DELETE FROM data_import.consumer WHERE name = p_name;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    DELETE FROM data_import.consumer_news WHERE consumer = p_name;
    DELETE FROM data_import.consumer_count WHERE consumer = p_name;
    PERFORM data_import.set_tells_news();
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    RAISE EXCEPTION 'a session works for the consumer % and is in its transaction still: end it first', p_name
        USING ERRCODE = 'lock_not_available';
END
$$;
COMMENT ON FUNCTION data_import.consumer_remove IS 'Removes a consumer and what it has not taken; false: there is none.';

-- Returns a row for each consumer and each supplier of which it has or had news; for a consumer without news, one row without a
-- supplier.
CREATE FUNCTION data_import.consumer_progress()
RETURNS TABLE (consumer text, begins text, suppliers text[], added_at timestamptz, added_by text, is_ready boolean, supplier text,
               waiting bigint, oldest_waiting_since timestamptz, accounts_taken bigint, records_taken bigint, taken_at timestamptz)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT known.name, known.begins, known.suppliers, known.added_at, known.added_by, known.is_ready, counted.supplier,
               coalesce(counted.waiting, 0)::bigint,
               (SELECT min(waiting_since) FROM data_import.consumer_news AS news
                WHERE news.consumer = known.name AND news.supplier = counted.supplier),
               coalesce(counted.accounts, 0)::bigint, coalesce(counted.records, 0)::bigint, counted.at
        FROM data_import.consumer AS known
        LEFT JOIN (SELECT consumer, supplier, sum(waiting) AS waiting, sum(accounts) AS accounts, sum(records) AS records,
                          max(at) AS at
                   FROM data_import.consumer_count GROUP BY consumer, supplier) AS counted ON counted.consumer = known.name
        ORDER BY known.name, counted.supplier;
END
$$;
COMMENT ON FUNCTION data_import.consumer_progress IS 'How far consumers are, by supplier; empty for market participants.';

-- Functions for the platform's software. Their names, parameters and answers are an interface: they are added, never changed.
-- Besides the errors of the steps (DI001 to DI009), these functions raise:
--
--   DI011  there is no such consumer
--   DI012  a number is outside of its range; or a statement period ends before it begins, or its first or last day is null

CREATE FUNCTION data_import.need_most(p_most integer) RETURNS void
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF p_most IS NULL OR p_most NOT BETWEEN 1 AND 10000 THEN
        RAISE EXCEPTION 'most is %, and has to be a number from 1 to 10000', coalesce(p_most::text, 'null') USING ERRCODE = 'DI012';
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.need_most IS 'Raises DI012 unless that many may be taken at once.';

CREATE FUNCTION data_import.need_period(p_first_day date, p_last_day date) RETURNS void
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF p_first_day IS NULL OR p_last_day IS NULL THEN
        RAISE EXCEPTION 'a statement period has a first and a last day' USING ERRCODE = 'DI012';
    ELSIF p_last_day < p_first_day THEN
        RAISE EXCEPTION 'the last day of the statement period, %, is before its first day, %', p_last_day, p_first_day USING ERRCODE = 'DI012';
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.need_period IS
    'Raises DI012 for a statement period that ends before it begins, or lacks a day.';

CREATE FUNCTION data_import.need_given(p_name text, p_value text) RETURNS void
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF p_value IS NULL THEN
        RAISE EXCEPTION '% is null', p_name USING ERRCODE = 'DI009';
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.need_given IS 'Raises DI009 for a text that is null.';

CREATE FUNCTION data_import.need_consumer(p_consumer text) RETURNS void
LANGUAGE plpgsql STABLE AS $$
BEGIN
    PERFORM 1 FROM data_import.consumer WHERE name = p_consumer;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no consumer %', coalesce(p_consumer, 'null')
            USING ERRCODE = 'DI011', HINT = 'The operator of data-import knows the consumers (data-importctl consumer list), and adds one (consumer add).';
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.need_consumer IS 'Raises DI011 unless there is this consumer.';

-- Returns how many records of each account were imported at or after the account's time in p_since; the two arrays have an
-- element for each account. The comment of lock_waiting says why the settings of the planner are as they are.
CREATE FUNCTION data_import.count_new_records(p_account_keys uuid[], p_since timestamptz[])
RETURNS TABLE (account_key uuid, records bigint)
LANGUAGE plpgsql STABLE SET enable_nestloop = off SET enable_hashjoin = on SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        WITH new AS (SELECT * FROM unnest(p_account_keys, p_since) AS new (account_key, since))
        SELECT account_key, sum(counted.records)::bigint
        FROM (SELECT account_key, count(*) AS records FROM data_import.note AS record JOIN new USING (account_key)
              WHERE record.account_key = ANY (p_account_keys) AND imported_at >= since GROUP BY account_key
              UNION ALL
              SELECT account_key, count(*) FROM data_import.financial_transaction AS record JOIN new USING (account_key)
              WHERE record.account_key = ANY (p_account_keys) AND imported_at >= since GROUP BY account_key
              UNION ALL
              SELECT account_key, count(*) FROM data_import.historical_statement AS record JOIN new USING (account_key)
              WHERE record.account_key = ANY (p_account_keys) AND imported_at >= since GROUP BY account_key
              UNION ALL
              SELECT account_key, count(*) FROM data_import.delivery_note AS record JOIN new USING (account_key)
              WHERE record.account_key = ANY (p_account_keys) AND imported_at >= since GROUP BY account_key
              UNION ALL
              SELECT account_key, count(*) FROM data_import.energy_amount AS record JOIN new USING (account_key)
              WHERE record.account_key = ANY (p_account_keys) AND imported_at >= since GROUP BY account_key
              UNION ALL
              SELECT account_key, count(*) FROM data_import.market_participant_invoice AS record JOIN new USING (account_key)
              WHERE record.account_key = ANY (p_account_keys) AND imported_at >= since GROUP BY account_key
              UNION ALL
              SELECT account_key, count(*) FROM data_import.payment_instruction AS record JOIN new USING (account_key)
              WHERE record.account_key = ANY (p_account_keys) AND imported_at >= since GROUP BY account_key) AS counted
        GROUP BY account_key;
END
$$;
COMMENT ON FUNCTION data_import.count_new_records IS 'How many records of each of these accounts came since then.';

-- Deletes rows of the consumer p_consumer from consumer_news and returns them: if p_is_account, rows of accounts, else rows of
-- market participants. Takes the p_most rows that have waited longest, or fewer if there are fewer. Passes over rows that another
-- session is taking, and over rows of deliveries after the delivery p_delivered. This is the number of the last delivery that the
-- platform's statement sees; null stands for the last delivery at the time of this call.
CREATE FUNCTION data_import.take_news(p_consumer text, p_most integer, p_delivered bigint, p_is_account boolean)
RETURNS SETOF data_import.consumer_news
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET jit = off AS $$
DECLARE
    v_delivered constant bigint := coalesce(p_delivered, data_import.last_delivery());
    v_rows tid[];
BEGIN
    PERFORM data_import.need_most(p_most), data_import.need_consumer(p_consumer), data_import.await_standbys();
    IF p_is_account THEN
        v_rows := ARRAY(
            SELECT ctid FROM data_import.consumer_news
            WHERE consumer = p_consumer AND market_participant_code IS NULL AND NOT is_held AND delivery <= v_delivered
            ORDER BY waiting_since LIMIT p_most FOR UPDATE SKIP LOCKED);
    ELSE
        v_rows := ARRAY(
            SELECT ctid FROM data_import.consumer_news
            WHERE consumer = p_consumer AND market_participant_code IS NOT NULL AND NOT is_held AND delivery <= v_delivered
            ORDER BY waiting_since LIMIT p_most FOR UPDATE SKIP LOCKED);
    END IF;
    RETURN QUERY
        DELETE FROM data_import.consumer_news WHERE ctid = ANY (v_rows) RETURNING *;
END
$$;
COMMENT ON FUNCTION data_import.take_news IS 'Takes up to so many accounts, or market participants, from those that wait longest.';

-- Returns accounts with news. The section "Take what is new" of the handbook's chapter "The platform's software" tells how a
-- consumer reads their records, and what the events mean.
CREATE FUNCTION platform.take_accounts(consumer text, most integer, delivered bigint DEFAULT data_import.last_delivery())
RETURNS TABLE (import_supplier text, external_account_number text, service_account_number text, since timestamptz, event text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_nestloop = off SET enable_hashjoin = on SET jit = off AS $$
#variable_conflict use_column
DECLARE
    v_taken constant data_import.consumer_news[] := ARRAY(
        SELECT taken
        FROM data_import.take_news(take_accounts.consumer, take_accounts.most, take_accounts.delivered, true) AS taken);
    v_keys constant uuid[] := ARRAY(SELECT subject FROM unnest(v_taken));
    v_since constant timestamptz[] := ARRAY(SELECT since FROM unnest(v_taken));
    v_known record;
    v_counted record;
BEGIN
    SELECT array_agg(account.account_key) AS keys, array_agg(account.service_account_number::text) AS numbers INTO v_known
    FROM data_import.account WHERE account.account_key = ANY (v_keys);
    SELECT array_agg(counted.account_key) AS keys, array_agg(counted.records) AS records INTO v_counted
    FROM data_import.count_new_records(v_keys, v_since) AS counted;
    INSERT INTO data_import.consumer_count (consumer, supplier, waiting, accounts, records, at)
    SELECT take_accounts.consumer, taken.supplier, -count(*), count(*), coalesce(sum(counted.records), 0), clock_timestamp()
    FROM unnest(v_taken) AS taken
    LEFT JOIN unnest(v_counted.keys, v_counted.records) AS counted (key, records) ON counted.key = taken.subject
    GROUP BY taken.supplier;
    RETURN QUERY
        SELECT taken.supplier, taken.external_account_number, coalesce(known.number, taken.service_account_number), taken.since,
               CASE WHEN known.key IS NULL THEN 'erased' WHEN taken.is_removed THEN 'reset' ELSE 'imported' END
        FROM unnest(v_taken) AS taken
        LEFT JOIN unnest(v_known.keys, v_known.numbers) AS known (key, number) ON known.key = taken.subject
        ORDER BY taken.waiting_since, taken.supplier, taken.external_account_number;
END
$$;
COMMENT ON FUNCTION platform.take_accounts(text, integer, bigint) IS
    'Takes up to most accounts that have news for a consumer, those that waited longest first; they come again unless the '
    'transaction commits. Records of the account with imported_at >= since hold all news; some may have been taken before. event: '
    'imported; reset: forget its records, then read it from the beginning; erased: forget the account. since is 1970-01-01 where all '
    'of the account is to be read. Leave delivered to its default: then a statement that takes and reads gets no news of records that '
    'it does not see. Raises DI011 and DI012.';

CREATE FUNCTION platform.take_market_participants(consumer text, most integer, delivered bigint DEFAULT data_import.last_delivery())
RETURNS TABLE (market_participant_code bigint, since timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    v_taken constant data_import.consumer_news[] := ARRAY(
        SELECT taken
        FROM data_import.take_news(
            take_market_participants.consumer, take_market_participants.most, take_market_participants.delivered, false) AS taken);
BEGIN
    IF v_taken <> '{}' THEN
        INSERT INTO data_import.consumer_count (consumer, supplier, waiting, accounts, at)
        VALUES (take_market_participants.consumer, '', -cardinality(v_taken), cardinality(v_taken), clock_timestamp());
    END IF;
    RETURN QUERY SELECT taken.market_participant_code, taken.since FROM unnest(v_taken) AS taken
                 ORDER BY taken.waiting_since, taken.market_participant_code;
END
$$;
COMMENT ON FUNCTION platform.take_market_participants(text, integer, bigint) IS
    'Takes up to most market participants that are new for a consumer, or have new price sheets, as take_accounts does accounts: '
    'participant and price sheets with imported_at >= since hold all news. Leave delivered to its default. Raises DI011 and DI012.';

-- Begins attempts on staged accounts of a supplier, on 1,000 at most in a call. Leaves out accounts that other sessions have
-- locked, or have begun since the call read them.
--
-- The number is limited, because each account takes a lock of its own until the transaction ends, and the server has room for
-- only some thousand locks in all.
CREATE FUNCTION platform.begin_accounts(import_supplier text, most integer)
RETURNS TABLE (external_account_number text, staged_at timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    v_most constant integer := least(begin_accounts.most, 1000);
    v_next record;
    v_at timestamptz := '-infinity';
    v_key uuid := '00000000-0000-0000-0000-000000000000';
    v_locked uuid[];
    v_keys uuid[] := '{}';
    v_begun record;
    v_done record;
BEGIN
    PERFORM data_import.need_most(begin_accounts.most), data_import.need_ongoing_supplier(begin_accounts.import_supplier);
    LOCK TABLE data_import.account IN ROW EXCLUSIVE MODE;
    LOOP
        SELECT array_agg(account_key ORDER BY state_changed_at, account_key) AS keys, max(state_changed_at) AS at,
               (array_agg(account_key ORDER BY state_changed_at DESC, account_key DESC))[1] AS last_key
        INTO v_next
        FROM (SELECT account_key, state_changed_at FROM data_import.account
              WHERE import_supplier = begin_accounts.import_supplier AND state = 'staged'
                AND (state_changed_at, account_key) > (v_at, v_key)
              ORDER BY state_changed_at, account_key LIMIT v_most - cardinality(v_keys)) AS next;
        EXIT WHEN v_next.keys IS NULL;
        v_locked := data_import.try_lock_accounts(v_next.keys);
        v_keys := v_keys || ARRAY(SELECT account_key FROM data_import.account
                                  WHERE account_key = ANY (v_next.keys) AND account_key <> ALL (v_locked) AND state = 'staged');
        EXIT WHEN cardinality(v_keys) >= v_most;
        v_at := v_next.at;
        v_key := v_next.last_key;
    END LOOP;
    SELECT array_agg(account_key) AS keys, array_agg(external_account_number::text) AS numbers,
           array_agg(account.staged_at) AS staged_at, array_agg(state_changed_at) AS changed_at
    INTO v_begun
    FROM data_import.account WHERE account_key = ANY (v_keys) AND state = 'staged';
    IF v_begun.keys IS NOT NULL THEN
        SELECT * INTO v_done FROM data_import.move_accounts(
            begin_accounts.import_supplier, v_begun.keys, v_begun.numbers,
            array_fill('in_progress'::text, ARRAY[cardinality(v_begun.keys)]), NULL, NULL, NULL, NULL, NULL, false);
        IF v_done.refused IS NOT NULL THEN
            RAISE EXCEPTION '%', v_done.sentences[1] USING ERRCODE = v_done.codes[1];
        END IF;
        PERFORM data_import.await_standbys();
    END IF;
    RETURN QUERY
        SELECT begun.number, begun.staged_at
        FROM unnest(v_begun.keys, v_begun.numbers, v_begun.staged_at, v_begun.changed_at) AS begun (key, number, staged_at, changed_at)
        ORDER BY begun.changed_at, begun.key;
END
$$;
COMMENT ON FUNCTION platform.begin_accounts(text, integer) IS
    'Begins attempts on up to most staged accounts of a supplier, 1000 at most, those first that were staged first or staged again '
    'first, and tells which. Several sessions get different accounts and do not wait for each other. Raises DI001, DI002 and DI012.';

-- The steps of single accounts, under names of this schema.

CREATE FUNCTION platform.stage_account(import_supplier text, external_account_number text, although_erased boolean DEFAULT false)
RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT data_import.need_given('external_account_number', $2);
    SELECT data_import.account_stage($1, $2, $3)
$$;
COMMENT ON FUNCTION platform.stage_account(text, text, boolean) IS
    'Stages an account: pending from now on, also again after a failure; one that was erased only if that is said. True: something '
    'has changed. Raises DI001, DI002, DI004, DI007 and DI009.';

CREATE FUNCTION platform.complete_account(
    import_supplier text, external_account_number text, service_account_number text DEFAULT NULL,
    account_created_at timestamptz DEFAULT NULL, statement_first_day date DEFAULT NULL, statement_last_day date DEFAULT NULL)
RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT data_import.need_given('external_account_number', $2);
    SELECT data_import.need_period($5, $6) WHERE $5 IS NOT NULL OR $6 IS NOT NULL;
    SELECT data_import.account_complete($1, $2, $3, $4, $5, $6)
$$;
COMMENT ON FUNCTION platform.complete_account(text, text, text, timestamptz, date, date) IS
    'Completes a staged or running account, which takes imports from now on, and answers its number on the platform. Without a '
    'number one is given out; with two days it has a statement period. Raises DI001 to DI005, DI007, DI009 and DI012.';

CREATE FUNCTION platform.fail_account(import_supplier text, external_account_number text, reason text)
RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT data_import.need_given('external_account_number', $2), data_import.need_given('reason', $3);
    SELECT data_import.account_fail($1, $2, $3)
$$;
COMMENT ON FUNCTION platform.fail_account(text, text, text) IS
    'Ends the running attempt on an account as failed, with a reason. True: something has changed. Raises DI002 to DI004, DI007 and '
    'DI009.';

CREATE FUNCTION platform.open_statement(import_supplier text, external_account_number text, first_day date, last_day date)
RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT data_import.need_given('external_account_number', $2), data_import.need_period($3, $4);
    SELECT data_import.statement_open($1, $2, $3, $4)
$$;
COMMENT ON FUNCTION platform.open_statement(text, text, date, date) IS
    'Opens a statement period of an imported account in place of the open one. True: something has changed. Raises DI003, DI004, DI007, '
    'DI009 and DI012.';

CREATE FUNCTION platform.close_statement(import_supplier text, external_account_number text)
RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT data_import.need_given('external_account_number', $2);
    SELECT data_import.statement_close($1, $2)
$$;
COMMENT ON FUNCTION platform.close_statement(text, text) IS
    'Closes the open statement period of an imported account, which takes no transactions from now on. True: there was one. Raises '
    'DI003, DI004, DI007 and DI009.';

GRANT EXECUTE ON FUNCTION data_import.deliver_news, data_import.consumer_progress TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.last_delivery TO "data-import-platform", "data-import-reader";
GRANT EXECUTE ON FUNCTION platform.take_accounts, platform.take_market_participants, platform.begin_accounts,
    platform.stage_account, platform.complete_account, platform.fail_account, platform.open_statement, platform.close_statement,
    data_import.need_period, data_import.need_given TO "data-import-platform";
