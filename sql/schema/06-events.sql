-- Events: changes of accounts and suppliers, for software that follows a migration (contract, section 13.4).

-- An event's place is its number in the order in which readers get events. Events are stored without a place. number_events(),
-- which readers and housekeeping() call, gives places to the rows that have been committed since its last call, in the order of
-- their ids. The steps of one account stay in their order, because a transaction that waited for another one gives its events
-- higher ids.
--
-- Places serve readers as cursors, so no event may ever appear before a cursor that was given out. Numbers that are given out
-- when events are stored do not ensure this, because transactions commit in another order. Only one session at a time gives out
-- places, so it sees all events that got a place before.
--
-- A row holds up to 1000 events that were stored at once, so that a load of a million accounts adds a thousand rows.

CREATE TABLE data_import.event (
    id                      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    import_supplier         text COLLATE "C" NOT NULL,
    place                   bigint,
    at                      timestamptz NOT NULL,
    kind                    text NOT NULL CONSTRAINT event_kind_is_known CHECK (kind IN ('account', 'import_supplier')),
    size                    integer NOT NULL CONSTRAINT event_row_has_events CHECK (size > 0),
    subjects                text[] NOT NULL,
    states                  text[] NOT NULL,
    service_account_numbers text[] NOT NULL,
    reasons                 text[] NOT NULL,
    concerns_open           boolean NOT NULL DEFAULT false
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000);
COMMENT ON TABLE data_import.event IS
    'What became of accounts and suppliers, in the order in which it could be seen; kept for the days that the setting '
    'events_days says. A row holds several events of one instant, an element of each array for each.';
COMMENT ON COLUMN data_import.event.id IS 'Order of the events that are numbered at once.';
COMMENT ON COLUMN data_import.event.import_supplier IS 'Code of the supplier.';
COMMENT ON COLUMN data_import.event.place IS 'Place among the supplier''s rows, from 1; null until it is given out.';
COMMENT ON COLUMN data_import.event.at IS 'When it happened.';
COMMENT ON COLUMN data_import.event.kind IS 'account: an account came into a state; import_supplier: its status changed.';
COMMENT ON COLUMN data_import.event.size IS 'How many events.';
COMMENT ON COLUMN data_import.event.subjects IS 'External account numbers, null for one that was erased since; or the code of the supplier.';
COMMENT ON COLUMN data_import.event.states IS 'The states that began, as in data_import.account, or the status.';
COMMENT ON COLUMN data_import.event.service_account_numbers IS 'The platform''s numbers; null but for imported accounts.';
COMMENT ON COLUMN data_import.event.reasons IS 'Why accounts failed; null for all others.';
COMMENT ON COLUMN data_import.event.concerns_open IS
    'Whether its accounts are or were in progress or failed: those that open_account is about.';
CREATE UNIQUE INDEX event_by_place ON data_import.event (import_supplier, place);
CREATE INDEX event_without_place ON data_import.event (import_supplier, id) WHERE place IS NULL;

-- Serves erasures, which find an account's events by the times of the account's steps.
--
-- The index is partial, so that no plan takes it in place of event_by_place. A plan that is made while the table is empty may
-- take any full index whose first column fits.
CREATE INDEX event_by_time ON data_import.event (import_supplier, at) WHERE kind = 'account';

CREATE TABLE data_import.event_feed (
    import_supplier text COLLATE "C" PRIMARY KEY,
    last_place      bigint NOT NULL DEFAULT 0,
    settled_place   bigint NOT NULL DEFAULT 0,
    expired_place   bigint NOT NULL DEFAULT 0,
    expired_size    integer NOT NULL DEFAULT 0
);
COMMENT ON TABLE data_import.event_feed IS
    'How far the events of each supplier are numbered, and how far they are gone. Who gives places out holds the row.';
COMMENT ON COLUMN data_import.event_feed.import_supplier IS 'Code of the supplier.';
COMMENT ON COLUMN data_import.event_feed.last_place IS 'The last place that was given out.';
COMMENT ON COLUMN data_import.event_feed.settled_place IS 'The last place that open_account takes into account.';
COMMENT ON COLUMN data_import.event_feed.expired_place IS 'The last place whose row is gone, because it was too old.';
COMMENT ON COLUMN data_import.event_feed.expired_size IS 'How many events that row had.';

-- Stores an event for each element of p_moves whose field `moves` is true. A row of the table event holds up to 1000 events. Rows
-- with concerns_open = true hold the events of accounts that are in progress or failed, or were so before the step. Readers of
-- open accounts read only these rows.
CREATE FUNCTION data_import.record_account_events(
    p_import_supplier text, p_moves data_import.account_move[], p_at timestamptz)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO data_import.event (import_supplier, at, kind, size, subjects, states, service_account_numbers, reasons,
                                   concerns_open)
    SELECT p_import_supplier, p_at, 'account', count(*), array_agg(external_account_number), array_agg(state),
           array_agg(service_account_number), array_agg(reason), concerns_open
    FROM (SELECT move.*, concerns_open, row_number() OVER (PARTITION BY concerns_open ORDER BY move.place) - 1 AS number
          FROM unnest(p_moves) AS move
          CROSS JOIN LATERAL (SELECT state IN ('in_progress', 'failed')
                                     OR coalesce(state_before IN ('in_progress', 'failed'), false)) AS verdict (concerns_open)
          WHERE move.moves) AS numbered
    GROUP BY concerns_open, number / 1000
    ORDER BY concerns_open, number / 1000;
END
$$;
COMMENT ON FUNCTION data_import.record_account_events IS
    'Stores an event for each account that moves. To be called by who holds the accounts, so that theirs stand in their order.';

-- Changes the status, the name and the document root of a supplier. A null parameter leaves its value as it is. Returns false if
-- there is no such supplier. Raises DI015 if the accounts of the supplier were erased and its status would change.
--
-- Such a supplier stays Complete. Only this status keeps the erased accounts from being staged again, because the erasure of a
-- supplier leaves no tombstones of accounts.
CREATE FUNCTION data_import.change_import_supplier(p_code text, p_status text, p_name text, p_document_root text)
RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    -- an UPDATE of a table that Citus copies to all nodes must not call a function
    v_now constant timestamptz := clock_timestamp();
    v_author constant text := data_import.step_author();
BEGIN
    UPDATE data_import.import_supplier
    SET status = p_status, status_since = v_now, status_by = v_author
    WHERE code = p_code AND status <> p_status;
    IF FOUND THEN
        PERFORM 1 FROM data_import.supplier_erasure WHERE import_supplier = p_code;
        IF FOUND THEN
            RAISE EXCEPTION 'the accounts of import supplier % were erased, so it stays Complete', p_code USING ERRCODE = 'DI015';
        END IF;
        INSERT INTO data_import.event (import_supplier, at, kind, size, subjects, states, service_account_numbers, reasons)
        VALUES (p_code, v_now, 'import_supplier', 1, ARRAY[p_code], ARRAY[p_status], ARRAY[NULL::text],
                ARRAY[NULL::text]);
    END IF;
    UPDATE data_import.import_supplier
    SET name = coalesce(p_name, name), document_root = coalesce(p_document_root, document_root)
    WHERE code = p_code;
    RETURN FOUND;
END
$$;
COMMENT ON FUNCTION data_import.change_import_supplier IS 'Changes a supplier; another status is an event.';

-- Gives places to at most p_most rows of events that have none, and returns the number of these rows. A place is the number of a
-- row among the supplier's rows, from 1.
--
-- One session at a time gives out places, because number_events locks the supplier's row of event_feed. The next statement sees
-- all places that were given out before, because it begins after the lock. The SET clauses make plans find rows by an index and
-- join them by hashing, even if a plan was made while the table was empty.
CREATE FUNCTION data_import.number_events(p_import_supplier text, p_most integer) RETURNS bigint
LANGUAGE plpgsql VOLATILE SET enable_nestloop = off SET enable_seqscan = off SET enable_hashjoin = on AS $$
DECLARE
    v_last_place bigint;
    v_ids bigint[];
BEGIN
    PERFORM 1 FROM data_import.event WHERE import_supplier = p_import_supplier AND place IS NULL LIMIT 1;
    IF NOT FOUND THEN
        RETURN 0;
    END IF;
    INSERT INTO data_import.event_feed (import_supplier) VALUES (p_import_supplier) ON CONFLICT DO NOTHING;
    SELECT last_place INTO v_last_place FROM data_import.event_feed WHERE import_supplier = p_import_supplier FOR UPDATE;
    v_ids := ARRAY(SELECT id FROM data_import.event WHERE import_supplier = p_import_supplier AND place IS NULL
                   ORDER BY id LIMIT p_most);
    UPDATE data_import.event SET place = v_last_place + next.number
    FROM unnest(v_ids) WITH ORDINALITY AS next (id, number)
    WHERE event.id = next.id AND event.id = ANY (v_ids);
    UPDATE data_import.event_feed SET last_place = v_last_place + cardinality(v_ids) WHERE import_supplier = p_import_supplier;
    RETURN cardinality(v_ids);
END
$$;
COMMENT ON FUNCTION data_import.number_events IS
    'Gives places to at most so many rows of a supplier that can be seen and have none, and tells to how many.';

-- Returns up to p_limit events of a supplier after a cursor, and then a row with the verdict. A row of the table event holds
-- several events. The cursor stands after the first p_position events of the row whose place is p_place. If p_place and
-- p_position are null, the cursor stands before the oldest event that is kept. The kind of the row with the verdict is null. The
-- verdicts are:
--
--   done      the events in the result are the next ones; if there are none, this row's place and position are the next cursor
--   expired   the next events after the cursor were deleted
--   unknown   no row of the supplier has had the place p_place yet
--
-- The function reads the events first, and then checks whether events after the cursor were deleted. So no deletion between the
-- two steps goes unnoticed.
CREATE FUNCTION data_import.events(p_import_supplier text, p_place bigint, p_position bigint, p_limit integer)
RETURNS TABLE (verdict text, place bigint, "position" bigint, kind text, subject text, state text,
               service_account_number text, reason text, at timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    v_place constant bigint := coalesce(p_place, 0);
    v_position constant bigint := coalesce(p_position, 0);
    v_feed data_import.event_feed;
BEGIN
    PERFORM data_import.number_events(p_import_supplier, p_limit);
    RETURN QUERY
        SELECT NULL::text, page.place, item.position, page.kind, item.subject, item.state, item.service_account_number,
               item.reason, page.at
        FROM (SELECT event.*, sum(event.size) OVER (ORDER BY event.place) - event.size AS events_before
              FROM data_import.event
              WHERE event.import_supplier = p_import_supplier AND event.place >= v_place
              ORDER BY event.place LIMIT p_limit + 1) AS page
        CROSS JOIN LATERAL unnest(page.subjects, page.states, page.service_account_numbers, page.reasons)
            WITH ORDINALITY AS item (subject, state, service_account_number, reason, position)
        WHERE page.events_before < v_position + p_limit AND (page.place, item.position) > (v_place, v_position)
        ORDER BY page.place, item.position
        LIMIT p_limit;
    IF FOUND THEN
        PERFORM data_import.await_standbys();
    END IF;
    SELECT * INTO v_feed FROM data_import.event_feed AS feed WHERE feed.import_supplier = p_import_supplier;
    verdict := CASE WHEN v_place > coalesce(v_feed.last_place, 0) THEN 'unknown'
                    WHEN p_place IS NOT NULL AND (v_place, v_position) < (v_feed.expired_place, v_feed.expired_size)
                        THEN 'expired'
                    ELSE 'done' END;
    place := greatest(v_place, v_feed.expired_place);
    "position" := CASE WHEN v_feed.expired_place > v_place THEN v_feed.expired_size
                       WHEN v_feed.expired_place = v_place THEN greatest(v_position, v_feed.expired_size)
                       ELSE v_position END;
    RETURN NEXT;
END
$$;
COMMENT ON FUNCTION data_import.events IS 'A supplier''s events behind a cursor, in the order of their places.';

-- Deletes rows of a supplier's events from the oldest on, at most p_most, and returns how many. Stops before the first row whose
-- events are not older than p_before, and before the first row that open_account does not take into account yet.
CREATE FUNCTION data_import.expire_events(p_import_supplier text, p_before timestamptz, p_most integer) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_feed data_import.event_feed;
    v_place bigint;
    v_expired bigint;
BEGIN
    SELECT * INTO v_feed FROM data_import.event_feed WHERE import_supplier = p_import_supplier FOR UPDATE;
    SELECT coalesce(min(place) FILTER (WHERE at >= p_before) - 1, max(place)) INTO v_place
    FROM (SELECT place, at FROM data_import.event WHERE import_supplier = p_import_supplier AND place > v_feed.expired_place
            AND place <= v_feed.settled_place
          ORDER BY place LIMIT p_most) AS oldest;
    UPDATE data_import.event_feed AS feed SET expired_place = event.place, expired_size = event.size
    FROM data_import.event
    WHERE feed.import_supplier = p_import_supplier
      AND event.import_supplier = p_import_supplier AND event.place = v_place AND v_place > v_feed.expired_place;
    DELETE FROM data_import.event
    WHERE import_supplier = p_import_supplier AND place > v_feed.expired_place AND place <= v_place;
    GET DIAGNOSTICS v_expired = ROW_COUNT;
    RETURN v_expired;
END
$$;
COMMENT ON FUNCTION data_import.expire_events IS
    'Deletes at most so many of a supplier''s oldest rows that are older, and tells how many.';

GRANT EXECUTE ON FUNCTION data_import.events TO "data-import";
