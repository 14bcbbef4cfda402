-- The schema on several machines, by Citus: the functions that `data-importctl db distribute` calls.
--
-- Every table whose primary key begins with account_key is spread over the workers by it, so that all rows of an account are on
-- one of them. Tables to which these refer by a foreign key are copied to every worker; all others stay on the coordinator. The
-- extension citus, its workers and the roles there are the administrator's.

-- In the order in which they can be distributed: first the tables that others refer to, then the accounts, next to which the
-- others go.
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

-- Left to itself, Citus makes tables of its own out of the coordinator's ones that refer to the copied ones: these would lose
-- their comments, and views over them their grants.
CREATE FUNCTION data_import.distribute_table(p_table_name name, p_is_per_account boolean) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_table constant regclass := pg_catalog.format('data_import.%I', p_table_name);
BEGIN
    PERFORM set_config('citus.enable_local_reference_table_foreign_keys', 'off', true),
            set_config('citus.multi_shard_modify_mode', 'sequential', true);
    IF p_is_per_account THEN
        PERFORM create_distributed_table(
            v_table, 'account_key', colocate_with => CASE p_table_name WHEN 'account' THEN 'none' ELSE 'data_import.account' END);
        PERFORM truncate_local_data_after_distributing_table(v_table);
    ELSE
        PERFORM create_reference_table(v_table);
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.distribute_table IS 'Distributes a table, with the rows that it has.';

-- The functions that statements over the distributed tables call on the workers. Citus distributes functions by itself only if
-- the extension was there before them. A function cannot keep its plans any more: Citus has to see where each call goes.
CREATE FUNCTION data_import.distribute_functions() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM create_distributed_function(oid::regprocedure)
    FROM pg_catalog.pg_proc AS function
    WHERE pronamespace = 'data_import'::regnamespace AND provolatile = 'i'
      AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_dist_object AS known
                      WHERE known.classid = 'pg_catalog.pg_proc'::regclass AND known.objid = function.oid);
    ALTER FUNCTION data_import.move_accounts RESET plan_cache_mode;
END
$$;
COMMENT ON FUNCTION data_import.distribute_functions IS 'Makes those functions known on the workers that only compute.';
