-- Imports on the nodes of Citus (data-importctl db distribute). A shard group is all shards that hold the same accounts. Each
-- shard group has a schema with copies of the import functions. A worker of the service calls the copies on the node that has the
-- group, in one transaction of that node. The copies name the shards instead of the tables, so that PostgreSQL keeps their plans;
-- Citus would plan each statement anew.

-- A copy of an import function writes only to a shard that is on its own node, even if the service's worker does not know yet
-- that the shard was moved to another node. The copy first takes the lock that Citus takes before it moves a shard, and then
-- checks that its node still has the shard (hold_shard).

-- The work that was done on all nodes, and when.
CREATE TABLE data_import.work_on_nodes (
    work text PRIMARY KEY,
    at   timestamptz NOT NULL
);
COMMENT ON TABLE data_import.work_on_nodes IS
    'What housekeeping does on all nodes of a distributed schema, once a minute, and make_shard_groups; a row for each kind of work.';
COMMENT ON COLUMN data_import.work_on_nodes.work IS
    'The function that does it; after make_shard_groups, the version of the schema for which it was done.';
COMMENT ON COLUMN data_import.work_on_nodes.at IS 'When it was done last.';

-- Executes the SQL text p_call for each shard of the table, on the node that has the shard; %s in p_call stands for the name of
-- the shard. Does nothing if the same work was done less than a minute ago. p_work is the name of this work in work_on_nodes, and
-- in the warning that a failure on a shard raises.
CREATE FUNCTION data_import.do_on_nodes(p_work text, p_table regclass, p_call text) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_answer record;
BEGIN
    INSERT INTO data_import.work_on_nodes AS known (work, at) VALUES (p_work, now())
    ON CONFLICT (work) DO UPDATE SET at = excluded.at WHERE known.at NOT BETWEEN now() - interval '1 minute' AND now();
    IF NOT FOUND THEN
        RETURN;
    END IF;
    FOR v_answer IN
        SELECT shardid, result FROM run_command_on_placements(p_table, p_call, parallel => false) WHERE NOT success
    LOOP
        RAISE WARNING '% on shard % has failed: %', p_work, v_answer.shardid, v_answer.result;
    END LOOP;
END
$$;
COMMENT ON FUNCTION data_import.do_on_nodes IS 'Has all nodes work on their shards of a table, if a minute has passed.';

-- Deletes at most p_most kept answers that are older than p_retention from p_answers, a shard on this node.
CREATE FUNCTION data_import.purge_answers(p_answers regclass, p_retention interval, p_most integer) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    EXECUTE format('DELETE FROM %1$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$s WHERE kept_at <= now() - $1 '
                   'LIMIT $2 FOR UPDATE SKIP LOCKED))', p_answers) USING p_retention, p_most;
END
$$;
COMMENT ON FUNCTION data_import.purge_answers IS
    'Forgets kept answers that are older than the retention, at most so many, on the node that has them.';

-- Merges the receipts of p_receipts, a shard of import_receipt, on the node of this shard. Receipts that count records are merged
-- to one for each point of the curves: every 5 seconds of the last minutes, every minute of the last hour, every 5 minutes of the
-- last day, and every hour before. Receipts of other figures are merged to their sum.
--
-- Receipts on several nodes are not moved into totals on another node, because no snapshot covers several nodes: readers would
-- see some receipts twice or not at all.
CREATE FUNCTION data_import.merge_receipts(p_receipts regclass) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    EXECUTE format($statement$
        WITH timed AS (
            SELECT ctid AS place, import_supplier, kind, figure, value > 0 AS is_added,
                   CASE WHEN at = '-infinity' OR figure NOT IN ('records', 'pinned') THEN '-infinity'
                        WHEN at >= now() - interval '2 minutes' THEN date_bin('5 seconds', at, timestamptz '2000-01-01 00:00:00+00')
                        WHEN at >= now() - interval '65 minutes' THEN date_trunc('minute', at)
                        WHEN at >= now() - interval '25 hours' THEN date_bin('5 minutes', at, timestamptz '2000-01-01 00:00:00+00')
                        ELSE date_trunc('hour', at) END AS span
            FROM %1$s
        ), crowded AS (
            SELECT unnest(array_agg(place)) AS place, row_number() OVER () AS number
            FROM timed GROUP BY import_supplier, kind, figure, is_added, span HAVING count(*) > 1
        ), gone AS (
            DELETE FROM %1$s AS receipt USING crowded WHERE receipt.ctid = crowded.place
            RETURNING number, receipt.*
        )
        INSERT INTO %1$s (import_supplier, kind, figure, value, at, placed_by)
        SELECT min(import_supplier), min(kind), min(figure), sum(value), max(at), (array_agg(placed_by))[1]
        FROM gone GROUP BY number
        $statement$, p_receipts);
END
$$;
COMMENT ON FUNCTION data_import.merge_receipts IS 'Adds up receipts of one time, on the node that has them.';

-- Returns true if the shard is on this node: it then stays here until the transaction ends. The lock mode 5 is the one that Citus
-- itself takes to write to a shard; only the owner of the shard's table may take it.
CREATE FUNCTION data_import.hold_shard(p_shard bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM lock_shard_metadata(5, ARRAY[p_shard]);
    PERFORM 1 FROM pg_dist_placement JOIN pg_dist_local_group USING (groupid) WHERE shardid = p_shard;
    RETURN FOUND;
END
$$;
COMMENT ON FUNCTION data_import.hold_shard IS 'Keeps Citus from moving a shard until the transaction ends, where this node has it.';

-- Takes the lock of an account on the account's node, where imports take it, too; called through Citus. Returns false if another
-- session has locked the account, unless p_waits; then waits. Raises serialization_failure if the account has just been moved to
-- another node.
--
-- The number of this lock (seed 1) differs from that of the lock on the coordinator (seed 0), because both may be taken on the
-- same server.
CREATE FUNCTION data_import.lock_account_here(p_account_key uuid, p_waits boolean) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF NOT data_import.hold_shard(get_shard_id_for_distribution_column('data_import.account', p_account_key)) THEN
        RAISE EXCEPTION 'the account has just been moved to another node' USING ERRCODE = 'serialization_failure';
    END IF;
    IF p_waits THEN
        PERFORM pg_advisory_xact_lock(uuid_hash_extended(p_account_key, 1));
        RETURN true;
    END IF;
    RETURN pg_try_advisory_xact_lock(uuid_hash_extended(p_account_key, 1));
END
$$;
COMMENT ON FUNCTION data_import.lock_account_here IS
    'Locks an account of this node until the transaction ends, and waits for it or tells whether it could.';

-- take_off_totals_here and remove_rows_here do the parts of a reset or an erasure that read and write many tables. Both are
-- called through Citus on the node of an account, in transactions that hold the account's lock. Both call a function in the
-- schema of the account's shard group, and return null if the shard group has no schema.
--
-- take_off_totals_here also takes the advisory lock account_removal. Until its transaction ends, this node stores no kept answer
-- that refuses a request for the account (is_answer_to_keep).
CREATE FUNCTION data_import.take_off_totals_here(p_account_key uuid, p_import_supplier text) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_shard constant bigint := get_shard_id_for_distribution_column('data_import.account', p_account_key);
    v_records bigint;
BEGIN
    PERFORM pg_advisory_xact_lock(data_import.lock_number('account_removal', p_account_key::text));
    IF to_regnamespace('data_import_' || v_shard) IS NULL THEN
        RETURN NULL;
    END IF;
    EXECUTE format('SELECT data_import_%s.hold_accounts(ARRAY[$1])', v_shard) USING p_account_key;
    EXECUTE format('SELECT data_import_%s.take_account_off_totals($1, $2)', v_shard)
    INTO v_records USING p_account_key, p_import_supplier;
    RETURN v_records;
END
$$;
COMMENT ON FUNCTION data_import.take_off_totals_here IS 'Takes the records of an account of this node off the totals.';

CREATE FUNCTION data_import.remove_rows_here(p_account_key uuid, p_is_imported boolean) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_shard constant bigint := get_shard_id_for_distribution_column('data_import.account', p_account_key);
    v_rows bigint;
BEGIN
    IF to_regnamespace('data_import_' || v_shard) IS NULL THEN
        RETURN NULL;
    END IF;
    EXECUTE format('SELECT data_import_%s.remove_rows($1, $2)', v_shard) INTO v_rows USING p_account_key, p_is_imported;
    RETURN v_rows;
END
$$;
COMMENT ON FUNCTION data_import.remove_rows_here IS 'Deletes rows of an account of this node, and tells how many.';

-- Returns the shard groups that have a schema, each with the range of hashes of its account keys (uuid_hash) and its node; none
-- if nothing is distributed.
CREATE FUNCTION data_import.shard_groups()
RETURNS TABLE (first_hash integer, last_hash integer, schema_name text, host text, port integer)
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF to_regclass('pg_catalog.pg_dist_shard') IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY
        SELECT shard.shardminvalue::integer, shard.shardmaxvalue::integer, namespace.nspname::text, node.nodename, node.nodeport
        FROM pg_catalog.pg_dist_shard AS shard
        JOIN pg_catalog.pg_namespace AS namespace ON namespace.nspname = 'data_import_' || shard.shardid
        JOIN pg_catalog.pg_dist_placement AS placement USING (shardid)
        JOIN pg_catalog.pg_dist_node AS node ON node.groupid = placement.groupid AND node.noderole = 'primary'
        WHERE shard.logicalrelid = 'data_import.account'::regclass
        ORDER BY 1;
END
$$;
COMMENT ON FUNCTION data_import.shard_groups IS 'The shard groups of the accounts, and where they are.';

-- Returns the functions of which the schema of each shard group gets a copy: functions that are called on the node of an account,
-- and all functions that these call, directly or by others. Leaves out:
--
--   immutable functions  all nodes have them
--   lock_account         needed only for answers that are kept after the import (p_is_late), which calls on the coordinator keep
--   try_lock_accounts    make_shard_group writes another one
CREATE FUNCTION data_import.functions_of_shard_groups() RETURNS SETOF regprocedure
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
        WITH RECURSIVE called AS (
            SELECT oid, proname, prosrc FROM pg_catalog.pg_proc
            WHERE pronamespace = 'data_import'::regnamespace
              AND proname IN ('notes_import', 'transactions_import', 'historical_statements_import', 'documents_import',
                              'idempotency_key_claim', 'idempotency_key_keep', 'take_account_off_totals')
            UNION
            SELECT function.oid, function.proname, function.prosrc
            FROM called
            JOIN pg_catalog.pg_proc AS function
                ON strpos(called.prosrc, 'data_import.' || function.proname || '(') > 0
            WHERE function.pronamespace = 'data_import'::regnamespace AND function.provolatile <> 'i'
              AND function.proname NOT IN ('try_lock_accounts', 'lock_account')
        )
        SELECT oid::regprocedure FROM called ORDER BY oid;
END
$$;
COMMENT ON FUNCTION data_import.functions_of_shard_groups IS
    'The functions of which each shard group has a copy.';

-- Returns a function's definition p_definition, changed for a shard group. Each of p_tables becomes the shard at the same place
-- in p_shards. A call of one of p_functions becomes a call of its copy in p_schema.
--
-- The view record_figure is replaced by its query first, so that the tables in that query are replaced, too. A table after FROM,
-- INTO and the like becomes the shard's name with the table's name as its alias; if the table has an alias already, the alias
-- stays. Elsewhere a table's name means the type of its rows, and becomes the shard's name.
CREATE FUNCTION data_import.for_shard_group(p_definition text, p_schema text, p_functions text[], p_tables text[], p_shards text[])
RETURNS text LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_definition text := replace(
        p_definition, 'data_import.record_figure',
        '(' || rtrim(pg_get_viewdef('data_import.record_figure'::regclass), ';') || ') AS record_figure');
    v_table text;
    v_shard text;
BEGIN
    FOR v_table, v_shard IN SELECT * FROM unnest(p_tables, p_shards) LOOP
        v_definition := regexp_replace(v_definition, '\mdata_import\.' || v_table || '\M(?=\s+AS\M)',
                                       'data_import.' || v_shard, 'g');
        v_definition := regexp_replace(v_definition, '(\m(?:FROM|JOIN|INTO|UPDATE)\s+)data_import\.' || v_table || '\M',
                                       '\1data_import.' || v_shard || ' AS ' || v_table, 'g');
        v_definition := regexp_replace(v_definition, '\mdata_import\.' || v_table || '\M', 'data_import.' || v_shard, 'g');
    END LOOP;
    RETURN regexp_replace(v_definition, '\mdata_import\.(' || array_to_string(p_functions, '|') || ')\M(?=\()',
                          p_schema || '.\1', 'g');
END
$$;
COMMENT ON FUNCTION data_import.for_shard_group IS
    'The definition of a function with its tables replaced by shards, and calls of these functions by calls of their copies.';

-- Creates the functions in a shard group's schema that lock the group's accounts and Idempotency-Keys on its node. They are no
-- copies of functions of the schema data_import. They refuse accounts of other groups.
CREATE FUNCTION data_import.make_locks_of_shard_group(
    p_schema text, p_shard bigint, p_first_hash integer, p_last_hash integer)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    EXECUTE format($definition$
        CREATE OR REPLACE FUNCTION %1$I.hold_accounts(p_account_key uuid[]) RETURNS void
        LANGUAGE plpgsql VOLATILE AS $function$
        DECLARE
            v_account_key uuid;
        BEGIN
            IF current_setting('%1$s.is_held', true) IS DISTINCT FROM 'yes' THEN
                IF NOT data_import.hold_shard(%2$s) THEN
                    RAISE EXCEPTION 'the shard group is on another node' USING ERRCODE = 'DI010';
                END IF;
                PERFORM set_config('%1$s.is_held', 'yes', true);
            END IF;
            FOREACH v_account_key IN ARRAY p_account_key LOOP
                IF uuid_hash(v_account_key) NOT BETWEEN %3$s AND %4$s THEN
                    RAISE EXCEPTION 'the account is in another shard group' USING ERRCODE = 'DI010';
                END IF;
            END LOOP;
            PERFORM set_config('import_receipt.placed_by', p_account_key[1]::text, true);
        END
        $function$
        $definition$, p_schema, p_shard, p_first_hash, p_last_hash);
    EXECUTE format($definition$
        CREATE OR REPLACE FUNCTION %1$I.try_lock_accounts(p_account_key uuid[]) RETURNS uuid[]
        LANGUAGE plpgsql VOLATILE AS $function$
        DECLARE
            v_account_key uuid;
            v_locked uuid[] := '{}';
        BEGIN
            PERFORM %1$I.hold_accounts(p_account_key);
            FOREACH v_account_key IN ARRAY p_account_key LOOP
                IF NOT pg_try_advisory_xact_lock(uuid_hash_extended(v_account_key, 1)) THEN
                    v_locked := v_locked || v_account_key;
                END IF;
            END LOOP;
            RETURN v_locked;
        END
        $function$
        $definition$, p_schema);
    -- another number than the coordinator's, which holds the key meanwhile and may be the same server
    EXECUTE format($definition$
        CREATE OR REPLACE FUNCTION %I.idempotency_key_lock(p_organisation text, p_key text) RETURNS bigint
        LANGUAGE plpgsql STABLE AS $function$
        BEGIN
            RETURN data_import.idempotency_key_lock(p_organisation, p_key || chr(31));
        END
        $function$
        $definition$, p_schema);
    EXECUTE format($definition$
        CREATE OR REPLACE FUNCTION %1$I.idempotency_key_claim_at(
            p_account_key uuid, p_organisation text, p_key text, p_content_sha256 bytea, p_retention interval)
        RETURNS TABLE (verdict text, import_supplier text, status smallint, body text, claimed_at timestamptz)
        LANGUAGE plpgsql VOLATILE AS $function$
        BEGIN
            PERFORM %1$I.hold_accounts(ARRAY[p_account_key]);
            RETURN QUERY SELECT * FROM %1$I.idempotency_key_claim(p_organisation, p_key, p_content_sha256, p_retention, false);
        END
        $function$
        $definition$, p_schema);
END
$$;
COMMENT ON FUNCTION data_import.make_locks_of_shard_group IS
    'Makes the functions that lock accounts and keys in a shard group.';

-- Creates the schema of a shard group and its copies of functions. The body of a copy is not checked before the copy is called,
-- because all nodes have the functions, but only one node has the shards.
CREATE FUNCTION data_import.make_shard_group(p_shard bigint, p_first_hash integer, p_last_hash integer) RETURNS void
LANGUAGE plpgsql VOLATILE SET check_function_bodies = off AS $$
DECLARE
    v_schema constant text := 'data_import_' || p_shard;
    v_functions constant text[] := ARRAY(
        SELECT proname FROM data_import.functions_of_shard_groups() AS function JOIN pg_catalog.pg_proc ON oid = function)
        || '{try_lock_accounts,idempotency_key_lock}'::text[];
    v_tables text[];
    v_shards text[];
    v_function regprocedure;
    v_statements text;
BEGIN
    SELECT array_agg(relname), array_agg(relname || '_' || shardid) INTO v_tables, v_shards
    FROM pg_catalog.pg_dist_shard JOIN pg_catalog.pg_class ON oid = logicalrelid
    WHERE relnamespace = 'data_import'::regnamespace AND (shardminvalue IS NULL OR shardminvalue::integer = p_first_hash);
    EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I', v_schema);
    EXECUTE format('COMMENT ON SCHEMA %I IS %L', v_schema, 'Import functions for the shard group of this number.');
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO "data-import"', v_schema);
    FOR v_function IN SELECT * FROM data_import.functions_of_shard_groups() LOOP
        EXECUTE data_import.for_shard_group(pg_get_functiondef(v_function), v_schema, v_functions, v_tables, v_shards);
    END LOOP;
    PERFORM data_import.make_locks_of_shard_group(v_schema, p_shard, p_first_hash, p_last_hash);
    -- format fails at %I if a table has no shard
    SELECT string_agg(format('IF p_is_imported = %L THEN DELETE FROM data_import.%I WHERE account_key = p_account_key; '
                             'GET DIAGNOSTICS v_rows = ROW_COUNT; v_all := v_all + v_rows; END IF;', is_imported, shard), E'\n')
    INTO v_statements
    FROM data_import.tables_of_accounts() LEFT JOIN unnest(v_tables, v_shards) AS known (name, shard) ON name = table_name
    WHERE table_name <> 'service_account_number';
    EXECUTE format($definition$
        CREATE OR REPLACE FUNCTION %I.remove_rows(p_account_key uuid, p_is_imported boolean) RETURNS bigint
        LANGUAGE plpgsql VOLATILE AS $function$
        DECLARE
            v_rows bigint;
            v_all bigint := 0;
        BEGIN
            %s
            RETURN v_all;
        END
        $function$
        $definition$, v_schema, v_statements);
    EXECUTE format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA %I TO "data-import"', v_schema);
END
$$;
COMMENT ON FUNCTION data_import.make_shard_group IS 'Makes the schema and functions of a shard group, or makes them anew.';

-- Gives lock_account and try_lock_accounts other bodies for a distributed schema, in which the locks of accounts are on the nodes
-- of the accounts. The lock on the coordinator is taken as well, for transactions that began before the schema was distributed.
--
-- Each subquery on the table account is there because Citus sends it, with the call over it, to the account's node. The subquery
-- returns one row, whether or not the account is there.
CREATE FUNCTION data_import.replace_locks() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    CREATE OR REPLACE FUNCTION data_import.lock_account(p_account_key uuid) RETURNS void
    LANGUAGE plpgsql VOLATILE AS $function$
    BEGIN
        IF current_setting('transaction_isolation') <> 'read committed' THEN
            RAISE EXCEPTION 'accounts are worked on in transactions of the isolation level READ COMMITTED, not %',
                upper(current_setting('transaction_isolation')) USING ERRCODE = 'invalid_transaction_state';
        END IF;
        PERFORM set_config('import_receipt.placed_by', p_account_key::text, true);
        PERFORM pg_advisory_xact_lock(uuid_hash_extended(p_account_key, 0));
        PERFORM data_import.lock_account_here(p_account_key, true)
        FROM (SELECT count(*) FROM data_import.account WHERE account_key = p_account_key) AS node;
    END
    $function$;

    CREATE OR REPLACE FUNCTION data_import.try_lock_accounts(p_account_key uuid[]) RETURNS uuid[]
    LANGUAGE plpgsql VOLATILE AS $function$
    DECLARE
        v_account_key uuid;
        v_is_free boolean;
        v_locked uuid[] := '{}';
    BEGIN
        PERFORM set_config('import_receipt.placed_by', p_account_key[1]::text, true);
        FOREACH v_account_key IN ARRAY p_account_key LOOP
            v_is_free := pg_try_advisory_xact_lock(uuid_hash_extended(v_account_key, 0));
            IF v_is_free THEN
                SELECT data_import.lock_account_here(v_account_key, false) INTO v_is_free
                FROM (SELECT count(*) FROM data_import.account WHERE account_key = v_account_key) AS node;
            END IF;
            IF NOT v_is_free THEN
                v_locked := v_locked || v_account_key;
            END IF;
        END LOOP;
        RETURN v_locked;
    END
    $function$;
END
$$;
COMMENT ON FUNCTION data_import.replace_locks IS 'Puts the locks of a distributed schema into their places.';

-- Gives functions other bodies for a distributed schema, in which the locks and receipts of accounts are on the nodes of the
-- accounts. The subqueries on the table account are those of replace_locks.
CREATE FUNCTION data_import.replace_functions() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM data_import.replace_locks();

    -- Stores each account's news on the account's node. Nodes commit one after the other, so a consumer that read the news from
    -- another node might not see the records yet.
    CREATE OR REPLACE FUNCTION data_import.add_news(p_account_keys uuid[], p_since timestamptz) RETURNS void
    LANGUAGE plpgsql VOLATILE AS $function$
    BEGIN
        INSERT INTO data_import.news (placed_by, subjects, since)
        SELECT account_key, ARRAY[account_key], p_since FROM unnest(p_account_keys) AS told (account_key);
    END
    $function$;

    CREATE OR REPLACE FUNCTION data_import.sum_up_receipts(p_most integer) RETURNS bigint
    LANGUAGE plpgsql VOLATILE AS $function$
    BEGIN
        PERFORM data_import.do_on_nodes('merge_receipts', 'data_import.import_receipt',
                                          'SELECT data_import.merge_receipts(''%s'')');
        RETURN 0;
    END
    $function$;

    CREATE OR REPLACE FUNCTION data_import.idempotency_keys_purge(p_retention interval, p_most integer) RETURNS bigint
    LANGUAGE plpgsql VOLATILE AS $function$
    DECLARE
        v_gone bigint;
    BEGIN
        PERFORM data_import.do_on_nodes('purge_answers', 'data_import.idempotency_key',
                                          format('SELECT data_import.purge_answers(''%%s'', %L, %s)', p_retention, p_most));
        DELETE FROM data_import.idempotency_key_use
        WHERE ctid = ANY (ARRAY(SELECT ctid FROM data_import.idempotency_key_use
                                WHERE at <= now() - p_retention - interval '1 day' LIMIT p_most FOR UPDATE SKIP LOCKED));
        GET DIAGNOSTICS v_gone = ROW_COUNT;
        RETURN v_gone;
    END
    $function$;

    CREATE OR REPLACE FUNCTION data_import.take_off_totals(p_account_key uuid, p_import_supplier text) RETURNS bigint
    LANGUAGE plpgsql VOLATILE AS $function$
    DECLARE
        v_number bigint;
    BEGIN
        SELECT data_import.take_off_totals_here(p_account_key, p_import_supplier) INTO v_number
        FROM (SELECT count(*) FROM data_import.account WHERE account_key = p_account_key) AS node;
        RETURN coalesce(v_number, data_import.take_account_off_totals(p_account_key, p_import_supplier));
    END
    $function$;

    CREATE OR REPLACE FUNCTION data_import.remove_rows(p_account_key uuid, p_is_imported boolean) RETURNS bigint
    LANGUAGE plpgsql VOLATILE AS $function$
    DECLARE
        v_number bigint;
    BEGIN
        DELETE FROM data_import.idempotency_key_use WHERE placed_by = p_account_key;
        SELECT data_import.remove_rows_here(p_account_key, p_is_imported) INTO v_number
        FROM (SELECT count(*) FROM data_import.account WHERE account_key = p_account_key) AS node;
        RETURN coalesce(v_number, data_import.remove_account_rows(p_account_key, p_is_imported));
    END
    $function$;
END
$$;
COMMENT ON FUNCTION data_import.replace_functions IS 'Puts those functions into their places that a distributed schema needs.';

-- Copies two sorts of functions to the worker nodes of Citus: the functions of the shard groups, and functions that statements
-- over distributed tables call on these nodes. Citus copies a function by itself only if the extension was there before the
-- function.
CREATE FUNCTION data_import.take_functions_to_workers() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM create_distributed_function(function.oid::regprocedure)
    FROM pg_catalog.pg_proc AS function
    JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = pronamespace
    WHERE (nspname ~ '^data_import_[0-9]+$'
           OR nspname = 'data_import' AND (provolatile = 'i' OR proname IN (
               'hold_shard', 'lock_account_here', 'take_off_totals_here', 'remove_rows_here', 'merge_receipts', 'purge_answers')))
      AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_dist_object AS known
                      WHERE known.classid = 'pg_catalog.pg_proc'::regclass AND known.objid = function.oid);
END
$$;
COMMENT ON FUNCTION data_import.take_functions_to_workers IS 'Makes functions known on the workers of Citus.';

-- Replaces functions (replace_functions), copies functions to the workers of Citus (take_functions_to_workers), and changes
-- settings of two functions.
--
-- move_accounts no longer forces generic plans, because Citus chooses the node of a statement by the values in it, which a
-- generic plan does not have. hold_for_removal gets citus.enable_ddl_propagation = off, so that it locks the table of accounts
-- only on the coordinator. This is enough against changes of the schema, because such changes begin on the coordinator.
CREATE FUNCTION data_import.distribute_functions() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM data_import.replace_functions();
    PERFORM data_import.take_functions_to_workers();
    ALTER FUNCTION data_import.move_accounts RESET plan_cache_mode;
    ALTER FUNCTION data_import.hold_for_removal SET citus.enable_ddl_propagation = off;
END
$$;
COMMENT ON FUNCTION data_import.distribute_functions IS 'Makes those functions known on the workers that only compute.';

-- Makes the schemas of all shard groups. First drops the schemas of groups that no longer exist, as after a split of a shard.
-- Also adds the Idempotency-Keys of kept answers to idempotency_key_use, by which the coordinator knows for which account a key
-- was used.
CREATE FUNCTION data_import.make_shard_groups() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_schema name;
BEGIN
    PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
    INSERT INTO data_import.idempotency_key_use (organisation, key, placed_by, at)
    SELECT organisation, key, placed_by, kept_at FROM data_import.idempotency_key
    ON CONFLICT DO NOTHING;
    FOR v_schema IN
        SELECT nspname FROM pg_catalog.pg_namespace
        WHERE nspname ~ '^data_import_[0-9]+$'
          AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_dist_shard
                          WHERE logicalrelid = 'data_import.account'::regclass AND nspname = 'data_import_' || shardid)
    LOOP
        EXECUTE format('DROP SCHEMA %I CASCADE', v_schema);
    END LOOP;
    PERFORM data_import.make_shard_group(shardid, shardminvalue::integer, shardmaxvalue::integer)
    FROM pg_catalog.pg_dist_shard WHERE logicalrelid = 'data_import.account'::regclass;
    PERFORM data_import.take_functions_to_workers();
    DELETE FROM data_import.work_on_nodes WHERE work LIKE 'make_shard_groups %';
    INSERT INTO data_import.work_on_nodes (work, at)
    SELECT 'make_shard_groups ' || max(version), now() FROM data_import.schema_migration;
END
$$;
COMMENT ON FUNCTION data_import.make_shard_groups IS 'Makes the schemas of all shard groups.';

GRANT EXECUTE ON FUNCTION data_import.hold_shard, data_import.lock_account_here, data_import.shard_groups TO "data-import";
