-- Reset and erasure of accounts, the hold that forbids both, and the removal of suppliers without records.

-- The platform's software may call these functions, as well as those that move accounts (08-account-steps.sql):
--
--   account_reset(import_supplier, external_account_number) -> bigint         removes all that was imported into the account;
--                                                                             the account keeps its state and its number
--   account_hold(import_supplier, external_account_number [, false]) -> boolean   keeps the account from being reset or erased;
--                                                                             with false, ends this hold
--   account_erase(import_supplier, external_account_number) -> bigint         removes all but the fact that the account was
--                                                                             erased; if called again, removes what came since
--   account_stage(import_supplier, external_account_number, true) -> boolean  stages an account that was erased
--
-- account_reset and account_erase return the number of records that they have removed; account_erase returns null if it has
-- changed nothing. account_hold and account_stage return whether they have changed anything. Besides the errors DI001 to DI005
-- and DI009, which 08-account-steps.sql explains, these functions raise:
--
--   DI007  the account was erased; only account_stage with true as its last argument makes it known again
--   DI008  the account is on hold

-- Computes from the stored records the same figures that imports write to import_receipt.
--
-- The formula of each figure stands in this view. For kinds of which one call imports thousands of records, the formula is a
-- function, which the import calls, too. For documents, data-import computes the figures in the same way from what was sent
-- (src/data/records/kinds.cc).
CREATE VIEW data_import.record_figure AS
SELECT account_key, 'notes' AS kind, figure, value
FROM data_import.note, data_import.note_figures(is_by_service, 1)
UNION ALL
SELECT account_key, 'transactions' AS kind, figure, value
FROM data_import.financial_transaction, data_import.transaction_figures(type, 1, amount)
UNION ALL
SELECT account_key, 'historical_statements' AS kind, figure, value
FROM data_import.historical_statement, data_import.historical_statement_figures(1, gross_amount)
UNION ALL
SELECT account_key, 'delivery_notes' AS kind, figure, value
FROM data_import.delivery_note,
     LATERAL (VALUES ('records', 1::numeric), ('amounts', cardinality(amount_quantity))) AS summed (figure, value)
UNION ALL
SELECT account_key, 'delivery_notes', 'quantity:' || coalesce(amount.unit, amount_quantity_unit[1]), amount.quantity
FROM data_import.delivery_note, unnest(amount_quantity_unit, amount_quantity) AS amount (unit, quantity)
UNION ALL
SELECT account_key, 'energy_amounts' AS kind, figure, value
FROM data_import.energy_amount,
     LATERAL (VALUES ('records', 1::numeric), ('quantity:' || quantity_unit, quantity)) AS summed (figure, value)
UNION ALL
SELECT account_key, 'market_participant_invoices' AS kind, figure, value
FROM data_import.market_participant_invoice,
     LATERAL (VALUES ('records', 1::numeric), ('amount_total', amount_total),
                     ('line_items', json_array_length(line_items))) AS summed (figure, value)
UNION ALL
SELECT account_key, 'payment_instructions' AS kind, 'records' AS figure, 1::numeric AS value
FROM data_import.payment_instruction;
COMMENT ON VIEW data_import.record_figure IS
    'What each stored record adds to the figures of receipts and totals. A value is null where the record has none.';
COMMENT ON COLUMN data_import.record_figure.account_key IS 'The account.';
COMMENT ON COLUMN data_import.record_figure.kind IS 'Kind of the record, as in import_receipt.';
COMMENT ON COLUMN data_import.record_figure.figure IS 'What is counted or summed up, as in import_receipt.';
COMMENT ON COLUMN data_import.record_figure.value IS 'What the record adds to it.';

-- Returns every table that has a column account_key, except the tombstones (erased_account) and tables of another owner. An
-- erasure deletes the account's rows from all returned tables. A reset deletes them only from the tables with is_imported = true,
-- whose rows come with imports.
--
-- A new table of accounts is found without a change here. But a new table of imported records has to be added to the names in
-- this function.
CREATE FUNCTION data_import.tables_of_accounts() RETURNS TABLE (table_name name, is_imported boolean)
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT class.relname,
           class.relname = ANY (ARRAY['note', 'financial_transaction', 'transaction_line_item', 'transaction_tax_item',
                                      'historical_statement', 'delivery_note', 'energy_amount', 'market_participant_invoice',
                                      'payment_instruction', 'idempotency_key']::name[])
    FROM pg_catalog.pg_class AS class
    JOIN pg_catalog.pg_attribute AS attribute ON attribute.attrelid = class.oid AND attribute.attname = 'account_key'
    JOIN pg_catalog.pg_class AS own ON own.oid = 'data_import.account'::regclass AND own.relowner = class.relowner
    WHERE class.relnamespace = 'data_import'::regnamespace AND class.relkind IN ('r', 'p')
      AND class.relname <> 'erased_account'
    ORDER BY class.relname;
END
$$;
COMMENT ON FUNCTION data_import.tables_of_accounts IS
    'The tables that have rows of accounts, and which of these come with imports.';

CREATE FUNCTION data_import.record_account_action(p_account_key uuid, p_action text, p_records bigint DEFAULT NULL)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_number integer;
BEGIN
    SELECT coalesce(max(number), 0) + 1 INTO v_number FROM data_import.account_action WHERE account_key = p_account_key;
    INSERT INTO data_import.account_action (account_key, number, action, author, records)
    VALUES (p_account_key, v_number, p_action, data_import.step_author(), p_records);
END
$$;
COMMENT ON FUNCTION data_import.record_account_action IS 'Adds to what was done to the account.';

-- Subtracts the account's records from the totals. Returns the number of records.
CREATE FUNCTION data_import.take_account_off_totals(p_account_key uuid, p_import_supplier text) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_kinds text[];
    v_figures text[];
    v_values numeric[];
    v_records bigint;
BEGIN
    SELECT array_agg(kind), array_agg(figure), array_agg(value),
           coalesce(sum(value) FILTER (WHERE figure IN ('records', 'pinned')), 0)
    INTO v_kinds, v_figures, v_values, v_records
    FROM (SELECT kind, figure, sum(value) AS value FROM data_import.record_figure WHERE account_key = p_account_key
          GROUP BY kind, figure) AS summed
    WHERE value <> 0;
    INSERT INTO data_import.import_receipt (import_supplier, kind, figure, value)
    SELECT p_import_supplier, kind, figure, -value FROM unnest(v_kinds, v_figures, v_values) AS gone (kind, figure, value);
    RETURN v_records;
END
$$;
COMMENT ON FUNCTION data_import.take_account_off_totals IS 'Takes the records of the account off the totals, and tells how many they are.';

-- Deletes rows of an account, and returns how many. If p_is_imported is true, deletes from the tables whose rows come with
-- imports, otherwise from the other tables that tables_of_accounts returns.
--
-- The account's row in service_account_number stays, because no index leads from an account to its number on the platform.
-- account_erase, which knows the number, deletes that row.
CREATE FUNCTION data_import.remove_account_rows(p_account_key uuid, p_is_imported boolean) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_table name;
    v_rows bigint;
    v_all bigint := 0;
BEGIN
    FOR v_table IN SELECT table_name FROM data_import.tables_of_accounts()
                   WHERE is_imported = p_is_imported AND table_name <> 'service_account_number' LOOP
        EXECUTE format('DELETE FROM data_import.%I WHERE account_key = $1', v_table) USING p_account_key;
        GET DIAGNOSTICS v_rows = ROW_COUNT;
        v_all := v_all + v_rows;
    END LOOP;
    RETURN v_all;
END
$$;
COMMENT ON FUNCTION data_import.remove_account_rows IS
    'Deletes the rows of the account that came with imports, or the others, and tells how many.';

CREATE FUNCTION data_import.account_hold(
    p_import_supplier text, p_external_account_number text, p_is_held boolean DEFAULT true)
RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_account_key constant uuid := data_import.account_key(p_import_supplier, p_external_account_number);
    v_was_held boolean;
BEGIN
    IF p_is_held IS NULL THEN
        RAISE EXCEPTION 'an account is on hold or not' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM data_import.lock_account(v_account_key);
    PERFORM 1 FROM data_import.account WHERE account_key = v_account_key;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'import supplier % has no account %', p_import_supplier, p_external_account_number
            USING ERRCODE = 'DI003';
    END IF;
    PERFORM 1 FROM data_import.account_hold WHERE account_key = v_account_key;
    v_was_held := FOUND;
    IF v_was_held = p_is_held THEN
        PERFORM data_import.await_standbys();
        RETURN false;
    ELSIF p_is_held THEN
        INSERT INTO data_import.account_hold (account_key, author) VALUES (v_account_key, data_import.step_author());
    ELSE
        DELETE FROM data_import.account_hold WHERE account_key = v_account_key;
    END IF;
    PERFORM data_import.record_account_action(v_account_key, CASE WHEN p_is_held THEN 'held' ELSE 'released' END);
    RETURN true;
END
$$;
COMMENT ON FUNCTION data_import.account_hold IS
    'Forbids to reset or erase the account, or allows it again. Raises DI003.';

-- Locks an account that is to be reset or erased, so that each import into it, and each kept answer, comes before or after the
-- removal. Returns the account's state; null if the account was erased. p_step is `reset` or `erased`, for the text of errors.
CREATE FUNCTION data_import.hold_for_removal(p_import_supplier text, p_external_account_number text, p_step text) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_account_key constant uuid := data_import.account_key(p_import_supplier, p_external_account_number);
    v_state text;
BEGIN
    LOCK TABLE data_import.account IN ROW EXCLUSIVE MODE;
    PERFORM data_import.lock_account(v_account_key);
    PERFORM pg_advisory_xact_lock(data_import.lock_number('account_removal', v_account_key::text));
    SELECT state INTO v_state FROM data_import.account WHERE account_key = v_account_key;
    IF v_state IS NULL THEN
        PERFORM 1 FROM data_import.erased_account WHERE account_key = v_account_key;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'import supplier % has no account %', p_import_supplier, p_external_account_number
                USING ERRCODE = 'DI003';
        END IF;
    ELSIF v_state = 'in_progress' THEN
        RAISE EXCEPTION 'account % of % is in progress: it cannot be %', p_external_account_number, p_import_supplier, p_step
            USING ERRCODE = 'DI004';
    END IF;
    PERFORM 1 FROM data_import.account_hold WHERE account_key = v_account_key;
    IF FOUND THEN
        RAISE EXCEPTION 'account % of % is on hold: it cannot be %', p_external_account_number, p_import_supplier, p_step
            USING ERRCODE = 'DI008';
    END IF;
    PERFORM data_import.await_standbys();
    RETURN v_state;
END
$$;
COMMENT ON FUNCTION data_import.hold_for_removal IS
    'Locks an account that may be reset or erased, and tells its state. Raises DI003, DI004, DI008.';

-- Removes the supplier's sums of quantities (quantity:KWH for example) that have come to 0. The unit in the name of such a sum is
-- a text that the supplier sent, so it must go with the last record that has it.
--
-- A single statement finds these sums and deletes their receipts and totals, so receipts that imports add meanwhile are not
-- deleted. The lock of housekeeping keeps housekeeping from moving receipts into totals until the transaction ends.
CREATE FUNCTION data_import.forget_empty_figures(p_import_supplier text) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(data_import.lock_number('housekeeping', ''));
    WITH empty AS MATERIALIZED (
        SELECT kind, figure FROM data_import.counted_figure
        WHERE import_supplier = p_import_supplier AND figure LIKE 'quantity:%'
        GROUP BY kind, figure HAVING sum(value) = 0
    ), receipts AS (
        DELETE FROM data_import.import_receipt AS receipt USING empty
        WHERE receipt.import_supplier = p_import_supplier AND receipt.kind = empty.kind AND receipt.figure = empty.figure
    )
    DELETE FROM data_import.import_total AS total USING empty
    WHERE total.import_supplier = p_import_supplier AND total.kind = empty.kind AND total.figure = empty.figure;
END
$$;
COMMENT ON FUNCTION data_import.forget_empty_figures IS 'Removes the supplier''s sums of quantities that have come to nothing.';

-- Removes an account's external number, its number on the platform and the reasons of its failures from the account's events. The
-- events stay at their places, so that the cursors of readers stay valid. Readers pass over events without a subject.
--
-- The steps of the account must be deleted only after this call. The function finds the events by the times of the steps, because
-- no index leads from an account to its events.
CREATE FUNCTION data_import.forget_events(p_import_supplier text, p_external_account_number text) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_account_key constant uuid := data_import.account_key(p_import_supplier, p_external_account_number);
    v_at timestamptz[];
BEGIN
    SELECT array_agg(DISTINCT at) INTO v_at FROM data_import.account_step WHERE account_key = v_account_key;
    UPDATE data_import.event AS event
    SET (subjects, service_account_numbers, reasons) = (
        SELECT array_agg(nullif(subject, p_external_account_number) ORDER BY place),
               array_agg(CASE WHEN subject <> p_external_account_number THEN service_account_number END ORDER BY place),
               array_agg(CASE WHEN subject <> p_external_account_number THEN reason END ORDER BY place)
        FROM unnest(event.subjects, event.service_account_numbers, event.reasons) WITH ORDINALITY
            AS item (subject, service_account_number, reason, place))
    WHERE event.import_supplier = p_import_supplier AND event.at = ANY (v_at) AND event.kind = 'account'
      AND p_external_account_number = ANY (event.subjects);
END
$$;
COMMENT ON FUNCTION data_import.forget_events IS 'Removes what events say of an account.';

-- Removes a supplier that was created by mistake, and returns false if there is no supplier p_code. Raises DI006 if a row of any
-- table but the audit history (access_event) names the supplier.
--
-- The function locks the supplier's row, so that no account and no scope of a key can name the supplier meanwhile. As long as no
-- key names the supplier, nothing else can be stored for it.
CREATE FUNCTION data_import.remove_import_supplier(p_code text) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_table name;
    v_is_used boolean;
BEGIN
    -- Citus changes a table that all nodes have only where nothing before was read from several shards at once
    PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
    PERFORM 1 FROM data_import.import_supplier WHERE code = p_code FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    FOR v_table IN
        SELECT class.relname FROM pg_catalog.pg_class AS class
        JOIN pg_catalog.pg_attribute AS attribute ON attribute.attrelid = class.oid AND attribute.attname = 'import_supplier'
        JOIN pg_catalog.pg_class AS own ON own.oid = 'data_import.account'::regclass AND own.relowner = class.relowner
        WHERE class.relnamespace = 'data_import'::regnamespace AND class.relkind IN ('r', 'p') AND class.relname <> 'access_event'
        ORDER BY class.relname
    LOOP
        EXECUTE format('SELECT EXISTS (SELECT 1 FROM data_import.%I WHERE import_supplier = $1)', v_table)
            INTO v_is_used USING p_code;
        IF v_is_used THEN
            RAISE EXCEPTION 'import supplier % cannot be removed: %', p_code,
                CASE v_table WHEN 'account' THEN 'it has accounts'
                             WHEN 'api_key_import_supplier' THEN 'an API key has it in its scope, or had when it was revoked'
                             WHEN 'event' THEN 'events tell of it'
                             ELSE 'the table ' || v_table || ' tells of it' END
                USING ERRCODE = 'DI006';
        END IF;
    END LOOP;
    DELETE FROM data_import.import_supplier WHERE code = p_code;
    RETURN true;
END
$$;
COMMENT ON FUNCTION data_import.remove_import_supplier IS
    'Removes a supplier of which nothing else tells. False: there is none. Raises DI006.';

-- take_off_totals and remove_rows do the same as take_account_off_totals and remove_account_rows, which they call.
--
-- In a distributed schema, replace_functions gives take_off_totals and remove_rows other bodies. These have the work done on the
-- account's node, by functions in the schema of the account's shard group. If the shard group has no schema, as after a split of
-- a shard, they call take_account_off_totals and remove_account_rows, whose statements then go through Citus.
CREATE FUNCTION data_import.take_off_totals(p_account_key uuid, p_import_supplier text) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN data_import.take_account_off_totals(p_account_key, p_import_supplier);
END
$$;
COMMENT ON FUNCTION data_import.take_off_totals IS
    'Takes the records of the account off the totals, wherever they are, and tells how many they are.';

CREATE FUNCTION data_import.remove_rows(p_account_key uuid, p_is_imported boolean) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN data_import.remove_account_rows(p_account_key, p_is_imported);
END
$$;
COMMENT ON FUNCTION data_import.remove_rows IS
    'Deletes the rows of the account that came with imports, or the others, wherever they are, and tells how many.';

-- Removes all that was imported into an account, and returns the number of records. The account keeps its state, its number on
-- the platform and its statement periods, so an imported account can take imports again at once. The account's kept answers are
-- deleted, too, because they would still say that the records are stored.
CREATE FUNCTION data_import.account_reset(p_import_supplier text, p_external_account_number text) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_account_key constant uuid := data_import.account_key(p_import_supplier, p_external_account_number);
    v_records bigint;
BEGIN
    IF data_import.hold_for_removal(p_import_supplier, p_external_account_number, 'reset') IS NULL THEN
        RAISE EXCEPTION 'account % of % was erased', p_external_account_number, p_import_supplier USING ERRCODE = 'DI007';
    END IF;
    v_records := data_import.take_off_totals(v_account_key, p_import_supplier);
    PERFORM data_import.remove_rows(v_account_key, true);
    IF v_records > 0 THEN
        PERFORM data_import.record_account_action(v_account_key, 'reset', v_records);
        PERFORM data_import.add_removal(v_account_key, p_import_supplier, p_external_account_number);
    END IF;
    RETURN v_records;
END
$$;
COMMENT ON FUNCTION data_import.account_reset IS
    'Takes everything out that was imported into the account, and tells how many records. Raises DI003, DI004, DI007, DI008.';

-- Erases an account, and returns the number of its records. If the account was erased already, deletes the rows that the account
-- has got since, such as an accepted difference, and returns 0; returns null if there are no such rows.
--
-- The lock of housekeeping keeps housekeeping from putting the account back into open_account, from events that it has just read.
-- The lock of refusals is taken after the lock of housekeeping, as housekeeping does, so that the two cannot deadlock. It is
-- taken last, because workers have to keep refusals in memory while another session holds it.
CREATE FUNCTION data_import.account_erase(p_import_supplier text, p_external_account_number text) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_account_key constant uuid := data_import.account_key(p_import_supplier, p_external_account_number);
    v_state constant text :=
        data_import.hold_for_removal(p_import_supplier, p_external_account_number, 'erased');
    v_number text;
    v_records constant bigint := data_import.take_off_totals(v_account_key, p_import_supplier);
BEGIN
    IF v_state IS NULL THEN
        RETURN CASE WHEN data_import.remove_rows(v_account_key, true) + data_import.remove_rows(v_account_key, false) > 0
                    THEN v_records END;
    END IF;
    PERFORM data_import.add_removal(v_account_key, p_import_supplier, p_external_account_number);
    PERFORM data_import.remove_rows(v_account_key, true);
    SELECT service_account_number INTO v_number FROM data_import.account WHERE account_key = v_account_key;
    DELETE FROM data_import.service_account_number WHERE service_account_number = v_number;
    INSERT INTO data_import.import_receipt (import_supplier, kind, value)
    VALUES (p_import_supplier, 'account_' || v_state, -1);
    INSERT INTO data_import.erased_account (account_key, author) VALUES (v_account_key, data_import.step_author());
    PERFORM pg_advisory_xact_lock(data_import.lock_number('housekeeping', ''));
    PERFORM data_import.forget_events(p_import_supplier, p_external_account_number);
    DELETE FROM data_import.open_account
    WHERE import_supplier = p_import_supplier AND external_account_number = p_external_account_number;
    PERFORM data_import.forget_empty_figures(p_import_supplier);
    PERFORM pg_advisory_xact_lock(data_import.lock_number('account_refusal', ''));
    PERFORM data_import.remove_rows(v_account_key, false);
    RETURN v_records;
END
$$;
COMMENT ON FUNCTION data_import.account_erase IS
    'Removes the account with all that is known of it, tells how many records, and remembers that it was erased. Raises DI003, '
    'DI004, DI008.';

GRANT EXECUTE ON FUNCTION data_import.account_reset, data_import.account_hold, data_import.account_erase TO
    "data-import-platform";
