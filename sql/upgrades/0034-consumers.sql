-- Work for the platform's software: staged accounts for several sessions at once, and consumers, which learn what is new.
--
-- An import that stores something adds a row to news in its own transaction, in a table that is only appended to, with no index.
-- deliver_news() moves these rows into consumer_news, where each account stands once for each consumer. platform.take_accounts
-- deletes from there, in the transaction of its caller. So nothing depends on the order of commits or on the clock: a row is
-- delivered when it can be seen, and is there until a transaction that took it has committed.
--
-- No import waits for a consumer. deliver_news() runs in one session at a time, and waits for others for a moment at most: it holds back the
-- news of an account that a caller of take_accounts has locked, until that caller's transaction ends.
--
-- Deliveries are numbered, and a statement takes only what was delivered before the statement began. Otherwise, a statement that
-- takes accounts and reads their records could take news of records that it cannot see: a statement sees only what had been
-- committed when it began, but a function that it calls also sees what was committed since.
--
-- Imports add news only for suppliers with tells_news. Imports read the supplier's row anyway, so news cost nothing if there is
-- no consumer. Reading the table of consumers would cost an import of one note 4 microseconds of 110.

-- One more kind of advisory lock:
--
--   news                    none: deliver_news, consumer_add, consumer_fill, consumer_remove
CREATE OR REPLACE FUNCTION data_import.lock_number(p_kind text, p_name text) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    IF p_kind NOT IN ('price_sheets', 'token_request', 'control_totals', 'idempotency_key', 'account_refusal',
                      'account_removal', 'recount', 'housekeeping', 'news', 'schema_migration') THEN
        RAISE EXCEPTION 'there is no kind of advisory lock %', p_kind;
    END IF;
    RETURN ('x' || encode(substring(sha256(convert_to(p_kind || chr(31) || p_name, 'UTF8')) FROM 1 FOR 8), 'hex'))
        ::bit(64)::bigint;
END
$$;

-- As in 0033: workers of Citus need none of what follows but the new column of suppliers.
DO $$
BEGIN
    PERFORM set_config('citus.enable_ddl_propagation', 'off', true);
END
$$;

CREATE TABLE data_import.consumer (
    name       text COLLATE "C" PRIMARY KEY
               CONSTRAINT consumer_name_is_a_name CHECK (data_import.text_problem('name', name, 64) IS NULL),
    suppliers  text[] CONSTRAINT consumer_has_suppliers CHECK (suppliers <> '{}'),
    begins     text NOT NULL CONSTRAINT begin_is_known CHECK (begins IN ('now', 'beginning')),
    added_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    added_by   text NOT NULL,
    is_ready   boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE data_import.consumer IS 'Programs of the platform that take what is new.';
COMMENT ON COLUMN data_import.consumer.name IS 'Name of the consumer.';
COMMENT ON COLUMN data_import.consumer.suppliers IS 'Codes of the suppliers whose accounts it takes; null: of all.';
COMMENT ON COLUMN data_import.consumer.begins IS
    'beginning: it also takes what had been imported before it was added; now: it does not.';
COMMENT ON COLUMN data_import.consumer.added_at IS 'When it was added.';
COMMENT ON COLUMN data_import.consumer.added_by IS 'System user who added it: whoever called sudo, where that was used.';
COMMENT ON COLUMN data_import.consumer.is_ready IS
    'Whether it was added to the end: all imports tell it, and what it begins with is there.';

-- tells_news is true for a new supplier, so that consumers are told of its first imports, too. If no consumer takes the supplier,
-- deliver_news() sets it to false. In a block, as in 0029, because the table may be on several machines.
DO $$
BEGIN
    PERFORM set_config('citus.enable_ddl_propagation', 'on', true);
    ALTER TABLE data_import.import_supplier ADD COLUMN tells_news boolean NOT NULL DEFAULT false;
    ALTER TABLE data_import.import_supplier ALTER COLUMN tells_news SET DEFAULT true;
    PERFORM set_config('citus.enable_ddl_propagation', 'off', true);
END
$$;
COMMENT ON COLUMN data_import.import_supplier.tells_news IS 'Whether imports add to news: a consumer takes accounts of the supplier.';

CREATE TABLE data_import.news (
    placed_by               uuid NOT NULL
                            DEFAULT coalesce(nullif(current_setting('import_receipt.placed_by', true), ''),
                                             '00000000-0000-0000-0000-000000000000')::uuid,
    subjects                uuid[] NOT NULL,
    since                   timestamptz NOT NULL,
    is_removal              boolean NOT NULL DEFAULT false,
    supplier                text COLLATE "C",
    external_account_number text COLLATE "C",
    service_account_number  text COLLATE "C",
    market_participant_code bigint
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
-- as import_receipt
ALTER TABLE data_import.news REPLICA IDENTITY FULL;
COMMENT ON TABLE data_import.news IS
    'What has come, or was removed, and is not delivered to consumers yet. It has no index, because imports add to it.';
COMMENT ON COLUMN data_import.news.placed_by IS 'The shard that has the row, where the schema is distributed, as in import_receipt.';
COMMENT ON COLUMN data_import.news.subjects IS
    'Keys of accounts that have got records; of a market participant data_import.account_key of no supplier and the code.';
COMMENT ON COLUMN data_import.news.since IS 'None of these records has an earlier imported_at.';
COMMENT ON COLUMN data_import.news.is_removal IS 'Whether the account was reset or erased.';
COMMENT ON COLUMN data_import.news.supplier IS 'Of a removal the code of the supplier.';
COMMENT ON COLUMN data_import.news.external_account_number IS 'Of a removal the account''s number in the supplier''s system.';
COMMENT ON COLUMN data_import.news.service_account_number IS 'Of a removal the number on the platform, if there was one.';
COMMENT ON COLUMN data_import.news.market_participant_code IS 'The market participant that the row is about; null: accounts.';

CREATE TABLE data_import.consumer_news (
    consumer                text COLLATE "C" NOT NULL,
    subject                 uuid NOT NULL,
    supplier                text COLLATE "C" NOT NULL,
    external_account_number text COLLATE "C",
    service_account_number  text COLLATE "C",
    market_participant_code bigint,
    since                   timestamptz NOT NULL,
    is_removed              boolean NOT NULL,
    waiting_since           timestamptz NOT NULL,
    delivery                bigint NOT NULL,
    is_held                 boolean NOT NULL,
    PRIMARY KEY (subject, consumer, is_held)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
CREATE INDEX consumer_news_of_accounts ON data_import.consumer_news (consumer, waiting_since)
    WHERE market_participant_code IS NULL AND NOT is_held;
CREATE INDEX consumer_news_of_participants ON data_import.consumer_news (consumer, waiting_since)
    WHERE market_participant_code IS NOT NULL AND NOT is_held;
CREATE INDEX consumer_news_held ON data_import.consumer_news (consumer, subject) WHERE is_held;
CREATE INDEX consumer_news_by_supplier ON data_import.consumer_news (consumer, supplier, waiting_since);
COMMENT ON TABLE data_import.consumer_news IS
    'Accounts and market participants that consumers have yet to take: each once, however much has come.';
COMMENT ON COLUMN data_import.consumer_news.consumer IS 'Name of the consumer.';
COMMENT ON COLUMN data_import.consumer_news.subject IS 'The account or market participant, as in news.';
COMMENT ON COLUMN data_import.consumer_news.supplier IS 'Code of the supplier; empty for a market participant.';
COMMENT ON COLUMN data_import.consumer_news.external_account_number IS
    'The account''s number in the supplier''s system; null for a market participant.';
COMMENT ON COLUMN data_import.consumer_news.service_account_number IS 'The account''s number on the platform, if there was one.';
COMMENT ON COLUMN data_import.consumer_news.market_participant_code IS 'Code of the market participant; null for an account.';
COMMENT ON COLUMN data_import.consumer_news.since IS 'None of the records that are new has an earlier imported_at.';
COMMENT ON COLUMN data_import.consumer_news.is_removed IS
    'Whether records that the consumer may have taken were removed: by a reset, or an erasure.';
COMMENT ON COLUMN data_import.consumer_news.waiting_since IS 'When the first of the news was delivered.';
COMMENT ON COLUMN data_import.consumer_news.delivery IS 'Number of the delivery that brought the last of the news.';
COMMENT ON COLUMN data_import.consumer_news.is_held IS
    'Whether the news came while a session was taking the account, and may be taken when its transaction has ended.';

CREATE TABLE data_import.news_delivery (
    number bigint PRIMARY KEY
);
INSERT INTO data_import.news_delivery VALUES (0);
COMMENT ON TABLE data_import.news_delivery IS 'The last delivery of news to consumers: one row.';
COMMENT ON COLUMN data_import.news_delivery.number IS 'Its number: that of the one before and 1.';

CREATE TABLE data_import.consumer_count (
    consumer text COLLATE "C" NOT NULL,
    supplier text COLLATE "C" NOT NULL,
    waiting  bigint NOT NULL,
    accounts bigint NOT NULL DEFAULT 0,
    records  bigint NOT NULL DEFAULT 0,
    at       timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
-- as import_receipt
ALTER TABLE data_import.consumer_count REPLICA IDENTITY FULL;
COMMENT ON TABLE data_import.consumer_count IS
    'Figures of consumers in parts that readers add up: one for each delivery and each call that took something. deliver_news() '
    'adds them up.';
COMMENT ON COLUMN data_import.consumer_count.consumer IS 'Name of the consumer.';
COMMENT ON COLUMN data_import.consumer_count.supplier IS 'Code of the supplier; empty for market participants.';
COMMENT ON COLUMN data_import.consumer_count.waiting IS 'How many came to those that wait; negative for those that were taken.';
COMMENT ON COLUMN data_import.consumer_count.accounts IS 'How many accounts, or market participants, were taken.';
COMMENT ON COLUMN data_import.consumer_count.records IS 'How many records these had that were new.';
COMMENT ON COLUMN data_import.consumer_count.at IS 'When something was taken; null: nothing was.';

-- Stores the news that accounts have got records; none of these records has an imported_at before p_since. p_account_keys holds
-- the key of each account once, in any order.
CREATE FUNCTION data_import.add_news(p_account_keys uuid[], p_since timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF p_account_keys <> '{}' THEN
        INSERT INTO data_import.news (subjects, since) VALUES (p_account_keys, p_since);
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.add_news IS 'Tells consumers of accounts that have got records since then.';

-- The lock keeps a consumer from being added beside a removal that does not tell it. A removal names the account, so that nothing
-- is stored if nobody wants it.
-- The row stands where the account's records stand: on Citus nodes commit one after the other, and to be told of a removal that one
-- does not see yet would be in vain.
CREATE FUNCTION data_import.add_removal(p_account_key uuid, p_import_supplier text, p_external_account_number text) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_service_account_number constant text := (
        SELECT service_account_number FROM data_import.account WHERE account_key = p_account_key);
BEGIN
    LOCK TABLE data_import.consumer IN ROW SHARE MODE;
    INSERT INTO data_import.news (placed_by, subjects, since, is_removal, supplier, external_account_number,
                                  service_account_number)
    SELECT p_account_key, ARRAY[p_account_key], now(), true, p_import_supplier, p_external_account_number, v_service_account_number
    WHERE EXISTS (SELECT 1 FROM data_import.consumer);
END
$$;
COMMENT ON FUNCTION data_import.add_removal IS 'Tells consumers that an account is reset or erased.';

-- Adds news of market participants. These are few, so their news are stored even if there is no consumer.
CREATE FUNCTION data_import.add_market_participants(p_codes bigint[], p_since timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO data_import.news (subjects, since, market_participant_code)
    SELECT ARRAY[data_import.account_key('', code::text)], p_since, code FROM unnest(p_codes) AS sent (code);
END
$$;
COMMENT ON FUNCTION data_import.add_market_participants IS
    'Tells consumers of market participants that are new, or have new price sheets.';

-- The functions of imports as they were, with what they add to news.

CREATE OR REPLACE FUNCTION data_import.begin_imports(
    p_account_key uuid[], p_import_supplier text[], p_only_looks boolean DEFAULT false)
RETURNS text[] LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_imported uuid[];
    v_locked uuid[] := '{}';
    v_paused text[];
    v_complete text[];
    v_tells_news boolean;
    v_known record;
BEGIN
    IF NOT p_only_looks THEN
        -- locks before it reads, because accounts change under the lock
        v_locked := data_import.try_lock_accounts(p_account_key);
    END IF;
    SELECT array_agg(code::text) FILTER (WHERE status = 'Paused'), array_agg(code::text) FILTER (WHERE status = 'Complete'),
           bool_or(tells_news)
    INTO v_paused, v_complete, v_tells_news
    FROM data_import.import_supplier WHERE code = ANY (p_import_supplier);
    IF v_tells_news THEN
        PERFORM set_config('data_import.tells_news', 'on', true);
    END IF;
    SELECT array_agg(account_key) INTO v_imported
    FROM data_import.account WHERE account_key = ANY (p_account_key) AND state = 'imported';
    -- waits, because records that are repeated may be on no standby yet
    IF current_setting('synchronous_standby_names') <> '' AND NOT p_only_looks THEN
        PERFORM data_import.await_standbys();
    END IF;
    IF v_paused IS NULL AND v_complete IS NULL AND v_locked = '{}'
        AND (cardinality(v_imported) = cardinality(p_account_key) OR p_account_key <@ v_imported) THEN
        RETURN array_fill('done'::text, ARRAY[cardinality(p_account_key)]);
    END IF;
    -- reads again, because an account without a lock may have been imported meanwhile
    SELECT array_agg(account_key) AS keys, array_agg(state::text) AS states INTO v_known
    FROM data_import.account WHERE account_key = ANY (p_account_key);
    RETURN ARRAY(
        SELECT CASE WHEN import_supplier = ANY (v_paused) THEN 'supplier_paused'
                    WHEN import_supplier = ANY (v_complete) THEN 'supplier_complete'
                    WHEN account_key = ANY (v_locked) THEN 'account_locked'
                    WHEN state = 'imported' THEN 'done'
                    ELSE coalesce('account_' || state, 'account_not_found') END
        FROM unnest(p_account_key, p_import_supplier) WITH ORDINALITY AS sent (account_key, import_supplier, place)
        LEFT JOIN unnest(v_known.keys, v_known.states) AS known (account_key, state) USING (account_key)
        ORDER BY place);
END
$$;

-- Returns an array with one element for each note. For a note that was sent without a time (p_created_at is null), the element is
-- the earliest created_at of the account's notes with the same identity; null if there are none. For a note that was sent with a
-- time, the element is null. p_request holds for each note the index of its account in p_account_key.
CREATE FUNCTION data_import.known_note_times(
    p_account_key uuid[], p_request integer[], p_identity uuid[], p_created_at timestamptz[]) RETURNS timestamptz[]
LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_known_at timestamptz[] := array_fill(NULL::timestamptz, ARRAY[cardinality(p_request)]);
    v_known record;
BEGIN
    FOR v_known IN
        SELECT sent.place, min(note.created_at) AS created_at
        FROM (SELECT unnest(p_request) AS request, unnest(p_identity) AS identity, unnest(p_created_at) AS created_at,
                     generate_subscripts(p_request, 1) AS place) AS sent
        JOIN data_import.note ON note.account_key = p_account_key[sent.request] AND note.identity = sent.identity
        WHERE sent.created_at IS NULL
        GROUP BY sent.place
    LOOP
        v_known_at[v_known.place] := v_known.created_at;
    END LOOP;
    RETURN v_known_at;
END
$$;
COMMENT ON FUNCTION data_import.known_note_times IS
    'The earliest time that an account has for each note that was sent without one.';

-- Returns for each note whether it was stored with imported_at = p_imported_at, which is the time of one call of notes_import. If
-- a request has the same note twice, the first gets true and the second gets false. p_request, p_identity and p_created_at have
-- one element for each note. An element of p_request is the index of the note's account in p_account_key.
CREATE FUNCTION data_import.notes_stored_at(
    p_imported_at timestamptz, p_account_key uuid[], p_request integer[], p_identity uuid[], p_created_at timestamptz[])
RETURNS boolean[] LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_is_stored boolean[] := array_fill(false, ARRAY[cardinality(p_request)]);
    v_place integer;
BEGIN
    FOR v_place IN
        SELECT min(place) FROM unnest(p_request, p_identity, p_created_at) WITH ORDINALITY
            AS sent (request, identity, created_at, place)
        JOIN data_import.note ON note.account_key = p_account_key[sent.request] AND note.identity = sent.identity
                             AND note.created_at = sent.created_at
        WHERE note.imported_at = p_imported_at
        GROUP BY sent.request, sent.identity, sent.created_at
    LOOP
        v_is_stored[v_place] := true;
    END LOOP;
    RETURN v_is_stored;
END
$$;
COMMENT ON FUNCTION data_import.notes_stored_at IS 'Whether each note was stored by the call of that time.';

GRANT EXECUTE ON FUNCTION data_import.known_note_times, data_import.notes_stored_at TO "data-import";

CREATE OR REPLACE FUNCTION data_import.notes_import(
    p_account_key uuid[], p_import_supplier text[], p_request_id uuid[], p_api_key_id bigint[],
    p_request integer[], p_body text[], p_document_paths text[], p_created_at timestamptz[], p_is_pinned boolean[],
    p_unpin_at timestamptz[], p_identity uuid[])
RETURNS TABLE (request integer, verdict text, created_at timestamptz, created boolean)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
    v_verdict text[] := data_import.begin_imports(p_account_key, p_import_supplier);
    v_created_at timestamptz[] := p_created_at;
    v_created boolean[] := array_fill(true, ARRAY[cardinality(p_request)]);
    v_known_at timestamptz[];
    v_too_early integer[] := '{}';
    v_place integer;
    v_stored bigint;
    v_now constant timestamptz := clock_timestamp();  -- no other call for these accounts has the same
BEGIN
    IF 'done' <> ALL (v_verdict) THEN
        RETURN QUERY SELECT place::integer, sent.verdict, NULL::timestamptz, NULL::boolean
                     FROM unnest(v_verdict) WITH ORDINALITY AS sent (verdict, place) ORDER BY place;
        RETURN;
    END IF;
    IF array_position(p_created_at, NULL) IS NOT NULL THEN
        v_known_at := data_import.known_note_times(p_account_key, p_request, p_identity, p_created_at);
        v_created_at := data_import.note_times(p_request, p_identity, p_created_at, v_known_at);
        v_too_early := ARRAY(
            SELECT place
            FROM (SELECT *, min(place) OVER (PARTITION BY request, identity) AS first
                  FROM unnest(p_request, p_identity, p_created_at, v_known_at, p_unpin_at) WITH ORDINALITY
                      AS sent (request, identity, created_at, known_at, unpin_at, place)) AS sent
            WHERE created_at IS NULL AND known_at IS NULL AND unpin_at < now() AND place = first
              AND v_verdict[request] = 'done');
        FOREACH v_place IN ARRAY v_too_early LOOP
            v_verdict[p_request[v_place]] := 'unpin_at_before_creation';
        END LOOP;
    END IF;

    WITH stored AS (
        INSERT INTO data_import.note (account_key, identity, created_at, body, document_paths, is_pinned, has_created_at,
                                      has_is_pinned, unpin_at, request_id, api_key_id, imported_at)
        SELECT p_account_key[request], identity, created_at, body, document_paths::text[], coalesce(is_pinned, false),
               has_created_at, is_pinned IS NOT NULL, unpin_at, p_request_id[request], p_api_key_id[request], v_now
        FROM (SELECT unnest(p_request) AS request, unnest(p_body) AS body, unnest(p_document_paths) AS document_paths,
                     unnest(v_created_at) AS created_at, unnest(p_created_at) IS NOT NULL AS has_created_at,
                     unnest(p_is_pinned) AS is_pinned, unnest(p_unpin_at) AS unpin_at, unnest(p_identity) AS identity) AS sent
        WHERE v_verdict[request] = 'done'
        ON CONFLICT DO NOTHING
        RETURNING 1  -- ROW_COUNT would count what Citus was given
    )
    SELECT count(*) INTO v_stored FROM stored;
    IF v_stored < cardinality(p_request) THEN
        v_created := data_import.notes_stored_at(v_now, p_account_key, p_request, p_identity, v_created_at);
        FOREACH v_place IN ARRAY v_too_early LOOP
            v_created[v_place] := true;
        END LOOP;
    END IF;

    INSERT INTO data_import.import_receipt (import_supplier, kind, figure, value)
    SELECT import_supplier, 'notes', figure, value
    FROM (SELECT p_import_supplier[request], count(*)
          FROM (SELECT unnest(p_request) AS request, unnest(v_created) AS created) AS sent
          WHERE created AND v_verdict[request] = 'done'
          GROUP BY 1) AS added (import_supplier, records),
         data_import.note_figures(false, records);
    IF current_setting('data_import.tells_news', true) = 'on' THEN
        PERFORM data_import.add_news(
            ARRAY(SELECT DISTINCT p_account_key[request]
                  FROM (SELECT unnest(p_request) AS request, unnest(v_created) AS created) AS sent
                  WHERE created AND v_verdict[request] = 'done'),
            least(v_now, now()));
    END IF;
    RETURN QUERY SELECT request, v_verdict[request], created_at, created
                 FROM (SELECT unnest(p_request) AS request, unnest(v_created_at) AS created_at,
                              unnest(v_created) AS created) AS sent;
END
$$;

CREATE OR REPLACE FUNCTION data_import.store_transactions(
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

CREATE OR REPLACE FUNCTION data_import.historical_statements_import(
    p_account_key uuid[], p_import_supplier text[], p_request_id uuid[], p_api_key_id bigint[],
    p_request integer[], p_statement_id text[], p_bill_period_from_date date[], p_bill_period_to_date date[],
    p_issued_date date[], p_number text[], p_gross_amount numeric[], p_statement_path text[], p_supply_type text[],
    p_is_annulled boolean[], p_content_digest uuid[])
RETURNS TABLE (request integer, verdict text, differing integer, stored integer)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
    v_verdict constant text[] := data_import.begin_imports(p_account_key, p_import_supplier);
    v_differs boolean[] := array_fill(false, ARRAY[cardinality(p_request)]);
    v_is_added boolean[] := array_fill(true, ARRAY[cardinality(p_request)]);
    v_known record;
    v_from integer;
    v_to integer := 0;
BEGIN
    SELECT array_agg(sent.place) AS place, array_agg(known.content_digest <> p_content_digest[sent.place]) AS differs
    INTO v_known
    FROM (SELECT unnest(p_request) AS request, unnest(p_statement_id) AS statement_id,
                 generate_subscripts(p_request, 1) AS place) AS sent
    JOIN data_import.historical_statement AS known
        ON known.account_key = p_account_key[sent.request] AND known.statement_id = sent.statement_id;
    FOR v_place IN 1 .. coalesce(cardinality(v_known.place), 0) LOOP
        v_is_added[v_known.place[v_place]] := false;
        v_differs[v_known.place[v_place]] := v_known.differs[v_place];
    END LOOP;

    FOR v_request IN 1 .. cardinality(p_account_key) LOOP
        request := v_request;
        verdict := v_verdict[v_request];
        v_from := v_to + 1;
        v_to := coalesce(array_position(p_request, v_request + 1, v_from) - 1, cardinality(p_request));
        stored := 0;
        IF verdict = 'done' AND NOT true = ANY (v_differs[v_from:v_to]) THEN
            stored := cardinality(array_positions(v_is_added[v_from:v_to], true));
            RETURN NEXT;
            CONTINUE;
        END IF;
        v_is_added[v_from:v_to] := array_fill(false, ARRAY[v_to - v_from + 1]);
        IF verdict = 'done' THEN
            RETURN QUERY SELECT v_request, 'done', at - v_from, 0 FROM generate_series(v_from, v_to) AS at
                         WHERE v_differs[at] ORDER BY at;
        ELSE
            RETURN NEXT;
        END IF;
    END LOOP;

    INSERT INTO data_import.historical_statement (
        account_key, statement_id, bill_period_from_date, bill_period_to_date, issued_date, number, gross_amount,
        statement_path, supply_type, is_annulled, has_is_annulled, content_digest, request_id, api_key_id)
    SELECT p_account_key[request], statement_id, bill_period_from_date, bill_period_to_date, issued_date, number, gross_amount,
           statement_path, supply_type, coalesce(is_annulled, false), is_annulled IS NOT NULL, content_digest,
           p_request_id[request], p_api_key_id[request]
    FROM (SELECT unnest(v_is_added) AS is_added, unnest(p_request) AS request, unnest(p_statement_id) AS statement_id,
                 unnest(p_bill_period_from_date) AS bill_period_from_date,
                 unnest(p_bill_period_to_date) AS bill_period_to_date, unnest(p_issued_date) AS issued_date,
                 unnest(p_number) AS number, unnest(p_gross_amount) AS gross_amount,
                 unnest(p_statement_path) AS statement_path, unnest(p_supply_type) AS supply_type,
                 unnest(p_is_annulled) AS is_annulled, unnest(p_content_digest) AS content_digest) AS sent
    WHERE is_added;
    INSERT INTO data_import.import_receipt (import_supplier, kind, figure, value)
    SELECT import_supplier, 'historical_statements', figure, value
    FROM (SELECT p_import_supplier[request], count(*), sum(gross_amount)
          FROM (SELECT unnest(v_is_added) AS is_added, unnest(p_request) AS request,
                       unnest(p_gross_amount) AS gross_amount) AS sent
          WHERE is_added
          GROUP BY 1) AS added (import_supplier, records, gross_amount),
         data_import.historical_statement_figures(records, gross_amount)
    WHERE value IS NOT NULL;
    IF current_setting('data_import.tells_news', true) = 'on' THEN
        PERFORM data_import.add_news(
            ARRAY(SELECT DISTINCT p_account_key[request]
                  FROM (SELECT unnest(v_is_added) AS is_added, unnest(p_request) AS request) AS sent WHERE is_added),
            now());
    END IF;
END
$$;

CREATE OR REPLACE FUNCTION data_import.add_document_receipts(
    p_kind text, p_stored data_import.documents_stored, p_verdict text[], p_account_key uuid[], p_import_supplier text[],
    p_content_digest uuid[], p_request integer[], p_figure text[], p_value numeric[])
RETURNS text[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_is_stored boolean[] := array_fill(true, ARRAY[cardinality(p_account_key)]);
BEGIN
    IF cardinality(p_stored.content_digests) IS DISTINCT FROM cardinality(p_account_key) THEN
        v_is_stored := ARRAY(
            SELECT stored.account_key IS NOT NULL
            FROM unnest(p_account_key, p_content_digest) WITH ORDINALITY AS sent (account_key, content_digest, place)
            LEFT JOIN unnest(p_stored.account_keys, p_stored.content_digests) AS stored (account_key, content_digest)
                USING (account_key, content_digest)
            ORDER BY place);
    END IF;
    INSERT INTO data_import.import_receipt (import_supplier, kind, figure, value)
    SELECT p_import_supplier[request], p_kind, figure, sum(value)
    FROM unnest(p_request, p_figure, p_value) AS sent (request, figure, value)
    WHERE v_is_stored[request]
    GROUP BY 1, 3;
    IF current_setting('data_import.tells_news', true) = 'on' THEN
        PERFORM data_import.add_news(ARRAY(SELECT DISTINCT unnest(p_stored.account_keys)), now());
    END IF;
    IF true = ALL (v_is_stored) THEN
        RETURN p_verdict;
    END IF;
    RETURN ARRAY(
        SELECT CASE WHEN verdict = 'done' AND NOT is_stored THEN 'repeated' ELSE verdict END
        FROM unnest(p_verdict, v_is_stored) WITH ORDINALITY AS document (verdict, is_stored, place)
        ORDER BY place);
END
$$;

CREATE OR REPLACE FUNCTION data_import.store_payment_instruction(
    p_account_key uuid, p_import_supplier text, p_request_id uuid, p_api_key_id bigint, p_organisation text, p_vendor text,
    p_reference text, p_type text, p_status text, p_last_four text, p_masked_account text, p_details jsonb,
    OUT verdict text, OUT service_account_number text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    verdict := data_import.begin_import_soon(p_account_key, p_import_supplier);
    PERFORM data_import.payment_vendor_answered(p_organisation, p_vendor, p_reference);
    IF verdict <> 'done' THEN
        RETURN;
    END IF;
    service_account_number := (SELECT a.service_account_number FROM data_import.account AS a
                               WHERE a.account_key = p_account_key);
    INSERT INTO data_import.payment_instruction (account_key, vendor, reference, type, status, last_four,
        masked_account, details, request_id, api_key_id)
    VALUES (p_account_key, p_vendor, p_reference, p_type, p_status, p_last_four, p_masked_account, p_details,
        p_request_id, p_api_key_id)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
        INSERT INTO data_import.import_receipt (import_supplier, kind, value)
        VALUES (p_import_supplier, 'payment_instructions', 1);
        IF current_setting('data_import.tells_news', true) = 'on' THEN
            PERFORM data_import.add_news(ARRAY[p_account_key], now());
        END IF;
    ELSE
        verdict := 'repeated';
    END IF;
END
$$;

CREATE OR REPLACE FUNCTION data_import.market_participant_import(p_participant json)
RETURNS TABLE (created boolean, shows_contacts boolean, participant data_import.market_participant,
               contact data_import.market_participant_contact)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_sent data_import.market_participant;
    v_contact data_import.market_participant_contact;
BEGIN
    v_sent := json_populate_record(v_sent, p_participant);
    -- waits if another request stores the same code; one of the two creates the participant
    INSERT INTO data_import.market_participant SELECT v_sent.* ON CONFLICT DO NOTHING;
    created := FOUND;
    IF created THEN
        v_contact.market_participant_code := v_sent.code;
        INSERT INTO data_import.market_participant_contact
        SELECT sent.* FROM json_populate_recordset(v_contact, p_participant -> 'contact_details') AS sent;
        INSERT INTO data_import.import_receipt (import_supplier, kind, value) VALUES ('', 'market_participants', 1);
        PERFORM data_import.add_market_participants(ARRAY[v_sent.code], least(v_sent.imported_at, now()));
    ELSE
        PERFORM data_import.await_standbys();
    END IF;
    RETURN QUERY
        SELECT created, stored.has_contact_details AND stored.organisation = v_sent.organisation, stored, known
        FROM data_import.market_participant AS stored
        LEFT JOIN data_import.market_participant_contact AS known
            ON known.market_participant_code = stored.code AND stored.organisation = v_sent.organisation
        WHERE stored.code = v_sent.code
        ORDER BY known.ordinal;
END
$$;

CREATE OR REPLACE FUNCTION data_import.price_sheets_import(p_price_sheets json) RETURNS TABLE (sheet integer, outcome text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_sheet integer[];
    v_outcome text[];
BEGIN
    PERFORM data_import.lock_price_sheets(p_price_sheets -> 0 ->> 'organisation');
    SELECT array_agg(judged.sheet), array_agg(judged.outcome) INTO v_sheet, v_outcome
    FROM data_import.judge_price_sheets(p_price_sheets) AS judged;
    IF 'imported' = ANY (v_outcome) AND v_outcome <@ ARRAY['imported', 'already_imported'] THEN
        INSERT INTO data_import.price_sheet
        SELECT stored.*
        FROM json_array_elements(p_price_sheets) WITH ORDINALITY AS sent (sheet, place),
            json_populate_record(NULL::data_import.price_sheet, sent.sheet) AS stored
        WHERE v_outcome[sent.place] = 'imported';
        INSERT INTO data_import.article_price
        SELECT price.*
        FROM json_array_elements(p_price_sheets) WITH ORDINALITY AS sent (sheet, place),
            json_populate_recordset(json_populate_record(NULL::data_import.article_price, sent.sheet),
                                    sent.sheet -> 'article_prices') AS price
        WHERE v_outcome[sent.place] = 'imported';
        INSERT INTO data_import.import_receipt (import_supplier, kind, value)
        VALUES ('', 'price_sheets', cardinality(array_positions(v_outcome, 'imported')));
        PERFORM data_import.add_market_participants(
            ARRAY(SELECT DISTINCT (sent.sheet ->> 'market_participant_code')::bigint
                  FROM json_array_elements(p_price_sheets) WITH ORDINALITY AS sent (sheet, place)
                  WHERE v_outcome[sent.place] = 'imported'),
            now());
    ELSIF v_outcome <@ ARRAY['already_imported'] THEN
        PERFORM data_import.await_standbys();
    END IF;
    RETURN QUERY SELECT * FROM unnest(v_sheet, v_outcome);
END
$$;

CREATE OR REPLACE FUNCTION data_import.account_reset(p_import_supplier text, p_external_account_number text) RETURNS bigint
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

CREATE OR REPLACE FUNCTION data_import.account_erase(p_import_supplier text, p_external_account_number text) RETURNS bigint
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

GRANT INSERT ON data_import.news TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.add_news TO "data-import";

-- Sets tells_news of each supplier to whether a consumer wants its news. Callers hold the lock of news, so that no consumer is
-- added or removed meanwhile.
--
-- Another session may have locked the rows of suppliers, for as long as it loads accounts. Setting tells_news to true waits for a
-- moment and then raises lock_not_available, because imports have to tell a new consumer. Setting tells_news to false can be left
-- to a later call.
CREATE FUNCTION data_import.set_tells_news() RETURNS void
LANGUAGE plpgsql VOLATILE SET lock_timeout = '200ms' AS $$
DECLARE
    v_all constant boolean := EXISTS (SELECT 1 FROM data_import.consumer WHERE suppliers IS NULL);
    v_wanted constant text[] := ARRAY(SELECT unnest(suppliers) FROM data_import.consumer);
BEGIN
    PERFORM 1 FROM data_import.import_supplier WHERE NOT tells_news AND (v_all OR code = ANY (v_wanted));
    IF FOUND THEN
        BEGIN
            UPDATE data_import.import_supplier SET tells_news = true WHERE NOT tells_news AND (v_all OR code = ANY (v_wanted));
        EXCEPTION WHEN lock_not_available THEN
            RAISE EXCEPTION 'another session has locked an import supplier, account load for example: try again when that has ended'
                USING ERRCODE = 'lock_not_available';
        END;
    END IF;
    PERFORM 1 FROM data_import.import_supplier WHERE tells_news AND NOT (v_all OR code = ANY (v_wanted));
    IF FOUND THEN
        BEGIN
            UPDATE data_import.import_supplier SET tells_news = false WHERE tells_news AND NOT (v_all OR code = ANY (v_wanted));
        EXCEPTION WHEN lock_not_available THEN
            RETURN;
        END;
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.set_tells_news IS 'Lets imports collect news for those suppliers that consumers take.';

-- If consumer_count has 500 rows or more, replaces them by one row with the sum for each consumer and supplier. Only the session
-- that delivers news calls this function, so no two sessions do this at once.
CREATE FUNCTION data_import.add_up_consumer_counts() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF (SELECT count(*) FROM (SELECT 1 FROM data_import.consumer_count LIMIT 500) AS parts) < 500 THEN
        RETURN;
    END IF;
    WITH gone AS (
        DELETE FROM data_import.consumer_count RETURNING *
    )
    INSERT INTO data_import.consumer_count (consumer, supplier, waiting, accounts, records, at)
    SELECT consumer, supplier, sum(waiting), sum(accounts), sum(records), max(at) FROM gone GROUP BY consumer, supplier;
END
$$;
COMMENT ON FUNCTION data_import.add_up_consumer_counts IS 'Adds up the figures of consumers, where there are many parts.';

CREATE FUNCTION data_import.last_delivery() RETURNS bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN (SELECT number FROM data_import.news_delivery);
END
$$;
COMMENT ON FUNCTION data_import.last_delivery IS 'Number of the last delivery of news that the calling statement sees.';

-- Locks rows of consumer_news, and returns the keys of those that another session has locked. p_consumers and p_subjects have one
-- element for each row: its consumer, and its subject, which is an account or a market participant. A row that another session
-- has deleted is not returned if that session commits before the second SELECT of this function begins.
--
-- The function locks no other rows. take_accounts passes over locked rows, so its caller would miss the news in them for a while.
--
-- The SET clauses make plans use the index and hash joins, and keep jit from compiling the plans; workers' sessions have
-- hash joins switched off. Without `subject = ANY (p_subjects)`, a plan that was made for few rows could read all rows of a
-- consumer.
CREATE FUNCTION data_import.lock_waiting(p_consumers text[], p_subjects uuid[], OUT consumers text[], OUT subjects uuid[])
LANGUAGE plpgsql VOLATILE SET enable_nestloop = off SET enable_hashjoin = on SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    v_free record;
BEGIN
    SELECT array_agg(consumer) AS consumers, array_agg(subject) AS subjects INTO v_free
    FROM (SELECT consumer, subject FROM data_import.consumer_news
          WHERE subject = ANY (p_subjects) AND NOT is_held
            AND (consumer, subject) IN (SELECT * FROM unnest(p_consumers, p_subjects)) FOR UPDATE SKIP LOCKED) AS free;
    SELECT array_agg(consumer), array_agg(subject) INTO lock_waiting.consumers, lock_waiting.subjects
    FROM (SELECT consumer, subject FROM data_import.consumer_news
          WHERE subject = ANY (p_subjects) AND NOT is_held
            AND (consumer, subject) IN (SELECT * FROM unnest(p_consumers, p_subjects))
          EXCEPT SELECT * FROM unnest(v_free.consumers, v_free.subjects)) AS locked;
END
$$;
COMMENT ON FUNCTION data_import.lock_waiting IS
    'Locks rows of accounts that wait for consumers, and tells which of them other sessions have locked.';

-- Nobody else adds rows, because callers hold the lock of news. Rows that somebody is taking stay untouched: news for them are
-- held. A delivery changes each row that waits already, even if nothing but its number is new: a statement that began before it
-- does not see the newest records, and must not take the row.
CREATE FUNCTION data_import.store_news(p_news data_import.consumer_news[]) RETURNS void
LANGUAGE plpgsql VOLATILE SET enable_nestloop = off SET enable_hashjoin = on SET enable_seqscan = off SET jit = off AS $$
DECLARE
    v_locked constant record := data_import.lock_waiting(ARRAY(SELECT consumer FROM unnest(p_news)),
                                                         ARRAY(SELECT subject FROM unnest(p_news)));
    v_delivery bigint;
    v_consumer text;
BEGIN
    UPDATE data_import.news_delivery SET number = number + 1 RETURNING number INTO v_delivery;
    WITH stored AS (
        INSERT INTO data_import.consumer_news AS waiting
        SELECT consumer, subject, supplier, external_account_number, service_account_number, market_participant_code, since,
               is_removed, waiting_since, v_delivery, locked.is_locked IS NOT NULL
        FROM unnest(p_news) AS new
        LEFT JOIN (SELECT *, true AS is_locked FROM unnest(v_locked.consumers, v_locked.subjects) AS row (consumer, subject)) AS locked
            USING (consumer, subject)
        ON CONFLICT (subject, consumer, is_held) DO UPDATE
        SET since = least(waiting.since, excluded.since), is_removed = waiting.is_removed OR excluded.is_removed,
            service_account_number = coalesce(excluded.service_account_number, waiting.service_account_number),
            delivery = excluded.delivery
        RETURNING consumer, supplier, is_held, xmax = 0 AS is_new  -- a row that was there has been locked
    )
    INSERT INTO data_import.consumer_count (consumer, supplier, waiting)
    SELECT consumer, supplier, count(*) FROM stored WHERE is_new AND NOT is_held GROUP BY consumer, supplier;
    FOR v_consumer IN SELECT DISTINCT consumer FROM unnest(p_news) LOOP
        PERFORM pg_notify('data_import_news', v_consumer);
    END LOOP;
END
$$;
COMMENT ON FUNCTION data_import.store_news IS 'Adds news of consumers to those that wait.';

-- Delivers the news p_told to the consumers that want them. p_told has one row for each account or market participant with news.
-- p_consumers names the consumers that may get the news; null: all. An account that is not in the table account was erased: only
-- the news of its removal are delivered.
CREATE FUNCTION data_import.deliver(p_told data_import.news[], p_consumers text[] DEFAULT NULL) RETURNS void
LANGUAGE plpgsql VOLATILE SET enable_nestloop = off SET enable_hashjoin = on SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    v_subjects constant uuid[] := ARRAY(SELECT subjects[1] FROM unnest(p_told));
    v_known record;
BEGIN
    SELECT array_agg(account_key) AS keys, array_agg(import_supplier::text) AS suppliers,
           array_agg(external_account_number::text) AS numbers, array_agg(service_account_number::text) AS service_numbers
    INTO v_known
    FROM data_import.account WHERE account_key = ANY (v_subjects);
    -- leaves out an account that is neither known nor removed: it was erased, and another row tells of that
    PERFORM data_import.store_news(ARRAY(
        SELECT ROW(consumer.name, told.subject, told.supplier, told.number, told.service_number, told.code, told.since,
                   told.is_removal, now(), 0, false)::data_import.consumer_news
        FROM (SELECT subjects[1] AS subject, market_participant_code AS code, is_removal,
                     CASE WHEN is_removal THEN 'epoch' ELSE since END AS since,
                     CASE WHEN market_participant_code IS NULL THEN coalesce(known.supplier, told.supplier) ELSE '' END AS supplier,
                     coalesce(known.number, told.external_account_number) AS number,
                     coalesce(known.service_number, told.service_account_number) AS service_number
              FROM unnest(p_told) AS told
              LEFT JOIN unnest(v_known.keys, v_known.suppliers, v_known.numbers, v_known.service_numbers)
                  AS known (key, supplier, number, service_number) ON known.key = told.subjects[1]) AS told
        JOIN data_import.consumer
            ON (p_consumers IS NULL OR consumer.name = ANY (p_consumers))
           AND (told.code IS NOT NULL OR consumer.suppliers IS NULL OR told.supplier = ANY (consumer.suppliers))
        WHERE told.supplier IS NOT NULL));
END
$$;
COMMENT ON FUNCTION data_import.deliver IS 'Gives news to the consumers that want them, or to these of them.';

CREATE FUNCTION data_import.deliver_held() RETURNS void
LANGUAGE plpgsql VOLATILE SET enable_nestloop = off SET enable_hashjoin = on SET enable_seqscan = off SET jit = off AS $$
DECLARE
    v_held constant data_import.consumer_news[] := ARRAY(SELECT held FROM data_import.consumer_news AS held WHERE is_held);
    v_locked record;
    v_ended data_import.consumer_news[];
    v_rows tid[];
BEGIN
    IF v_held = '{}' THEN
        RETURN;
    END IF;
    v_locked := data_import.lock_waiting(ARRAY(SELECT consumer FROM unnest(v_held)), ARRAY(SELECT subject FROM unnest(v_held)));
    v_ended := ARRAY(
        SELECT held FROM unnest(v_held) AS held
        LEFT JOIN (SELECT *, true AS is_locked FROM unnest(v_locked.consumers, v_locked.subjects) AS row (consumer, subject)) AS locked
            USING (consumer, subject)
        WHERE is_locked IS NULL);
    IF v_ended <> '{}' THEN
        v_rows := ARRAY(
            SELECT held.ctid FROM data_import.consumer_news AS held
            WHERE held.is_held AND held.subject = ANY (ARRAY(SELECT subject FROM unnest(v_ended)))
              AND (held.consumer, held.subject) IN (SELECT consumer, subject FROM unnest(v_ended)) FOR UPDATE SKIP LOCKED);
        WITH gone AS (
            DELETE FROM data_import.consumer_news AS held WHERE ctid = ANY (v_rows) RETURNING held.*
        )
        SELECT coalesce(array_agg(gone::data_import.consumer_news), '{}') INTO v_ended FROM gone;
        PERFORM data_import.store_news(v_ended);
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.deliver_held IS 'Delivers what came for accounts while they were taken, if that has ended.';

-- Moves news from the table news to consumer_news, where consumers take them; the oldest first. A call ends when it has moved the
-- news of p_most accounts and market participants, or all news. Returns true if there may be more to deliver; the caller then
-- calls again. Workers of all hosts call this function every two seconds. One session at a time does the work; the calls of other
-- sessions do nothing and return false.
CREATE FUNCTION data_import.deliver_news(p_most integer DEFAULT 20000) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_until timestamptz;
    v_told data_import.news[];
BEGIN
    -- for Citus, as in remove_import_supplier
    PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
    IF NOT pg_try_advisory_xact_lock(data_import.lock_number('news', '')) THEN
        RETURN false;
    END IF;
    PERFORM data_import.deliver_held();
    PERFORM 1 FROM data_import.news LIMIT 1;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM data_import.set_tells_news();
    SELECT min(since) INTO v_until
    FROM (SELECT since, sum(size) OVER (ORDER BY since) AS subjects
          FROM (SELECT since, cardinality(subjects) AS size FROM data_import.news ORDER BY since LIMIT p_most) AS oldest) AS next
    WHERE subjects >= p_most;
    WITH gone AS (
        DELETE FROM data_import.news WHERE since <= coalesce(v_until, 'infinity') RETURNING *
    ), told AS (
        SELECT subject, min(gone.since) AS since, bool_or(gone.is_removal) AS is_removal, max(gone.supplier) AS supplier,
               max(gone.external_account_number) AS external_account_number,
               max(gone.service_account_number) AS service_account_number,
               max(gone.market_participant_code) AS market_participant_code
        FROM gone, unnest(gone.subjects) AS subject
        GROUP BY subject
    )
    SELECT array_agg(ROW(subject, ARRAY[subject], since, is_removal, supplier, external_account_number, service_account_number,
                         market_participant_code)::data_import.news)
    INTO v_told FROM told;
    IF v_told IS NULL THEN
        RETURN false;
    END IF;
    PERFORM data_import.deliver(v_told);
    PERFORM data_import.add_up_consumer_counts();
    RETURN v_until IS NOT NULL;
END
$$;
COMMENT ON FUNCTION data_import.deliver_news IS 'Delivers some 20000 accounts with news to the consumers, the oldest news first.';

-- Functions by which data-importctl, as the owner, adds and removes consumers. They lock the table of consumers before they take
-- the lock of news.

CREATE FUNCTION data_import.consumer_add(p_name text, p_begins text, p_suppliers text[], p_added_by text) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    LOCK TABLE data_import.consumer IN EXCLUSIVE MODE;
    PERFORM pg_advisory_xact_lock(data_import.lock_number('news', ''));
    INSERT INTO data_import.consumer (name, suppliers, begins, added_by) VALUES (p_name, p_suppliers, p_begins, p_added_by)
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM data_import.set_tells_news();
    RETURN true;
END
$$;
COMMENT ON FUNCTION data_import.consumer_add IS
    'Adds a consumer, which is not ready yet; false: there is one of this name. Imports that begin after the commit tell it. '
    'Raises lock_not_available while another session holds a supplier that it wants.';

-- Returns the transactions of other sessions that hold a lock on the table of suppliers, on all nodes of Citus. Each import holds
-- this lock until it ends, whatever role it has logged in with. A dump is left out, because it holds the lock for hours, and
-- imports nothing.
--
-- An import that read its supplier before a consumer was added adds no news for that consumer. All such imports have ended when
-- the transactions have ended that this function returns right after the commit of consumer_add.
CREATE FUNCTION data_import.running_imports() RETURNS text[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_query constant text := $query$
        SELECT array_agg(DISTINCT coalesce(held.pid::text, 'prepared') || ' ' || held.virtualtransaction)
        FROM pg_catalog.pg_locks AS held
        JOIN pg_catalog.pg_class AS class ON class.oid = held.relation
        LEFT JOIN pg_catalog.pg_stat_activity AS session USING (pid)
        WHERE held.granted AND held.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
          AND class.relnamespace = 'data_import'::regnamespace AND class.relname ~ '^import_supplier(_[0-9]+)?$'
          AND held.pid IS DISTINCT FROM pg_backend_pid() AND session.application_name IS DISTINCT FROM 'pg_dump' $query$;
    v_running text[];
BEGIN
    IF to_regclass('pg_catalog.pg_dist_node') IS NULL THEN
        EXECUTE v_query INTO v_running;
    ELSE
        SELECT array_agg(node.nodeid || ' ' || one) INTO v_running
        FROM run_command_on_all_nodes(v_query) AS node, unnest(nullif(node.result, '')::text[]) AS one;
    END IF;
    RETURN coalesce(v_running, '{}');
END
$$;
COMMENT ON FUNCTION data_import.running_imports IS 'Transactions that may be imports and run now, on all nodes of Citus.';

-- The next accounts behind a key, for a consumer that begins with what is there. Null: there are none. They go the way of news, so
-- that those that it has taken since come again.
CREATE FUNCTION data_import.consumer_fill(p_name text, p_after uuid, p_most integer, OUT accounts integer, OUT last_key uuid)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_suppliers text[];
    v_keys uuid[];
BEGIN
    PERFORM pg_advisory_xact_lock(data_import.lock_number('news', ''));
    SELECT suppliers INTO v_suppliers FROM data_import.consumer WHERE name = p_name;
    SELECT array_agg(account_key ORDER BY account_key) INTO v_keys
    FROM (SELECT account_key FROM data_import.account
          WHERE account_key > p_after AND state = 'imported'
            AND (v_suppliers IS NULL OR import_supplier = ANY (v_suppliers))
          ORDER BY account_key LIMIT p_most) AS next;
    accounts := coalesce(cardinality(v_keys), 0);
    last_key := v_keys[accounts];
    PERFORM data_import.deliver(ARRAY(
        SELECT ROW(key, ARRAY[key], 'epoch', false, NULL, NULL, NULL, NULL)::data_import.news FROM unnest(v_keys) AS key),
        ARRAY[p_name]);
END
$$;
COMMENT ON FUNCTION data_import.consumer_fill IS
    'Delivers to a consumer the next accounts that were imported before it was added, and tells the key of the last.';

CREATE FUNCTION data_import.consumer_ready(p_name text) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_begins text;
BEGIN
    LOCK TABLE data_import.consumer IN ROW EXCLUSIVE MODE;
    PERFORM pg_advisory_xact_lock(data_import.lock_number('news', ''));
    UPDATE data_import.consumer SET is_ready = true WHERE name = p_name RETURNING begins INTO v_begins;
    IF v_begins = 'beginning' THEN
        PERFORM data_import.deliver(ARRAY(
            SELECT ROW(key, ARRAY[key], 'epoch', false, NULL, NULL, NULL, code)::data_import.news
            FROM (SELECT code, data_import.account_key('', code::text) AS key FROM data_import.market_participant) AS known),
            ARRAY[p_name]);
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.consumer_ready IS
    'Ends the adding of a consumer, to which it delivers the market participants that were there.';

-- Removes a consumer; returns false if there is no consumer of this name. Waits for 2 s for a session that is taking accounts of
-- the consumer, or declaring what the consumer has booked. Then raises lock_not_available.
--
-- The wait is short, because other consumers get no news while this function holds the lock of news.
CREATE FUNCTION data_import.consumer_remove(p_name text) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    LOCK TABLE data_import.consumer IN ROW EXCLUSIVE MODE;
    PERFORM pg_advisory_xact_lock(data_import.lock_number('news', ''));
    PERFORM set_config('lock_timeout', '2s', true);
    DELETE FROM data_import.consumer WHERE name = p_name;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    DELETE FROM data_import.consumer_news WHERE consumer = p_name;
    DELETE FROM data_import.consumer_count WHERE consumer = p_name;
    PERFORM data_import.set_tells_news();
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    RAISE EXCEPTION 'a session works for the consumer % and is in its transaction still: end it first', p_name
        USING ERRCODE = 'lock_not_available';
END
$$;
COMMENT ON FUNCTION data_import.consumer_remove IS 'Removes a consumer and what it has not taken; false: there is none.';

-- Returns a row for each consumer and each supplier of which it has or had news; for a consumer without news, one row without a
-- supplier.
CREATE FUNCTION data_import.consumer_progress()
RETURNS TABLE (consumer text, begins text, suppliers text[], added_at timestamptz, added_by text, is_ready boolean, supplier text,
               waiting bigint, oldest_waiting_since timestamptz, accounts_taken bigint, records_taken bigint, taken_at timestamptz)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT known.name, known.begins, known.suppliers, known.added_at, known.added_by, known.is_ready, counted.supplier,
               coalesce(counted.waiting, 0)::bigint,
               (SELECT min(waiting_since) FROM data_import.consumer_news AS news
                WHERE news.consumer = known.name AND news.supplier = counted.supplier),
               coalesce(counted.accounts, 0)::bigint, coalesce(counted.records, 0)::bigint, counted.at
        FROM data_import.consumer AS known
        LEFT JOIN (SELECT consumer, supplier, sum(waiting) AS waiting, sum(accounts) AS accounts, sum(records) AS records,
                          max(at) AS at
                   FROM data_import.consumer_count GROUP BY consumer, supplier) AS counted ON counted.consumer = known.name
        ORDER BY known.name, counted.supplier;
END
$$;
COMMENT ON FUNCTION data_import.consumer_progress IS 'How far consumers are, by supplier; empty for market participants.';

GRANT SELECT ON data_import.consumer, data_import.consumer_news, data_import.consumer_count TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.deliver_news, data_import.consumer_progress TO "data-import";
-- on Citus the coordinator checks the domains of what its workers answer, as the role that asks
GRANT EXECUTE ON FUNCTION data_import.text_problem TO "data-import-platform", "data-import-reader";
-- readers, too: they are to be refused by the name of the function that they call, not by that of a default
GRANT EXECUTE ON FUNCTION data_import.last_delivery TO "data-import-platform", "data-import-reader";

-- Functions for the platform's software. Their names, parameters and answers are an interface: they are added, never changed.
-- Besides the errors of the steps (DI001 to DI009), these functions raise:
--
--   DI011  there is no such consumer
--   DI012  a number is outside of its range; or a statement period ends before it begins, or its first or last day is null

CREATE FUNCTION data_import.need_most(p_most integer) RETURNS void
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF p_most IS NULL OR p_most NOT BETWEEN 1 AND 10000 THEN
        RAISE EXCEPTION 'most is %, and has to be a number from 1 to 10000', coalesce(p_most::text, 'null') USING ERRCODE = 'DI012';
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.need_most IS 'Raises DI012 unless that many may be taken at once.';

CREATE FUNCTION data_import.need_period(p_first_day date, p_last_day date) RETURNS void
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF p_first_day IS NULL OR p_last_day IS NULL THEN
        RAISE EXCEPTION 'a statement period has a first and a last day' USING ERRCODE = 'DI012';
    ELSIF p_last_day < p_first_day THEN
        RAISE EXCEPTION 'the last day of the statement period, %, is before its first day, %', p_last_day, p_first_day USING ERRCODE = 'DI012';
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.need_period IS
    'Raises DI012 for a statement period that ends before it begins, or lacks a day.';

CREATE FUNCTION data_import.need_given(p_name text, p_value text) RETURNS void
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF p_value IS NULL THEN
        RAISE EXCEPTION '% is null', p_name USING ERRCODE = 'DI009';
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.need_given IS 'Raises DI009 for a text that is null.';

CREATE FUNCTION data_import.need_consumer(p_consumer text) RETURNS void
LANGUAGE plpgsql STABLE AS $$
BEGIN
    PERFORM 1 FROM data_import.consumer WHERE name = p_consumer;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no consumer %', coalesce(p_consumer, 'null')
            USING ERRCODE = 'DI011', HINT = 'The operator of data-import knows the consumers (data-importctl consumer list), and adds one (consumer add).';
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.need_consumer IS 'Raises DI011 unless there is this consumer.';

-- Returns how many records of each account were imported at or after the account's time in p_since; the two arrays have an
-- element for each account. The comment of lock_waiting says why the settings of the planner are as they are.
CREATE FUNCTION data_import.count_new_records(p_account_keys uuid[], p_since timestamptz[])
RETURNS TABLE (account_key uuid, records bigint)
LANGUAGE plpgsql STABLE SET enable_nestloop = off SET enable_hashjoin = on SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        WITH new AS (SELECT * FROM unnest(p_account_keys, p_since) AS new (account_key, since))
        SELECT account_key, sum(counted.records)::bigint
        FROM (SELECT account_key, count(*) AS records FROM data_import.note AS record JOIN new USING (account_key)
              WHERE record.account_key = ANY (p_account_keys) AND imported_at >= since GROUP BY account_key
              UNION ALL
              SELECT account_key, count(*) FROM data_import.financial_transaction AS record JOIN new USING (account_key)
              WHERE record.account_key = ANY (p_account_keys) AND imported_at >= since GROUP BY account_key
              UNION ALL
              SELECT account_key, count(*) FROM data_import.historical_statement AS record JOIN new USING (account_key)
              WHERE record.account_key = ANY (p_account_keys) AND imported_at >= since GROUP BY account_key
              UNION ALL
              SELECT account_key, count(*) FROM data_import.delivery_note AS record JOIN new USING (account_key)
              WHERE record.account_key = ANY (p_account_keys) AND imported_at >= since GROUP BY account_key
              UNION ALL
              SELECT account_key, count(*) FROM data_import.energy_amount AS record JOIN new USING (account_key)
              WHERE record.account_key = ANY (p_account_keys) AND imported_at >= since GROUP BY account_key
              UNION ALL
              SELECT account_key, count(*) FROM data_import.market_participant_invoice AS record JOIN new USING (account_key)
              WHERE record.account_key = ANY (p_account_keys) AND imported_at >= since GROUP BY account_key
              UNION ALL
              SELECT account_key, count(*) FROM data_import.payment_instruction AS record JOIN new USING (account_key)
              WHERE record.account_key = ANY (p_account_keys) AND imported_at >= since GROUP BY account_key) AS counted
        GROUP BY account_key;
END
$$;
COMMENT ON FUNCTION data_import.count_new_records IS 'How many records of each of these accounts came since then.';

-- Deletes rows of the consumer p_consumer from consumer_news and returns them: if p_is_account, rows of accounts, else rows of
-- market participants. Takes the p_most rows that have waited longest, or fewer if there are fewer. Passes over rows that another
-- session is taking, and over rows of deliveries after the delivery p_delivered. This is the number of the last delivery that the
-- platform's statement sees; null stands for the last delivery at the time of this call.
CREATE FUNCTION data_import.take_news(p_consumer text, p_most integer, p_delivered bigint, p_is_account boolean)
RETURNS SETOF data_import.consumer_news
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET jit = off AS $$
DECLARE
    v_delivered constant bigint := coalesce(p_delivered, data_import.last_delivery());
    v_rows tid[];
BEGIN
    PERFORM data_import.need_most(p_most), data_import.need_consumer(p_consumer), data_import.await_standbys();
    IF p_is_account THEN
        v_rows := ARRAY(
            SELECT ctid FROM data_import.consumer_news
            WHERE consumer = p_consumer AND market_participant_code IS NULL AND NOT is_held AND delivery <= v_delivered
            ORDER BY waiting_since LIMIT p_most FOR UPDATE SKIP LOCKED);
    ELSE
        v_rows := ARRAY(
            SELECT ctid FROM data_import.consumer_news
            WHERE consumer = p_consumer AND market_participant_code IS NOT NULL AND NOT is_held AND delivery <= v_delivered
            ORDER BY waiting_since LIMIT p_most FOR UPDATE SKIP LOCKED);
    END IF;
    RETURN QUERY
        DELETE FROM data_import.consumer_news WHERE ctid = ANY (v_rows) RETURNING *;
END
$$;
COMMENT ON FUNCTION data_import.take_news IS 'Takes up to so many accounts, or market participants, from those that wait longest.';

-- Returns accounts with news. The section "Take what is new" of the handbook's chapter "The platform's software" tells how a
-- consumer reads their records, and what the events mean.
CREATE FUNCTION platform.take_accounts(consumer text, most integer, delivered bigint DEFAULT data_import.last_delivery())
RETURNS TABLE (import_supplier text, external_account_number text, service_account_number text, since timestamptz, event text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_nestloop = off SET enable_hashjoin = on SET jit = off AS $$
#variable_conflict use_column
DECLARE
    v_taken constant data_import.consumer_news[] := ARRAY(
        SELECT taken
        FROM data_import.take_news(take_accounts.consumer, take_accounts.most, take_accounts.delivered, true) AS taken);
    v_keys constant uuid[] := ARRAY(SELECT subject FROM unnest(v_taken));
    v_since constant timestamptz[] := ARRAY(SELECT since FROM unnest(v_taken));
    v_known record;
    v_counted record;
BEGIN
    SELECT array_agg(account.account_key) AS keys, array_agg(account.service_account_number::text) AS numbers INTO v_known
    FROM data_import.account WHERE account.account_key = ANY (v_keys);
    SELECT array_agg(counted.account_key) AS keys, array_agg(counted.records) AS records INTO v_counted
    FROM data_import.count_new_records(v_keys, v_since) AS counted;
    INSERT INTO data_import.consumer_count (consumer, supplier, waiting, accounts, records, at)
    SELECT take_accounts.consumer, taken.supplier, -count(*), count(*), coalesce(sum(counted.records), 0), clock_timestamp()
    FROM unnest(v_taken) AS taken
    LEFT JOIN unnest(v_counted.keys, v_counted.records) AS counted (key, records) ON counted.key = taken.subject
    GROUP BY taken.supplier;
    RETURN QUERY
        SELECT taken.supplier, taken.external_account_number, coalesce(known.number, taken.service_account_number), taken.since,
               CASE WHEN known.key IS NULL THEN 'erased' WHEN taken.is_removed THEN 'reset' ELSE 'imported' END
        FROM unnest(v_taken) AS taken
        LEFT JOIN unnest(v_known.keys, v_known.numbers) AS known (key, number) ON known.key = taken.subject
        ORDER BY taken.waiting_since, taken.supplier, taken.external_account_number;
END
$$;
COMMENT ON FUNCTION platform.take_accounts(text, integer, bigint) IS
    'Takes up to most accounts that have news for a consumer, those that waited longest first; they come again unless the '
    'transaction commits. Records of the account with imported_at >= since hold all news; some may have been taken before. event: '
    'imported; reset: forget its records, then read it from the beginning; erased: forget the account. since is 1970-01-01 where all '
    'of the account is to be read. Leave delivered to its default: then a statement that takes and reads gets no news of records that '
    'it does not see. Raises DI011 and DI012.';

CREATE FUNCTION platform.take_market_participants(consumer text, most integer, delivered bigint DEFAULT data_import.last_delivery())
RETURNS TABLE (market_participant_code bigint, since timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    v_taken constant data_import.consumer_news[] := ARRAY(
        SELECT taken
        FROM data_import.take_news(
            take_market_participants.consumer, take_market_participants.most, take_market_participants.delivered, false) AS taken);
BEGIN
    IF v_taken <> '{}' THEN
        INSERT INTO data_import.consumer_count (consumer, supplier, waiting, accounts, at)
        VALUES (take_market_participants.consumer, '', -cardinality(v_taken), cardinality(v_taken), clock_timestamp());
    END IF;
    RETURN QUERY SELECT taken.market_participant_code, taken.since FROM unnest(v_taken) AS taken
                 ORDER BY taken.waiting_since, taken.market_participant_code;
END
$$;
COMMENT ON FUNCTION platform.take_market_participants(text, integer, bigint) IS
    'Takes up to most market participants that are new for a consumer, or have new price sheets, as take_accounts does accounts: '
    'participant and price sheets with imported_at >= since hold all news. Leave delivered to its default. Raises DI011 and DI012.';

-- Begins attempts on staged accounts of a supplier, on 1,000 at most in a call. Leaves out accounts that other sessions have
-- locked, or have begun since the call read them.
--
-- The number is limited, because each account takes a lock of its own until the transaction ends, and the server has room for
-- only some thousand locks in all.
CREATE FUNCTION platform.begin_accounts(import_supplier text, most integer)
RETURNS TABLE (external_account_number text, staged_at timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    v_most constant integer := least(begin_accounts.most, 1000);
    v_next record;
    v_at timestamptz := '-infinity';
    v_key uuid := '00000000-0000-0000-0000-000000000000';
    v_locked uuid[];
    v_keys uuid[] := '{}';
    v_begun record;
    v_done record;
BEGIN
    PERFORM data_import.need_most(begin_accounts.most), data_import.need_ongoing_supplier(begin_accounts.import_supplier);
    LOCK TABLE data_import.account IN ROW EXCLUSIVE MODE;
    LOOP
        SELECT array_agg(account_key ORDER BY state_changed_at, account_key) AS keys, max(state_changed_at) AS at,
               (array_agg(account_key ORDER BY state_changed_at DESC, account_key DESC))[1] AS last_key
        INTO v_next
        FROM (SELECT account_key, state_changed_at FROM data_import.account
              WHERE import_supplier = begin_accounts.import_supplier AND state = 'staged'
                AND (state_changed_at, account_key) > (v_at, v_key)
              ORDER BY state_changed_at, account_key LIMIT v_most - cardinality(v_keys)) AS next;
        EXIT WHEN v_next.keys IS NULL;
        v_locked := data_import.try_lock_accounts(v_next.keys);
        v_keys := v_keys || ARRAY(SELECT account_key FROM data_import.account
                                  WHERE account_key = ANY (v_next.keys) AND account_key <> ALL (v_locked) AND state = 'staged');
        EXIT WHEN cardinality(v_keys) >= v_most;
        v_at := v_next.at;
        v_key := v_next.last_key;
    END LOOP;
    SELECT array_agg(account_key) AS keys, array_agg(external_account_number::text) AS numbers,
           array_agg(account.staged_at) AS staged_at, array_agg(state_changed_at) AS changed_at
    INTO v_begun
    FROM data_import.account WHERE account_key = ANY (v_keys) AND state = 'staged';
    IF v_begun.keys IS NOT NULL THEN
        SELECT * INTO v_done FROM data_import.move_accounts(
            begin_accounts.import_supplier, v_begun.keys, v_begun.numbers,
            array_fill('in_progress'::text, ARRAY[cardinality(v_begun.keys)]), NULL, NULL, NULL, NULL, NULL, false);
        IF v_done.refused IS NOT NULL THEN
            RAISE EXCEPTION '%', v_done.sentences[1] USING ERRCODE = v_done.codes[1];
        END IF;
        PERFORM data_import.await_standbys();
    END IF;
    RETURN QUERY
        SELECT begun.number, begun.staged_at
        FROM unnest(v_begun.keys, v_begun.numbers, v_begun.staged_at, v_begun.changed_at) AS begun (key, number, staged_at, changed_at)
        ORDER BY begun.changed_at, begun.key;
END
$$;
COMMENT ON FUNCTION platform.begin_accounts(text, integer) IS
    'Begins attempts on up to most staged accounts of a supplier, 1000 at most, those first that were staged first or staged again '
    'first, and tells which. Several sessions get different accounts and do not wait for each other. Raises DI001, DI002 and DI012.';

-- The steps of single accounts, under names of this schema.

CREATE FUNCTION platform.stage_account(import_supplier text, external_account_number text, although_erased boolean DEFAULT false)
RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT data_import.need_given('external_account_number', $2);
    SELECT data_import.account_stage($1, $2, $3)
$$;
COMMENT ON FUNCTION platform.stage_account(text, text, boolean) IS
    'Stages an account: pending from now on, also again after a failure; one that was erased only if that is said. True: something '
    'has changed. Raises DI001, DI002, DI004, DI007 and DI009.';

CREATE FUNCTION platform.complete_account(
    import_supplier text, external_account_number text, service_account_number text DEFAULT NULL,
    account_created_at timestamptz DEFAULT NULL, statement_first_day date DEFAULT NULL, statement_last_day date DEFAULT NULL)
RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT data_import.need_given('external_account_number', $2);
    SELECT data_import.need_period($5, $6) WHERE $5 IS NOT NULL OR $6 IS NOT NULL;
    SELECT data_import.account_complete($1, $2, $3, $4, $5, $6)
$$;
COMMENT ON FUNCTION platform.complete_account(text, text, text, timestamptz, date, date) IS
    'Completes a staged or running account, which takes imports from now on, and answers its number on the platform. Without a '
    'number one is given out; with two days it has a statement period. Raises DI001 to DI005, DI007, DI009 and DI012.';

CREATE FUNCTION platform.fail_account(import_supplier text, external_account_number text, reason text)
RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT data_import.need_given('external_account_number', $2), data_import.need_given('reason', $3);
    SELECT data_import.account_fail($1, $2, $3)
$$;
COMMENT ON FUNCTION platform.fail_account(text, text, text) IS
    'Ends the running attempt on an account as failed, with a reason. True: something has changed. Raises DI002 to DI004, DI007 and '
    'DI009.';

CREATE FUNCTION platform.open_statement(import_supplier text, external_account_number text, first_day date, last_day date)
RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT data_import.need_given('external_account_number', $2), data_import.need_period($3, $4);
    SELECT data_import.statement_open($1, $2, $3, $4)
$$;
COMMENT ON FUNCTION platform.open_statement(text, text, date, date) IS
    'Opens a statement period of an imported account in place of the open one. True: something has changed. Raises DI003, DI004, DI007, '
    'DI009 and DI012.';

CREATE FUNCTION platform.close_statement(import_supplier text, external_account_number text)
RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT data_import.need_given('external_account_number', $2);
    SELECT data_import.statement_close($1, $2)
$$;
COMMENT ON FUNCTION platform.close_statement(text, text) IS
    'Closes the open statement period of an imported account, which takes no transactions from now on. True: there was one. Raises '
    'DI003, DI004, DI007 and DI009.';

GRANT EXECUTE ON FUNCTION platform.take_accounts, platform.take_market_participants, platform.begin_accounts,
    platform.stage_account, platform.complete_account, platform.fail_account, platform.open_statement, platform.close_statement
    TO "data-import-platform";
GRANT EXECUTE ON FUNCTION data_import.need_period, data_import.need_given TO "data-import-platform";

-- The news of accounts stand where the accounts are.
CREATE OR REPLACE FUNCTION data_import.distribution()
RETURNS TABLE (table_name name, is_per_account boolean, is_distributed boolean)
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    WITH per_account AS (
        SELECT part.indrelid AS oid
        FROM pg_catalog.pg_index AS part
        JOIN pg_catalog.pg_attribute AS first_column
            ON first_column.attrelid = part.indrelid AND first_column.attnum = part.indkey[0]
        WHERE part.indisprimary AND first_column.attname = 'account_key'
        UNION ALL
        SELECT attrelid FROM pg_catalog.pg_attribute
        WHERE attname = 'placed_by'
          AND attrelid IN ('data_import.import_receipt'::regclass, 'data_import.idempotency_key'::regclass,
                           'data_import.news'::regclass)
    )
    SELECT class.relname, per_account.oid IS NOT NULL,
           EXISTS (SELECT 1 FROM pg_catalog.pg_dist_partition AS known WHERE known.logicalrelid = class.oid)
    FROM pg_catalog.pg_class AS class
    LEFT JOIN per_account USING (oid)
    WHERE class.relnamespace = 'data_import'::regnamespace
      AND (per_account.oid IS NOT NULL
           OR class.oid IN (SELECT confrelid FROM pg_catalog.pg_constraint
                            WHERE contype = 'f' AND conrelid IN (SELECT oid FROM per_account)))
    ORDER BY 2, class.relname <> 'account', 1;
END
$$;

CREATE OR REPLACE FUNCTION data_import.distribute_table(p_table_name name, p_is_per_account boolean) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_table constant regclass := pg_catalog.format('data_import.%I', p_table_name);
BEGIN
    PERFORM set_config('citus.enable_local_reference_table_foreign_keys', 'off', true),
            set_config('citus.multi_shard_modify_mode', 'sequential', true);
    IF p_table_name = 'idempotency_key' THEN
        UPDATE data_import.idempotency_key SET placed_by = account_key WHERE placed_by <> account_key;
        ALTER TABLE data_import.idempotency_key DROP CONSTRAINT idempotency_key_pkey,
            ADD PRIMARY KEY (organisation, key, placed_by);
    END IF;
    IF p_is_per_account THEN
        PERFORM create_distributed_table(
            v_table, CASE WHEN p_table_name IN ('import_receipt', 'idempotency_key', 'news') THEN 'placed_by' ELSE 'account_key' END,
            colocate_with => CASE p_table_name WHEN 'account' THEN 'none' ELSE 'data_import.account' END);
        PERFORM truncate_local_data_after_distributing_table(v_table);
        IF p_table_name = 'import_receipt' THEN
            ALTER TABLE data_import.import_receipt SET (autovacuum_vacuum_threshold = 1000);  -- of each shard
        END IF;
    ELSE
        PERFORM create_reference_table(v_table);
    END IF;
END
$$;

-- Returns the distributed tables that the views of the schema platform read. Workers of Citus check the rights of the role that
-- runs a query. So a reader of the views needs rights on these tables, too; the roles of the platform and of readers have them
-- (src/data/store/rights.cc).
CREATE FUNCTION data_import.distributed_tables_of_views() RETURNS SETOF name
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
        WITH RECURSIVE used AS (
            SELECT oid FROM pg_catalog.pg_class WHERE relnamespace = 'platform'::regnamespace AND relkind = 'v'
            UNION
            SELECT depended.refobjid
            FROM used
            JOIN pg_catalog.pg_rewrite AS rule ON rule.ev_class = used.oid
            JOIN pg_catalog.pg_depend AS depended
                ON depended.classid = 'pg_catalog.pg_rewrite'::regclass AND depended.objid = rule.oid
               AND depended.refclassid = 'pg_catalog.pg_class'::regclass
        )
        SELECT table_name FROM data_import.distribution()
        WHERE is_distributed AND pg_catalog.format('data_import.%I', table_name)::regclass IN (SELECT oid FROM used);
END
$$;
COMMENT ON FUNCTION data_import.distributed_tables_of_views IS 'The distributed tables that the views of schema platform read.';

-- The audit history tells who added and removed consumers.
ALTER TABLE data_import.access_event
    ADD COLUMN consumer text COLLATE "C",
    DROP CONSTRAINT access_event_action_is_known,
    ADD CONSTRAINT access_event_action_is_known
        CHECK (action IN ('key_created', 'scope_changed', 'key_revoked', 'token_issued', 'signing_key_made',
                          'signing_key_removed', 'totals_corrected', 'records_seen', 'status_set', 'supplier_removed',
                          'differences_accepted', 'account_reset', 'account_erased', 'figures_acknowledged',
                          'consumer_added', 'consumer_removed', 'consumer_followed', 'records_exported', 'supplier_erased',
                          'erase_after_set')),
    DROP CONSTRAINT subject_accounts_are_named,
    ADD CONSTRAINT subject_accounts_are_named
        CHECK (CASE action WHEN 'records_seen' THEN subject_account IS NOT NULL
                           ELSE subject_account IS NULL OR action IN ('account_reset', 'account_erased', 'records_exported') END),
    DROP CONSTRAINT suppliers_are_named,
    ADD CONSTRAINT suppliers_are_named
        CHECK ((action !~ '^(key|scope|token|signing_key|consumer)_') = (import_supplier IS NOT NULL)),
    ADD CONSTRAINT consumers_are_named CHECK ((action ~ '^consumer_') = (consumer IS NOT NULL)),
    DROP CONSTRAINT details_are_of_suppliers,
    ADD CONSTRAINT details_are_of_suppliers_or_consumers
        CHECK (details IS NULL OR import_supplier IS NOT NULL OR consumer IS NOT NULL);
COMMENT ON COLUMN data_import.access_event.consumer IS 'Name of the consumer that is concerned; else null.';
COMMENT ON COLUMN data_import.access_event.action IS
    'What was done to an API key (key_created, scope_changed, key_revoked), that a token was given out for one by hand '
    '(token_issued), what was done to a key that signs tokens (signing_key_made, signing_key_removed), to a supplier '
    '(status_set, supplier_removed, differences_accepted, figures_acknowledged; totals_corrected: its totals were made those of '
    'its records; supplier_erased: its accounts were removed; erase_after_set: when they are to be), to accounts (account_reset '
    'and account_erased, which may be all of a file), to a consumer (consumer_added, consumer_removed; consumer_followed: an export '
    'began to take what is new for it), or that records were looked at (records_seen) or written to files (records_exported).';
