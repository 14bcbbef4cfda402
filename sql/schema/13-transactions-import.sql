-- The import of transactions: what becomes of each transaction, and the rows that are stored for it.

-- Pins a note on the account that lists the transactions of a request whose dates were moved into the open statement period; if
-- there are none, pins no note. The period lasts from p_first_day to p_last_day. p_sent_date holds the dates as sent,
-- p_taken_date the dates as stored. The note leaves out transactions that are not stored: p_copy is 0 for them.
--
-- A note holds at most 65,536 characters. After its first line, the note lists as many ids as fit, then the number of ids left
-- out, if any. Ids are shown as JSON strings, which keeps line ends and the like out of the note. The identity of the note comes
-- from the request, so the note is never mistaken for another request's, or for a note that a client sends.
CREATE FUNCTION data_import.pin_note_on_moved_transactions(
    p_account_key uuid, p_import_supplier text, p_request_id uuid, p_api_key_id bigint,
    p_transaction_id text[], p_sent_date date[], p_taken_date date[], p_copy integer[], p_first_day date, p_last_day date)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_most constant integer := 65536;
    v_lines text[];
    v_head text;
    v_fitting integer;
    v_body text;
    v_identity uuid;
BEGIN
    SELECT array_agg(to_json(sent.transaction_id)::text || ': ' || to_char(sent.sent_date, 'YYYY-MM-DD') || ' became '
                     || to_char(sent.taken_date, 'YYYY-MM-DD') ORDER BY sent.place)
    INTO v_lines
    FROM unnest(p_transaction_id, p_sent_date, p_taken_date, p_copy) WITH ORDINALITY
         AS sent (transaction_id, sent_date, taken_date, copy, place)
    WHERE sent.copy > 0 AND sent.sent_date <> sent.taken_date;
    IF v_lines IS NULL THEN
        RETURN;
    END IF;
    v_head := cardinality(v_lines)
        || CASE cardinality(v_lines) WHEN 1 THEN ' imported transaction was' ELSE ' imported transactions were' END
        || ' dated outside the open statement period ' || to_char(p_first_day, 'YYYY-MM-DD') || ' to '
        || to_char(p_last_day, 'YYYY-MM-DD') || ' and moved into it:';
    SELECT max(listed.place) INTO v_fitting
    FROM (SELECT one.place, char_length(v_head) + sum(1 + char_length(one.line)) OVER (ORDER BY one.place)
                 + char_length(coalesce(E'\nand ' || nullif(cardinality(v_lines) - one.place, 0) || ' more', '')) AS reaches
          FROM unnest(v_lines) WITH ORDINALITY AS one (line, place)) AS listed
    WHERE listed.reaches <= v_most;
    v_body := v_head || E'\n' || array_to_string(v_lines[:v_fitting], E'\n')
        || coalesce(E'\nand ' || nullif(cardinality(v_lines) - v_fitting, 0) || ' more', '');
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

-- Returns for each transaction of a request the number that its row gets in the column `copy`. The number is 1 if the account has
-- no transaction with this id. If the account has one, the number is 0 if p_check_previously_added is true: the transaction is
-- skipped. Otherwise it is the next free number.
--
-- The query repeats the account's key in each row of the sent ids, so that any plan looks up the ids one by one.
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
COMMENT ON TYPE data_import.transactions_request IS
    'A request for transactions that wants a look, and the open period of its account.';
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
    'done or of begin_imports; too_much_stored, no_open_statement_period, transaction_outside_statement_period.';
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

-- Returns a row for each transaction that is refused because its date (p_date) lies outside the account's open statement period,
-- at most 100 rows. Leaves out transactions with 0 in p_copies, because the account has them already. If no period is open,
-- returns a row for the first transaction only. If a period is open and the request allows to change dates
-- (force_add_to_current_statement), returns no rows.
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

-- Decides which transactions of a request are added, under which dates, and what the client is told. A refused request adds
-- nothing.
--
-- Transactions that the account has already are skipped before the period is checked. So a client that has lost an answer can
-- repeat the request after the period was closed.
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

-- The functions below store rows from arrays with one element for each transaction of a call, or for each item of these
-- transactions. For each item, one array holds the index of the item's transaction. p_copy is 0 for a transaction that is not
-- added.
--
-- Rows come from arrays by unnest in the SELECT list, because unnest in FROM stores each column before it is read.

CREATE FUNCTION data_import.store_transactions(
    p_account_key uuid[], p_import_supplier text[], p_request_id uuid[], p_api_key_id bigint[], p_request integer[],
    p_copy integer[], p_requested_date date[], p_description text[], p_type text[], p_transaction_id text[], p_transaction_date date[],
    p_amount numeric[], p_note text[], p_reason text[], p_display_note text[], p_has_tax_items boolean[], p_reference text[],
    p_payment_type text[], p_product_code text[])
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
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
    INSERT INTO data_import.import_receipt (import_supplier, kind, figure, value)
    SELECT import_supplier, 'transactions', figure, sum(value)
    FROM (SELECT p_import_supplier[request], type, count(*), sum(amount)
          FROM (SELECT unnest(p_request) AS request, unnest(p_copy) AS copy, unnest(p_type) AS type,
                       unnest(p_amount) AS amount) AS sent
          WHERE copy > 0
          GROUP BY request, type) AS added (import_supplier, type, records, amount),
         data_import.transaction_figures(type, records, amount)
    GROUP BY import_supplier, figure;
    IF current_setting('data_import.tells_news', true) = 'on' THEN
        PERFORM data_import.add_news(
            ARRAY(SELECT DISTINCT p_account_key[request]
                  FROM (SELECT unnest(p_request) AS request, unnest(p_copy) AS copy) AS sent WHERE copy > 0),
            now());
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.store_transactions IS
    'Stores the transactions of a call that are added, with their receipts.';

CREATE FUNCTION data_import.store_line_items(
    p_account_key uuid[], p_request integer[], p_transaction_id text[], p_copy integer[],
    p_line_item_of integer[], p_line_position integer[], p_start_date date[], p_end_date date[], p_number_of_units numeric[],
    p_net_amount numeric[], p_price_per_unit numeric[], p_rate_band text[], p_units text[], p_line_written text[])
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
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
END
$$;
COMMENT ON FUNCTION data_import.store_line_items IS 'Stores the line items of the transactions that are added.';

CREATE FUNCTION data_import.store_tax_items(
    p_account_key uuid[], p_request integer[], p_transaction_id text[], p_copy integer[],
    p_tax_item_of integer[], p_tax_position integer[], p_tax_amount numeric[], p_tax_type text[], p_value_taxed numeric[],
    p_rate numeric[], p_unit_type text[], p_tax_written text[])
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO data_import.transaction_tax_item (
        account_key, transaction_id, copy, position, amount, tax_type, value_taxed, rate, unit_type, written)
    SELECT p_account_key[p_request[owner]], p_transaction_id[owner], p_copy[owner], position, amount, tax_type,
           value_taxed, rate, unit_type, written
    FROM (SELECT unnest(p_tax_item_of) AS owner, unnest(p_tax_position) AS position, unnest(p_tax_amount) AS amount,
                 unnest(p_tax_type) AS tax_type, unnest(p_value_taxed) AS value_taxed, unnest(p_rate) AS rate,
                 unnest(p_unit_type) AS unit_type, unnest(p_tax_written) AS written) AS sent
    WHERE p_copy[owner] > 0;
END
$$;
COMMENT ON FUNCTION data_import.store_tax_items IS 'Stores the tax items of the transactions that are added.';

-- Imports transactions (contract, section 5.4); begin_imports describes the arrays and the verdicts. An element of p_tax_item_of
-- or p_line_item_of is the index of the item's transaction in p_transaction_id. Each element of p_units is an array literal.
--
-- For a request with the verdict done, returns a row for each transaction that was skipped or got another date. The column place
-- of this row is the index of the transaction in its request, from 0. If the request has no such transaction, returns one row, in
-- which place is null.
--
-- p_least_id and p_greatest_id are the bounds of the ids in each request, and p_earliest and p_latest those of the dates. No
-- transaction of a request is looked up if both dates lie inside the account's open statement period, and the account has no
-- transaction with an id between the two ids.
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

    PERFORM data_import.store_transactions(
        p_account_key, p_import_supplier, p_request_id, p_api_key_id, p_request, v_copy, v_requested_date, v_description, p_type,
        p_transaction_id, v_date, p_amount, p_note, p_reason, p_display_note, p_has_tax_items, p_reference, p_payment_type,
        p_product_code);
    IF cardinality(p_line_item_of) > 0 THEN
        PERFORM data_import.store_line_items(
            p_account_key, p_request, p_transaction_id, v_copy, p_line_item_of, p_line_position, p_start_date, p_end_date,
            p_number_of_units, p_net_amount, p_price_per_unit, p_rate_band, p_units, p_line_written);
    END IF;
    IF cardinality(p_tax_item_of) > 0 THEN
        PERFORM data_import.store_tax_items(
            p_account_key, p_request, p_transaction_id, v_copy, p_tax_item_of, p_tax_position, p_tax_amount, p_tax_type,
            p_value_taxed, p_rate, p_unit_type, p_tax_written);
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.transactions_import IS
    'Stores the transactions that the accounts do not have yet, dated inside their open statement periods; of each request all '
    'or none.';

GRANT EXECUTE ON FUNCTION data_import.pin_note_on_moved_transactions, data_import.copies_to_add,
    data_import.stored_transactions, data_import.refused_by_period, data_import.move_into_period,
    data_import.judge_transactions, data_import.store_transactions, data_import.store_line_items, data_import.store_tax_items,
    data_import.transactions_import TO "data-import";
