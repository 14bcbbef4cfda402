-- Open accounts: accounts that need attention, because an attempt is running or has failed.

-- The table open_account has a row for each account that was in progress or failed at a certain place among the supplier's events
-- (settled_place of event_feed). housekeeping() moves this place forward by settle_open_accounts. Readers add the steps after
-- this place in the same snapshot, so they get the exact accounts at any time.
--
-- An index of accounts by state would be slower, because each step of each account would write to the index.

CREATE TABLE data_import.open_account (
    import_supplier         text COLLATE "C" NOT NULL,
    external_account_number data_import.account_number NOT NULL,
    state                   data_import.account_state NOT NULL
                            CONSTRAINT open_accounts_are_in_progress_or_failed CHECK (state IN ('in_progress', 'failed')),
    since                   timestamptz NOT NULL,
    reason                  data_import.reason,
    PRIMARY KEY (import_supplier, external_account_number)
);
COMMENT ON TABLE data_import.open_account IS
    'Accounts in progress and failed ones, as of the places of events that event_feed calls settled.';
COMMENT ON COLUMN data_import.open_account.import_supplier IS 'Code of the supplier.';
COMMENT ON COLUMN data_import.open_account.external_account_number IS 'The account''s number in the supplier''s system.';
COMMENT ON COLUMN data_import.open_account.state IS 'The state that it is in.';
COMMENT ON COLUMN data_import.open_account.since IS 'When the state began.';
COMMENT ON COLUMN data_import.open_account.reason IS
    'Why the last attempt failed; only of a failed one, null for one that was loaded as failed.';

-- These indexes serve queries for the accounts in one state. All other queries use the primary key.
--
-- The indexes are partial, because PostgreSQL may plan a query with any index whose first column fits while the table is empty.
-- It might take a full index in place of the primary key.
CREATE INDEX open_account_in_progress ON data_import.open_account (import_supplier, since) WHERE state = 'in_progress';
CREATE INDEX open_account_failed ON data_import.open_account (import_supplier, since) WHERE state = 'failed';

-- Returns the last step of each account that has steps which open_account does not contain yet. These steps stand in rows of
-- event that have no place yet, or a place after settled_place of event_feed. Readers of open_account leave out the accounts that
-- this function returns. They do so by NOT IN, because NOT IN looks up each account in a hash table.
--
-- The query itself fixes how tables are joined, because PostgreSQL may keep a plan that it made while the tables were empty.
-- OFFSET 0 makes PostgreSQL look up the few events after settled_place for one supplier after the other.
CREATE FUNCTION data_import.unsettled_steps(p_import_suppliers text[])
RETURNS TABLE (import_supplier text, external_account_number text, state text, since timestamptz, reason text)
LANGUAGE plpgsql STABLE ROWS 100 SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT DISTINCT ON (event.import_supplier, item.subject) event.import_supplier, item.subject, item.state, event.at,
               item.reason
        FROM (SELECT import_supplier, place, id, at, subjects, states, reasons FROM data_import.event
              WHERE import_supplier = ANY (p_import_suppliers) AND place IS NULL AND concerns_open
              UNION ALL
              SELECT late.*
              FROM data_import.event_feed AS feed
              CROSS JOIN LATERAL (SELECT import_supplier, place, id, at, subjects, states, reasons FROM data_import.event
                                  WHERE event.import_supplier = feed.import_supplier AND place > feed.settled_place
                                    AND concerns_open
                                  OFFSET 0) AS late
              WHERE feed.import_supplier = ANY (p_import_suppliers) AND feed.last_place > feed.settled_place) AS event
        CROSS JOIN LATERAL (SELECT subject COLLATE "C" AS subject, state, reason
                            FROM unnest(event.subjects, event.states, event.reasons) AS step (subject, state, reason)
                            WHERE subject IS NOT NULL) AS item
        ORDER BY event.import_supplier, item.subject, event.place DESC NULLS FIRST, event.id DESC;
END
$$;
COMMENT ON FUNCTION data_import.unsettled_steps IS
    'The last steps of accounts that are or were open, behind what open_account takes into account.';

-- Returns at most p_most accounts of each supplier in the state p_state, which is in_progress or failed. Accounts that have been
-- in progress for the longest time come first; accounts that failed last come first.
--
-- The rows of open_account are out of date for accounts that unsettled_steps returns. The function skips these rows, so it reads
-- more than p_most rows for each supplier.
CREATE FUNCTION data_import.open_accounts(p_import_suppliers text[], p_state text, p_most integer)
RETURNS TABLE (import_supplier text, external_account_number text, since timestamptz, reason text)
LANGUAGE plpgsql STABLE ROWS 500 AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        WITH moved AS MATERIALIZED (
            SELECT * FROM data_import.unsettled_steps(p_import_suppliers)
        ), wanted AS (
            SELECT supplier.code, p_most + coalesce(late.steps, 0) AS most
            FROM unnest(p_import_suppliers) AS supplier (code)
            LEFT JOIN (SELECT import_supplier AS code, count(*) AS steps FROM moved GROUP BY 1) AS late USING (code)
        ), found AS (
            SELECT wanted.code AS import_supplier, settled.*
            FROM wanted
            CROSS JOIN LATERAL (
                (SELECT external_account_number, since, reason FROM data_import.open_account
                 WHERE import_supplier = wanted.code AND state = 'in_progress' AND p_state = 'in_progress'
                 ORDER BY since LIMIT wanted.most)
                UNION ALL
                (SELECT external_account_number, since, reason FROM data_import.open_account
                 WHERE import_supplier = wanted.code AND state = 'failed' AND p_state = 'failed'
                 ORDER BY since DESC LIMIT wanted.most)) AS settled
            WHERE (wanted.code, settled.external_account_number) NOT IN (
                SELECT import_supplier, external_account_number FROM moved)
            UNION ALL
            SELECT import_supplier, external_account_number, since, reason FROM moved WHERE state = p_state
        ), ranked AS (
            SELECT found.*, row_number() OVER (PARTITION BY import_supplier
                                               ORDER BY extract(epoch FROM since) * CASE p_state WHEN 'failed' THEN -1 ELSE 1 END,
                                                        external_account_number) AS rank
            FROM found
        )
        SELECT import_supplier, external_account_number, since, reason FROM ranked WHERE rank <= p_most
        ORDER BY import_supplier, rank;
END
$$;
COMMENT ON FUNCTION data_import.open_accounts IS 'Exactly which accounts are in progress or failed: those that are told first.';

-- Returns all failed accounts of the given suppliers; null: of all suppliers. folded is the reason with N for each number,
-- because many accounts fail for the same reason with another number in it. The reason is empty if none was given.
CREATE FUNCTION data_import.failures(p_import_suppliers text[])
RETURNS TABLE (import_supplier text, external_account_number text, since timestamptz, reason text, folded text)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_suppliers constant text[] := data_import.known_suppliers(p_import_suppliers);
BEGIN
    RETURN QUERY
        WITH moved AS MATERIALIZED (
            SELECT * FROM data_import.unsettled_steps(v_suppliers)
        ), found AS (
            SELECT import_supplier, external_account_number, since, reason FROM data_import.open_account AS settled
            WHERE import_supplier = ANY (v_suppliers) AND state = 'failed'
              AND (import_supplier, external_account_number) NOT IN (
                  SELECT import_supplier, external_account_number FROM moved)
            UNION ALL
            SELECT import_supplier, external_account_number, since, reason FROM moved WHERE state = 'failed'
        )
        SELECT found.import_supplier, found.external_account_number::text, found.since, coalesce(found.reason, ''),
               regexp_replace(coalesce(found.reason, ''), '[0-9]+', 'N', 'g')
        FROM found;
END
$$;
COMMENT ON FUNCTION data_import.failures IS 'Exactly which accounts have failed, and why.';

-- Returns the next p_most accounts of one supplier whose external account number is greater than p_after, in the order of these
-- numbers. Returns only accounts that have been in the state p_state since before p_before.
CREATE FUNCTION data_import.next_open_accounts(p_import_supplier text, p_state text, p_before timestamptz, p_after text,
                                               p_most integer)
RETURNS TABLE (account_key uuid, external_account_number text, since timestamptz, reason text)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        WITH moved AS MATERIALIZED (
            SELECT * FROM data_import.unsettled_steps(ARRAY[p_import_supplier])
        ), settled AS MATERIALIZED (
            SELECT external_account_number, since, reason FROM data_import.open_account
            WHERE import_supplier = p_import_supplier AND external_account_number > p_after AND state = p_state
              AND since < p_before
            ORDER BY external_account_number LIMIT p_most + (SELECT count(*) FROM moved)
        ), found AS (
            SELECT * FROM settled
            WHERE external_account_number NOT IN (SELECT external_account_number FROM moved)
            UNION ALL
            SELECT external_account_number, since, reason FROM moved
            WHERE state = p_state AND since < p_before AND external_account_number COLLATE "C" > p_after
        )
        SELECT data_import.account_key(p_import_supplier, next.external_account_number), next.*
        FROM (SELECT * FROM found ORDER BY external_account_number COLLATE "C" LIMIT p_most) AS next
        ORDER BY next.external_account_number COLLATE "C";
END
$$;
COMMENT ON FUNCTION data_import.next_open_accounts IS
    'Exactly which accounts are in that state, open for so long, behind that number, at most so many.';

-- Brings the next rows of the table event into open_account, until they have p_most events together. Returns the number of
-- events; a row that concerns no open account counts as one event. A row holds up to 1000 events and is never divided, so the
-- number may exceed p_most.
--
-- OFFSET 0 makes PostgreSQL look up each account by itself. A join that was planned for an empty open_account would compare each
-- account with every step, which takes 95 s for 20,000 accounts.
CREATE FUNCTION data_import.settle_open_accounts(p_most integer) RETURNS bigint
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off AS $$
DECLARE
    v_settled bigint;
BEGIN
    WITH page AS MATERIALIZED (
        SELECT import_supplier, place, at, work, CASE WHEN concerns_open THEN subjects END AS subjects, states, reasons
        FROM (SELECT event.*, CASE WHEN concerns_open THEN event.size ELSE 1 END AS work,
                     sum(CASE WHEN concerns_open THEN event.size ELSE 1 END) OVER (ORDER BY event.import_supplier, event.place)
                         AS work_done
              FROM data_import.event_feed AS feed
              CROSS JOIN LATERAL (SELECT * FROM data_import.event
                                  WHERE event.import_supplier = feed.import_supplier AND event.place > feed.settled_place
                                  ORDER BY event.place LIMIT p_most) AS event
              WHERE feed.last_place > feed.settled_place) AS unsettled
        WHERE work_done - work < p_most
    ), step AS MATERIALIZED (
        SELECT DISTINCT ON (page.import_supplier, item.subject) page.import_supplier, item.subject, item.state, page.at,
               item.reason
        FROM page
        CROSS JOIN LATERAL (SELECT subject COLLATE "C" AS subject, state, reason
                            FROM unnest(page.subjects, page.states, page.reasons) AS step (subject, state, reason)
                            WHERE subject IS NOT NULL) AS item
        WHERE page.subjects IS NOT NULL
        ORDER BY page.import_supplier, item.subject, page.place DESC
    ), closed AS (
        DELETE FROM data_import.open_account
        WHERE ctid = ANY (ARRAY(SELECT known.ctid
                                FROM step
                                CROSS JOIN LATERAL (SELECT ctid FROM data_import.open_account
                                                    WHERE open_account.import_supplier = step.import_supplier
                                                      AND open_account.external_account_number = step.subject
                                                    OFFSET 0) AS known
                                WHERE step.state NOT IN ('in_progress', 'failed')))
    ), opened AS (
        INSERT INTO data_import.open_account (import_supplier, external_account_number, state, since, reason)
        SELECT import_supplier, subject, state, at, reason FROM step WHERE state IN ('in_progress', 'failed')
        ON CONFLICT (import_supplier, external_account_number) DO UPDATE
            SET state = excluded.state, since = excluded.since, reason = excluded.reason
    ), told AS (
        UPDATE data_import.event_feed AS feed SET settled_place = last.place
        FROM (SELECT import_supplier, max(place) AS place FROM page GROUP BY 1) AS last
        WHERE feed.import_supplier = last.import_supplier
    )
    SELECT coalesce(sum(work), 0) INTO v_settled FROM page;
    RETURN v_settled;
END
$$;
COMMENT ON FUNCTION data_import.settle_open_accounts IS
    'Brings open_account up to the events that have a place, at most so many accounts at once, and tells how many.';

CREATE FUNCTION data_import.keep_events(p_days integer, p_most integer) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_before constant timestamptz := now() - make_interval(days => p_days);
    v_import_supplier text;
    v_most_worked_on bigint := 0;
BEGIN
    FOR v_import_supplier IN
        SELECT DISTINCT import_supplier
        FROM (SELECT import_supplier FROM data_import.event WHERE place IS NULL LIMIT p_most) AS waiting
        ORDER BY import_supplier
    LOOP
        v_most_worked_on := greatest(v_most_worked_on, data_import.number_events(v_import_supplier, p_most));
    END LOOP;
    v_most_worked_on := greatest(v_most_worked_on, data_import.settle_open_accounts(p_most));
    FOR v_import_supplier IN
        SELECT feed.import_supplier FROM data_import.event_feed AS feed
        CROSS JOIN LATERAL (SELECT at FROM data_import.event
                            WHERE event.import_supplier = feed.import_supplier AND event.place > feed.expired_place
                            ORDER BY event.place LIMIT 1) AS oldest
        WHERE oldest.at < v_before
        ORDER BY feed.import_supplier
    LOOP
        v_most_worked_on := greatest(v_most_worked_on, data_import.expire_events(v_import_supplier, v_before, p_most));
    END LOOP;
    RETURN v_most_worked_on;
END
$$;
COMMENT ON FUNCTION data_import.keep_events IS
    'Numbers events, lets open_account follow them, and deletes those of so many days ago, at most so many rows of each '
    'supplier; tells the most of one.';

GRANT SELECT ON data_import.open_account TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.unsettled_steps, data_import.open_accounts, data_import.failures,
    data_import.next_open_accounts TO "data-import";
