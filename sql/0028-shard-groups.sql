-- Imports on the nodes of Citus (data-importctl db distribute). A shard group is all shards that hold the same accounts. Each has
-- a schema with copies of the import functions that read and write its shards by their own names: PostgreSQL keeps their plans,
-- where Citus would plan each statement anew. A worker of the service calls them on the node that has the group, in one
-- transaction of that node.
--
-- Whatever the worker believes, no copy writes to a shard that is elsewhere. It holds the lock that Citus takes before it moves
-- a shard, and looks after that whether its node still has the shard (hold_shard).

-- Receipts stand where their accounts are: placed_by spreads them. It has no other meaning. Calls that store something for several
-- accounts of a shard group name one of them.
ALTER TABLE data_import.import_receipt ADD COLUMN placed_by uuid NOT NULL
    DEFAULT coalesce(nullif(current_setting('import_receipt.placed_by', true), ''), '00000000-0000-0000-0000-000000000000')::uuid;
COMMENT ON COLUMN data_import.import_receipt.placed_by IS
    'The shard that has the row, where the schema is distributed: an account key of the shard group.';

-- Receipts on several nodes are not moved into totals on another one: no snapshot covers both, so that readers would see some of
-- them twice or not at all. They become fewer where they are: one for every 5 seconds of the last minutes, for every minute of the
-- last 25 hours, and for every hour before, like the rates. p_receipts is a shard of import_receipt.
CREATE FUNCTION data_import.merge_receipts(p_receipts regclass) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    EXECUTE format($statement$
        WITH timed AS (
            SELECT ctid AS place, import_supplier, kind, figure, value > 0 AS is_added,
                   CASE WHEN at = '-infinity' THEN at
                        WHEN at >= now() - interval '2 minutes' THEN date_bin('5 seconds', at, timestamptz '2000-01-01 00:00:00+00')
                        WHEN at >= now() - interval '25 hours' THEN date_trunc('minute', at)
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

CREATE OR REPLACE FUNCTION data_import.distribution()
RETURNS TABLE (table_name name, is_per_account boolean, is_distributed boolean)
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    WITH per_account AS (
        SELECT part.indrelid AS oid
        FROM pg_catalog.pg_index AS part
        JOIN pg_catalog.pg_attribute AS first_column
            ON first_column.attrelid = part.indrelid AND first_column.attnum = part.indkey[0]
        WHERE part.indisprimary AND first_column.attname = 'account_key'
        UNION ALL
        SELECT 'data_import.import_receipt'::regclass
    )
    SELECT class.relname, per_account.oid IS NOT NULL,
           EXISTS (SELECT 1 FROM pg_catalog.pg_dist_partition AS known WHERE known.logicalrelid = class.oid)
    FROM pg_catalog.pg_class AS class
    LEFT JOIN per_account USING (oid)
    WHERE class.relnamespace = 'data_import'::regnamespace
      AND (per_account.oid IS NOT NULL
           OR class.oid IN (SELECT confrelid FROM pg_catalog.pg_constraint
                            WHERE contype = 'f' AND conrelid IN (SELECT oid FROM per_account)))
    ORDER BY 2, class.relname <> 'account', 1;
END
$$;

-- Left to itself, Citus makes tables of its own out of the coordinator's ones that refer to the copied ones: these would lose
-- their comments, and views over them their grants.
CREATE OR REPLACE FUNCTION data_import.distribute_table(p_table_name name, p_is_per_account boolean) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_table constant regclass := pg_catalog.format('data_import.%I', p_table_name);
BEGIN
    PERFORM set_config('citus.enable_local_reference_table_foreign_keys', 'off', true),
            set_config('citus.multi_shard_modify_mode', 'sequential', true);
    IF p_is_per_account THEN
        PERFORM create_distributed_table(
            v_table, CASE p_table_name WHEN 'import_receipt' THEN 'placed_by' ELSE 'account_key' END,
            colocate_with => CASE p_table_name WHEN 'account' THEN 'none' ELSE 'data_import.account' END);
        PERFORM truncate_local_data_after_distributing_table(v_table);
    ELSE
        PERFORM create_reference_table(v_table);
    END IF;
END
$$;

-- True: the shard is on this node, and stays here until the transaction ends. 5 is the lock in which Citus's own writers hold a
-- shard; only the owner of its table may take it.
CREATE FUNCTION data_import.hold_shard(p_shard bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM lock_shard_metadata(5, ARRAY[p_shard]);
    PERFORM 1 FROM pg_dist_placement JOIN pg_dist_local_group USING (groupid) WHERE shardid = p_shard;
    RETURN FOUND;
END
$$;
COMMENT ON FUNCTION data_import.hold_shard IS 'Keeps Citus from moving a shard until the transaction ends, where this node has it.';

-- On the node of an account, called through Citus: the account's lock is taken there, where imports take it. Its number (seed 1)
-- is not that of the lock on the coordinator (seed 0), which may be the same server. False: it is locked.
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

-- The groups whose schemas are there, with the hashes of their account keys (uuid_hash) and the node that has them. None where
-- nothing is distributed.
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

-- The import functions, and what they call that reads or writes tables of its own, or may give another answer another time.
CREATE FUNCTION data_import.functions_of_shard_groups() RETURNS SETOF regprocedure
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
        WITH RECURSIVE called AS (
            SELECT oid, proname, prosrc FROM pg_catalog.pg_proc
            WHERE pronamespace = 'data_import'::regnamespace
              AND proname IN ('notes_import', 'transactions_import', 'historical_statements_import', 'documents_import')
            UNION
            SELECT function.oid, function.proname, function.prosrc
            FROM called
            JOIN pg_catalog.pg_proc AS function
                ON strpos(called.prosrc, 'data_import.' || function.proname || '(') > 0
            WHERE function.pronamespace = 'data_import'::regnamespace AND function.provolatile <> 'i'
              AND function.proname <> 'try_lock_accounts'
        )
        SELECT oid::regprocedure FROM called ORDER BY oid;
END
$$;
COMMENT ON FUNCTION data_import.functions_of_shard_groups IS
    'The functions of which each shard group has a copy.';

-- Behind INTO and the like a shard's name gets the table's for an alias; else it stands for the type of its rows.
CREATE FUNCTION data_import.for_shard_group(p_definition text, p_schema text, p_functions text[], p_tables text[], p_shards text[])
RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    v_definition text := p_definition;
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

-- No table is looked for before a copy is called: the shards are on one node, the functions on all.
CREATE FUNCTION data_import.make_shard_group(p_shard bigint, p_first_hash integer, p_last_hash integer) RETURNS void
LANGUAGE plpgsql VOLATILE SET check_function_bodies = off AS $$
DECLARE
    v_schema constant text := 'data_import_' || p_shard;
    v_functions constant text[] := ARRAY(
        SELECT proname FROM data_import.functions_of_shard_groups() AS function JOIN pg_catalog.pg_proc ON oid = function)
        || '{try_lock_accounts}'::text[];
    v_tables text[];
    v_shards text[];
    v_function regprocedure;
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
    EXECUTE format($definition$
        CREATE OR REPLACE FUNCTION %I.try_lock_accounts(p_account_key uuid[]) RETURNS uuid[]
        LANGUAGE plpgsql VOLATILE AS $function$
        DECLARE
            v_account_key uuid;
            v_locked uuid[] := '{}';
        BEGIN
            IF NOT data_import.hold_shard(%s) THEN
                RAISE EXCEPTION 'the shard group is on another node' USING ERRCODE = 'DI010';
            END IF;
            PERFORM set_config('import_receipt.placed_by', p_account_key[1]::text, true);
            FOREACH v_account_key IN ARRAY p_account_key LOOP
                IF uuid_hash(v_account_key) NOT BETWEEN %s AND %s THEN
                    RAISE EXCEPTION 'the account is in another shard group' USING ERRCODE = 'DI010';
                ELSIF NOT pg_try_advisory_xact_lock(uuid_hash_extended(v_account_key, 1)) THEN
                    v_locked := v_locked || v_account_key;
                END IF;
            END LOOP;
            RETURN v_locked;
        END
        $function$
        $definition$, v_schema, p_shard, p_first_hash, p_last_hash);
    EXECUTE format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA %I TO "data-import"', v_schema);
END
$$;
COMMENT ON FUNCTION data_import.make_shard_group IS 'Makes the schema and functions of a shard group, or makes them anew.';

-- Citus takes the types that functions use to its workers, but cannot do it for an owner who is no superuser: it makes them in one
-- session and looks for them in another. So they are made before, outside of the transaction that distributes.
CREATE FUNCTION data_import.prepare_workers() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_command text := 'CREATE SCHEMA IF NOT EXISTS data_import; ';
    v_type record;
    v_answer record;
BEGIN
    FOR v_type IN
        SELECT format('data_import.%I', class.relname) AS name,
               string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' ORDER BY attnum) AS attributes
        FROM pg_catalog.pg_class AS class JOIN pg_catalog.pg_attribute ON attrelid = class.oid
        WHERE relnamespace = 'data_import'::regnamespace AND relkind = 'c' AND NOT attisdropped
        GROUP BY class.oid ORDER BY class.oid
    LOOP
        v_command := v_command || format('IF to_regtype(%L) IS NULL THEN CREATE TYPE %s AS (%s); END IF; ',
                                         v_type.name, v_type.name, v_type.attributes);
    END LOOP;
    FOR v_answer IN
        SELECT nodename, nodeport, result
        FROM run_command_on_workers(format('DO %L', 'BEGIN SET LOCAL citus.enable_ddl_propagation = off; ' || v_command || 'END'))
        WHERE NOT success
    LOOP
        RAISE EXCEPTION 'Citus''s worker %:% cannot get the types: %', v_answer.nodename, v_answer.nodeport, v_answer.result;
    END LOOP;
END
$$;
COMMENT ON FUNCTION data_import.prepare_workers IS 'Makes the composite types on all workers of Citus.';

-- The locks of accounts are where the accounts are, and the receipts, too. The subquery is what Citus sends to the account's node;
-- it has one row, whether or not the account is there. The lock on the coordinator is taken as well, for transactions that began
-- before the schema was distributed.
CREATE FUNCTION data_import.replace_functions() RETURNS void
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

    CREATE OR REPLACE FUNCTION data_import.sum_up_receipts(p_most integer) RETURNS bigint
    LANGUAGE plpgsql VOLATILE AS $function$
    DECLARE
        v_answer record;
    BEGIN
        IF nullif(current_setting('import_receipt.merged_at', true), '')::timestamptz > now() - interval '1 minute' THEN
            RETURN 0;
        END IF;
        PERFORM set_config('import_receipt.merged_at', now()::text, false);
        FOR v_answer IN
            SELECT shardid, result
            FROM run_command_on_placements('data_import.import_receipt', 'SELECT data_import.merge_receipts(''%s'')')
            WHERE NOT success
        LOOP
            RAISE WARNING 'receipts of shard % are not merged: %', v_answer.shardid, v_answer.result;
        END LOOP;
        RETURN 0;
    END
    $function$;
END
$$;
COMMENT ON FUNCTION data_import.replace_functions IS 'Puts those functions into their places that a distributed schema needs.';

-- Makes those functions known on the workers that statements over the distributed tables call there, and those of the shard groups.
-- Citus does it by itself only if the extension was there before them.
CREATE FUNCTION data_import.take_functions_to_workers() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM create_distributed_function(function.oid::regprocedure)
    FROM pg_catalog.pg_proc AS function
    JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = pronamespace
    WHERE (nspname ~ '^data_import_[0-9]+$'
           OR nspname = 'data_import' AND (provolatile = 'i' OR proname IN ('hold_shard', 'lock_account_here', 'merge_receipts')))
      AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_dist_object AS known
                      WHERE known.classid = 'pg_catalog.pg_proc'::regclass AND known.objid = function.oid);
END
$$;
COMMENT ON FUNCTION data_import.take_functions_to_workers IS 'Makes functions known on the workers of Citus.';

-- A function cannot keep its plans any more: Citus has to see where each call goes.
CREATE OR REPLACE FUNCTION data_import.distribute_functions() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM data_import.replace_functions();
    PERFORM data_import.take_functions_to_workers();
    ALTER FUNCTION data_import.move_accounts RESET plan_cache_mode;
END
$$;

-- A group that is no more, as after a split, loses its schema.
CREATE FUNCTION data_import.make_shard_groups() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_schema name;
BEGIN
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
END
$$;
COMMENT ON FUNCTION data_import.make_shard_groups IS 'Makes the schemas of all shard groups.';

-- A transaction that began before lock_account was replaced does not know the locks on the nodes. The schemas of the shard groups
-- are made when none of these is left: then the first import goes to a node.
CREATE FUNCTION data_import.running_transactions() RETURNS text[]
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN ARRAY(
        SELECT running.virtualxid
        FROM pg_catalog.pg_locks AS running JOIN pg_catalog.pg_stat_activity AS session USING (pid)
        WHERE running.locktype = 'virtualxid' AND running.granted AND session.datname = current_database()
          AND session.usesysid IS NOT NULL AND pid <> pg_backend_pid());
END
$$;
COMMENT ON FUNCTION data_import.running_transactions IS 'The transactions of users of this database that run now.';

GRANT EXECUTE ON FUNCTION data_import.hold_shard, data_import.lock_account_here, data_import.shard_groups TO "data-import";
