-- The account key, the life of an account, and the import of notes.
--
-- Functions that operators and the platform's software call (account_*) raise errors of class DI with a sentence for
-- people. Functions of the service (*_import) refuse by a verdict instead, having stored nothing, because the calls of
-- several requests may share one transaction.
--
--   DI001  the import supplier does not exist
--   DI002  the import supplier is not Ongoing
--   DI003  the account does not exist
--   DI004  this step is not allowed in the account's present state
--   DI005  the service account number belongs to another account
--
-- The steps run with the rights of their owner, so that the platform's role needs none on tables; each is recorded by
-- record_account_step, and what imports store by a receipt (0011).

-- The one place where the key of an account is computed: supplier codes hold no U+001F, so no two pairs meet. In PL/pgSQL,
-- which keeps the plan: an SQL function with convert_to in it is parsed and planned again in every call.
CREATE FUNCTION data_import.account_key(p_import_supplier text, p_external_account_number text) RETURNS uuid
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    RETURN encode(substring(sha256(convert_to(p_import_supplier || U&'\001F' || p_external_account_number, 'UTF8'))
                            FROM 1 FOR 16), 'hex')::uuid;
END
$$;
COMMENT ON FUNCTION data_import.account_key(text, text) IS
    'Key of an account: first 16 bytes of SHA-256 over supplier code, U+001F, external account number.';

-- Advisory locks. All of them are single 64-bit numbers, which PostgreSQL knows no kinds of; these are the kinds, and what
-- the name of a lock is in each:
--
--   account                 the account key: lock_account
--   service_account_number  the number: lock_service_account_number
--   market_participant      its code: lock_market_participant (0007)
--   token_request           the address block, for a valid key with its id: request_token (0008)
--   idempotency_key         organisation, U+001F, key: idempotency_key_claim (0009)
--   housekeeping            none: housekeeping (0011)
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
COMMENT ON FUNCTION data_import.lock_number(text, text) IS
    'Number of an advisory lock: first 8 bytes of SHA-256 over its kind, U+001F, its name.';

-- Imports of one account wait for each other; the lock ends with the transaction and leaves no dead rows.
CREATE FUNCTION data_import.lock_account(p_account_key uuid) RETURNS void
LANGUAGE sql VOLATILE AS $$
    SELECT pg_advisory_xact_lock(uuid_hash_extended(p_account_key, 0))
$$;
COMMENT ON FUNCTION data_import.lock_account(uuid) IS 'Waits for other imports into the account, until the transaction ends.';

CREATE SEQUENCE data_import.service_account_number MINVALUE 1 MAXVALUE 4294967295 CYCLE CACHE 100;
COMMENT ON SEQUENCE data_import.service_account_number IS 'Source of service account numbers that are given out here.';

-- One transaction at a time decides on a number.
CREATE FUNCTION data_import.lock_service_account_number(p_number text) RETURNS void
LANGUAGE sql VOLATILE AS $$
    SELECT pg_advisory_xact_lock(data_import.lock_number('service_account_number', p_number))
$$;
COMMENT ON FUNCTION data_import.lock_service_account_number(text) IS
    'Waits for others who decide on the same service account number, until the transaction ends.';

-- An odd factor permutes the 32-bit numbers, so that neighbours do not look alike and none comes twice; it is small
-- enough for the product to stay inside a bigint.
CREATE FUNCTION data_import.draw_service_account_number() RETURNS text
LANGUAGE sql VOLATILE AS $$
    SELECT 'A-' || upper(lpad(to_hex((nextval('data_import.service_account_number') * 1640531535) % 4294967296), 8, '0'))
$$;
COMMENT ON FUNCTION data_import.draw_service_account_number() IS
    'A- and eight hexadecimal digits that were not given out here before; an account may have been given them by others.';

CREATE FUNCTION data_import.next_service_account_number() RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_number text;
BEGIN
    LOOP
        v_number := data_import.draw_service_account_number();
        -- somebody may be storing this very number, chosen by himself, in a transaction that is not seen yet
        PERFORM data_import.lock_service_account_number(v_number);
        EXIT WHEN NOT EXISTS (SELECT FROM data_import.account WHERE service_account_number = v_number);
    END LOOP;
    RETURN v_number;
END
$$;
COMMENT ON FUNCTION data_import.next_service_account_number() IS 'A- and eight hexadecimal digits that no account has.';

CREATE FUNCTION data_import.need_ongoing_supplier(p_import_supplier text) RETURNS void
LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_status text;
BEGIN
    SELECT status INTO v_status FROM data_import.import_supplier WHERE code = p_import_supplier;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no import supplier %', p_import_supplier USING ERRCODE = 'DI001';
    ELSIF v_status <> 'Ongoing' THEN
        RAISE EXCEPTION 'import supplier % is %, not Ongoing', p_import_supplier, v_status USING ERRCODE = 'DI002';
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.need_ongoing_supplier(text) IS 'Raises DI001 or DI002 unless the supplier takes accounts.';

-- The state of an account whose lock is then held; null when there is no such account. A load of many accounts holds the
-- whole table: to wait for it before looking keeps what is seen here true.
CREATE FUNCTION data_import.lock_account_state(p_import_supplier text, p_external_account_number text) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_account_key constant uuid := data_import.account_key(p_import_supplier, p_external_account_number);
BEGIN
    LOCK TABLE data_import.account IN ROW EXCLUSIVE MODE;
    PERFORM data_import.lock_account(v_account_key);
    RETURN (SELECT state FROM data_import.account WHERE account_key = v_account_key);
END
$$;
COMMENT ON FUNCTION data_import.lock_account_state(text, text) IS 'Locks the account and tells its state, null for none.';

CREATE FUNCTION data_import.refuse_step(p_step text, p_state text, p_import_supplier text, p_external_account_number text)
RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF p_state IS NULL THEN
        RAISE EXCEPTION 'import supplier % has no account %', p_import_supplier, p_external_account_number
            USING ERRCODE = 'DI003';
    END IF;
    RAISE EXCEPTION 'account % of % is %: it cannot %', p_external_account_number, p_import_supplier,
        replace(p_state, '_', ' '), p_step USING ERRCODE = 'DI004';
END
$$;
COMMENT ON FUNCTION data_import.refuse_step(text, text, text, text) IS 'Raises DI003 for no account, DI004 for a wrong state.';

-- The account becomes known, or is staged again after a failed attempt. True when anything changed.
CREATE FUNCTION data_import.account_stage(p_import_supplier text, p_external_account_number text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_account_key constant uuid := data_import.account_key(p_import_supplier, p_external_account_number);
    v_state text;
BEGIN
    v_state := data_import.lock_account_state(p_import_supplier, p_external_account_number);
    PERFORM data_import.need_ongoing_supplier(p_import_supplier);
    IF v_state IS NULL THEN
        INSERT INTO data_import.account (account_key, import_supplier, external_account_number, state)
        VALUES (v_account_key, p_import_supplier, p_external_account_number, 'staged');
    ELSIF v_state = 'failed' THEN
        UPDATE data_import.account SET state = 'staged', failure_reason = NULL, state_changed_at = clock_timestamp()
        WHERE account_key = v_account_key;
    ELSIF v_state <> 'staged' THEN
        PERFORM data_import.refuse_step('be staged', v_state, p_import_supplier, p_external_account_number);
    END IF;
    IF v_state IS DISTINCT FROM 'staged' THEN
        PERFORM data_import.record_account_step(v_account_key, p_import_supplier, v_state, 'staged');
    END IF;
    RETURN v_state IS DISTINCT FROM 'staged';
END
$$;
COMMENT ON FUNCTION data_import.account_stage(text, text) IS 'Stages an account: pending from now on. Raises DI001, DI002, DI004.';

-- An attempt to create the account on the platform is running. True when anything changed.
CREATE FUNCTION data_import.account_begin(p_import_supplier text, p_external_account_number text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_account_key constant uuid := data_import.account_key(p_import_supplier, p_external_account_number);
    v_state text;
BEGIN
    v_state := data_import.lock_account_state(p_import_supplier, p_external_account_number);
    PERFORM data_import.need_ongoing_supplier(p_import_supplier);
    IF v_state IS NULL OR v_state = 'imported' THEN
        PERFORM data_import.refuse_step('begin', v_state, p_import_supplier, p_external_account_number);
    END IF;
    IF v_state <> 'in_progress' THEN
        UPDATE data_import.account SET state = 'in_progress', failure_reason = NULL, state_changed_at = clock_timestamp()
        WHERE account_key = v_account_key;
        PERFORM data_import.record_account_step(v_account_key, p_import_supplier, v_state, 'in_progress');
    END IF;
    RETURN v_state <> 'in_progress';
END
$$;
COMMENT ON FUNCTION data_import.account_begin(text, text) IS
    'Begins an attempt on a staged or failed account. Raises DI001, DI002, DI003, DI004.';

-- The attempt failed. Allowed whatever the supplier's status, so that a running attempt can always be ended.
CREATE FUNCTION data_import.account_fail(p_import_supplier text, p_external_account_number text, p_reason text)
RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_account_key constant uuid := data_import.account_key(p_import_supplier, p_external_account_number);
    v_state constant text := data_import.lock_account_state(p_import_supplier, p_external_account_number);
BEGIN
    IF v_state IS NULL OR v_state IN ('staged', 'imported') THEN
        PERFORM data_import.refuse_step('fail', v_state, p_import_supplier, p_external_account_number);
    END IF;
    UPDATE data_import.account SET state = 'failed', failure_reason = p_reason, state_changed_at = clock_timestamp()
    WHERE account_key = v_account_key AND (state <> 'failed' OR failure_reason IS DISTINCT FROM p_reason);
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM data_import.record_account_step(v_account_key, p_import_supplier, v_state, 'failed', p_reason);
    RETURN true;
END
$$;
COMMENT ON FUNCTION data_import.account_fail(text, text, text) IS
    'Ends the running attempt as failed, with a reason. Raises DI003, DI004.';

-- The account exists on the platform. A null number is given out here; a null time is the present. An imported account
-- stays as it is when number and time agree or are not given. Answers the service account number.
CREATE FUNCTION data_import.account_complete(
    p_import_supplier text, p_external_account_number text,
    p_service_account_number text DEFAULT NULL, p_account_created_at timestamptz DEFAULT NULL,
    p_statement_first_day date DEFAULT NULL, p_statement_last_day date DEFAULT NULL)
RETURNS text LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_account_key constant uuid := data_import.account_key(p_import_supplier, p_external_account_number);
    v_state text;
    v_account data_import.account;
BEGIN
    v_state := data_import.lock_account_state(p_import_supplier, p_external_account_number);
    PERFORM data_import.need_ongoing_supplier(p_import_supplier);
    SELECT * INTO v_account FROM data_import.account WHERE account_key = v_account_key;
    IF v_state IS NULL OR v_state = 'failed'
       OR (v_state = 'imported' AND (v_account.service_account_number <> p_service_account_number
                                     OR v_account.account_created_at <> p_account_created_at)) THEN
        PERFORM data_import.refuse_step('be completed' || CASE v_state WHEN 'imported' THEN ' with other values' ELSE '' END,
                                        v_state, p_import_supplier, p_external_account_number);
    END IF;
    IF v_state <> 'imported' THEN
        v_account.service_account_number := data_import.take_service_account_number(p_service_account_number, v_account_key);
        UPDATE data_import.account
        SET state = 'imported', service_account_number = v_account.service_account_number,
            account_created_at = coalesce(p_account_created_at, clock_timestamp()), failure_reason = NULL,
            state_changed_at = clock_timestamp()
        WHERE account_key = v_account_key;
        PERFORM data_import.record_account_step(v_account_key, p_import_supplier, v_state, 'imported');
    END IF;
    IF p_statement_first_day IS NOT NULL THEN
        PERFORM data_import.statement_open(v_account_key, p_statement_first_day, p_statement_last_day);
    END IF;
    RETURN v_account.service_account_number;
END
$$;
COMMENT ON FUNCTION data_import.account_complete(text, text, text, timestamptz, date, date) IS
    'Completes a staged or running account: it is imported from now on. Raises DI001 to DI005.';

-- The number itself when no other account has it, a new one for null.
CREATE FUNCTION data_import.take_service_account_number(p_number text, p_account_key uuid) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF p_number IS NULL THEN
        RETURN data_import.next_service_account_number();
    END IF;
    PERFORM data_import.lock_service_account_number(p_number);
    IF EXISTS (SELECT FROM data_import.account WHERE service_account_number = p_number AND account_key <> p_account_key) THEN
        RAISE EXCEPTION 'service account number % belongs to another account', p_number USING ERRCODE = 'DI005';
    END IF;
    RETURN p_number;
END
$$;
COMMENT ON FUNCTION data_import.take_service_account_number(text, uuid) IS
    'Keeps service account numbers apart: one number, one account. Raises DI005.';

-- Opens a period in place of the one that is open; opening the open one again changes nothing.
CREATE FUNCTION data_import.statement_open(p_account_key uuid, p_first_day date, p_last_day date) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF EXISTS (SELECT FROM data_import.statement_period
               WHERE account_key = p_account_key AND closed_at IS NULL
                 AND first_day = p_first_day AND last_day = p_last_day) THEN
        RETURN false;
    END IF;
    UPDATE data_import.statement_period SET closed_at = clock_timestamp()
    WHERE account_key = p_account_key AND closed_at IS NULL;
    INSERT INTO data_import.statement_period AS period (account_key, first_day, last_day)
    VALUES (p_account_key, p_first_day, p_last_day)
    ON CONFLICT (account_key, first_day) DO UPDATE
        SET last_day = excluded.last_day, opened_at = excluded.opened_at, closed_at = NULL;
    RETURN true;
END
$$;
COMMENT ON FUNCTION data_import.statement_open(uuid, date, date) IS 'Opens a statement period; the open one is closed.';

-- Imports notes into one account (specification 4.1; decisions, section 5). The arrays hold one element per note, in the
-- order of the request; p_document_paths holds array literals, p_created_at null for a note without.
-- Verdict in every row: done, supplier_not_ongoing, account_not_found, unpin_at_before_creation. With done, one row per
-- note in the order of the request: the note's time as stored, and whether this call created it. One note after the
-- other, so that a note sees those before it in the request like those of earlier requests.
-- unpin_at_before_creation: notes without a time of their own, which would be created now, are to be unpinned earlier;
-- one row per note, and created says which. Notes that the account has are repeats and no part of that.
CREATE FUNCTION data_import.notes_import(
    p_account_key uuid, p_import_supplier text, p_request_id uuid, p_api_key_id bigint,
    p_identity uuid[], p_created_at timestamptz[], p_body text[], p_document_paths text[],
    p_is_pinned boolean[], p_unpin_at timestamptz[])
RETURNS TABLE (verdict text, created_at timestamptz, created boolean)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
    v_sent record;
    v_stored integer := 0;
BEGIN
    verdict := data_import.import_verdict(p_account_key, p_import_supplier);
    IF verdict <> 'done' THEN
        RETURN NEXT;
        RETURN;
    END IF;
    PERFORM data_import.lock_account(p_account_key);
    IF array_remove(p_unpin_at, NULL) <> '{}' THEN
        RETURN QUERY
        WITH judged AS (
            SELECT n, sent.created_at IS NULL AND coalesce(sent.unpin_at < now(), false)
                      AND n = min(n) OVER (PARTITION BY sent.identity) AND NOT EXISTS (
                       SELECT FROM data_import.note
                       WHERE note.account_key = p_account_key AND note.identity = sent.identity) AS is_too_early
            FROM unnest(p_identity, p_created_at, p_unpin_at) WITH ORDINALITY AS sent (identity, created_at, unpin_at, n)
        )
        SELECT 'unpin_at_before_creation', NULL::timestamptz, is_too_early FROM judged
        WHERE EXISTS (SELECT FROM judged WHERE is_too_early) ORDER BY n;
        IF FOUND THEN
            RETURN;
        END IF;
    END IF;
    FOR v_sent IN
        SELECT * FROM unnest(p_identity, p_created_at, p_body, p_document_paths, p_is_pinned, p_unpin_at)
            AS sent (identity, created_at, body, document_paths, is_pinned, unpin_at)
    LOOP
        IF v_sent.created_at IS NULL THEN
            created_at := (SELECT min(note.created_at) FROM data_import.note
                           WHERE note.account_key = p_account_key AND note.identity = v_sent.identity);
        ELSE
            created_at := (SELECT note.created_at FROM data_import.note
                           WHERE note.account_key = p_account_key AND note.identity = v_sent.identity
                             AND note.created_at = v_sent.created_at);
        END IF;
        created := created_at IS NULL;
        IF created THEN
            created_at := coalesce(v_sent.created_at, now());
            INSERT INTO data_import.note (account_key, identity, created_at, body, document_paths, is_pinned, unpin_at,
                                          request_id, api_key_id)
            VALUES (p_account_key, v_sent.identity, created_at, v_sent.body, v_sent.document_paths::text[],
                    v_sent.is_pinned, v_sent.unpin_at, p_request_id, p_api_key_id);
            v_stored := v_stored + 1;
        END IF;
        RETURN NEXT;
    END LOOP;
    IF v_stored > 0 THEN
        INSERT INTO data_import.import_receipt (import_supplier, kind, records)
        VALUES (p_import_supplier, 'notes', v_stored);
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.notes_import(uuid, text, uuid, bigint, uuid[], timestamptz[], text[], text[], boolean[],
    timestamptz[]) IS 'Stores the notes that the account does not have yet, and tells for each which it was.';

-- Whether an import into the account may go on (decisions, section 1, steps 5 to 7).
CREATE FUNCTION data_import.import_verdict(p_account_key uuid, p_import_supplier text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN coalesce((
        SELECT CASE WHEN supplier.status <> 'Ongoing' THEN 'supplier_not_ongoing'
                    WHEN account.state = 'imported' THEN 'done'
                    ELSE 'account_not_found' END
        FROM data_import.import_supplier AS supplier
        LEFT JOIN data_import.account ON account.account_key = p_account_key
        WHERE supplier.code = p_import_supplier), 'account_not_found');
END
$$;
COMMENT ON FUNCTION data_import.import_verdict(uuid, text) IS
    'done: the account takes imports; else supplier_not_ongoing or account_not_found.';
