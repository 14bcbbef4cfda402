-- Functions that workers of version 1.0.0 call while the database is migrated under them. Nothing else calls them.

-- Does the same as find_payment_instruction, but waits longer. If the instruction is stored already, this function waits for the
-- lock of the account without a limit; find_payment_instruction alone would wait at most 50 ms.
CREATE FUNCTION data_import.payment_instruction_look(
    p_account_key uuid, p_import_supplier text, p_organisation text, p_vendor text, p_reference text, p_probe_seconds integer,
    OUT verdict text, OUT service_account_number text, OUT admission text, OUT retry_after integer)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM data_import.lock_account(p_account_key) FROM data_import.payment_instruction
    WHERE account_key = p_account_key AND vendor = p_vendor AND reference = p_reference;
    SELECT found.* INTO verdict, service_account_number, admission, retry_after
    FROM data_import.find_payment_instruction(
        p_account_key, p_import_supplier, p_organisation, p_vendor, p_reference, p_probe_seconds) AS found;
END
$$;
COMMENT ON FUNCTION data_import.payment_instruction_look IS
    'Whether the account takes the instruction, and whether the vendor is to be asked; stored: the account has it.';

-- Locks the account before it locks rows of the vendor. All accounts share these rows, so they must not be locked while this
-- transaction waits for the account.
CREATE FUNCTION data_import.payment_instruction_import(
    p_account_key uuid, p_import_supplier text, p_request_id uuid, p_api_key_id bigint, p_organisation text, p_vendor text,
    p_reference text, p_type text, p_status text, p_last_four text, p_masked_account text, p_details jsonb,
    OUT verdict text, OUT service_account_number text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    -- waits for the account before it locks rows of the vendor, which all requests use
    PERFORM data_import.lock_account(p_account_key);
    SELECT stored.* INTO verdict, service_account_number
    FROM data_import.store_payment_instruction(
        p_account_key, p_import_supplier, p_request_id, p_api_key_id, p_organisation, p_vendor, p_reference, p_type, p_status,
        p_last_four, p_masked_account, p_details) AS stored;
END
$$;
COMMENT ON FUNCTION data_import.payment_instruction_import IS
    'Stores an instruction that the vendor has confirmed, unless the account has it.';

CREATE FUNCTION data_import.account_refusals_add(
    p_account_key uuid[], p_import_supplier text[], p_request_id uuid[], p_line integer[], p_at timestamptz[],
    p_api_key_id bigint[], p_endpoint text[], p_status integer[], p_code text[], p_error_count integer[], p_item_codes text[],
    p_attrs text[], p_external_account_number text[], p_counted text[], p_count bigint[])
RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' AS $$
BEGIN
    RETURN data_import.keep_account_refusals(
        p_account_key, p_import_supplier, p_request_id, p_line, p_at, p_api_key_id, p_endpoint, p_status, p_code, p_error_count,
        p_item_codes, p_attrs, array_fill('{}'::text, ARRAY[cardinality(p_account_key)]), p_external_account_number, p_counted,
        p_count);
END
$$;
COMMENT ON FUNCTION data_import.account_refusals_add IS
    'Counts refusals of one worker and keeps them, of each of their accounts the last 20; false: it cannot keep them now.';

GRANT EXECUTE ON FUNCTION data_import.payment_instruction_look, data_import.payment_instruction_import,
    data_import.account_refusals_add TO "data-import";
