-- Lists the objects of the schemas data_import and platform, one line for each, in a fixed order, so that `diff` of the lines of
-- two databases shows the objects that differ. The lines do not depend on object numbers, on the order of creation or on rows.
\set QUIET on
\pset format unaligned
\pset tuples_only on
SET search_path = pg_catalog;
CREATE FUNCTION pg_temp.acl_text(p_acl aclitem[]) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce('{' || string_agg(item::text, ',' ORDER BY item::text) || '}', 'default') FROM unnest(p_acl) AS item
$$;
CREATE FUNCTION pg_temp.one_line(p_text text) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(replace(replace(p_text, E'\\', E'\\\\'), E'\n', E'\\n'), '-')
$$;

WITH own AS (
    SELECT oid, nspname, nspowner, nspacl FROM pg_namespace WHERE nspname IN ('data_import', 'platform')
), line (text) AS (
    SELECT format('schema %s: owner %s, rights %s, comment %s', nspname, nspowner::regrole, pg_temp.acl_text(nspacl),
                  pg_temp.one_line(obj_description(oid, 'pg_namespace')))
    FROM own
    UNION ALL
    SELECT format('rights on new objects of %s%s, type %s: %s', defaclrole::regrole, ' in ' || nspname, defaclobjtype,
                  pg_temp.acl_text(defaclacl))
    FROM pg_default_acl LEFT JOIN own ON own.oid = defaclnamespace
    UNION ALL
    SELECT format('relation %s.%s: kind %s, persistence %s, owner %s, settings %s, replica identity %s, rights %s, comment %s',
                  nspname, relname, relkind, relpersistence, relowner::regrole, coalesce(reloptions::text, 'none'), relreplident,
                  pg_temp.acl_text(relacl), pg_temp.one_line(obj_description(class.oid, 'pg_class')))
    FROM pg_class AS class JOIN own ON relnamespace = own.oid
    UNION ALL
    SELECT format('column %s.%s.%s: place %s, type %s, collation %s, not null %s, default %s, storage %s, statistics %s, rights %s, '
                  'comment %s', nspname, relname, attname, row_number() OVER (PARTITION BY class.oid ORDER BY attnum),
                  format_type(atttypid, atttypmod), nullif(attcollation, 0)::regcollation, attnotnull,
                  pg_temp.one_line(pg_get_expr(adbin, adrelid)), attstorage, attstattarget, pg_temp.acl_text(attacl),
                  pg_temp.one_line(col_description(class.oid, attnum)))
    FROM pg_class AS class JOIN own ON relnamespace = own.oid
    JOIN pg_attribute ON attrelid = class.oid AND attnum > 0 AND NOT attisdropped
    LEFT JOIN pg_attrdef ON adrelid = class.oid AND adnum = attnum
    WHERE relkind IN ('r', 'v', 'c', 'p', 'm', 'f')
    UNION ALL
    SELECT format('constraint %s.%s of %s: %s, comment %s', nspname, conname,
                  CASE WHEN conrelid = 0 THEN contypid::regtype::text ELSE conrelid::regclass::text END,
                  pg_temp.one_line(pg_get_constraintdef(known.oid)), pg_temp.one_line(obj_description(known.oid, 'pg_constraint')))
    FROM pg_constraint AS known JOIN own ON connamespace = own.oid
    UNION ALL
    SELECT format('index %s: %s, comment %s', indexrelid::regclass, pg_temp.one_line(pg_get_indexdef(indexrelid)),
                  pg_temp.one_line(obj_description(indexrelid, 'pg_class')))
    FROM pg_index JOIN pg_class AS class ON class.oid = indexrelid JOIN own ON relnamespace = own.oid
    UNION ALL
    SELECT format('view %s.%s: %s', nspname, relname, pg_temp.one_line(pg_get_viewdef(class.oid)))
    FROM pg_class AS class JOIN own ON relnamespace = own.oid WHERE relkind IN ('v', 'm')
    UNION ALL
    SELECT format('rule %s of %s: %s', rulename, ev_class::regclass, pg_temp.one_line(pg_get_ruledef(pg_rewrite.oid)))
    FROM pg_rewrite JOIN pg_class AS class ON class.oid = ev_class JOIN own ON relnamespace = own.oid WHERE rulename <> '_RETURN'
    UNION ALL
    SELECT format('trigger %s of %s: %s', tgname, tgrelid::regclass, pg_temp.one_line(pg_get_triggerdef(pg_trigger.oid)))
    FROM pg_trigger JOIN pg_class AS class ON class.oid = tgrelid JOIN own ON relnamespace = own.oid WHERE NOT tgisinternal
    UNION ALL
    SELECT format('policy %s of %s: %s', polname, polrelid::regclass, pg_temp.one_line(pg_policy::text))
    FROM pg_policy JOIN pg_class AS class ON class.oid = polrelid JOIN own ON relnamespace = own.oid
    UNION ALL
    SELECT format('sequence %s: type %s, from %s, step %s, %s to %s, cache %s, cycle %s', seqrelid::regclass, seqtypid::regtype, seqstart,
                  seqincrement, seqmin, seqmax, seqcache, seqcycle)
    FROM pg_sequence JOIN pg_class AS class ON class.oid = seqrelid JOIN own ON relnamespace = own.oid
    UNION ALL
    SELECT format('type %s.%s: kind %s, owner %s, base %s, collation %s, not null %s, default %s, rights %s, comment %s',
                  nspname, typname, typtype, typowner::regrole, format_type(nullif(typbasetype, 0), typtypmod),
                  nullif(typcollation, 0)::regcollation, typnotnull, typdefault, pg_temp.acl_text(typacl),
                  pg_temp.one_line(obj_description(pg_type.oid, 'pg_type')))
    FROM pg_type JOIN own ON typnamespace = own.oid
    UNION ALL
    SELECT format('value of type %s: %s at %s', enumtypid::regtype, enumlabel,
                  row_number() OVER (PARTITION BY enumtypid ORDER BY enumsortorder))
    FROM pg_enum JOIN pg_type ON pg_type.oid = enumtypid JOIN own ON typnamespace = own.oid
    UNION ALL
    SELECT format('function %s(%s): owner %s, rights %s, comment %s, %s', function.oid::regproc,
                  pg_get_function_identity_arguments(function.oid), proowner::regrole,
                  pg_temp.acl_text(proacl), pg_temp.one_line(obj_description(function.oid, 'pg_proc')),
                  pg_temp.one_line(CASE WHEN prokind = 'a' THEN 'aggregate' ELSE pg_get_functiondef(function.oid) END))
    FROM pg_proc AS function JOIN own ON pronamespace = own.oid
    UNION ALL
    SELECT format('%s %s.%s', object, nspname, name)
    FROM (SELECT 'operator' AS object, oprnamespace AS namespace, oid::regoperator::text AS name FROM pg_operator
          UNION ALL SELECT 'collation', collnamespace, collname FROM pg_collation
          UNION ALL SELECT 'statistics', stxnamespace, pg_get_statisticsobjdef(oid) FROM pg_statistic_ext) AS other
    JOIN own ON own.oid = namespace
)
SELECT text FROM line ORDER BY text COLLATE "C";
