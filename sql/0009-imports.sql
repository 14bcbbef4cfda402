-- Imports: the accounts that take them. Each kind of import has a file of its own.

-- The verdict on each account, in which no request of its own can change anything (contract, section 2.1, steps 5 to 7):
--
--   done                  the account takes imports
--   supplier_paused
--   supplier_complete
--   account_held          it is one of p_held
--   account_not_found     there is none, or it is not imported yet
CREATE FUNCTION data_import.import_verdicts(p_account_key uuid[], p_import_supplier text[], p_held uuid[] DEFAULT '{}')
RETURNS text[] LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_imported uuid[];
    v_paused text[];
    v_complete text[];
BEGIN
    SELECT array_agg(code::text) FILTER (WHERE status = 'Paused'), array_agg(code::text) FILTER (WHERE status = 'Complete')
    INTO v_paused, v_complete
    FROM data_import.import_supplier WHERE code = ANY (p_import_supplier) AND status <> 'Ongoing';
    SELECT array_agg(account_key) INTO v_imported
    FROM data_import.account WHERE account_key = ANY (p_account_key) AND state = 'imported';
    IF v_paused IS NULL AND v_complete IS NULL AND p_held = '{}'
        AND (cardinality(v_imported) = cardinality(p_account_key) OR p_account_key <@ v_imported) THEN
        RETURN array_fill('done'::text, ARRAY[cardinality(p_account_key)]);
    END IF;
    RETURN ARRAY(
        SELECT CASE WHEN import_supplier = ANY (v_paused) THEN 'supplier_paused'
                    WHEN import_supplier = ANY (v_complete) THEN 'supplier_complete'
                    WHEN account_key = ANY (p_held) THEN 'account_held'
                    WHEN account_key = ANY (v_imported) THEN 'done'
                    ELSE 'account_not_found' END
        FROM unnest(p_account_key, p_import_supplier) WITH ORDINALITY AS sent (account_key, import_supplier, place)
        ORDER BY place);
END
$$;
COMMENT ON FUNCTION data_import.import_verdicts IS 'Tells of each account, beside its supplier, whether it takes imports.';

CREATE FUNCTION data_import.import_verdict(p_account_key uuid, p_import_supplier text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (data_import.import_verdicts(ARRAY[p_account_key], ARRAY[p_import_supplier]))[1];
END
$$;
COMMENT ON FUNCTION data_import.import_verdict IS 'Tells of one account whether it takes imports.';

-- The beginning of every import. The import functions take the requests of one kind at once: arrays with one element for each
-- request, in which no account stands twice unless the function says so, and arrays with one element for each row, beside the
-- place of its request (or of the row that it belongs to), from 1. Requests of one call do not know of each other: the refusal
-- of one leaves the others alone.
--
-- Accounts with the verdict done stay locked until the transaction ends; no call waits for a locked account. Rows that are
-- there already may be on no standby yet: an answer that tells of them waits like one that stores them.
CREATE FUNCTION data_import.begin_imports(p_account_key uuid[], p_import_supplier text[]) RETURNS text[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    -- before anything is looked at: accounts change under the lock
    v_held constant uuid[] := data_import.held_accounts(p_account_key);
BEGIN
    IF current_setting('synchronous_standby_names') <> '' THEN
        PERFORM data_import.await_standbys();
    END IF;
    RETURN data_import.import_verdicts(p_account_key, p_import_supplier, v_held);
END
$$;
COMMENT ON FUNCTION data_import.begin_imports IS
    'Locks the accounts of several requests, and tells for each whether its account takes imports.';

GRANT EXECUTE ON FUNCTION data_import.import_verdicts, data_import.import_verdict, data_import.begin_imports TO "data-import";
