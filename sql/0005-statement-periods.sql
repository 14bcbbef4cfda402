-- Statement periods of accounts: transactions are dated inside the open one (decisions, section 5).

CREATE TABLE data_import.statement_period (
    account_key uuid NOT NULL,
    first_day   date NOT NULL,
    last_day    date NOT NULL,
    opened_at   timestamptz NOT NULL DEFAULT now(),
    closed_at   timestamptz,
    PRIMARY KEY (account_key, first_day),
    CHECK (first_day <= last_day)
);
CREATE UNIQUE INDEX statement_period_open ON data_import.statement_period (account_key) WHERE closed_at IS NULL;
COMMENT ON TABLE data_import.statement_period IS 'Statement periods of accounts; at most one of an account is open.';
COMMENT ON COLUMN data_import.statement_period.account_key IS 'The account.';
COMMENT ON COLUMN data_import.statement_period.first_day IS 'First day of the period.';
COMMENT ON COLUMN data_import.statement_period.last_day IS 'Last day of the period, inclusive.';
COMMENT ON COLUMN data_import.statement_period.opened_at IS 'When the period was opened.';
COMMENT ON COLUMN data_import.statement_period.closed_at IS 'When the period was closed; null while it is open.';

-- Opens a period in place of the one that is open; opening the open one again changes nothing.
CREATE FUNCTION data_import.open_statement_period(p_account_key uuid, p_first_day date, p_last_day date) RETURNS boolean
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
COMMENT ON FUNCTION data_import.open_statement_period IS 'Opens a statement period; the open one is closed.';

-- The platform opens a statement period of an imported account; the one that is open is closed. True when anything
-- changed.
CREATE FUNCTION data_import.statement_open(
    p_import_supplier text, p_external_account_number text, p_first_day date, p_last_day date)
RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_state constant text := data_import.lock_account_state(p_import_supplier, p_external_account_number);
BEGIN
    IF v_state IS DISTINCT FROM 'imported' THEN
        PERFORM data_import.refuse_step('have a statement period', v_state, p_import_supplier, p_external_account_number);
    END IF;
    RETURN data_import.open_statement_period(data_import.account_key(p_import_supplier, p_external_account_number),
                                      p_first_day, p_last_day);
END
$$;
COMMENT ON FUNCTION data_import.statement_open IS
    'Opens a statement period of an imported account in place of the open one. Raises DI003, DI004.';

-- The platform closes the open statement period: the account takes no transactions from now on. True when there was one.
CREATE FUNCTION data_import.statement_close(p_import_supplier text, p_external_account_number text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_state constant text := data_import.lock_account_state(p_import_supplier, p_external_account_number);
BEGIN
    IF v_state IS DISTINCT FROM 'imported' THEN
        PERFORM data_import.refuse_step('have a statement period', v_state, p_import_supplier, p_external_account_number);
    END IF;
    UPDATE data_import.statement_period SET closed_at = clock_timestamp()
    WHERE account_key = data_import.account_key(p_import_supplier, p_external_account_number) AND closed_at IS NULL;
    RETURN FOUND;
END
$$;
COMMENT ON FUNCTION data_import.statement_close IS
    'Closes the open statement period of an imported account. Raises DI003, DI004.';

-- The date under which a transaction is stored: the one that was sent, or the nearest day of the period.
CREATE FUNCTION data_import.date_inside(p_date date, p_first_day date, p_last_day date) RETURNS date
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN least(greatest(p_date, p_first_day), p_last_day);
END
$$;
COMMENT ON FUNCTION data_import.date_inside IS
    'The date itself, the period''s first day for one before it, its last day for one after it.';

CREATE FUNCTION data_import.moved_date_description(p_date date, p_first_day date, p_last_day date) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
    RETURN CASE WHEN p_date BETWEEN p_first_day AND p_last_day THEN NULL ELSE
        'Dated ' || to_char(data_import.date_inside(p_date, p_first_day, p_last_day), 'YYYY-MM-DD') || ' instead of '
        || to_char(p_date, 'YYYY-MM-DD') || ', which is '
        || CASE WHEN p_date < p_first_day THEN 'before the first' ELSE 'after the last' END
        || ' day of the statement period ' || to_char(p_first_day, 'YYYY-MM-DD') || ' to '
        || to_char(p_last_day, 'YYYY-MM-DD') || ' that was open at the import.' END;
END
$$;
COMMENT ON FUNCTION data_import.moved_date_description IS
    'Which date was asked for, which is taken and why; null for a date inside the period.';

GRANT SELECT ON data_import.statement_period TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.date_inside, data_import.moved_date_description TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.statement_open, data_import.statement_close TO "data-import-platform";
