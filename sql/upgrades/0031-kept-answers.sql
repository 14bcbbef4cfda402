-- How much space the answers under Idempotency-Keys take, by organisation. New keys of an organisation that has used up its quota
-- are refused (contract, section 9.2). No answer is forgotten early, because its request could then take effect twice.
--
-- The sizes are those of a moment ago: to count each answer in its own transaction would make the requests of an organisation
-- wait for each other.

CREATE TABLE data_import.kept_answers_of_minute (
    organisation text COLLATE "C" NOT NULL,
    minute       timestamptz NOT NULL,
    bytes        bigint NOT NULL,
    PRIMARY KEY (minute, organisation)
);
COMMENT ON TABLE data_import.kept_answers_of_minute IS
    'What the answers that were kept under Idempotency-Keys in a minute take; as long as answers are kept.';
COMMENT ON COLUMN data_import.kept_answers_of_minute.organisation IS 'Organisation of the keys.';
COMMENT ON COLUMN data_import.kept_answers_of_minute.minute IS 'The minute in which the answers were given.';
COMMENT ON COLUMN data_import.kept_answers_of_minute.bytes IS 'Bytes of their rows, compressed as they are stored.';

CREATE TABLE data_import.kept_answers (
    organisation text COLLATE "C" PRIMARY KEY,
    bytes        bigint NOT NULL,
    measured_at  timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE data_import.kept_answers IS 'What all answers that are kept under Idempotency-Keys take, as measured last.';
COMMENT ON COLUMN data_import.kept_answers.organisation IS 'Organisation of the keys.';
COMMENT ON COLUMN data_import.kept_answers.bytes IS 'Bytes of their rows, compressed as they are stored.';
COMMENT ON COLUMN data_import.kept_answers.measured_at IS 'When they were measured: the same of all.';

-- Measures the space that kept answers take; an answer is kept for p_retention. Does nothing while housekeeping runs, or within
-- five seconds of the last measurement, because the workers of all hosts call this function every ten seconds.
--
-- Only the answers of the last minutes are measured again. An answer belongs to the minute in which its transaction began, and no
-- transaction of an import lasts for three minutes. pg_column_size reads the size of a stored body without the body.
CREATE FUNCTION data_import.measure_kept_answers(p_retention interval) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_row_bytes constant integer := 300;
    v_from timestamptz;
BEGIN
    IF NOT pg_try_advisory_xact_lock(data_import.lock_number('housekeeping', '')) THEN
        RETURN;
    END IF;
    IF EXISTS (SELECT 1 FROM data_import.kept_answers WHERE measured_at BETWEEN now() - interval '5 seconds' AND now()) THEN
        RETURN;
    END IF;
    SELECT date_trunc('minute', least(coalesce(max(minute), now() - p_retention), now() - interval '3 minutes')) INTO v_from
    FROM data_import.kept_answers_of_minute;
    DELETE FROM data_import.kept_answers_of_minute WHERE minute >= v_from OR minute < now() - p_retention - interval '1 minute';
    INSERT INTO data_import.kept_answers_of_minute (organisation, minute, bytes)
    SELECT organisation, date_trunc('minute', kept_at), sum(pg_column_size(body) + v_row_bytes)
    FROM data_import.idempotency_key
    WHERE kept_at >= v_from
    GROUP BY organisation, date_trunc('minute', kept_at);
    DELETE FROM data_import.kept_answers;
    INSERT INTO data_import.kept_answers (organisation, bytes)
    SELECT organisation, sum(bytes) FROM data_import.kept_answers_of_minute GROUP BY organisation;
END
$$;
COMMENT ON FUNCTION data_import.measure_kept_answers IS
    'Measures how much the answers that are kept under Idempotency-Keys take, by organisation.';

-- Returns whether an organisation's kept answers took at least p_most_bytes when they were measured last.
CREATE FUNCTION data_import.are_kept_answers_full(p_organisation text, p_most_bytes bigint) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (SELECT 1 FROM data_import.kept_answers WHERE organisation = p_organisation AND bytes >= p_most_bytes);
END
$$;
COMMENT ON FUNCTION data_import.are_kept_answers_full IS
    'Whether the answers that are kept for an organisation take so many bytes that it gets no new keys.';

GRANT SELECT ON data_import.kept_answers TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.measure_kept_answers, data_import.are_kept_answers_full TO "data-import";

-- The note that is pinned for moved transactions holds as many of them as fit: 65,536 characters with its first line, and with
-- the number of the others where there are any.
CREATE OR REPLACE FUNCTION data_import.pin_note_on_moved_transactions(
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
