-- Definitions that all other files need: the rules for names, the key of an account, and advisory locks.
--
-- The files are numbered in the order in which they are read: suppliers, receipts, accounts, imports by kind, what becomes of
-- records, the platform, migrations, access, upkeep, distribution. Each file holds one subject: its tables with their comments,
-- its functions and its grants.

-- Every object is defined before the objects that use it. No definition is replaced: these files are the current schema, and
-- sql/upgrades/ changes the database of an earlier version to this schema.
--
-- Every table that belongs to an account has account_key as the first column of its primary key, so that the schema can be spread
-- over several machines by that column. Account keys are opaque, so their order has no meaning. Small tables that all accounts
-- share have no account_key. text_problem checks all names that operators and the platform give.
--
-- Tables that belong to accounts have no foreign key to account, because only erasures delete accounts, under the lock that
-- imports take. A foreign key would make each import look up the account once more and lock its row. An import of one note would
-- take 13 % more of the database's time (14 microseconds of 110, median of five pairs). It would also write 67 bytes more than
-- its 600 bytes to the WAL.
--
-- Only the owner may use the schema's functions and tables, unless a file grants more. Functions that the platform's role may
-- call run with the owner's rights, and so do most functions by which the service's role changes anything.
--
-- Functions that import notes, transactions, historical statements or documents, and those that keep the answers of imports, run
-- with the service's own rights. So the service's role may insert into their tables. With the owner's rights and a search_path of
-- their own, these functions would take 9 % more of the database's time for an import of one note (10 microseconds of 110, median
-- of five pairs).
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

-- Keeps Citus from copying the schema to its workers by itself, because `db distribute` copies what the workers need. The workers
-- need no views, and Citus would mistake grants on the functions inside of views for a circular dependency.
SET LOCAL citus.enable_ddl_propagation = off;

-- Returns what is wrong with p_text as a text of the form p_form; null if nothing is wrong. The forms are:
--
--   text  may have several lines; has at most p_longest characters, and not white space alone
--   line  a text that terminals and tables show in one line: no control characters, and none that change the direction of text
--   name  a line that may stand in paths: no segments . and .., which clients and proxies resolve, and no blanks at its ends
--
-- data-importctl checks by the same rules (src/tools/ctl/values.cc). E'' strings mean the same with any
-- standard_conforming_strings.
CREATE FUNCTION data_import.text_problem(p_form text, p_text text, p_longest integer) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN p_text = '' THEN 'is empty'
                WHEN btrim(p_text, E'\u0009\u000a\u000b\u000c\u000d\u0020\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005'
                                    '\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000') = '' THEN 'is blank'
                WHEN char_length(p_text) > p_longest THEN 'is longer than ' || p_longest::text || ' characters'
                WHEN p_form = 'text' THEN NULL
                WHEN p_text ~ E'[\u0001-\u001f\u007f-\u009f]' THEN 'holds a control character'
                WHEN p_text ~ E'[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'
                    THEN 'holds an invisible character that changes the direction of text'
                WHEN p_form <> 'name' THEN NULL
                WHEN '/' || p_text || '/' LIKE ANY (ARRAY['%/./%', '%/../%']) THEN 'holds a segment . or ..'
                WHEN p_text ~ E'^[ \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]'
                    OR p_text ~ E'[ \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$'
                    THEN 'begins or ends with a blank' END
$$;
COMMENT ON FUNCTION data_import.text_problem IS
    'What is wrong with a text of that form (text, line, name), to stand behind the text''s own name. Null: nothing.';

-- Domains of values that columns of several tables hold.
CREATE DOMAIN data_import.supplier_code AS text COLLATE "C"
    CONSTRAINT supplier_code_is_a_name CHECK (data_import.text_problem('name', VALUE, 64) IS NULL);
COMMENT ON DOMAIN data_import.supplier_code IS 'Code of an import supplier.';

CREATE DOMAIN data_import.account_number AS text COLLATE "C"
    CONSTRAINT account_number_is_a_name CHECK (data_import.text_problem('name', VALUE, 128) IS NULL);
COMMENT ON DOMAIN data_import.account_number IS 'Number of an account in the supplier''s system.';

CREATE DOMAIN data_import.service_number AS text COLLATE "C"
    CONSTRAINT service_number_is_a_name CHECK (data_import.text_problem('name', VALUE, 64) IS NULL);
COMMENT ON DOMAIN data_import.service_number IS 'Number of an account on the platform.';

CREATE DOMAIN data_import.label AS text
    CONSTRAINT label_is_a_line CHECK (data_import.text_problem('line', VALUE, 255) IS NULL);
COMMENT ON DOMAIN data_import.label IS 'Name that people gave to somebody.';

CREATE DOMAIN data_import.reason AS text
    CONSTRAINT reason_is_a_text CHECK (data_import.text_problem('text', VALUE, 4096) IS NULL);
COMMENT ON DOMAIN data_import.reason IS 'Why something was done or failed.';

CREATE DOMAIN data_import.supplier_status AS text
    CONSTRAINT supplier_status_is_known CHECK (VALUE IN ('Ongoing', 'Paused', 'Complete'));
COMMENT ON DOMAIN data_import.supplier_status IS
    'Ongoing: takes imports; Paused: refuses them for a while; Complete: refuses them for good.';

CREATE DOMAIN data_import.account_state AS text
    CONSTRAINT account_state_is_known CHECK (VALUE IN ('staged', 'in_progress', 'failed', 'imported'));
COMMENT ON DOMAIN data_import.account_state IS
    'staged: data is staged; in_progress: an attempt is running; failed: the last attempt failed; imported: it exists.';

-- The only place where the key of an account is computed. Supplier codes hold no U+001F, so no two pairs make the same text.
-- PL/pgSQL keeps the plan, while an SQL function with convert_to in it is parsed and planned again in every call.
CREATE FUNCTION data_import.account_key(p_import_supplier text, p_external_account_number text) RETURNS uuid
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    RETURN encode(substring(sha256(convert_to(p_import_supplier || chr(31) || p_external_account_number, 'UTF8'))
                            FROM 1 FOR 16), 'hex')::uuid;
END
$$;
COMMENT ON FUNCTION data_import.account_key IS
    'Key of an account: first 16 bytes of SHA-256 over supplier code, U+001F, external account number.';

-- Returns the number of an advisory lock, computed from its kind and its name. PostgreSQL knows an advisory lock only by a 64-bit
-- number. If the table below says none for the name, the name is empty, and all calls with this kind take the same lock.
--
--   KIND                    NAME OF A LOCK: functions that take it exclusively; shared: functions that take it as a shared lock
--   account                 the account key: lock_account
--   price_sheets            the organisation: lock_price_sheets
--   token_request           the address block, followed by the id of a valid key: request_token
--   control_totals          the supplier's code: control_totals_declare; consumer, U+001F, that code: platform.declare_totals
--   idempotency_key         organisation, U+001F, key: idempotency_key_claim, idempotency_key_hold
--   account_refusal         none: keep_account_refusals, account_refusals_purge, refusals_of_unknown_purge, account_erase,
--                           begin_erasure, erase_locked_accounts, end_erasure
--   account_removal         the account key: hold_for_removal, lock_for_removal, take_off_totals_here; shared: is_answer_to_keep
--   recount                 the supplier's code: correct_totals
--   housekeeping            none: housekeeping, measure_kept_answers, forget_empty_figures, account_erase, drop_events
--   news                    none: deliver_news, consumer_add, consumer_fill, consumer_ready, consumer_remove, begin_erasure
--   operator_act            the operator's name: begin_operator_act
--   schema_migration        none: migrations, which compute the number without this function (src/data/store/migrations.cc)
--
-- Each number is the beginning of a SHA-256 over kind and name, because clients choose some of the names: nobody can make up a
-- name whose number is that of another lock. The number of an account's lock comes from the account key, which is a SHA-256
-- already. lock_account only mixes the bits of the key, because each import takes this lock: 3 microseconds instead of 10.
CREATE FUNCTION data_import.lock_number(p_kind text, p_name text) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    IF p_kind NOT IN ('price_sheets', 'token_request', 'control_totals', 'idempotency_key', 'account_refusal',
                      'account_removal', 'recount', 'housekeeping', 'news', 'schema_migration', 'operator_act') THEN
        RAISE EXCEPTION 'there is no kind of advisory lock %', p_kind;
    END IF;
    RETURN ('x' || encode(substring(sha256(convert_to(p_kind || chr(31) || p_name, 'UTF8')) FROM 1 FOR 8), 'hex'))
        ::bit(64)::bigint;
END
$$;
COMMENT ON FUNCTION data_import.lock_number IS
    'Number of an advisory lock: first 8 bytes of SHA-256 over its kind, U+001F, its name.';

-- Waits until no other transaction has the account's lock, and locks the account until the transaction ends. So imports of one
-- account wait for each other. Raises 25000 if the isolation level of the transaction is not READ COMMITTED.
--
-- In READ COMMITTED, statements after the lock see all that was stored before the lock. At other levels, the snapshot would be
-- older than the lock, and an erasure would leave records that were imported between the two. The lock is an advisory lock, so it
-- leaves no dead rows.
CREATE FUNCTION data_import.lock_account(p_account_key uuid) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'accounts are worked on in transactions of the isolation level READ COMMITTED, not %',
            upper(current_setting('transaction_isolation')) USING ERRCODE = 'invalid_transaction_state';
    END IF;
    PERFORM pg_advisory_xact_lock(uuid_hash_extended(p_account_key, 0));
END
$$;
COMMENT ON FUNCTION data_import.lock_account IS
    'Waits for other imports into the account, until the transaction ends. Raises 25000 where that is not READ COMMITTED.';

-- Makes the commit of the calling transaction wait for the synchronous standbys, if there are any, by a message in the WAL.
--
-- Functions call await_standbys before they answer that something is stored already, because the stored rows may come from a
-- commit that was interrupted while it waited for a standby. Such rows can be seen, but a failover would lose them.
CREATE FUNCTION data_import.await_standbys() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF current_setting('synchronous_standby_names') <> '' THEN
        PERFORM pg_logical_emit_message(true, 'data_import', '');
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.await_standbys IS
    'Lets the commit wait until all that can be seen now is on the synchronous standbys, where there are any.';

-- Tries to get the locks of several accounts, and waits for none. Returns the accounts that are locked elsewhere.
CREATE FUNCTION data_import.try_lock_accounts(p_account_key uuid[]) RETURNS uuid[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_account_key uuid;
    v_locked uuid[] := '{}';
BEGIN
    FOREACH v_account_key IN ARRAY p_account_key LOOP
        IF NOT pg_try_advisory_xact_lock(uuid_hash_extended(v_account_key, 0)) THEN
            v_locked := v_locked || v_account_key;
        END IF;
    END LOOP;
    RETURN v_locked;
END
$$;
COMMENT ON FUNCTION data_import.try_lock_accounts IS
    'Locks accounts until the transaction ends; answers those that somebody else has locked.';

-- Characters that nobody sees, as a bracket expression of regular expressions: the list of src/base/util/invisible.cc. A test compares
-- the two.
CREATE FUNCTION data_import.invisible_characters() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT E'[\u0001-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f'
            '\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U00016fe4'
            '\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'
$$;
COMMENT ON FUNCTION data_import.invisible_characters IS
    'Characters that nobody sees, or nobody tells from a space: a bracket expression.';

CREATE FUNCTION data_import.invisible_problem(p_text text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    v_invisible constant text := data_import.invisible_characters();
    v_first constant text := substring(p_text FROM v_invisible);
    v_code constant text := upper(to_hex(ascii(v_first)));
BEGIN
    IF v_first IS NULL THEN
        RETURN NULL;
    END IF;
    RETURN CASE WHEN p_text ~ ('^ *' || v_invisible) THEN 'begins with'
                WHEN regexp_replace(substr(p_text, strpos(p_text, v_first)), v_invisible || '| ', '', 'g') = '' THEN 'ends with'
                ELSE 'holds' END || ' U+' || lpad(v_code, greatest(4, length(v_code)), '0');
END
$$;
COMMENT ON FUNCTION data_import.invisible_problem IS
    'The first character of a text that nobody sees, to stand behind the text''s own name (ends with U+200B). Null: all are seen.';

CREATE FUNCTION data_import.with_invisible_named(p_text text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    v_named text := p_text;
    v_next text;
    v_code text;
BEGIN
    LOOP
        v_next := substring(v_named FROM data_import.invisible_characters());
        EXIT WHEN v_next IS NULL;
        v_code := upper(to_hex(ascii(v_next)));
        v_named := replace(v_named, v_next, '<U+' || lpad(v_code, greatest(4, length(v_code)), '0') || '>');
    END LOOP;
    RETURN v_named;
END
$$;
COMMENT ON FUNCTION data_import.with_invisible_named IS 'A text with each of these characters named: 4711<U+200B>.';

GRANT USAGE ON SCHEMA data_import TO "data-import", "data-import-platform", "data-import-reader";
GRANT SELECT ON data_import.schema_migration TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.text_problem, data_import.account_key, data_import.lock_number, data_import.lock_account,
    data_import.await_standbys, data_import.try_lock_accounts, data_import.invisible_characters TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.text_problem TO "data-import-platform", "data-import-reader";
