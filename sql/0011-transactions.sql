-- Financial transactions of accounts (specification, sections 2.7 and 4.4; decisions, section 5).
--
-- An account may have the same transaction several times, because clients may ask to add it whatever was added before; copy
-- tells them apart.

CREATE TABLE data_import.financial_transaction (
    account_key                uuid NOT NULL,
    transaction_id             text COLLATE "C" NOT NULL,
    copy                       integer NOT NULL CONSTRAINT copies_count_from_1 CHECK (copy > 0),
    type                       text NOT NULL
                               CONSTRAINT transaction_type_is_known
                               CHECK (type IN ('CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE')),
    transaction_date           date NOT NULL,
    requested_transaction_date date,
    has_tax_items              boolean NOT NULL,
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
    CONSTRAINT moved_transactions_are_described CHECK ((description IS NULL) = (requested_transaction_date IS NULL))
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
    units           numeric[] CONSTRAINT units_are_two CHECK (cardinality(units) = 2),
    written         text,
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
COMMENT ON COLUMN data_import.transaction_line_item.written IS
    'How number_of_units, net_amount, price_per_unit and the two units were written: see data_import.as_written.';

CREATE TABLE data_import.transaction_tax_item (
    account_key    uuid NOT NULL,
    transaction_id text COLLATE "C" NOT NULL,
    copy           integer NOT NULL,
    position       integer NOT NULL,
    amount         numeric NOT NULL,
    tax_type       text NOT NULL,
    value_taxed    numeric NOT NULL,
    rate           numeric NOT NULL,
    unit_type      text NOT NULL CONSTRAINT unit_type_is_known CHECK (unit_type IN ('PROPORTION', 'CURRENCY_PER_KWH')),
    written        text,
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
COMMENT ON COLUMN data_import.transaction_tax_item.written IS
    'How amount, value_taxed and rate were written: see data_import.as_written.';

-- Answers repeat decimals as they were sent: as JSON strings where written is null, as JSON numbers where it is '#', both with
-- the digits that PostgreSQL shows. Else written is a JSON array with the literal of each, null for those that were not sent.
CREATE FUNCTION data_import.as_written(p_written text, p_place integer, p_decimal numeric) RETURNS json
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN CASE WHEN p_decimal IS NULL THEN NULL
                WHEN p_written IS NULL THEN to_json(p_decimal::text)
                WHEN p_written = '#' THEN to_json(p_decimal)
                ELSE p_written::json -> p_place END;
END
$$;
COMMENT ON FUNCTION data_import.as_written IS
    'A decimal of a line item or tax item as JSON, as it was sent; p_place is its place in written, from 0.';

-- A transaction of the account as JSON: fields in the order of the documentation, those without a value left out; behind them
-- the date that was sent, of one that was moved.
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
                    'number_of_units', data_import.as_written(item.written, 0, item.number_of_units),
                    'net_amount', data_import.as_written(item.written, 1, item.net_amount),
                    'price_per_unit', data_import.as_written(item.written, 2, item.price_per_unit),
                    'rate_band', item.rate_band,
                    'units', CASE WHEN item.units IS NOT NULL THEN json_build_array(
                        data_import.as_written(item.written, 3, item.units[1]),
                        data_import.as_written(item.written, 4, item.units[2])) END)
                    ORDER BY item.position)
                FROM data_import.transaction_line_item AS item
                WHERE item.account_key = p_account_key AND item.transaction_id = p_transaction_id
                  AND item.copy = stored.copy),
            'tax_items', CASE WHEN stored.has_tax_items THEN coalesce((
                SELECT json_agg(json_build_object(
                    'amount', data_import.as_written(item.written, 0, item.amount), 'tax_type', item.tax_type,
                    'value_taxed', data_import.as_written(item.written, 1, item.value_taxed),
                    'rate', data_import.as_written(item.written, 2, item.rate), 'unit_type', item.unit_type)
                    ORDER BY item.position)
                FROM data_import.transaction_tax_item AS item
                WHERE item.account_key = p_account_key AND item.transaction_id = p_transaction_id
                  AND item.copy = stored.copy), '[]') END,
            'description', stored.description,
            'requested_transaction_date', stored.requested_transaction_date))
        FROM data_import.financial_transaction AS stored
        WHERE stored.account_key = p_account_key AND stored.transaction_id = p_transaction_id
        ORDER BY stored.copy LIMIT 1);
END
$$;
COMMENT ON FUNCTION data_import.stored_transaction IS
    'The account''s transaction with this id, the first where there are several, as JSON; null when there is none.';

-- Ids are shown as JSON strings, which keeps line ends and the like out of the note. A note holds 65536 characters; what
-- does not fit is counted. The identity is the request's own, so that each request pins one, and none is taken for a note that
-- clients send.
CREATE FUNCTION data_import.pin_note_on_moved_transactions(
    p_account_key uuid, p_import_supplier text, p_request_id uuid, p_api_key_id bigint,
    p_transaction_id text[], p_sent_date date[], p_taken_date date[], p_copy integer[], p_first_day date, p_last_day date)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_body text;
    v_identity uuid;
BEGIN
    SELECT count(*) || CASE count(*) WHEN 1 THEN ' imported transaction was' ELSE ' imported transactions were' END
        || ' dated outside the open statement period ' || to_char(p_first_day, 'YYYY-MM-DD') || ' to '
        || to_char(p_last_day, 'YYYY-MM-DD') || ' and moved into it:' || E'\n'
        || string_agg(moved.line, E'\n' ORDER BY moved.place) FILTER (WHERE moved.reaches <= 65000)
        || coalesce(E'\nand ' || nullif(count(*) FILTER (WHERE moved.reaches > 65000), 0) || ' more', '')
    INTO v_body
    FROM (SELECT listed.place, listed.line, sum(char_length(listed.line) + 1) OVER (ORDER BY listed.place) AS reaches
          FROM (SELECT sent.place, to_json(sent.transaction_id)::text || ': '
                       || to_char(sent.sent_date, 'YYYY-MM-DD') || ' became ' || to_char(sent.taken_date, 'YYYY-MM-DD')
                FROM unnest(p_transaction_id, p_sent_date, p_taken_date, p_copy) WITH ORDINALITY
                     AS sent (transaction_id, sent_date, taken_date, copy, place)
                WHERE sent.copy > 0 AND sent.sent_date <> sent.taken_date) AS listed (place, line)) AS moved;
    IF v_body IS NULL THEN
        RETURN;
    END IF;
    v_identity := encode(substring(sha256(convert_to('S' || p_request_id || v_body, 'UTF8')) FROM 1 FOR 16), 'hex')::uuid;
    INSERT INTO data_import.note (account_key, identity, created_at, body, is_pinned, has_created_at, has_is_pinned,
                                  is_by_service, request_id, api_key_id)
    VALUES (p_account_key, v_identity, now(), v_body, true, false, false, true, p_request_id, p_api_key_id);
    INSERT INTO data_import.import_receipt (import_supplier, kind, figure, value)
    SELECT p_import_supplier, 'notes', figure, value FROM data_import.note_figures(true, 1);
END
$$;
COMMENT ON FUNCTION data_import.pin_note_on_moved_transactions IS
    'Pins one note on the account that lists the transactions of a request which were moved into the period, if any.';

CREATE FUNCTION data_import.transaction_figures(p_type text, p_records bigint, p_amount numeric)
RETURNS TABLE (figure text, value numeric) LANGUAGE sql IMMUTABLE AS $$
    VALUES ('records', p_records::numeric), ('amount:' || p_type, p_amount)
$$;
COMMENT ON FUNCTION data_import.transaction_figures IS
    'Figures of so many transactions of a type, whose amounts add up to p_amount.';

-- For each transaction of a request the copy that it becomes; 0 for one that the account has and that is skipped. The account's
-- key is a column of what was sent, so that each id is looked up by itself, whatever the tables held when the plan was made.
CREATE FUNCTION data_import.copies_to_add(
    p_account_key uuid, p_transaction_id text[], p_check_previously_added boolean)
RETURNS integer[] LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_copies integer[] := array_fill(1, ARRAY[cardinality(p_transaction_id)]);
    v_place integer;
    v_next integer := 0;
BEGIN
    FOREACH v_place IN ARRAY ARRAY(
        SELECT sent.place
        FROM (SELECT p_account_key AS account_key, unnest(p_transaction_id) AS transaction_id,
                     generate_subscripts(p_transaction_id, 1) AS place) AS sent
        JOIN data_import.financial_transaction AS stored USING (account_key, transaction_id)
        WHERE stored.copy = 1)
    LOOP
        IF NOT p_check_previously_added THEN
            SELECT max(copy) + 1 INTO v_next FROM data_import.financial_transaction
            WHERE account_key = p_account_key AND transaction_id = p_transaction_id[v_place];
        END IF;
        v_copies[v_place] := v_next;
    END LOOP;
    RETURN v_copies;
END
$$;
COMMENT ON FUNCTION data_import.copies_to_add IS
    'For each transaction of a request the copy to store, 0 for one that is there already.';

CREATE TYPE data_import.transactions_request AS (
    number                         integer,
    account_key                    uuid,
    import_supplier                text,
    request_id                     uuid,
    api_key_id                     bigint,
    check_previously_added         boolean,
    force_add_to_current_statement boolean,
    most_stored                    bigint,
    first_day                      date,
    last_day                       date,
    holds_all                      boolean
);
COMMENT ON TYPE data_import.transactions_request IS 'A request for transactions that wants a look, and the open period of its account.';
COMMENT ON COLUMN data_import.transactions_request.number IS 'Its place in the call, from 1.';
COMMENT ON COLUMN data_import.transactions_request.account_key IS 'The account.';
COMMENT ON COLUMN data_import.transactions_request.import_supplier IS 'Code of the supplier.';
COMMENT ON COLUMN data_import.transactions_request.request_id IS 'X-Request-Id of its answer.';
COMMENT ON COLUMN data_import.transactions_request.api_key_id IS 'The API key of its token.';
COMMENT ON COLUMN data_import.transactions_request.check_previously_added IS 'Whether it passes over what the account has.';
COMMENT ON COLUMN data_import.transactions_request.force_add_to_current_statement IS
    'Whether its transactions are moved into the open statement period.';
COMMENT ON COLUMN data_import.transactions_request.most_stored IS
    'How many bytes of JSON may tell what was there already: a short request could ask for hundreds of megabytes.';
COMMENT ON COLUMN data_import.transactions_request.first_day IS 'First day of the open statement period; null: none is open.';
COMMENT ON COLUMN data_import.transactions_request.last_day IS 'Last day of it.';
COMMENT ON COLUMN data_import.transactions_request.holds_all IS 'Whether the dates of all transactions lie inside it.';

CREATE TYPE data_import.transaction_answer AS (
    request          integer,
    verdict          text,
    place            integer,
    transaction_date text,
    description      text,
    stored           json,
    period_first_day text,
    period_last_day  text
);
COMMENT ON TYPE data_import.transaction_answer IS
    'What is to be told of a request: of all of it, or of a transaction that is not added as it was sent.';
COMMENT ON COLUMN data_import.transaction_answer.request IS 'Place of the request in the call, from 1.';
COMMENT ON COLUMN data_import.transaction_answer.verdict IS
    'done or of import_verdicts; too_much_stored, no_open_statement_period, transaction_outside_statement_period.';
COMMENT ON COLUMN data_import.transaction_answer.place IS 'Place of the transaction in the request, from 0; null: all of it.';
COMMENT ON COLUMN data_import.transaction_answer.transaction_date IS 'The date that was taken.';
COMMENT ON COLUMN data_import.transaction_answer.description IS 'Why it was; null where it is the one that was sent.';
COMMENT ON COLUMN data_import.transaction_answer.stored IS 'The transaction that the account has already.';
COMMENT ON COLUMN data_import.transaction_answer.period_first_day IS 'First day of the period that it is outside of.';
COMMENT ON COLUMN data_import.transaction_answer.period_last_day IS 'Last day of it.';

CREATE TYPE data_import.transactions_judged AS (
    copies          integer[],
    dates           date[],
    requested_dates date[],
    descriptions    text[],
    answers         data_import.transaction_answer[]
);
COMMENT ON TYPE data_import.transactions_judged IS
    'What becomes of the transactions of one request, an element of each array but answers for each of them.';
COMMENT ON COLUMN data_import.transactions_judged.copies IS 'The copy that it becomes; 0: it is not added.';
COMMENT ON COLUMN data_import.transactions_judged.dates IS 'The date under which it is stored.';
COMMENT ON COLUMN data_import.transactions_judged.requested_dates IS
    'The date that was sent, where another was taken; the array is null where none was moved.';
COMMENT ON COLUMN data_import.transactions_judged.descriptions IS 'Why another date was taken, likewise.';
COMMENT ON COLUMN data_import.transactions_judged.answers IS 'What is to be told of the request.';

CREATE FUNCTION data_import.stored_transactions(
    p_account_key uuid, p_transaction_id text[], p_copies integer[], p_most_bytes bigint) RETURNS json[]
LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_stored json[] := array_fill(NULL::json, ARRAY[cardinality(p_copies)]);
    v_left bigint := p_most_bytes;
BEGIN
    FOR v_at IN 1 .. cardinality(p_copies) LOOP
        CONTINUE WHEN p_copies[v_at] > 0;
        v_stored[v_at] := data_import.stored_transaction(p_account_key, p_transaction_id[v_at]);
        v_left := v_left - octet_length(v_stored[v_at]::text);
        IF v_left < 0 THEN
            RETURN NULL;
        END IF;
    END LOOP;
    RETURN v_stored;
END
$$;
COMMENT ON FUNCTION data_import.stored_transactions IS
    'Those of the transactions as JSON that are not added because the account has them; null: they are too long.';

-- With the verdicts on periods, a row for each failing transaction, at most 100; of a missing period the first tells all.
CREATE FUNCTION data_import.refused_by_period(
    p_request data_import.transactions_request, p_date date[], p_copies integer[])
RETURNS data_import.transaction_answer[] LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF p_request.first_day IS NOT NULL AND p_request.force_add_to_current_statement THEN
        RETURN '{}';
    END IF;
    RETURN ARRAY(
        SELECT ROW(p_request.number, CASE WHEN p_request.first_day IS NULL THEN 'no_open_statement_period'
                                          ELSE 'transaction_outside_statement_period' END,
                   at - 1, NULL, NULL, NULL, to_char(p_request.first_day, 'YYYY-MM-DD'),
                   to_char(p_request.last_day, 'YYYY-MM-DD'))::data_import.transaction_answer
        FROM generate_subscripts(p_copies, 1) AS at
        WHERE p_copies[at] > 0 AND (p_date[at] BETWEEN p_request.first_day AND p_request.last_day) IS NOT TRUE
        ORDER BY at
        LIMIT CASE WHEN p_request.first_day IS NULL THEN 1 ELSE 100 END);
END
$$;
COMMENT ON FUNCTION data_import.refused_by_period IS
    'What is told of transactions that are not added because of their dates; none: all are, or can be moved.';

CREATE FUNCTION data_import.move_into_period(
    p_request data_import.transactions_request, p_transaction_id text[], p_judged data_import.transactions_judged)
RETURNS data_import.transactions_judged LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_sent constant date[] := p_judged.dates;
    v_dates date[] := v_sent;
    v_requested_dates date[] := array_fill(NULL::date, ARRAY[cardinality(v_sent)]);
    v_descriptions text[] := array_fill(NULL::text, ARRAY[cardinality(v_sent)]);
BEGIN
    FOR v_at IN 1 .. cardinality(v_sent) LOOP
        v_dates[v_at] := data_import.date_inside(v_sent[v_at], p_request.first_day, p_request.last_day);
        v_requested_dates[v_at] := nullif(v_sent[v_at], v_dates[v_at]);
        v_descriptions[v_at] := data_import.moved_date_description(v_sent[v_at], p_request.first_day, p_request.last_day);
    END LOOP;
    PERFORM data_import.pin_note_on_moved_transactions(
        p_request.account_key, p_request.import_supplier, p_request.request_id, p_request.api_key_id, p_transaction_id, v_sent,
        v_dates, p_judged.copies, p_request.first_day, p_request.last_day);
    p_judged.dates := v_dates;
    p_judged.requested_dates := v_requested_dates;
    p_judged.descriptions := v_descriptions;
    RETURN p_judged;
END
$$;
COMMENT ON FUNCTION data_import.move_into_period IS
    'Dates transactions inside the open period, and pins a note on the account that lists the moved ones.';

-- What is there already is skipped before the period is looked at, so that a request whose answer was lost can be repeated when
-- the period has been closed meanwhile. Of a request that is refused nothing is added.
CREATE FUNCTION data_import.judge_transactions(
    p_request data_import.transactions_request, p_transaction_id text[], p_date date[])
RETURNS data_import.transactions_judged LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_none constant integer[] := array_fill(0, ARRAY[cardinality(p_date)]);
    v_judged data_import.transactions_judged;
    v_stored json[];
BEGIN
    v_judged.copies :=
        data_import.copies_to_add(p_request.account_key, p_transaction_id, p_request.check_previously_added);
    v_judged.dates := p_date;
    v_judged.answers := ARRAY[ROW(p_request.number, 'done', NULL, NULL, NULL, NULL, NULL, NULL)::data_import.transaction_answer];
    IF p_request.holds_all AND 0 <> ALL (v_judged.copies) THEN
        RETURN v_judged;
    END IF;

    v_stored := data_import.stored_transactions(
        p_request.account_key, p_transaction_id, v_judged.copies, p_request.most_stored);
    IF v_stored IS NULL THEN
        v_judged.copies := v_none;
        v_judged.answers[1].verdict := 'too_much_stored';
        RETURN v_judged;
    END IF;
    v_judged.answers := data_import.refused_by_period(p_request, p_date, v_judged.copies);
    IF cardinality(v_judged.answers) > 0 THEN
        v_judged.copies := v_none;
        RETURN v_judged;
    END IF;
    IF NOT p_request.holds_all THEN
        v_judged := data_import.move_into_period(p_request, p_transaction_id, v_judged);
    END IF;
    v_judged.answers := ARRAY(
        SELECT ROW(p_request.number, 'done', at - 1, to_char(v_judged.dates[at], 'YYYY-MM-DD'), v_judged.descriptions[at],
                   v_stored[at], NULL, NULL)::data_import.transaction_answer
        FROM generate_subscripts(p_date, 1) AS at
        WHERE v_judged.copies[at] = 0 OR v_judged.requested_dates[at] IS NOT NULL
        ORDER BY at);
    RETURN v_judged;
END
$$;
COMMENT ON FUNCTION data_import.judge_transactions IS
    'Tells which transactions of a request are added, under which date, and what its client is told.';

-- The functions that store take columns of all transactions of a call, or of all their items beside the places of transactions that
-- these belong to. p_copy is 0 for a transaction that is not added. Rows come from arrays by unnest in the SELECT list, because as
-- a function in FROM it stores each column before it is read.

CREATE FUNCTION data_import.store_transactions(
    p_account_key uuid[], p_import_supplier text[], p_request_id uuid[], p_api_key_id bigint[], p_request integer[],
    p_copy integer[], p_requested_date date[], p_description text[], p_type text[], p_transaction_id text[], p_transaction_date date[],
    p_amount numeric[], p_note text[], p_reason text[], p_display_note text[], p_has_tax_items boolean[], p_reference text[],
    p_payment_type text[], p_product_code text[])
RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_stored bigint;
BEGIN
    INSERT INTO data_import.financial_transaction (
        account_key, transaction_id, copy, type, transaction_date, requested_transaction_date, amount, note, reason,
        reference, payment_type, product_code, display_note, has_tax_items, description, request_id, api_key_id)
    SELECT p_account_key[request], transaction_id, copy, type, taken_date, requested_date, amount, note, reason, reference,
           payment_type, product_code, display_note, has_tax_items, description, p_request_id[request], p_api_key_id[request]
    FROM (SELECT unnest(p_request) AS request, unnest(p_transaction_id) AS transaction_id, unnest(p_copy) AS copy,
                 unnest(p_type) AS type, unnest(p_transaction_date) AS taken_date,
                 unnest(p_requested_date) AS requested_date, unnest(p_amount) AS amount, unnest(p_note) AS note,
                 unnest(p_reason) AS reason, unnest(p_reference) AS reference, unnest(p_payment_type) AS payment_type,
                 unnest(p_product_code) AS product_code, unnest(p_display_note) AS display_note,
                 unnest(p_has_tax_items) AS has_tax_items, unnest(p_description) AS description) AS sent
    WHERE copy > 0;
    GET DIAGNOSTICS v_stored = ROW_COUNT;
    INSERT INTO data_import.import_receipt (import_supplier, kind, figure, value)
    SELECT import_supplier, 'transactions', figure, sum(value)
    FROM (SELECT p_import_supplier[request], type, count(*), sum(amount)
          FROM (SELECT unnest(p_request) AS request, unnest(p_copy) AS copy, unnest(p_type) AS type,
                       unnest(p_amount) AS amount) AS sent
          WHERE copy > 0
          GROUP BY request, type) AS added (import_supplier, type, records, amount),
         data_import.transaction_figures(type, records, amount)
    GROUP BY import_supplier, figure;
    RETURN v_stored;
END
$$;
COMMENT ON FUNCTION data_import.store_transactions IS
    'Stores the transactions of a call that are added, with their receipts, and tells how many.';

CREATE FUNCTION data_import.store_line_items(
    p_account_key uuid[], p_request integer[], p_transaction_id text[], p_copy integer[],
    p_line_item_of integer[], p_line_position integer[], p_start_date date[], p_end_date date[], p_number_of_units numeric[],
    p_net_amount numeric[], p_price_per_unit numeric[], p_rate_band text[], p_units text[], p_line_written text[])
RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_stored bigint;
BEGIN
    INSERT INTO data_import.transaction_line_item (
        account_key, transaction_id, copy, position, rate_band, start_date, end_date, number_of_units, net_amount,
        price_per_unit, units, written)
    SELECT p_account_key[p_request[owner]], p_transaction_id[owner], p_copy[owner], position, rate_band, start_date,
           end_date, number_of_units, net_amount, price_per_unit, units::numeric[], written
    FROM (SELECT unnest(p_line_item_of) AS owner, unnest(p_line_position) AS position, unnest(p_rate_band) AS rate_band,
                 unnest(p_start_date) AS start_date, unnest(p_end_date) AS end_date,
                 unnest(p_number_of_units) AS number_of_units, unnest(p_net_amount) AS net_amount,
                 unnest(p_price_per_unit) AS price_per_unit, unnest(p_units) AS units,
                 unnest(p_line_written) AS written) AS sent
    WHERE p_copy[owner] > 0;
    GET DIAGNOSTICS v_stored = ROW_COUNT;
    RETURN v_stored;
END
$$;
COMMENT ON FUNCTION data_import.store_line_items IS 'Stores the line items of the transactions that are added, and tells how many.';

CREATE FUNCTION data_import.store_tax_items(
    p_account_key uuid[], p_request integer[], p_transaction_id text[], p_copy integer[],
    p_tax_item_of integer[], p_tax_position integer[], p_tax_amount numeric[], p_tax_type text[], p_value_taxed numeric[],
    p_rate numeric[], p_unit_type text[], p_tax_written text[])
RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_stored bigint;
BEGIN
    INSERT INTO data_import.transaction_tax_item (
        account_key, transaction_id, copy, position, amount, tax_type, value_taxed, rate, unit_type, written)
    SELECT p_account_key[p_request[owner]], p_transaction_id[owner], p_copy[owner], position, amount, tax_type,
           value_taxed, rate, unit_type, written
    FROM (SELECT unnest(p_tax_item_of) AS owner, unnest(p_tax_position) AS position, unnest(p_tax_amount) AS amount,
                 unnest(p_tax_type) AS tax_type, unnest(p_value_taxed) AS value_taxed, unnest(p_rate) AS rate,
                 unnest(p_unit_type) AS unit_type, unnest(p_tax_written) AS written) AS sent
    WHERE p_copy[owner] > 0;
    GET DIAGNOSTICS v_stored = ROW_COUNT;
    RETURN v_stored;
END
$$;
COMMENT ON FUNCTION data_import.store_tax_items IS 'Stores the tax items of the transactions that are added, and tells how many.';

-- Imports transactions (begin_imports; specification 4.4; decisions, section 5). p_least_id to p_latest are the bounds of what
-- a request brings: when its dates lie inside the period and the account has no id between its ids, nothing of it needs a look.
-- Tax items and line items belong to places of transactions; p_units holds array literals. With done, a row for each transaction
-- of which there is more to say than that it was added as it was sent: where there is none, one row without a place.
CREATE FUNCTION data_import.transactions_import(
    p_account_key uuid[], p_import_supplier text[], p_request_id uuid[], p_api_key_id bigint[],
    p_check_previously_added boolean[], p_force_add_to_current_statement boolean[],
    p_most_stored bigint[], p_least_id text[], p_greatest_id text[], p_earliest date[], p_latest date[],
    p_request integer[], p_type text[], p_transaction_id text[], p_transaction_date date[], p_amount numeric[], p_note text[],
    p_reason text[], p_display_note text[], p_has_tax_items boolean[], p_reference text[], p_payment_type text[],
    p_product_code text[],
    p_tax_item_of integer[], p_tax_position integer[], p_tax_amount numeric[], p_tax_type text[], p_value_taxed numeric[],
    p_rate numeric[], p_unit_type text[], p_tax_written text[],
    p_line_item_of integer[], p_line_position integer[], p_start_date date[], p_end_date date[], p_number_of_units numeric[],
    p_net_amount numeric[], p_price_per_unit numeric[], p_rate_band text[], p_units text[], p_line_written text[])
RETURNS SETOF data_import.transaction_answer
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_verdict constant text[] := data_import.begin_imports(p_account_key, p_import_supplier);
    v_copy integer[] := array_fill(1, ARRAY[cardinality(p_request)]);
    v_date date[] := p_transaction_date;
    v_requested_date date[];
    v_description text[];
    v_period record;
    v_answer data_import.transaction_answer;
    v_judged data_import.transactions_judged;
    v_from integer;
    v_to integer;
    v_stored bigint;
BEGIN
    FOR v_request IN 1 .. cardinality(p_account_key) LOOP
        v_answer.request := v_request;
        v_answer.verdict := v_verdict[v_request];
        IF v_answer.verdict = 'done' THEN
            SELECT first_day, last_day, p_earliest[v_request] >= first_day AND p_latest[v_request] <= last_day AS holds_all,
                   (SELECT 1 FROM data_import.financial_transaction
                    WHERE account_key = p_account_key[v_request]
                      AND transaction_id BETWEEN p_least_id[v_request] AND p_greatest_id[v_request] LIMIT 1) AS has_between
            INTO v_period FROM data_import.statement_period
            WHERE account_key = p_account_key[v_request] AND closed_at IS NULL;
            IF v_period.holds_all AND v_period.has_between IS NULL THEN
                RETURN NEXT v_answer;
                CONTINUE;
            END IF;
        END IF;

        v_from := array_position(p_request, v_request);
        v_to := coalesce(array_position(p_request, v_request + 1, v_from) - 1, cardinality(p_request));
        IF v_answer.verdict <> 'done' THEN
            v_copy[v_from:v_to] := array_fill(0, ARRAY[v_to - v_from + 1]);
            RETURN NEXT v_answer;
            CONTINUE;
        END IF;
        v_judged := data_import.judge_transactions(
            ROW(v_request, p_account_key[v_request], p_import_supplier[v_request], p_request_id[v_request],
                p_api_key_id[v_request], p_check_previously_added[v_request], p_force_add_to_current_statement[v_request],
                p_most_stored[v_request], v_period.first_day, v_period.last_day, v_period.holds_all),
            p_transaction_id[v_from:v_to], p_transaction_date[v_from:v_to]);
        v_copy[v_from:v_to] := v_judged.copies;
        IF v_judged.requested_dates IS NOT NULL THEN
            v_requested_date := coalesce(v_requested_date, array_fill(NULL::date, ARRAY[cardinality(p_request)]));
            v_description := coalesce(v_description, array_fill(NULL::text, ARRAY[cardinality(p_request)]));
            v_date[v_from:v_to] := v_judged.dates;
            v_requested_date[v_from:v_to] := v_judged.requested_dates;
            v_description[v_from:v_to] := v_judged.descriptions;
        END IF;
        RETURN QUERY SELECT * FROM unnest(v_judged.answers);
    END LOOP;
    IF 0 = ALL (v_copy) THEN
        RETURN;
    END IF;

    v_stored := data_import.store_transactions(
        p_account_key, p_import_supplier, p_request_id, p_api_key_id, p_request, v_copy, v_requested_date, v_description, p_type,
        p_transaction_id, v_date, p_amount, p_note, p_reason, p_display_note, p_has_tax_items, p_reference, p_payment_type, p_product_code);
    IF cardinality(p_line_item_of) > 0 THEN
        v_stored := data_import.store_line_items(
            p_account_key, p_request, p_transaction_id, v_copy, p_line_item_of, p_line_position, p_start_date, p_end_date,
            p_number_of_units, p_net_amount, p_price_per_unit, p_rate_band, p_units, p_line_written);
    END IF;
    IF cardinality(p_tax_item_of) > 0 THEN
        v_stored := data_import.store_tax_items(
            p_account_key, p_request, p_transaction_id, v_copy, p_tax_item_of, p_tax_position, p_tax_amount, p_tax_type,
            p_value_taxed, p_rate, p_unit_type, p_tax_written);
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.transactions_import IS
    'Stores the transactions that the accounts do not have yet, dated inside their open statement periods; of each request all '
    'or none.';

GRANT SELECT, INSERT ON data_import.financial_transaction, data_import.transaction_line_item,
    data_import.transaction_tax_item TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.as_written, data_import.stored_transaction, data_import.pin_note_on_moved_transactions,
    data_import.transaction_figures, data_import.copies_to_add, data_import.stored_transactions, data_import.refused_by_period,
    data_import.move_into_period, data_import.judge_transactions, data_import.store_transactions, data_import.store_line_items,
    data_import.store_tax_items, data_import.transactions_import TO "data-import";
