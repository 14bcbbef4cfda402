-- Statement periods of accounts: transactions are dated inside the open one (contract, section 5.4).

CREATE TABLE data_import.statement_period (
    account_key uuid NOT NULL,
    first_day   date NOT NULL,
    last_day    date NOT NULL,
    opened_at   timestamptz NOT NULL DEFAULT now(),
    closed_at   timestamptz,
    PRIMARY KEY (account_key, first_day),
    CONSTRAINT statement_period_has_a_day CHECK (first_day <= last_day),
    CONSTRAINT statement_period_is_of_the_years_1_to_9999 CHECK (first_day >= '0001-01-01' AND last_day <= '9999-12-31')
);
COMMENT ON TABLE data_import.statement_period IS 'Statement periods of accounts; at most one of an account is open.';
COMMENT ON COLUMN data_import.statement_period.account_key IS 'The account.';
COMMENT ON COLUMN data_import.statement_period.first_day IS 'First day of the period.';
COMMENT ON COLUMN data_import.statement_period.last_day IS 'Last day of the period, inclusive.';
COMMENT ON COLUMN data_import.statement_period.opened_at IS 'When the period was opened.';
COMMENT ON COLUMN data_import.statement_period.closed_at IS 'When the period was closed; null while it is open.';
CREATE UNIQUE INDEX statement_period_open ON data_import.statement_period (account_key) WHERE closed_at IS NULL;

-- Opens statement periods at the time p_at, and returns how many of them were not open before. The arrays hold one element for
-- each account; both days are null for an account whose periods stay as they are. Another open period of the account is closed. A
-- closed period that begins on the wanted first day is opened again. If the wanted period is open already, nothing changes.
--
-- The SET clauses make each plan find rows by the index and join them by hashing, even if PostgreSQL made the plan while the
-- table was empty.
CREATE FUNCTION data_import.open_statement_periods(
    p_account_keys uuid[], p_first_days date[], p_last_days date[], p_at timestamptz)
RETURNS bigint LANGUAGE plpgsql VOLATILE SET enable_nestloop = off SET enable_seqscan = off AS $$
DECLARE
    v_keys uuid[];
    v_first_days date[];
    v_reopened bigint := 0;
    v_inserted bigint;
BEGIN
    SELECT array_agg(account_key), array_agg(first_day) INTO v_keys, v_first_days
    FROM data_import.statement_period WHERE account_key = ANY (p_account_keys);
    IF v_keys IS NOT NULL THEN
        UPDATE data_import.statement_period AS period SET closed_at = p_at
        FROM unnest(p_account_keys, p_first_days, p_last_days) AS wanted (account_key, first_day, last_day)
        WHERE period.account_key = wanted.account_key AND period.account_key = ANY (p_account_keys)
          AND period.closed_at IS NULL
          AND (period.first_day <> wanted.first_day OR period.last_day <> wanted.last_day);
        UPDATE data_import.statement_period AS period SET last_day = wanted.last_day, opened_at = p_at, closed_at = NULL
        FROM unnest(p_account_keys, p_first_days, p_last_days) AS wanted (account_key, first_day, last_day)
        WHERE period.account_key = wanted.account_key AND period.account_key = ANY (p_account_keys)
          AND period.first_day = wanted.first_day AND period.closed_at IS NOT NULL;
        GET DIAGNOSTICS v_reopened = ROW_COUNT;
    END IF;
    INSERT INTO data_import.statement_period (account_key, first_day, last_day, opened_at)
    SELECT wanted.account_key, wanted.first_day, wanted.last_day, p_at
    FROM (SELECT unnest(p_account_keys) AS account_key, unnest(p_first_days) AS first_day, unnest(p_last_days) AS last_day)
         AS wanted
    WHERE wanted.first_day IS NOT NULL
      AND (wanted.account_key, wanted.first_day) NOT IN (SELECT unnest(v_keys), unnest(v_first_days))
    ORDER BY wanted.account_key;
    GET DIAGNOSTICS v_inserted = ROW_COUNT;
    RETURN v_reopened + v_inserted;
END
$$;
COMMENT ON FUNCTION data_import.open_statement_periods IS
    'Opens statement periods in place of the open ones, and tells how many were not open yet.';

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
