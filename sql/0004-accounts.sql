-- Accounts and their life: the states, the steps between them, and the history of each account.
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
-- The platform's software: role "data-import-platform" may move accounts along, and open and close statement periods (0005), by
-- these functions and nothing else. They run with the rights of their owner, so that the role needs none on tables:
--
--   account_stage(import_supplier, external_account_number) -> boolean           staged: known, or again after a failure
--   account_begin(import_supplier, external_account_number) -> boolean           an attempt to create it is running
--   account_complete(import_supplier, external_account_number                    it exists on the platform
--                    [, service_account_number, account_created_at,
--                       statement_first_day, statement_last_day]) -> text        ... with this service account number
--   account_fail(import_supplier, external_account_number, reason) -> boolean    the attempt failed
--   statement_open(import_supplier, external_account_number, first_day, last_day) -> boolean
--   statement_close(import_supplier, external_account_number) -> boolean
--
-- A boolean tells whether anything changed. GRANT "data-import-platform" TO the role that the software logs in with:
--
--   SELECT data_import.account_begin('ACME', '4711');
--   SELECT data_import.account_complete('ACME', '4711', 'A-1B2C3D4E', now(), '2024-05-01', '2024-05-31');

CREATE TABLE data_import.account (
    account_key             uuid PRIMARY KEY,
    import_supplier         text COLLATE "C" NOT NULL REFERENCES data_import.import_supplier (code),
    external_account_number text COLLATE "C" NOT NULL
                            CHECK (char_length(external_account_number) BETWEEN 1 AND 128),
    state                   text NOT NULL CHECK (state IN ('staged', 'in_progress', 'failed', 'imported')),
    service_account_number  text COLLATE "C" CHECK (char_length(service_account_number) BETWEEN 1 AND 64),
    account_created_at      timestamptz,
    failure_reason          text,
    staged_at               timestamptz NOT NULL DEFAULT now(),
    state_changed_at        timestamptz NOT NULL DEFAULT now(),
    CHECK ((state = 'imported') = (service_account_number IS NOT NULL)),
    CHECK ((state = 'imported') = (account_created_at IS NOT NULL)),
    CHECK ((state = 'failed') = (failure_reason IS NOT NULL))
);
-- the listings read along this index; the number index answers "whose is A-1B2C3D4E" and keeps numbers apart
CREATE INDEX account_by_external_number ON data_import.account (import_supplier, external_account_number);
CREATE INDEX account_by_service_number ON data_import.account (service_account_number)
    WHERE service_account_number IS NOT NULL;
COMMENT ON TABLE data_import.account IS
    'Account import processes: staged, in progress, failed or imported (specification, section 3.1).';
COMMENT ON COLUMN data_import.account.account_key IS 'data_import.account_key(import_supplier, external_account_number).';
COMMENT ON COLUMN data_import.account.import_supplier IS 'Code of the supplier.';
COMMENT ON COLUMN data_import.account.external_account_number IS 'The account''s number in the supplier''s system.';
COMMENT ON COLUMN data_import.account.state IS
    'staged: data is staged; in_progress: an attempt is running; failed: the last attempt failed; imported: it exists.';
COMMENT ON COLUMN data_import.account.service_account_number IS 'The platform''s number; only of an imported account.';
COMMENT ON COLUMN data_import.account.account_created_at IS 'When the platform created it; only of an imported account.';
COMMENT ON COLUMN data_import.account.failure_reason IS 'Why the last attempt failed; only of a failed one.';
COMMENT ON COLUMN data_import.account.staged_at IS 'When the account became known here.';
COMMENT ON COLUMN data_import.account.state_changed_at IS 'When the present state began.';

CREATE TABLE data_import.account_step (
    account_key uuid NOT NULL,
    number      integer NOT NULL,
    state       text NOT NULL CHECK (state IN ('staged', 'in_progress', 'failed', 'imported')),
    at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    author      text NOT NULL,
    reason      text,
    PRIMARY KEY (account_key, number)
);
COMMENT ON TABLE data_import.account_step IS 'The history of accounts: every step, when and by whom.';
COMMENT ON COLUMN data_import.account_step.account_key IS 'The account.';
COMMENT ON COLUMN data_import.account_step.number IS 'Place in the account''s history, from 1.';
COMMENT ON COLUMN data_import.account_step.state IS 'The state that began, as in data_import.account.';
COMMENT ON COLUMN data_import.account_step.at IS 'When it began.';
COMMENT ON COLUMN data_import.account_step.author IS
    'Who did it: the system user of data-importctl, else the role that the session had logged in with.';
COMMENT ON COLUMN data_import.account_step.reason IS 'Why it failed; null for the other steps.';

-- Who moves an account. data-importctl acts for a person and names him; whoever is no member of the owning role cannot
-- pass for another.
CREATE FUNCTION data_import.step_author() RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN pg_has_role(session_user, 'data-import-owner', 'MEMBER')
                THEN coalesce(nullif(current_setting('data_import.operator', true), ''), session_user)
                ELSE session_user END
$$;
COMMENT ON FUNCTION data_import.step_author IS
    'Who moves accounts in this session: the setting data_import.operator of an administrator, else who logged in.';

-- To be called under the account's lock. p_state_before is null for an account that was not known.
CREATE FUNCTION data_import.record_account_step(
    p_account_key uuid, p_import_supplier text, p_state_before text, p_state text, p_reason text DEFAULT NULL)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO data_import.account_step (account_key, number, state, author, reason)
    SELECT p_account_key, coalesce(max(number), 0) + 1, p_state, data_import.step_author(), p_reason
    FROM data_import.account_step WHERE account_key = p_account_key;
    INSERT INTO data_import.import_receipt (import_supplier, kind, value, at)
    SELECT p_import_supplier, 'account_' || change.state, change.accounts, clock_timestamp()
    FROM (VALUES (p_state_before, -1), (p_state, 1)) AS change (state, accounts)
    WHERE change.state IS NOT NULL AND p_state_before IS DISTINCT FROM p_state;
END
$$;
COMMENT ON FUNCTION data_import.record_account_step IS
    'Adds a step to the account''s history, and to the figures of progress where the state has changed.';

CREATE SEQUENCE data_import.service_account_number MINVALUE 1 MAXVALUE 4294967295 CYCLE CACHE 100;
COMMENT ON SEQUENCE data_import.service_account_number IS 'Source of service account numbers that are given out here.';

-- One transaction at a time decides on a number.
CREATE FUNCTION data_import.lock_service_account_number(p_number text) RETURNS void
LANGUAGE sql VOLATILE AS $$
    SELECT pg_advisory_xact_lock(data_import.lock_number('service_account_number', p_number))
$$;
COMMENT ON FUNCTION data_import.lock_service_account_number IS
    'Waits for others who decide on the same service account number, until the transaction ends.';

-- An odd factor permutes the 32-bit numbers, so that neighbours do not look alike and none comes twice; it is small
-- enough for the product to stay inside a bigint.
CREATE FUNCTION data_import.draw_service_account_number() RETURNS text
LANGUAGE sql VOLATILE AS $$
    SELECT 'A-' || upper(lpad(to_hex((nextval('data_import.service_account_number') * 1640531535) % 4294967296), 8, '0'))
$$;
COMMENT ON FUNCTION data_import.draw_service_account_number IS
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
COMMENT ON FUNCTION data_import.next_service_account_number IS 'A- and eight hexadecimal digits that no account has.';

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
COMMENT ON FUNCTION data_import.take_service_account_number IS
    'Keeps service account numbers apart: one number, one account. Raises DI005.';

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
COMMENT ON FUNCTION data_import.lock_account_state IS 'Locks the account and tells its state, null for none.';

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
COMMENT ON FUNCTION data_import.refuse_step IS 'Raises DI003 for no account, DI004 for a wrong state.';

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
COMMENT ON FUNCTION data_import.account_stage IS 'Stages an account: pending from now on. Raises DI001, DI002, DI004.';

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
COMMENT ON FUNCTION data_import.account_begin IS
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
COMMENT ON FUNCTION data_import.account_fail IS
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
        PERFORM data_import.open_statement_period(v_account_key, p_statement_first_day, p_statement_last_day);
    END IF;
    RETURN v_account.service_account_number;
END
$$;
COMMENT ON FUNCTION data_import.account_complete IS
    'Completes a staged or running account: it is imported from now on. Raises DI001 to DI005.';

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
COMMENT ON FUNCTION data_import.import_verdict IS
    'done: the account takes imports; else supplier_not_ongoing or account_not_found.';

GRANT SELECT ON data_import.account TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.import_verdict TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.account_stage, data_import.account_begin, data_import.account_complete,
    data_import.account_fail TO "data-import-platform";
