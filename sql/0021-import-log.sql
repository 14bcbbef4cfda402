-- The import log: requests that were refused, counted by day and kind, and the last ones of each account.

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
    PRIMARY KEY (day, import_supplier, endpoint, status, code, item_code, attr)
);
CREATE INDEX refused_request_by_supplier ON data_import.refused_request (import_supplier, day);
-- for the page of a request, which asks again and again
CREATE INDEX refused_request_by_sample ON data_import.refused_request (sample_request_id);
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

CREATE TABLE data_import.refusal_rate (
    import_supplier text COLLATE "C" NOT NULL,
    code            text COLLATE "C" NOT NULL,
    seconds         integer NOT NULL CONSTRAINT seconds_are_those_of_refusal_rates CHECK (seconds IN (60, 3600)),
    began_at        timestamptz NOT NULL,
    refusals        bigint NOT NULL CONSTRAINT refusals_are_some CHECK (refusals > 0),
    PRIMARY KEY (import_supplier, seconds, began_at, code)
);
CREATE INDEX refusal_rate_by_age ON data_import.refusal_rate (seconds, began_at);
COMMENT ON TABLE data_import.refusal_rate IS
    'When requests were refused: how often for every minute of the last 25 hours, and for every hour of the days for which the '
    'import log is kept.';
COMMENT ON COLUMN data_import.refusal_rate.import_supplier IS 'As in refused_request.';
COMMENT ON COLUMN data_import.refusal_rate.code IS 'Code of the item, or of the answer where it had none.';
COMMENT ON COLUMN data_import.refusal_rate.seconds IS 'Length of the time that is summed up.';
COMMENT ON COLUMN data_import.refusal_rate.began_at IS 'Its begin: a multiple of its length.';
COMMENT ON COLUMN data_import.refusal_rate.refusals IS 'How many; a request counts once for each kind of error in it.';

-- The arrays have one element for each kind of refusal. Rows are written in the order of the key, so that two workers never
-- wait for each other in turn. The lock time-out ends a long wait before the caller gives up, which then knows that nothing was
-- stored.
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

-- Bounded three ways: a worker hands over few at a time, of each account the last 20 stay, and of accounts that were not known,
-- whose numbers clients choose, the last 10,000 of each API key.
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
    PRIMARY KEY (account_key, request_id, line)
);
CREATE INDEX account_refusal_by_request ON data_import.account_refusal (request_id);
CREATE INDEX account_refusal_by_age ON data_import.account_refusal (at);
CREATE INDEX account_refusal_of_unknown ON data_import.account_refusal (api_key_id, at) WHERE NOT was_known;
COMMENT ON TABLE data_import.account_refusal IS
    'The last requests that were refused of each account, known or not, without anything that a client chose. Rows are kept for '
    'the days that the setting import_log_days says.';
COMMENT ON COLUMN data_import.account_refusal.account_key IS
    'The account that the request named: whoever has the number can look for those of one that is not known.';
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

-- The arrays hold one element for each refusal; those of erased accounts are passed over. p_item_codes and p_attrs hold array
-- literals. One worker at a time, so that no two wait for each other's rows, and none while an account is being erased, to which
-- it might add: false, nothing was kept, come again.
CREATE FUNCTION data_import.account_refusals_add(
    p_account_key uuid[], p_import_supplier text[], p_request_id uuid[], p_line integer[], p_at timestamptz[],
    p_api_key_id bigint[], p_endpoint text[], p_status integer[], p_code text[], p_error_count integer[], p_item_codes text[],
    p_attrs text[])
RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_most constant integer := 20;
    v_known uuid[];
    v_erased uuid[];
    v_account_key uuid;
    v_last_to_go timestamptz;
BEGIN
    IF p_account_key = '{}' THEN
        RETURN true;
    ELSIF NOT pg_try_advisory_xact_lock(data_import.lock_number('account_refusal', '')) THEN
        RETURN false;
    END IF;
    SELECT array_agg(account_key) INTO v_known FROM data_import.account WHERE account_key = ANY (p_account_key);
    SELECT array_agg(account_key) INTO v_erased FROM data_import.erased_account WHERE account_key = ANY (p_account_key);
    INSERT INTO data_import.account_refusal (
        account_key, request_id, line, import_supplier, was_known, at, api_key_id, endpoint, status, code, error_count,
        item_codes, attrs)
    SELECT account_key, request_id, line, import_supplier, account_key = ANY (coalesce(v_known, '{}')), at, api_key_id, endpoint,
           status, code, error_count, item_codes::text[], attrs::text[]
    FROM unnest(p_account_key, p_import_supplier, p_request_id, p_line, p_at, p_api_key_id, p_endpoint, p_status, p_code,
                p_error_count, p_item_codes, p_attrs)
        AS kept (account_key, import_supplier, request_id, line, at, api_key_id, endpoint, status, code, error_count, item_codes,
                 attrs)
    WHERE account_key <> ALL (coalesce(v_erased, '{}'))
    ON CONFLICT DO NOTHING;
    FOR v_account_key IN SELECT DISTINCT unnest(p_account_key) LOOP
        SELECT at INTO v_last_to_go FROM data_import.account_refusal WHERE account_key = v_account_key
        ORDER BY at DESC OFFSET v_most LIMIT 1;
        IF FOUND THEN
            DELETE FROM data_import.account_refusal WHERE account_key = v_account_key AND at <= v_last_to_go;
        END IF;
    END LOOP;
    RETURN true;
END
$$;
COMMENT ON FUNCTION data_import.account_refusals_add IS
    'Keeps refusals of one worker, and of each of their accounts the last 20; false: it cannot now.';

CREATE FUNCTION data_import.refusals_of_unknown_purge(p_most_of_key integer) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_api_key_id bigint := -9223372036854775808;
    v_last_to_go timestamptz;
BEGIN
    LOOP
        SELECT min(api_key_id) INTO v_api_key_id FROM data_import.account_refusal
        WHERE NOT was_known AND api_key_id > v_api_key_id;
        EXIT WHEN v_api_key_id IS NULL;
        SELECT at INTO v_last_to_go FROM data_import.account_refusal WHERE api_key_id = v_api_key_id AND NOT was_known
        ORDER BY at DESC OFFSET p_most_of_key LIMIT 1;
        IF FOUND THEN
            PERFORM pg_advisory_xact_lock(data_import.lock_number('account_refusal', ''));
            DELETE FROM data_import.account_refusal
            WHERE api_key_id = v_api_key_id AND NOT was_known AND at <= v_last_to_go;
        END IF;
    END LOOP;
END
$$;
COMMENT ON FUNCTION data_import.refusals_of_unknown_purge IS
    'Forgets refusals of accounts that were not known, but for the last ones of each API key.';

-- Deletes at most p_most rows, and all others of the same time; returns how many there were.
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
    DELETE FROM data_import.refusal_rate WHERE seconds = 60 AND began_at < now() - interval '25 hours';
    DELETE FROM data_import.refusal_rate WHERE seconds = 3600 AND began_at < now() - make_interval(days => p_days);
END
$$;
COMMENT ON FUNCTION data_import.refused_requests_purge IS 'Forgets refusals of more than so many days ago.';

GRANT SELECT ON data_import.refused_request, data_import.refusal_rate, data_import.account_refusal TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.refused_requests_add, data_import.account_refusals_add TO "data-import";
