-- The schema on several machines, by Citus: the functions that `data-importctl db distribute` calls.

-- Every table whose primary key begins with account_key is spread over the workers of Citus by this column, so that all rows of
-- an account are on one worker. Receipts, kept answers and news are spread in the same way by placed_by. Tables to which these
-- tables refer by a foreign key are copied to every worker. All others stay on the coordinator. The administrator provides the
-- extension citus, its workers and the roles on them.

-- Returns the tables that are to be distributed, in an order in which this is possible: first the tables to which foreign keys of
-- the others refer, then account, then the other tables whose shards go to the nodes of the accounts. is_distributed is true if
-- Citus has distributed the table already.
CREATE FUNCTION data_import.distribution()
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
        SELECT attrelid FROM pg_catalog.pg_attribute
        WHERE attname = 'placed_by'
          AND attrelid IN ('data_import.import_receipt'::regclass, 'data_import.idempotency_key'::regclass,
                           'data_import.news'::regclass)
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
COMMENT ON FUNCTION data_import.distribution IS 'The tables that Citus is to distribute, and which of them it has.';

-- Distributes the table p_table_name. If p_is_per_account is true, spreads the table's rows over the nodes by account. Otherwise
-- copies the table to every node.
--
-- Turns citus.enable_local_reference_table_foreign_keys off, so that Citus does not take over the coordinator's own tables that
-- have foreign keys to a copied table. Such tables would lose their comments, and the views over them would lose their grants.
CREATE FUNCTION data_import.distribute_table(p_table_name name, p_is_per_account boolean) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_table constant regclass := pg_catalog.format('data_import.%I', p_table_name);
BEGIN
    PERFORM set_config('citus.enable_local_reference_table_foreign_keys', 'off', true),
            set_config('citus.multi_shard_modify_mode', 'sequential', true);
    IF p_table_name = 'idempotency_key' THEN
        UPDATE data_import.idempotency_key SET placed_by = account_key WHERE placed_by <> account_key;
        ALTER TABLE data_import.idempotency_key DROP CONSTRAINT idempotency_key_pkey,
            ADD PRIMARY KEY (organisation, key, placed_by);
    END IF;
    IF p_is_per_account THEN
        PERFORM create_distributed_table(
            v_table, CASE WHEN p_table_name IN ('import_receipt', 'idempotency_key', 'news') THEN 'placed_by' ELSE 'account_key' END,
            colocate_with => CASE p_table_name WHEN 'account' THEN 'none' ELSE 'data_import.account' END);
        PERFORM truncate_local_data_after_distributing_table(v_table);
        IF p_table_name = 'import_receipt' THEN
            ALTER TABLE data_import.import_receipt SET (autovacuum_vacuum_threshold = 1000);  -- of each shard
        END IF;
    ELSE
        PERFORM create_reference_table(v_table);
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.distribute_table IS 'Distributes a table, with the rows that it has.';

-- Locks all tables that are to be distributed; if that is not possible, locks none and returns false. Transactions take these
-- locks in several orders, so a session that waits for one while it holds others might wait for ever.
CREATE FUNCTION data_import.try_lock_tables() RETURNS boolean
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' AS $$
DECLARE
    v_tables text;
BEGIN
    SELECT string_agg(format('data_import.%I', table_name), ', ') INTO v_tables
    FROM data_import.distribution() WHERE NOT is_distributed;
    IF v_tables IS NOT NULL THEN
        EXECUTE 'LOCK TABLE ' || v_tables;
    END IF;
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    RETURN false;
END
$$;
COMMENT ON FUNCTION data_import.try_lock_tables IS 'Locks the tables that are not distributed yet, until the transaction ends.';

-- Creates on all workers of Citus the composite types that functions use. Runs in a transaction of its own, before the
-- transaction that distributes.
--
-- Citus itself copies such types only for an owner who is a superuser. For any other owner, it creates the types in one session
-- and does not see them in another.
CREATE FUNCTION data_import.prepare_workers() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_command text := 'CREATE SCHEMA IF NOT EXISTS data_import; CREATE SCHEMA IF NOT EXISTS platform; ';
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

-- Returns the running transactions of users of this database, except the caller's. After `data-importctl db distribute` has
-- replaced lock_account (replace_functions), it waits until all transactions that run then have ended. Only then it makes the
-- schemas of the shard groups.
--
-- A transaction that began before the replacement may lock accounts on the coordinator alone. Imports do not see these locks once
-- the shard groups have schemas, because imports then go to the nodes.
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

-- Returns the distributed tables that the views of the schema platform read. Workers of Citus check the rights of the role that
-- runs a query. So a reader of the views needs rights on these tables, too; the roles of the platform and of readers have them
-- (src/data/store/rights.cc).
CREATE FUNCTION data_import.distributed_tables_of_views() RETURNS SETOF name
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
        WITH RECURSIVE used AS (
            SELECT oid FROM pg_catalog.pg_class WHERE relnamespace = 'platform'::regnamespace AND relkind = 'v'
            UNION
            SELECT depended.refobjid
            FROM used
            JOIN pg_catalog.pg_rewrite AS rule ON rule.ev_class = used.oid
            JOIN pg_catalog.pg_depend AS depended
                ON depended.classid = 'pg_catalog.pg_rewrite'::regclass AND depended.objid = rule.oid
               AND depended.refclassid = 'pg_catalog.pg_class'::regclass
        )
        SELECT table_name FROM data_import.distribution()
        WHERE is_distributed AND pg_catalog.format('data_import.%I', table_name)::regclass IN (SELECT oid FROM used);
END
$$;
COMMENT ON FUNCTION data_import.distributed_tables_of_views IS 'The distributed tables that the views of schema platform read.';
