-- The import log: how many requests were refused, by day, supplier, endpoint and error, and the last refused requests of each
-- account.

CREATE TABLE data_import.refused_request (
    day               date NOT NULL,
    import_supplier   text COLLATE "C" NOT NULL,
    endpoint          text COLLATE "C" NOT NULL,
    status            integer NOT NULL,
    code              text COLLATE "C" NOT NULL,
    item_code         text COLLATE "C" NOT NULL,
    attr              text COLLATE "C" NOT NULL
                      CONSTRAINT attr_is_of_512_characters_at_most CHECK (char_length(attr) <= 512),
    count             bigint NOT NULL CONSTRAINT refused_requests_are_some CHECK (count > 0),
    sample_request_id uuid NOT NULL,
    last_at           timestamptz NOT NULL,
    detail            text NOT NULL DEFAULT ''
                      CONSTRAINT detail_is_of_512_characters_at_most CHECK (char_length(detail) <= 512),
    PRIMARY KEY (day, import_supplier, endpoint, status, code, item_code, attr)
);
COMMENT ON TABLE data_import.refused_request IS
    'The import log: requests that were refused, counted by day and kind. Nothing in it was chosen by a client; rows are '
    'kept for the days that the setting import_log_days says.';
COMMENT ON COLUMN data_import.refused_request.day IS 'The day, in UTC.';
COMMENT ON COLUMN data_import.refused_request.import_supplier IS
    'Supplier in the scope of the request''s token that it was about; empty where none is known.';
COMMENT ON COLUMN data_import.refused_request.endpoint IS
    'Path of the endpoint as it is documented; empty where the address has none.';
COMMENT ON COLUMN data_import.refused_request.status IS 'HTTP status of the answer; 0 for several kinds together.';
COMMENT ON COLUMN data_import.refused_request.code IS
    'Code of the answer (contract, section 3.2); other for several kinds together.';
COMMENT ON COLUMN data_import.refused_request.item_code IS
    'Code of an item in its errors; empty where it had none. transaction_differs: transactions that are stored with other '
    'content, in a request that was not refused.';
COMMENT ON COLUMN data_import.refused_request.attr IS
    'Place in the payload that the item is about, every index as N; of a field that is not documented, the place around it.';
COMMENT ON COLUMN data_import.refused_request.count IS
    'How many requests; of transaction_differs how many transactions.';
COMMENT ON COLUMN data_import.refused_request.sample_request_id IS 'The last of them: X-Request-Id of its answer.';
COMMENT ON COLUMN data_import.refused_request.last_at IS 'When the last one was answered.';
COMMENT ON COLUMN data_import.refused_request.detail IS
    'The sentence of the last of them: of the item, or of the answer where it had none; empty where it is not known. Nothing '
    'in it was chosen by a client.';
CREATE INDEX refused_request_by_supplier ON data_import.refused_request (import_supplier, day);

-- for the page of a request, which looks for the request's id again and again
CREATE INDEX refused_request_by_sample ON data_import.refused_request (sample_request_id);

CREATE TABLE data_import.refusal_rate (
    import_supplier text COLLATE "C" NOT NULL,
    code            text COLLATE "C" NOT NULL,
    seconds         integer NOT NULL CONSTRAINT seconds_are_those_of_refusal_rates CHECK (seconds IN (60, 3600)),
    began_at        timestamptz NOT NULL,
    refusals        bigint NOT NULL CONSTRAINT refusals_are_some CHECK (refusals > 0),
    PRIMARY KEY (import_supplier, seconds, began_at, code)
);
COMMENT ON TABLE data_import.refusal_rate IS
    'When requests were refused: how often for every minute of the last 25 hours, and for every hour of the days for which the '
    'import log is kept.';
COMMENT ON COLUMN data_import.refusal_rate.import_supplier IS 'As in refused_request.';
COMMENT ON COLUMN data_import.refusal_rate.code IS 'Code of the item, or of the answer where it had none.';
COMMENT ON COLUMN data_import.refusal_rate.seconds IS 'Length of the time that is summed up.';
COMMENT ON COLUMN data_import.refusal_rate.began_at IS 'Its begin: a multiple of its length.';
COMMENT ON COLUMN data_import.refusal_rate.refusals IS 'How many; a request counts once for each kind of error in it.';
CREATE INDEX refusal_rate_by_age ON data_import.refusal_rate (seconds, began_at);

-- Adds refusals to the import log. The arrays have one element for each kind of refusal. Raises 55P03 after a wait of one second
-- (lock_timeout). The caller waits longer than that, so it knows then that nothing was stored.
--
-- Rows are written in the order of the key, so that two workers cannot deadlock.
CREATE FUNCTION data_import.refused_requests_add(
    p_import_supplier text[], p_endpoint text[], p_status integer[], p_code text[], p_item_code text[], p_attr text[],
    p_count bigint[], p_sample_request_id uuid[], p_last_at timestamptz[])
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' AS $$
BEGIN
    INSERT INTO data_import.refused_request AS known (
        day, import_supplier, endpoint, status, code, item_code, attr, count, sample_request_id, last_at)
    SELECT (last_at AT TIME ZONE 'UTC')::date AS day, import_supplier, endpoint, status, code, item_code, attr, count,
           sample_request_id, last_at
    FROM unnest(p_import_supplier, p_endpoint, p_status, p_code, p_item_code, p_attr, p_count, p_sample_request_id,
                p_last_at)
        AS noted (import_supplier, endpoint, status, code, item_code, attr, count, sample_request_id, last_at)
    ORDER BY day, import_supplier COLLATE "C", endpoint COLLATE "C", status, code COLLATE "C", item_code COLLATE "C",
             attr COLLATE "C"
    ON CONFLICT (day, import_supplier, endpoint, status, code, item_code, attr) DO UPDATE
        SET count = known.count + excluded.count,
            sample_request_id = CASE WHEN excluded.last_at >= known.last_at THEN excluded.sample_request_id
                                     ELSE known.sample_request_id END,
            last_at = greatest(known.last_at, excluded.last_at);
    INSERT INTO data_import.import_receipt (import_supplier, kind, figure, value)
    SELECT import_supplier, 'transactions', 'differing', sum(count)
    FROM unnest(p_import_supplier, p_item_code, p_count) AS noted (import_supplier, item_code, count)
    WHERE item_code = 'transaction_differs' GROUP BY 1;
    INSERT INTO data_import.refusal_rate AS known (import_supplier, code, seconds, began_at, refusals)
    SELECT import_supplier, coalesce(nullif(item_code, ''), code), span.seconds,
           date_bin(make_interval(secs => span.seconds), last_at, timestamptz '2000-01-01 00:00:00+00'), sum(count)
    FROM unnest(p_import_supplier, p_code, p_item_code, p_count, p_last_at)
        AS noted (import_supplier, code, item_code, count, last_at)
    CROSS JOIN (VALUES (60), (3600)) AS span (seconds)
    WHERE item_code <> 'transaction_differs'
    GROUP BY 1, 2, 3, 4
    ORDER BY import_supplier COLLATE "C", 2, 3, 4
    ON CONFLICT (import_supplier, code, seconds, began_at) DO UPDATE SET refusals = known.refusals + excluded.refusals;
END
$$;
COMMENT ON FUNCTION data_import.refused_requests_add IS
    'Adds refusals of one worker to the import log, and transactions that differ to progress. No kind may stand in the arrays '
    'twice.';

-- Refusals of accounts. Bounds keep clients from filling the database:
--
--   For each API key, a worker stores as many refusals at once as the longest bulk request has lines, then 50 a second.
--   Each account keeps its last 20 refusals.
--   Each API key keeps its last 10,000 refusals of unknown accounts, because clients choose the numbers of such accounts.
CREATE TABLE data_import.account_refusal (
    account_key     uuid NOT NULL,
    request_id      uuid NOT NULL,
    line            integer NOT NULL,
    import_supplier text COLLATE "C" NOT NULL,
    was_known       boolean NOT NULL,
    at              timestamptz NOT NULL,
    api_key_id      bigint NOT NULL,
    endpoint        text COLLATE "C" NOT NULL,
    status          integer NOT NULL,
    code            text COLLATE "C" NOT NULL,
    error_count     integer NOT NULL,
    item_codes      text[] NOT NULL,
    attrs           text[] NOT NULL CONSTRAINT each_item_has_a_place CHECK (cardinality(attrs) = cardinality(item_codes)),
    external_account_number text COLLATE "C" CONSTRAINT number_is_of_128_characters_at_most
                    CHECK (char_length(external_account_number) <= 128),
    details         text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (account_key, request_id, line)
);
COMMENT ON TABLE data_import.account_refusal IS
    'The last requests that were refused of each account, known or not, without anything that a client chose but the number of '
    'an unknown account. Rows are kept for the days that the setting import_log_days says.';
COMMENT ON COLUMN data_import.account_refusal.account_key IS 'The account that the request named.';
COMMENT ON COLUMN data_import.account_refusal.import_supplier IS 'Code of its supplier, in the scope of the request''s token.';
COMMENT ON COLUMN data_import.account_refusal.was_known IS 'Whether the account was known here then.';
COMMENT ON COLUMN data_import.account_refusal.request_id IS 'The request: X-Request-Id of its answer.';
COMMENT ON COLUMN data_import.account_refusal.line IS 'Line of a bulk request, from 1; 0 for a request of its own.';
COMMENT ON COLUMN data_import.account_refusal.at IS 'When it was answered.';
COMMENT ON COLUMN data_import.account_refusal.api_key_id IS 'The API key of the request''s token.';
COMMENT ON COLUMN data_import.account_refusal.endpoint IS 'Path of the endpoint as it is documented.';
COMMENT ON COLUMN data_import.account_refusal.status IS 'HTTP status of the answer.';
COMMENT ON COLUMN data_import.account_refusal.code IS 'Code of the answer (contract, section 3.2).';
COMMENT ON COLUMN data_import.account_refusal.error_count IS 'How many items its errors had.';
COMMENT ON COLUMN data_import.account_refusal.item_codes IS 'Codes of the first of these items.';
COMMENT ON COLUMN data_import.account_refusal.attrs IS
    'The place in the payload that each of them is about; of a field that is not documented, the place around it.';
COMMENT ON COLUMN data_import.account_refusal.external_account_number IS
    'The account''s number, if the account was not known here then and the number can be shown; else null.';
COMMENT ON COLUMN data_import.account_refusal.details IS
    'The sentence of each of these items, or of the answer where it has none; without the values that were sent.';
CREATE INDEX account_refusal_by_request ON data_import.account_refusal (request_id);
CREATE INDEX account_refusal_by_age ON data_import.account_refusal (at);
CREATE INDEX account_refusal_of_unknown ON data_import.account_refusal (api_key_id, at) WHERE NOT was_known;
CREATE INDEX account_refusal_of_unknown_by_supplier ON data_import.account_refusal (import_supplier, at) WHERE NOT was_known;

CREATE TABLE data_import.account_refusal_count (
    day             date NOT NULL,
    import_supplier text COLLATE "C" NOT NULL,
    refusals        bigint NOT NULL,
    kept            bigint NOT NULL,
    PRIMARY KEY (day, import_supplier)
);
COMMENT ON TABLE data_import.account_refusal_count IS
    'How many requests that named an account were refused, and how many of them account_refusal got. Rows are kept for the days '
    'that the setting import_log_days says.';
COMMENT ON COLUMN data_import.account_refusal_count.day IS 'The day, in UTC.';
COMMENT ON COLUMN data_import.account_refusal_count.import_supplier IS 'As in account_refusal.';
COMMENT ON COLUMN data_import.account_refusal_count.refusals IS 'How many were refused.';
COMMENT ON COLUMN data_import.account_refusal_count.kept IS
    'How many of them came into account_refusal, or are of erased accounts; without those that were forgotten because their '
    'accounts were not known.';

CREATE TABLE data_import.bulk_refusal (
    request_id uuid PRIMARY KEY,
    api_key_id bigint NOT NULL,
    at         timestamptz NOT NULL,
    lines      bigint NOT NULL CONSTRAINT lines_are_some CHECK (lines > 0)
);
COMMENT ON TABLE data_import.bulk_refusal IS
    'How many lines of a bulk request were refused. Rows are kept for the days that the setting import_log_days says, of each API '
    'key the last 10,000.';
COMMENT ON COLUMN data_import.bulk_refusal.request_id IS 'The request: X-Request-Id of its answer.';
COMMENT ON COLUMN data_import.bulk_refusal.api_key_id IS 'The API key of its token.';
COMMENT ON COLUMN data_import.bulk_refusal.at IS 'When the last of these lines was stored here.';
COMMENT ON COLUMN data_import.bulk_refusal.lines IS 'How many lines, of accounts or not.';
CREATE INDEX bulk_refusal_by_key ON data_import.bulk_refusal (api_key_id, at);

CREATE FUNCTION data_import.account_refusals_count(
    p_day date[], p_import_supplier text[], p_refusals bigint[], p_kept bigint[])
RETURNS void LANGUAGE sql VOLATILE AS $$
    INSERT INTO data_import.account_refusal_count AS known (day, import_supplier, refusals, kept)
    SELECT day, import_supplier, sum(refusals), sum(kept)
    FROM unnest(p_day, p_import_supplier, p_refusals, p_kept) AS counted (day, import_supplier, refusals, kept)
    GROUP BY day, import_supplier ORDER BY day, import_supplier COLLATE "C"
    ON CONFLICT (day, import_supplier) DO UPDATE
        SET refusals = known.refusals + excluded.refusals, kept = known.kept + excluded.kept
$$;
COMMENT ON FUNCTION data_import.account_refusals_count IS
    'Adds to the counts, in the order of their key, so that no two sessions wait for each other in turn.';

-- Adds p_lines to the number of refused lines of each request.
CREATE FUNCTION data_import.bulk_refusals_add(p_request_id uuid[], p_api_key_id bigint[], p_lines bigint[])
RETURNS void LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO data_import.bulk_refusal AS known (request_id, api_key_id, at, lines)
    SELECT request_id, api_key_id, now(), lines
    FROM unnest(p_request_id, p_api_key_id, p_lines) AS refused (request_id, api_key_id, lines) ORDER BY request_id
    ON CONFLICT (request_id) DO UPDATE SET lines = known.lines + excluded.lines, at = excluded.at
$$;
COMMENT ON FUNCTION data_import.bulk_refusals_add IS 'Counts refused lines of bulk requests.';

-- Deletes refusals of unknown accounts, except the last p_most_of_key of each API key. Changes the counts last, because workers
-- wait for the rows of the counts until the transaction ends.
CREATE FUNCTION data_import.refusals_of_unknown_purge(p_most_of_key integer) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_api_key_id bigint := -9223372036854775808;
    v_last_to_go timestamptz;
    v_gone record;
    v_days date[] := '{}';
    v_suppliers text[] := '{}';
    v_kept bigint[] := '{}';
BEGIN
    LOOP
        SELECT min(api_key_id) INTO v_api_key_id FROM data_import.account_refusal
        WHERE NOT was_known AND api_key_id > v_api_key_id;
        EXIT WHEN v_api_key_id IS NULL;
        SELECT at INTO v_last_to_go FROM data_import.account_refusal WHERE api_key_id = v_api_key_id AND NOT was_known
        ORDER BY at DESC OFFSET p_most_of_key LIMIT 1;
        IF FOUND THEN
            PERFORM pg_advisory_xact_lock(data_import.lock_number('account_refusal', ''));
            SELECT array_agg(day) AS days, array_agg(import_supplier) AS suppliers, array_agg(-refusals) AS kept INTO v_gone
            FROM (SELECT (at AT TIME ZONE 'UTC')::date AS day, import_supplier, count(*) AS refusals
                  FROM data_import.account_refusal WHERE api_key_id = v_api_key_id AND NOT was_known AND at <= v_last_to_go
                  GROUP BY 1, 2) AS gone;
            v_days := v_days || v_gone.days;
            v_suppliers := v_suppliers || v_gone.suppliers;
            v_kept := v_kept || v_gone.kept;
            DELETE FROM data_import.account_refusal
            WHERE api_key_id = v_api_key_id AND NOT was_known AND at <= v_last_to_go;
        END IF;
    END LOOP;
    PERFORM data_import.account_refusals_count(
        v_days, v_suppliers, array_fill(0::bigint, ARRAY[cardinality(v_kept)]), v_kept);
END
$$;
COMMENT ON FUNCTION data_import.refusals_of_unknown_purge IS
    'Forgets refusals of accounts that were not known, but for the last ones of each API key.';

CREATE FUNCTION data_import.bulk_refusals_purge(p_days integer, p_most_of_key integer) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_api_key_id bigint := -9223372036854775808;
    v_last_to_go timestamptz;
BEGIN
    LOOP
        SELECT min(api_key_id) INTO v_api_key_id FROM data_import.bulk_refusal WHERE api_key_id > v_api_key_id;
        EXIT WHEN v_api_key_id IS NULL;
        SELECT at INTO v_last_to_go FROM data_import.bulk_refusal WHERE api_key_id = v_api_key_id
        ORDER BY at DESC OFFSET p_most_of_key LIMIT 1;
        DELETE FROM data_import.bulk_refusal
        WHERE api_key_id = v_api_key_id AND at <= greatest(v_last_to_go, now() - make_interval(days => p_days));
    END LOOP;
END
$$;
COMMENT ON FUNCTION data_import.bulk_refusals_purge IS
    'Forgets counts of refused lines of more than so many days ago, and all but the last ones of each API key.';

-- Deletes the oldest p_most of the rows from before p_before, and all rows with the same time as the last of these. Returns the
-- number of deleted rows, or p_most if more rows were deleted.
CREATE FUNCTION data_import.account_refusals_purge(p_before timestamptz, p_most integer) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_last_to_go timestamptz;
    v_gone bigint;
BEGIN
    SELECT max(at), count(*) INTO v_last_to_go, v_gone
    FROM (SELECT at FROM data_import.account_refusal WHERE at < p_before ORDER BY at LIMIT p_most) AS oldest;
    IF v_gone > 0 THEN
        PERFORM pg_advisory_xact_lock(data_import.lock_number('account_refusal', ''));
        DELETE FROM data_import.account_refusal WHERE at <= v_last_to_go;
    END IF;
    RETURN v_gone;
END
$$;
COMMENT ON FUNCTION data_import.account_refusals_purge IS 'Forgets the oldest refusals of accounts, at most so many at once.';

CREATE FUNCTION data_import.refused_requests_purge(p_days integer) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    DELETE FROM data_import.refused_request WHERE day < (now() AT TIME ZONE 'UTC')::date - p_days;
    DELETE FROM data_import.account_refusal_count WHERE day < (now() AT TIME ZONE 'UTC')::date - p_days;
    DELETE FROM data_import.refusal_rate WHERE seconds = 60 AND began_at < now() - interval '25 hours';
    DELETE FROM data_import.refusal_rate WHERE seconds = 3600 AND began_at < now() - make_interval(days => p_days);
END
$$;
COMMENT ON FUNCTION data_import.refused_requests_purge IS 'Forgets refusals of more than so many days ago.';

-- Does what refused_requests_add does, and keeps in each row of refused_request the sentence of the last refusal that the row
-- counts. p_detail holds the sentences of the answers, without the values that were sent.
CREATE FUNCTION data_import.note_refused_requests(
    p_import_supplier text[], p_endpoint text[], p_status integer[], p_code text[], p_item_code text[], p_attr text[],
    p_count bigint[], p_sample_request_id uuid[], p_last_at timestamptz[], p_detail text[])
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' AS $$
BEGIN
    PERFORM data_import.refused_requests_add(
        p_import_supplier, p_endpoint, p_status, p_code, p_item_code, p_attr, p_count, p_sample_request_id, p_last_at);
    UPDATE data_import.refused_request AS known SET detail = noted.detail
    FROM unnest(p_import_supplier, p_endpoint, p_status, p_code, p_item_code, p_attr, p_sample_request_id, p_last_at, p_detail)
        AS noted (import_supplier, endpoint, status, code, item_code, attr, sample_request_id, last_at, detail)
    WHERE known.day = (noted.last_at AT TIME ZONE 'UTC')::date AND known.import_supplier = noted.import_supplier
      AND known.endpoint = noted.endpoint AND known.status = noted.status AND known.code = noted.code
      AND known.item_code = noted.item_code AND known.attr = noted.attr
      AND known.sample_request_id = noted.sample_request_id AND known.detail <> noted.detail;
END
$$;
COMMENT ON FUNCTION data_import.note_refused_requests IS
    'Does what refused_requests_add does, and keeps the sentence of the last refusal of each kind.';

-- Keeps refusals of accounts, and counts refused requests. Returns false if the requests were only counted; the caller then has
-- to pass the refusals again. The arrays up to p_external_account_number hold one element for each refusal. p_item_codes, p_attrs
-- and p_details hold array literals. Refusals of erased accounts, or of accounts of erased suppliers, are not kept. p_counted
-- holds the codes of suppliers. p_count holds the number of refused requests of each supplier, including requests whose refusals
-- are not kept.
--
-- Only one worker at a time keeps refusals, so that no two workers wait for each other's rows. While an account is being erased,
-- no worker keeps refusals, because a worker might add a refusal to that account.
CREATE FUNCTION data_import.keep_account_refusals(
    p_account_key uuid[], p_import_supplier text[], p_request_id uuid[], p_line integer[], p_at timestamptz[],
    p_api_key_id bigint[], p_endpoint text[], p_status integer[], p_code text[], p_error_count integer[], p_item_codes text[],
    p_attrs text[], p_details text[], p_external_account_number text[], p_counted text[], p_count bigint[])
RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
    v_most constant integer := 20;
    v_is_kept constant boolean := p_account_key = '{}'
        OR pg_try_advisory_xact_lock(data_import.lock_number('account_refusal', ''));
    v_known uuid[];
    v_erased uuid[];
    v_erased_suppliers text[];
    v_account_key uuid;
    v_last_to_go timestamptz;
    v_days date[] := array_fill((now() AT TIME ZONE 'UTC')::date, ARRAY[cardinality(p_counted)]);
    v_suppliers text[] := p_counted;
    v_refusals bigint[] := p_count;
    v_kept bigint[] := array_fill(0::bigint, ARRAY[cardinality(p_counted)]);
BEGIN
    IF v_is_kept AND p_account_key <> '{}' THEN
        SELECT array_agg(account_key) INTO v_known FROM data_import.account WHERE account_key = ANY (p_account_key);
        SELECT array_agg(account_key) INTO v_erased FROM data_import.erased_account WHERE account_key = ANY (p_account_key);
        v_erased_suppliers := ARRAY(SELECT import_supplier FROM data_import.supplier_erasure
                                    WHERE import_supplier = ANY (p_import_supplier));
        WITH refused AS (
            SELECT *, account_key = ANY (coalesce(v_known, '{}')) AS was_known,
                   account_key = ANY (coalesce(v_erased, '{}')) OR import_supplier = ANY (v_erased_suppliers) AS is_erased
            FROM unnest(p_account_key, p_import_supplier, p_request_id, p_line, p_at, p_api_key_id, p_endpoint, p_status, p_code,
                        p_error_count, p_item_codes, p_attrs, p_details, p_external_account_number)
                AS refused (account_key, import_supplier, request_id, line, at, api_key_id, endpoint, status, code, error_count,
                            item_codes, attrs, details, external_account_number)
        ), stored AS (
            INSERT INTO data_import.account_refusal (
                account_key, request_id, line, import_supplier, was_known, at, api_key_id, endpoint, status, code, error_count,
                item_codes, attrs, details, external_account_number)
            SELECT account_key, request_id, line, import_supplier, was_known, at, api_key_id, endpoint, status, code, error_count,
                   item_codes::text[], attrs::text[], details::text[],
                   CASE WHEN NOT was_known THEN nullif(external_account_number, '') END
            FROM refused WHERE NOT is_erased
            ON CONFLICT DO NOTHING RETURNING import_supplier, at
        ), kept AS (
            SELECT (at AT TIME ZONE 'UTC')::date AS day, import_supplier, count(*) AS refusals
            FROM (SELECT import_supplier, at FROM stored
                  UNION ALL SELECT import_supplier, at FROM refused WHERE is_erased) AS done
            GROUP BY 1, 2
        )
        SELECT v_days || array_agg(day), v_suppliers || array_agg(import_supplier),
               v_refusals || array_agg(0::bigint), v_kept || array_agg(refusals)
        INTO v_days, v_suppliers, v_refusals, v_kept FROM kept;
        FOR v_account_key IN SELECT account_key FROM data_import.account_refusal WHERE account_key = ANY (p_account_key)
                             GROUP BY account_key HAVING count(*) > v_most LOOP
            SELECT at INTO v_last_to_go FROM data_import.account_refusal WHERE account_key = v_account_key
            ORDER BY at DESC OFFSET v_most LIMIT 1;
            DELETE FROM data_import.account_refusal WHERE account_key = v_account_key AND at <= v_last_to_go;
        END LOOP;
    END IF;
    PERFORM data_import.account_refusals_count(v_days, v_suppliers, v_refusals, v_kept);
    RETURN v_is_kept;
END
$$;
COMMENT ON FUNCTION data_import.keep_account_refusals IS
    'Counts refusals of one worker and keeps them, of each of their accounts the last 20; false: it cannot keep them now.';

GRANT SELECT ON data_import.refused_request, data_import.refusal_rate, data_import.account_refusal,
    data_import.account_refusal_count, data_import.bulk_refusal TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.refused_requests_add, data_import.bulk_refusals_add, data_import.note_refused_requests,
    data_import.keep_account_refusals TO "data-import";
