-- Accounts: their states, their history, and actions on them that are no steps of their life.

CREATE TABLE data_import.account (
    account_key             uuid PRIMARY KEY,
    import_supplier         data_import.supplier_code NOT NULL REFERENCES data_import.import_supplier (code),
    external_account_number data_import.account_number NOT NULL,
    state                   data_import.account_state NOT NULL,
    service_account_number  data_import.service_number,
    account_created_at      timestamptz,
    failure_reason          data_import.reason,
    staged_at               timestamptz NOT NULL DEFAULT now(),
    state_changed_at        timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT imported_accounts_have_a_number CHECK ((state = 'imported') = (service_account_number IS NOT NULL)),
    CONSTRAINT imported_accounts_were_created CHECK ((state = 'imported') = (account_created_at IS NOT NULL)),
    CONSTRAINT account_created_at_is_of_the_years_1_to_9999
        CHECK (account_created_at >= '0001-01-01 00:00:00+00' AND account_created_at < '10000-01-01 00:00:00+00'),
    CONSTRAINT failed_accounts_alone_have_a_reason CHECK (state = 'failed' OR failure_reason IS NULL)
);
COMMENT ON TABLE data_import.account IS
    'Account import processes: staged, in progress, failed or imported (contract, section 1.3).';
COMMENT ON COLUMN data_import.account.account_key IS 'data_import.account_key(import_supplier, external_account_number).';
COMMENT ON COLUMN data_import.account.import_supplier IS 'Code of the supplier.';
COMMENT ON COLUMN data_import.account.external_account_number IS 'The account''s number in the supplier''s system.';
COMMENT ON COLUMN data_import.account.state IS 'How far its import has come.';
COMMENT ON COLUMN data_import.account.service_account_number IS 'The platform''s number; only of an imported account.';
COMMENT ON COLUMN data_import.account.account_created_at IS 'When the platform created it; only of an imported account.';
COMMENT ON COLUMN data_import.account.failure_reason IS
    'Why the last attempt failed; only of a failed one, null for one that was loaded as failed.';
COMMENT ON COLUMN data_import.account.staged_at IS 'When the account became known here.';
COMMENT ON COLUMN data_import.account.state_changed_at IS 'When the present state began.';

-- The listings read accounts in the order of this index. An index by state is not needed, because the table open_account has a
-- row for each account that is in progress or failed.
CREATE INDEX account_by_external_number ON data_import.account (import_supplier, external_account_number);

-- Numbers of accounts on the platform have a table of their own, because no index of the table account can make them unique when
-- accounts are distributed by their key.
CREATE TABLE data_import.service_account_number (
    service_account_number data_import.service_number PRIMARY KEY,
    account_key            uuid NOT NULL
);
COMMENT ON TABLE data_import.service_account_number IS 'Whose a number on the platform is: one number, one account.';
COMMENT ON COLUMN data_import.service_account_number.service_account_number IS 'The platform''s number.';
COMMENT ON COLUMN data_import.service_account_number.account_key IS 'The account that has it.';

CREATE TABLE data_import.account_step (
    account_key uuid NOT NULL,
    number      integer NOT NULL,
    state       data_import.account_state NOT NULL,
    at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    author      text NOT NULL,
    reason      data_import.reason,
    PRIMARY KEY (account_key, number)
);
COMMENT ON TABLE data_import.account_step IS 'The history of accounts: every step, when and by whom.';
COMMENT ON COLUMN data_import.account_step.account_key IS 'The account.';
COMMENT ON COLUMN data_import.account_step.number IS 'Place in the account''s history, from 1.';
COMMENT ON COLUMN data_import.account_step.state IS 'The state that began.';
COMMENT ON COLUMN data_import.account_step.at IS 'When it began.';
COMMENT ON COLUMN data_import.account_step.author IS
    'Who did it: the system user of data-importctl, else the role that the session had logged in with.';
COMMENT ON COLUMN data_import.account_step.reason IS
    'Why it failed; null for the other steps, and for an account that was loaded as failed.';

CREATE TABLE data_import.account_hold (
    account_key uuid PRIMARY KEY,
    since       timestamptz NOT NULL DEFAULT clock_timestamp(),
    author      text NOT NULL
);
COMMENT ON TABLE data_import.account_hold IS 'Accounts that nobody may reset or erase, for legal reasons say.';
COMMENT ON COLUMN data_import.account_hold.account_key IS 'The account.';
COMMENT ON COLUMN data_import.account_hold.since IS 'Since when.';
COMMENT ON COLUMN data_import.account_hold.author IS 'Who put it on hold, as in account_step.';

CREATE TABLE data_import.account_action (
    account_key uuid NOT NULL,
    number      integer NOT NULL,
    action      text NOT NULL
                CONSTRAINT account_action_is_known CHECK (action IN ('reset', 'held', 'released', 'erased')),
    at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    author      text NOT NULL,
    records     bigint,
    PRIMARY KEY (account_key, number)
);
COMMENT ON TABLE data_import.account_action IS 'What was done to accounts beside the steps of their life: who and when.';
COMMENT ON COLUMN data_import.account_action.account_key IS 'The account.';
COMMENT ON COLUMN data_import.account_action.number IS 'Place among these of the account, from 1.';
COMMENT ON COLUMN data_import.account_action.action IS
    'reset: what was imported was taken out; held, released: its hold began, ended; erased: it was, before it was staged '
    'again.';
COMMENT ON COLUMN data_import.account_action.at IS 'When.';
COMMENT ON COLUMN data_import.account_action.author IS 'Who did it, as in account_step.';
COMMENT ON COLUMN data_import.account_action.records IS 'How many records a reset took out; null for the others.';

CREATE TABLE data_import.erased_account (
    account_key uuid PRIMARY KEY,
    at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    author      text NOT NULL
);
COMMENT ON TABLE data_import.erased_account IS
    'Accounts that were erased, so that none of them comes again by accident: nothing of a person is left of them.';
COMMENT ON COLUMN data_import.erased_account.account_key IS
    'Digest of the supplier''s code and the account''s number: whoever has the number can tell whether it was erased.';
COMMENT ON COLUMN data_import.erased_account.at IS 'When.';
COMMENT ON COLUMN data_import.erased_account.author IS 'Who erased it, as in account_step.';

CREATE TYPE data_import.account_move AS (
    place                   integer,
    account_key             uuid,
    external_account_number text,
    state_before            text,
    state                   text,
    service_account_number  text,
    is_drawn                boolean,
    account_created_at      timestamptz,
    reason                  text,
    moves                   boolean,
    code                    text,
    sentence                text
);
COMMENT ON TYPE data_import.account_move IS 'What a call wants of one account, and what is to become of it.';
COMMENT ON COLUMN data_import.account_move.place IS
    'Place in the arrays of the call, from 1; the moves of a call stand in this order.';
COMMENT ON COLUMN data_import.account_move.account_key IS 'The account.';
COMMENT ON COLUMN data_import.account_move.external_account_number IS 'Its number in the supplier''s system.';
COMMENT ON COLUMN data_import.account_move.state_before IS 'The state that it is in; null: it is not known yet.';
COMMENT ON COLUMN data_import.account_move.state IS 'The state that is to begin; null: it stays imported.';
COMMENT ON COLUMN data_import.account_move.service_account_number IS 'The number that it gets; only of one that becomes imported.';
COMMENT ON COLUMN data_import.account_move.is_drawn IS 'Whether that number was drawn here.';
COMMENT ON COLUMN data_import.account_move.account_created_at IS 'When the platform created it; only of one that becomes imported.';
COMMENT ON COLUMN data_import.account_move.reason IS 'Why it failed; only of one that fails.';
COMMENT ON COLUMN data_import.account_move.moves IS
    'Whether anything changes: not of one that is in the state already, or may not move.';
COMMENT ON COLUMN data_import.account_move.code IS 'SQLSTATE of the refusal; null: it is not refused.';
COMMENT ON COLUMN data_import.account_move.sentence IS 'The refusal for people.';

-- Returns the author of a step: the person that the setting data_import.operator names, or the role that has logged in.
-- data-importctl and the page of operators name the person that they act for in the setting. The setting counts only for members
-- of the role data-import-owner, and for data-import-operator, the role of the page of operators.
CREATE FUNCTION data_import.step_author() RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN pg_has_role(session_user, 'data-import-owner', 'MEMBER') OR session_user = 'data-import-operator'
                THEN coalesce(nullif(current_setting('data_import.operator', true), ''), session_user)
                ELSE session_user END
$$;
COMMENT ON FUNCTION data_import.step_author IS
    'Who moves accounts in this session: the setting data_import.operator of an administrator or of the page of operators, '
    'else who logged in.';

CREATE SEQUENCE data_import.service_account_number_draw MINVALUE 1 MAXVALUE 4294967295 CYCLE CACHE 100;
COMMENT ON SEQUENCE data_import.service_account_number_draw IS 'Source of numbers on the platform that are given out here.';

-- An odd factor permutes the 32-bit numbers, so that neighbours do not look alike and none comes twice; it is small
-- enough for the product to stay inside a bigint.
CREATE FUNCTION data_import.draw_service_account_number() RETURNS text
LANGUAGE sql VOLATILE AS $$
    SELECT 'A-' || upper(lpad(to_hex((nextval('data_import.service_account_number_draw') * 1640531535) % 4294967296), 8, '0'))
$$;
COMMENT ON FUNCTION data_import.draw_service_account_number IS
    'A- and eight hexadecimal digits that were not given out here before; an account may have been given them by others.';

CREATE FUNCTION data_import.service_account_number_owner(p_number text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_account_key constant uuid := (
        SELECT account_key FROM data_import.service_account_number WHERE service_account_number = p_number);
BEGIN
    RETURN (SELECT external_account_number || ' of ' || import_supplier FROM data_import.account
            WHERE account_key = v_account_key);
END
$$;
COMMENT ON FUNCTION data_import.service_account_number_owner IS 'Whose the number is, as people say it: 4711 of ACME.';

-- Finds accounts that were staged with an invisible character, by the visible characters of their numbers. Such accounts are few,
-- so the index is small.
--
-- The index, and the queries that use it, contain the list of characters itself, because the nodes of Citus do not know the
-- function invisible_characters.
DO $$
BEGIN
    EXECUTE format(
        'CREATE INDEX account_with_invisible_character ON data_import.account
             (import_supplier, regexp_replace(external_account_number, %1$L, '''', ''g''))
         WHERE external_account_number ~ %1$L', data_import.invisible_characters());
END
$$;

-- Staged accounts in the order in which they came.
CREATE INDEX account_staged ON data_import.account (import_supplier, state_changed_at, account_key) WHERE state = 'staged';

GRANT SELECT ON data_import.account, data_import.account_step, data_import.service_account_number, data_import.account_hold,
    data_import.account_action, data_import.erased_account TO "data-import";
