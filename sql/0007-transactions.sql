-- Financial transactions of accounts, their import, and statement periods as operators open and close them.
--
-- An account may have the same transaction several times, because clients may ask to add it whatever was added before;
-- copy tells them apart. Functions that operators and the platform's software call (statement_*) raise the errors of
-- class DI that the head of 0004 lists.

CREATE TABLE data_import.financial_transaction (
    account_key                uuid NOT NULL,
    transaction_id             text COLLATE "C" NOT NULL,
    copy                       integer NOT NULL CHECK (copy > 0),
    type                       text NOT NULL
                               CHECK (type IN ('CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE')),
    transaction_date           date NOT NULL,
    requested_transaction_date date,
    has_tax_items    boolean NOT NULL,
    amount                     numeric NOT NULL,
    note                       text,
    reason                     text,
    reference                  text,
    payment_type               text,
    product_code               text,
    display_note               text,
    description                text,
    request_id                 uuid NOT NULL,
    api_key_id                 bigint NOT NULL,
    imported_at                timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_key, transaction_id, copy),
    CHECK ((description IS NULL) = (requested_transaction_date IS NULL))
);
COMMENT ON TABLE data_import.financial_transaction IS 'Imported financial transactions (specification, section 2.7).';
COMMENT ON COLUMN data_import.financial_transaction.account_key IS 'The account.';
COMMENT ON COLUMN data_import.financial_transaction.transaction_id IS 'Identifier in the supplier''s system.';
COMMENT ON COLUMN data_import.financial_transaction.copy IS
    '1 for the first of this account and transaction_id; more where a client had it added again.';
COMMENT ON COLUMN data_import.financial_transaction.type IS 'Kind of the transaction; decides which other columns it has.';
COMMENT ON COLUMN data_import.financial_transaction.transaction_date IS
    'Day of the transaction, inside the statement period that was open at its import.';
COMMENT ON COLUMN data_import.financial_transaction.has_tax_items IS
    'Whether tax_items were sent; its rows are in transaction_tax_item, none for an empty array.';
COMMENT ON COLUMN data_import.financial_transaction.requested_transaction_date IS
    'The date that was sent, where it lay outside that period and was changed; null where it was taken.';
COMMENT ON COLUMN data_import.financial_transaction.amount IS 'Amount of money, at most two decimal places.';
COMMENT ON COLUMN data_import.financial_transaction.note IS 'Internal note.';
COMMENT ON COLUMN data_import.financial_transaction.reason IS 'Code of the reason; never of a SUPPLY_CHARGE.';
COMMENT ON COLUMN data_import.financial_transaction.reference IS 'Reference of a payment or repayment.';
COMMENT ON COLUMN data_import.financial_transaction.payment_type IS 'Code of how a payment or repayment was made.';
COMMENT ON COLUMN data_import.financial_transaction.product_code IS 'Product of a SUPPLY_CHARGE.';
COMMENT ON COLUMN data_import.financial_transaction.display_note IS 'Note that the customer reads.';
COMMENT ON COLUMN data_import.financial_transaction.description IS
    'Which date was asked for, which was taken and why; null where the date was not changed.';
COMMENT ON COLUMN data_import.financial_transaction.request_id IS
    'The request that brought the transaction: X-Request-Id of its answer.';
COMMENT ON COLUMN data_import.financial_transaction.api_key_id IS 'The API key of that request''s token.';
COMMENT ON COLUMN data_import.financial_transaction.imported_at IS 'When the transaction was stored.';

CREATE TABLE data_import.transaction_line_item (
    account_key     uuid NOT NULL,
    transaction_id  text COLLATE "C" NOT NULL,
    copy            integer NOT NULL,
    position        integer NOT NULL,
    rate_band       text,
    start_date      date NOT NULL,
    end_date        date NOT NULL,
    number_of_units numeric NOT NULL,
    net_amount      numeric NOT NULL,
    price_per_unit  numeric,
    units           numeric[] CHECK (cardinality(units) = 2),
    PRIMARY KEY (account_key, transaction_id, copy, position)
);
COMMENT ON TABLE data_import.transaction_line_item IS 'Line items of transactions of type SUPPLY_CHARGE.';
COMMENT ON COLUMN data_import.transaction_line_item.account_key IS 'The account.';
COMMENT ON COLUMN data_import.transaction_line_item.transaction_id IS 'The transaction that the item belongs to.';
COMMENT ON COLUMN data_import.transaction_line_item.copy IS 'Which of the transactions with this transaction_id.';
COMMENT ON COLUMN data_import.transaction_line_item.position IS 'Place in the list as sent, from 0.';
COMMENT ON COLUMN data_import.transaction_line_item.rate_band IS 'Code of the rate.';
COMMENT ON COLUMN data_import.transaction_line_item.start_date IS 'First day that the item is for.';
COMMENT ON COLUMN data_import.transaction_line_item.end_date IS 'Last day that the item is for.';
COMMENT ON COLUMN data_import.transaction_line_item.number_of_units IS 'Units supplied.';
COMMENT ON COLUMN data_import.transaction_line_item.net_amount IS 'Amount of money before taxes.';
COMMENT ON COLUMN data_import.transaction_line_item.price_per_unit IS 'Price of one unit.';
COMMENT ON COLUMN data_import.transaction_line_item.units IS 'The two values of the field units, in their order.';

CREATE TABLE data_import.transaction_tax_item (
    account_key    uuid NOT NULL,
    transaction_id text COLLATE "C" NOT NULL,
    copy           integer NOT NULL,
    position       integer NOT NULL,
    amount         numeric NOT NULL,
    tax_type       text NOT NULL,
    value_taxed    numeric NOT NULL,
    rate           numeric NOT NULL,
    unit_type      text NOT NULL CHECK (unit_type IN ('PROPORTION', 'CURRENCY_PER_KWH')),
    PRIMARY KEY (account_key, transaction_id, copy, position)
);
COMMENT ON TABLE data_import.transaction_tax_item IS 'Tax items of transactions of the types SUPPLY_CHARGE and CHARGE.';
COMMENT ON COLUMN data_import.transaction_tax_item.account_key IS 'The account.';
COMMENT ON COLUMN data_import.transaction_tax_item.transaction_id IS 'The transaction that the item belongs to.';
COMMENT ON COLUMN data_import.transaction_tax_item.copy IS 'Which of the transactions with this transaction_id.';
COMMENT ON COLUMN data_import.transaction_tax_item.position IS 'Place in the list as sent, from 0.';
COMMENT ON COLUMN data_import.transaction_tax_item.amount IS 'Amount of the tax.';
COMMENT ON COLUMN data_import.transaction_tax_item.tax_type IS 'Code of the tax.';
COMMENT ON COLUMN data_import.transaction_tax_item.value_taxed IS 'What the tax is taken of.';
COMMENT ON COLUMN data_import.transaction_tax_item.rate IS 'Rate of the tax; unit_type says how to read it.';
COMMENT ON COLUMN data_import.transaction_tax_item.unit_type IS
    'PROPORTION: the rate is a share of value_taxed; CURRENCY_PER_KWH: money for each kilowatt hour.';

-- A transaction of the account as JSON: fields in the order of the documentation, those without a value left out.
CREATE FUNCTION data_import.stored_transaction(p_account_key uuid, p_transaction_id text) RETURNS json
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT json_strip_nulls(json_build_object(
            'type', stored.type,
            'transaction_id', stored.transaction_id,
            'transaction_date', stored.transaction_date,
            'amount', round(stored.amount, 2)::text,
            'note', stored.note,
            'reason', stored.reason,
            'reference', stored.reference,
            'payment_type', stored.payment_type,
            'product_code', stored.product_code,
            'display_note', stored.display_note,
            'line_items', (
                SELECT json_agg(json_build_object(
                    'start_date', item.start_date, 'end_date', item.end_date,
                    'number_of_units', item.number_of_units, 'net_amount', item.net_amount,
                    'price_per_unit', item.price_per_unit, 'rate_band', item.rate_band, 'units', item.units)
                    ORDER BY item.position)
                FROM data_import.transaction_line_item AS item
                WHERE item.account_key = p_account_key AND item.transaction_id = p_transaction_id
                  AND item.copy = stored.copy),
            'tax_items', CASE WHEN stored.has_tax_items THEN coalesce((
                SELECT json_agg(json_build_object(
                    'amount', item.amount, 'tax_type', item.tax_type, 'value_taxed', item.value_taxed,
                    'rate', item.rate, 'unit_type', item.unit_type)
                    ORDER BY item.position)
                FROM data_import.transaction_tax_item AS item
                WHERE item.account_key = p_account_key AND item.transaction_id = p_transaction_id
                  AND item.copy = stored.copy), '[]') END,
            'description', stored.description))
        FROM data_import.financial_transaction AS stored
        WHERE stored.account_key = p_account_key AND stored.transaction_id = p_transaction_id
        ORDER BY stored.copy LIMIT 1);
END
$$;
COMMENT ON FUNCTION data_import.stored_transaction IS
    'The account''s transaction with this id, the first where there are several, as JSON; null when there is none.';

-- For each transaction of a request the copy that it becomes; 0 for one that the account has and that is skipped.
CREATE FUNCTION data_import.copies_to_add(
    p_account_key uuid, p_transaction_id text[], p_check_previously_added boolean)
RETURNS integer[] LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN ARRAY(
        SELECT CASE WHEN there.copy IS NULL THEN 1 WHEN p_check_previously_added THEN 0 ELSE there.copy + 1 END
        FROM unnest(p_transaction_id) WITH ORDINALITY AS sent (transaction_id, place)
        LEFT JOIN LATERAL (
            SELECT stored.copy FROM data_import.financial_transaction AS stored
            WHERE stored.account_key = p_account_key AND stored.transaction_id = sent.transaction_id
            ORDER BY stored.copy DESC LIMIT 1) AS there ON true
        ORDER BY sent.place);
END
$$;
COMMENT ON FUNCTION data_import.copies_to_add IS
    'For each transaction of a request the copy to store, 0 for one that is there already.';

-- p_items is the array of transactions as sent, for their line items and tax items.
CREATE FUNCTION data_import.add_transaction_items(
    p_account_key uuid, p_transaction_id text[], p_copies integer[], p_items jsonb)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO data_import.transaction_line_item (
        account_key, transaction_id, copy, position, rate_band, start_date, end_date, number_of_units, net_amount,
        price_per_unit, units)
    SELECT p_account_key, p_transaction_id[sent.place], p_copies[sent.place], line.place - 1, line.rate_band,
           line.start_date, line.end_date, line.number_of_units, line.net_amount, line.price_per_unit, line.units
    FROM jsonb_array_elements(p_items) WITH ORDINALITY AS sent (item, place),
         LATERAL ROWS FROM (jsonb_to_recordset(sent.item -> 'line_items') AS (
             rate_band text, start_date date, end_date date, number_of_units numeric, net_amount numeric,
             price_per_unit numeric, units numeric[])) WITH ORDINALITY
         AS line (rate_band, start_date, end_date, number_of_units, net_amount, price_per_unit, units, place)
    WHERE p_copies[sent.place] > 0 AND sent.item ? 'line_items';

    INSERT INTO data_import.transaction_tax_item (
        account_key, transaction_id, copy, position, amount, tax_type, value_taxed, rate, unit_type)
    SELECT p_account_key, p_transaction_id[sent.place], p_copies[sent.place], tax.place - 1, tax.amount,
           tax.tax_type, tax.value_taxed, tax.rate, tax.unit_type
    FROM jsonb_array_elements(p_items) WITH ORDINALITY AS sent (item, place),
         LATERAL ROWS FROM (jsonb_to_recordset(sent.item -> 'tax_items') AS (
             amount numeric, tax_type text, value_taxed numeric, rate numeric, unit_type text)) WITH ORDINALITY
         AS tax (amount, tax_type, value_taxed, rate, unit_type, place)
    WHERE p_copies[sent.place] > 0 AND sent.item ? 'tax_items';
END
$$;
COMMENT ON FUNCTION data_import.add_transaction_items IS
    'Stores line items and tax items of the transactions of a request whose copy is not 0.';

-- The date of a transaction is that which was sent unless p_period is given and does not hold it.
CREATE FUNCTION data_import.add_transactions(
    p_account_key uuid, p_import_supplier text, p_request_id uuid, p_api_key_id bigint,
    p_transaction_id text[], p_type text[], p_transaction_date date[], p_amount numeric[], p_note text[], p_reason text[],
    p_reference text[], p_payment_type text[], p_product_code text[], p_display_note text[], p_items jsonb,
    p_copies integer[], p_period data_import.statement_period)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_is_to_be_moved constant boolean := NOT p_period IS NULL;  -- IS NOT NULL would ask for every field
    v_added bigint;
BEGIN
    INSERT INTO data_import.financial_transaction (
        account_key, transaction_id, copy, type, transaction_date, requested_transaction_date, amount, note, reason,
        reference, payment_type, product_code, display_note, has_tax_items, description, request_id, api_key_id)
    SELECT p_account_key, sent.transaction_id, p_copies[sent.place], sent.type,
           CASE WHEN v_is_to_be_moved THEN data_import.date_inside(sent.transaction_date, p_period)
                ELSE sent.transaction_date END,
           CASE WHEN v_is_to_be_moved THEN
               nullif(sent.transaction_date, data_import.date_inside(sent.transaction_date, p_period)) END,
           sent.amount, sent.note, sent.reason, sent.reference, sent.payment_type, sent.product_code, sent.display_note,
           p_items IS NOT NULL AND p_items -> (sent.place::integer - 1) ? 'tax_items',
           CASE WHEN v_is_to_be_moved THEN
               data_import.moved_date_description(sent.transaction_date, p_period) END, p_request_id, p_api_key_id
    FROM unnest(p_transaction_id, p_type, p_transaction_date, p_amount, p_note, p_reason, p_reference, p_payment_type,
                p_product_code, p_display_note) WITH ORDINALITY
         AS sent (transaction_id, type, transaction_date, amount, note, reason, reference, payment_type, product_code,
                  display_note, place)
    WHERE p_copies[sent.place] > 0;
    GET DIAGNOSTICS v_added = ROW_COUNT;
    IF v_added > 0 THEN
        INSERT INTO data_import.import_receipt (import_supplier, kind, value)
        VALUES (p_import_supplier, 'transactions', v_added);
        IF p_items IS NOT NULL THEN
            PERFORM data_import.add_transaction_items(p_account_key, p_transaction_id, p_copies, p_items);
        END IF;
    ELSE
        PERFORM data_import.await_standbys();
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.add_transactions IS
    'Stores the transactions of a request whose copy is not 0, with their items and the receipt.';

-- Ids are shown as JSON strings, which keeps line ends and the like out of the note. A note holds 65536 characters; what
-- does not fit is counted. The identity is that of a note with this body (column note.identity), so the note is as little
-- pinned twice as a note that clients send.
CREATE FUNCTION data_import.pin_note_on_moved_transactions(
    p_account_key uuid, p_request_id uuid, p_api_key_id bigint, p_transaction_id text[], p_transaction_date date[],
    p_copies integer[], p_period data_import.statement_period)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_body text;
    v_identity uuid;
BEGIN
    SELECT count(*) || CASE count(*) WHEN 1 THEN ' imported transaction was' ELSE ' imported transactions were' END
        || ' dated outside the open statement period ' || to_char(p_period.first_day, 'YYYY-MM-DD') || ' to '
        || to_char(p_period.last_day, 'YYYY-MM-DD') || ' and moved into it:' || E'\n'
        || string_agg(moved.line, E'\n' ORDER BY moved.place) FILTER (WHERE moved.reaches <= 65000)
        || coalesce(E'\nand ' || nullif(count(*) FILTER (WHERE moved.reaches > 65000), 0) || ' more', '')
    INTO v_body
    FROM (SELECT listed.place, listed.line, sum(char_length(listed.line) + 1) OVER (ORDER BY listed.place) AS reaches
          FROM (SELECT sent.place, to_json(sent.transaction_id)::text || ': '
                       || to_char(sent.transaction_date, 'YYYY-MM-DD') || ' became '
                       || to_char(data_import.date_inside(sent.transaction_date, p_period), 'YYYY-MM-DD')
                FROM unnest(p_transaction_id, p_transaction_date) WITH ORDINALITY
                     AS sent (transaction_id, transaction_date, place)
                WHERE p_copies[sent.place] > 0
                  AND sent.transaction_date NOT BETWEEN p_period.first_day AND p_period.last_day) AS listed (place, line)
         ) AS moved;
    IF v_body IS NULL THEN
        RETURN;
    END IF;
    v_identity := encode(substring(sha256(convert_to('B' || v_body, 'UTF8')) FROM 1 FOR 16), 'hex')::uuid;
    INSERT INTO data_import.note (account_key, identity, created_at, body, is_pinned, request_id, api_key_id)
    SELECT p_account_key, v_identity, now(), v_body, true, p_request_id, p_api_key_id
    WHERE NOT EXISTS (SELECT FROM data_import.note WHERE account_key = p_account_key AND identity = v_identity);
    IF FOUND THEN
        INSERT INTO data_import.import_receipt (import_supplier, kind, figure, value)
        SELECT import_supplier, 'notes', 'pinned', 1 FROM data_import.account WHERE account_key = p_account_key;
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.pin_note_on_moved_transactions IS
    'Pins one note on the account that lists the transactions of a request which were moved into the period, if any.';

-- Imports transactions into one account (specification 4.4; decisions, section 5). The arrays hold one element per
-- transaction, checked, in the order of the request; p_items is the array of transactions as sent where one of them has
-- line items or tax items, else null. What is there already is skipped before the period is looked at, so that a request
-- whose answer was lost can be repeated when the period has been closed meanwhile.
-- Verdict in every row: done, supplier_not_ongoing, account_not_found, no_open_statement_period or
-- transaction_outside_statement_period. With done, a row for each transaction of which there is more to say than that it
-- was added as it was sent: its place from 0, and either the date and description of one that was moved, or the whole of
-- one that was there. Where there is none, one row without a place. With the last two, a row for each failing transaction
-- with its place, at most 100; of a missing period the first tells all.
-- Sessions keep their plans, and the first may be made over tables that are almost empty, where reading all of one looks
-- cheap: hence enable_seqscan.
CREATE FUNCTION data_import.transactions_import(
    p_account_key uuid, p_import_supplier text, p_request_id uuid, p_api_key_id bigint,
    p_transaction_id text[], p_type text[], p_transaction_date date[], p_amount numeric[], p_note text[], p_reason text[],
    p_reference text[], p_payment_type text[], p_product_code text[], p_display_note text[], p_items jsonb,
    p_check_previously_added boolean, p_force_add_to_current_statement boolean)
RETURNS TABLE (verdict text, place integer, transaction_date text, description text, stored json,
               period_first_day text, period_last_day text)
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    v_copies integer[];
    v_period data_import.statement_period;
    v_has_period boolean;
BEGIN
    verdict := data_import.import_verdict(p_account_key, p_import_supplier);
    IF verdict <> 'done' THEN
        RETURN NEXT;
        RETURN;
    END IF;
    PERFORM data_import.lock_account(p_account_key);
    SELECT * INTO v_period FROM data_import.statement_period AS period
    WHERE period.account_key = p_account_key AND period.closed_at IS NULL;
    v_has_period := FOUND;
    -- Most requests bring only what is new, dated inside the period: the attempt costs less than looking first.
    IF v_has_period AND p_check_previously_added
       AND NOT EXISTS (SELECT FROM unnest(p_transaction_date) AS sent (transaction_date)
                       WHERE sent.transaction_date NOT BETWEEN v_period.first_day AND v_period.last_day) THEN
        BEGIN
            PERFORM data_import.add_transactions(
                p_account_key, p_import_supplier, p_request_id, p_api_key_id, p_transaction_id, p_type, p_transaction_date,
                p_amount, p_note, p_reason, p_reference, p_payment_type, p_product_code, p_display_note, p_items,
                array_fill(1, ARRAY[cardinality(p_transaction_id)]), NULL);
            RETURN NEXT;
            RETURN;
        EXCEPTION WHEN unique_violation THEN
            NULL;  -- one of them is there already
        END;
    END IF;

    v_copies := data_import.copies_to_add(p_account_key, p_transaction_id, p_check_previously_added);
    IF NOT v_has_period OR NOT p_force_add_to_current_statement THEN
        RETURN QUERY
            SELECT CASE WHEN v_has_period THEN 'transaction_outside_statement_period' ELSE 'no_open_statement_period' END,
                   sent.place::integer - 1, NULL, NULL, NULL::json,
                   to_char(v_period.first_day, 'YYYY-MM-DD'), to_char(v_period.last_day, 'YYYY-MM-DD')
            FROM unnest(p_transaction_date) WITH ORDINALITY AS sent (transaction_date, place)
            WHERE v_copies[sent.place] > 0
              AND (NOT v_has_period OR sent.transaction_date NOT BETWEEN v_period.first_day AND v_period.last_day)
            ORDER BY sent.place
            LIMIT CASE WHEN v_has_period THEN 100 ELSE 1 END;
        IF FOUND THEN
            RETURN;
        END IF;
    END IF;

    PERFORM data_import.add_transactions(
        p_account_key, p_import_supplier, p_request_id, p_api_key_id, p_transaction_id, p_type, p_transaction_date, p_amount,
        p_note, p_reason, p_reference, p_payment_type, p_product_code, p_display_note, p_items, v_copies, v_period);

    IF v_has_period THEN
        PERFORM data_import.pin_note_on_moved_transactions(p_account_key, p_request_id, p_api_key_id, p_transaction_id,
                                                           p_transaction_date, v_copies, v_period);
    END IF;
    RETURN QUERY
        SELECT 'done', sent.place::integer - 1,
               to_char(data_import.date_inside(sent.transaction_date, v_period), 'YYYY-MM-DD'),
               data_import.moved_date_description(sent.transaction_date, v_period),
               CASE WHEN v_copies[sent.place] = 0 THEN
                   data_import.stored_transaction(p_account_key, sent.transaction_id) END,
               NULL, NULL
        FROM unnest(p_transaction_id, p_transaction_date) WITH ORDINALITY
             AS sent (transaction_id, transaction_date, place)
        WHERE v_copies[sent.place] = 0
           OR sent.transaction_date NOT BETWEEN v_period.first_day AND v_period.last_day
        ORDER BY sent.place;
    IF NOT FOUND THEN
        RETURN NEXT;
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.transactions_import IS
    'Stores the transactions that the account does not have yet, dated inside its open statement period, or none of them.';

GRANT SELECT, INSERT ON data_import.financial_transaction, data_import.transaction_line_item,
    data_import.transaction_tax_item TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.stored_transaction, data_import.copies_to_add, data_import.add_transaction_items,
    data_import.add_transactions, data_import.pin_note_on_moved_transactions, data_import.transactions_import
    TO "data-import";
