-- The import log: requests that were refused, counted by day and kind.

CREATE TABLE data_import.refused_request (
    day               date NOT NULL,
    import_supplier   text COLLATE "C" NOT NULL,
    endpoint          text COLLATE "C" NOT NULL,
    status            integer NOT NULL,
    code              text COLLATE "C" NOT NULL,
    item_code         text COLLATE "C" NOT NULL,
    attr              text COLLATE "C" NOT NULL CHECK (char_length(attr) <= 512),
    count             bigint NOT NULL CHECK (count > 0),
    sample_request_id uuid NOT NULL,
    last_at           timestamptz NOT NULL,
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
    'Code of the answer (decisions, section 2); other for several kinds together.';
COMMENT ON COLUMN data_import.refused_request.item_code IS
    'Code of an item in its errors; empty where it had none. transaction_differs: transactions that are stored with other '
    'content, in a request that was not refused.';
COMMENT ON COLUMN data_import.refused_request.attr IS
    'Place in the payload that the item is about, every index as N; of a field that is not documented, the place around it.';
COMMENT ON COLUMN data_import.refused_request.count IS
    'How many requests; of transaction_differs how many transactions.';
COMMENT ON COLUMN data_import.refused_request.sample_request_id IS 'The last of them: X-Request-Id of its answer.';
COMMENT ON COLUMN data_import.refused_request.last_at IS 'When the last one was answered.';

-- The arrays hold one element for each kind of refusal. In the order of the key, so that two workers never wait for each
-- other.
CREATE FUNCTION data_import.refused_requests_add(
    p_import_supplier text[], p_endpoint text[], p_status integer[], p_code text[], p_item_code text[], p_attr text[],
    p_count bigint[], p_sample_request_id uuid[], p_last_at timestamptz[])
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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
END
$$;
COMMENT ON FUNCTION data_import.refused_requests_add IS
    'Adds refusals of one worker to the import log, and transactions that differ to progress. No kind may stand in the arrays '
    'twice.';

GRANT EXECUTE ON FUNCTION data_import.refused_requests_add TO "data-import";
