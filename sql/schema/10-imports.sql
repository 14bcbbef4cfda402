-- Parts that all kinds of imports share: the columns that tell where a row comes from, and the functions that lock the account of
-- an import and tell whether the account takes imports. Each kind has a file of its own.

-- Columns that the tables of all kinds have. The table of each kind copies them by CREATE TABLE (..., LIKE data_import.provenance
-- INCLUDING DEFAULTS INCLUDING COMMENTS).
CREATE TABLE data_import.provenance (
    request_id  uuid NOT NULL,
    api_key_id  bigint NOT NULL,
    imported_at timestamptz NOT NULL DEFAULT now()
);
-- logical replication takes every table, so this one needs an identity, too
ALTER TABLE data_import.provenance REPLICA IDENTITY FULL;
COMMENT ON TABLE data_import.provenance IS 'The columns that tell where an imported row comes from. The table has no rows.';
COMMENT ON COLUMN data_import.provenance.request_id IS 'The request that brought it: X-Request-Id of its answer.';
COMMENT ON COLUMN data_import.provenance.api_key_id IS 'The API key of that request''s token.';
COMMENT ON COLUMN data_import.provenance.imported_at IS 'When it was stored.';

-- Locks the accounts of an import until the transaction ends, unless p_only_looks is true. Returns one of these verdicts for each
-- request (contract, section 2.1, steps 5 to 7):
--
--   done                  the account takes imports
--   supplier_paused       the supplier is Paused
--   supplier_complete     the supplier is Complete
--   account_staged, account_in_progress, account_failed: the account is not imported
--   account_not_found     the account does not exist
--   account_locked        another transaction has locked the account; begin_imports does not wait for it
--
-- Every import function calls begin_imports first, and takes several requests of one kind at once. If one request is refused, the
-- others are not. Arrays about requests have one element for each request; no account stands twice in p_account_key unless the
-- function says so. Arrays about rows have one element for each row that the requests send.
--
-- For each row, one of these arrays holds the place of the row's request, from 1. For rows that belong to other rows, such as the
-- line items of transactions, the array holds the place of that other row instead.
CREATE FUNCTION data_import.begin_imports(
    p_account_key uuid[], p_import_supplier text[], p_only_looks boolean DEFAULT false)
RETURNS text[] LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_imported uuid[];
    v_locked uuid[] := '{}';
    v_paused text[];
    v_complete text[];
    v_tells_news boolean;
    v_known record;
BEGIN
    IF NOT p_only_looks THEN
        -- locks before it reads, because accounts change under the lock
        v_locked := data_import.try_lock_accounts(p_account_key);
    END IF;
    SELECT array_agg(code::text) FILTER (WHERE status = 'Paused'), array_agg(code::text) FILTER (WHERE status = 'Complete'),
           bool_or(tells_news)
    INTO v_paused, v_complete, v_tells_news
    FROM data_import.import_supplier WHERE code = ANY (p_import_supplier);
    IF v_tells_news THEN
        PERFORM set_config('data_import.tells_news', 'on', true);
    END IF;
    SELECT array_agg(account_key) INTO v_imported
    FROM data_import.account WHERE account_key = ANY (p_account_key) AND state = 'imported';
    -- waits, because records that are repeated may be on no standby yet
    IF current_setting('synchronous_standby_names') <> '' AND NOT p_only_looks THEN
        PERFORM data_import.await_standbys();
    END IF;
    IF v_paused IS NULL AND v_complete IS NULL AND v_locked = '{}'
        AND (cardinality(v_imported) = cardinality(p_account_key) OR p_account_key <@ v_imported) THEN
        RETURN array_fill('done'::text, ARRAY[cardinality(p_account_key)]);
    END IF;
    -- reads again, because an account without a lock may have been imported meanwhile
    SELECT array_agg(account_key) AS keys, array_agg(state::text) AS states INTO v_known
    FROM data_import.account WHERE account_key = ANY (p_account_key);
    RETURN ARRAY(
        SELECT CASE WHEN import_supplier = ANY (v_paused) THEN 'supplier_paused'
                    WHEN import_supplier = ANY (v_complete) THEN 'supplier_complete'
                    WHEN account_key = ANY (v_locked) THEN 'account_locked'
                    WHEN state = 'imported' THEN 'done'
                    ELSE coalesce('account_' || state, 'account_not_found') END
        FROM unnest(p_account_key, p_import_supplier) WITH ORDINALITY AS sent (account_key, import_supplier, place)
        LEFT JOIN unnest(v_known.keys, v_known.states) AS known (account_key, state) USING (account_key)
        ORDER BY place);
END
$$;
COMMENT ON FUNCTION data_import.begin_imports IS
    'Locks the accounts of several requests, and tells for each whether its account takes imports.';

CREATE FUNCTION data_import.import_verdict(p_account_key uuid, p_import_supplier text) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (data_import.begin_imports(ARRAY[p_account_key], ARRAY[p_import_supplier], true))[1];
END
$$;
COMMENT ON FUNCTION data_import.import_verdict IS 'Tells of one account whether it takes imports, without a lock.';

-- Locks an account, and returns the verdict of begin_imports. If the account is locked already, tries again for up to 50 ms,
-- because most locks are those of other imports, and last only some milliseconds.
--
-- Without these tries, the worker would have to repeat the request later, perhaps only after a slow vendor has answered another
-- request. The victim of the attack slow-vendor (make attacks) would then have a p99 of 900 ms.
CREATE FUNCTION data_import.begin_import_soon(p_account_key uuid, p_import_supplier text) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_verdict text;
BEGIN
    FOR attempt IN 1 .. 6 LOOP
        v_verdict := (data_import.begin_imports(ARRAY[p_account_key], ARRAY[p_import_supplier]))[1];
        EXIT WHEN v_verdict <> 'account_locked' OR attempt = 6;
        PERFORM pg_sleep(0.01);
    END LOOP;
    RETURN v_verdict;
END
$$;
COMMENT ON FUNCTION data_import.begin_import_soon IS
    'Locks an account and tells whether it takes imports, as begin_imports does; waits up to 50 ms for a locked one.';

GRANT EXECUTE ON FUNCTION data_import.begin_imports, data_import.import_verdict TO "data-import";
