-- Rights, the key of an account, advisory locks.
--
-- One file for each aggregate: its tables with their comments, its functions, its rights.
--
-- Layout rules: every table that belongs to an account has account_key as the first column of its primary key, so that the
-- schema can be spread over several machines by that column. Small shared tables stand alone. Identities are opaque; nothing
-- is ordered by them. What operators name is shown in terminals and tables: no control characters, and none that change the
-- direction of text.
--
-- Rights: the owner's functions and tables are nobody else's unless a file grants them. The service's role reads and inserts,
-- the platform's role may call some functions that run with the rights of their owner.

ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
GRANT USAGE ON SCHEMA data_import TO "data-import", "data-import-platform";
GRANT SELECT ON data_import.schema_migration TO "data-import";

-- The one place where the key of an account is computed: supplier codes hold no U+001F, so no two pairs meet. In PL/pgSQL,
-- which keeps the plan: an SQL function with convert_to in it is parsed and planned again in every call.
CREATE FUNCTION data_import.account_key(p_import_supplier text, p_external_account_number text) RETURNS uuid
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    RETURN encode(substring(sha256(convert_to(p_import_supplier || U&'\001F' || p_external_account_number, 'UTF8'))
                            FROM 1 FOR 16), 'hex')::uuid;
END
$$;
COMMENT ON FUNCTION data_import.account_key IS
    'Key of an account: first 16 bytes of SHA-256 over supplier code, U+001F, external account number.';

-- Advisory locks. All of them are single 64-bit numbers, which PostgreSQL knows no kinds of; these are the kinds, and what
-- the name of a lock is in each:
--
--   account                 the account key: lock_account
--   service_account_number  the number: lock_service_account_number (0004)
--   market_participant      its code: lock_market_participant (0013)
--   token_request           the address block, for a valid key with its id: request_token (0016)
--   idempotency_key         organisation, U+001F, key: idempotency_key_claim (0017)
--   housekeeping            none: housekeeping (0019)
--   schema_migration        none: whoever migrates, before this function is there (src/store/migrations.cc)
--
-- Clients choose some of the names. So every number comes from a SHA-256 over kind and name: nobody can make up a name
-- whose number is that of another lock. The account's comes from its key, which is a SHA-256 already; its bits are only
-- mixed here, because each import takes this lock (3 microseconds against 10).
CREATE FUNCTION data_import.lock_number(p_kind text, p_name text) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    IF p_kind NOT IN ('service_account_number', 'market_participant', 'token_request', 'idempotency_key', 'housekeeping',
                      'schema_migration') THEN
        RAISE EXCEPTION 'there is no kind of advisory lock %', p_kind;
    END IF;
    RETURN ('x' || encode(substring(sha256(convert_to(p_kind || U&'\001F' || p_name, 'UTF8')) FROM 1 FOR 8), 'hex'))
        ::bit(64)::bigint;
END
$$;
COMMENT ON FUNCTION data_import.lock_number IS
    'Number of an advisory lock: first 8 bytes of SHA-256 over its kind, U+001F, its name.';

-- Imports of one account wait for each other; the lock ends with the transaction and leaves no dead rows.
CREATE FUNCTION data_import.lock_account(p_account_key uuid) RETURNS void
LANGUAGE sql VOLATILE AS $$
    SELECT pg_advisory_xact_lock(uuid_hash_extended(p_account_key, 0))
$$;
COMMENT ON FUNCTION data_import.lock_account IS 'Waits for other imports into the account, until the transaction ends.';

GRANT EXECUTE ON FUNCTION data_import.account_key, data_import.lock_number, data_import.lock_account TO "data-import";
