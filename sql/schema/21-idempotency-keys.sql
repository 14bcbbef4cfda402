-- Answers that are kept for clients that retry a request under the same Idempotency-Key (contract, section 9.2).

-- A request with a key claims the key, imports, and keeps its answer in one transaction. So either its answer is kept and its
-- records are stored, or neither. The claim is an advisory lock, so that a request that broke off leaves nothing.
--
-- Requests that wait for payment vendors claim their keys for the session, so that no transaction is open meanwhile. Their
-- records are stored before the answer is kept. A repeat is recognised by the natural key of these records.
--
-- An answer may hold personal data of an account, so it is deleted with the account. A refusal is kept only if its account exists
-- and is not being reset or erased.

-- On Citus, kept answers are on the nodes of their accounts: placed_by distributes them.
CREATE TABLE data_import.idempotency_key (
    organisation    text COLLATE "C" NOT NULL,
    key             text COLLATE "C" NOT NULL
                    CONSTRAINT key_is_of_1_to_255_characters CHECK (char_length(key) BETWEEN 1 AND 255),
    content_sha256  bytea NOT NULL CONSTRAINT content_sha256_is_a_sha256 CHECK (octet_length(content_sha256) = 32),
    import_supplier text COLLATE "C",
    account_key     uuid,
    status          smallint NOT NULL CONSTRAINT answers_are_kept_from_200_to_499 CHECK (status BETWEEN 200 AND 499),
    body            text NOT NULL,
    request_id      uuid NOT NULL,
    api_key_id      bigint NOT NULL,
    kept_at         timestamptz NOT NULL DEFAULT now(),
    placed_by       uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    PRIMARY KEY (organisation, key)
);
COMMENT ON TABLE data_import.idempotency_key IS 'First answers to requests with an Idempotency-Key; kept for a day or so.';
COMMENT ON COLUMN data_import.idempotency_key.organisation IS 'Organisation of the API key: keys of others mean nothing here.';
COMMENT ON COLUMN data_import.idempotency_key.key IS 'The key, without the quotation marks of its header.';
COMMENT ON COLUMN data_import.idempotency_key.content_sha256 IS
    'SHA-256 of the request: method, path, what the query means, body. Another request under the same key is refused.';
COMMENT ON COLUMN data_import.idempotency_key.import_supplier IS
    'Supplier that the request named; an API key without it in its scope does not get the answer. Null: none was named.';
COMMENT ON COLUMN data_import.idempotency_key.account_key IS
    'The account that the request named; null: none was named.';
COMMENT ON COLUMN data_import.idempotency_key.status IS 'HTTP status of the answer.';
COMMENT ON COLUMN data_import.idempotency_key.body IS 'Body of the answer: JSON.';
COMMENT ON COLUMN data_import.idempotency_key.request_id IS 'The first request: X-Request-Id of its answer.';
COMMENT ON COLUMN data_import.idempotency_key.api_key_id IS 'The API key of that request''s token.';
COMMENT ON COLUMN data_import.idempotency_key.kept_at IS 'When the answer was given.';
COMMENT ON COLUMN data_import.idempotency_key.placed_by IS
    'The shard that has the row, where the schema is distributed: the account key, or nothing but zeros.';

-- serves the purge; a BRIN index would not help, because new rows fill free space of old pages
CREATE INDEX idempotency_key_by_time ON data_import.idempotency_key (kept_at);

-- finds the answers of an account that is reset or erased, which are deleted with its records
CREATE INDEX idempotency_key_by_account ON data_import.idempotency_key (account_key) WHERE account_key IS NOT NULL;

-- Returns the number of the advisory lock of an organisation's key. In the name of the lock, a control character (U+001F) stands
-- between organisation and key. Keys hold no control characters, so no two pairs of organisation and key make the same name.
CREATE FUNCTION data_import.idempotency_key_lock(p_organisation text, p_key text) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    RETURN data_import.lock_number('idempotency_key', p_organisation || chr(31) || p_key);
END
$$;
COMMENT ON FUNCTION data_import.idempotency_key_lock IS 'Number of the advisory lock of an Idempotency-Key.';

-- Claims a key until the end of the transaction, or of the session if p_for_session is true. Returns one of these verdicts:
--
--   running   another request has claimed the key
--   reused    the key was used for another request
--   answered  the request was answered already; import_supplier, status and body are those of the kept answer
--   first     the caller carries the request out, and keeps its answer
CREATE FUNCTION data_import.idempotency_key_claim(
    p_organisation text, p_key text, p_content_sha256 bytea, p_retention interval, p_for_session boolean)
RETURNS TABLE (verdict text, import_supplier text, status smallint, body text, claimed_at timestamptz)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
    v_lock constant bigint := data_import.idempotency_key_lock(p_organisation, p_key);
    v_kept data_import.idempotency_key;
BEGIN
    claimed_at := now();
    IF NOT (CASE WHEN p_for_session THEN pg_try_advisory_lock(v_lock) ELSE pg_try_advisory_xact_lock(v_lock) END) THEN
        verdict := 'running';
        RETURN NEXT;
        RETURN;
    END IF;
    SELECT * INTO v_kept FROM data_import.idempotency_key
    WHERE organisation = p_organisation AND key = p_key;
    IF v_kept.key IS NULL OR v_kept.kept_at <= now() - p_retention THEN
        verdict := 'first';
    ELSIF v_kept.content_sha256 <> p_content_sha256 THEN
        verdict := 'reused';
    ELSE
        PERFORM data_import.await_standbys();
        verdict := 'answered';
        import_supplier := v_kept.import_supplier;
        status := v_kept.status;
        body := v_kept.body;
    END IF;
    RETURN NEXT;
END
$$;
COMMENT ON FUNCTION data_import.idempotency_key_claim IS
    'Claims an Idempotency-Key until the end of the transaction or session, and tells what is known of it.';

-- Returns whether an answer may be kept. A success (p_status below 300) is kept, because the import has locked its account. A
-- refusal is kept only if it names an account that exists and is not being reset or erased. If p_is_late is true, the key was
-- claimed for the session, and the import's transaction has ended. Then a success that names an account is kept only if the
-- account exists, and was not reset or erased since p_claimed_at.
--
-- For a refusal, the function does not wait for the end of a reset or an erasure, because nothing was stored.
CREATE FUNCTION data_import.is_answer_to_keep(
    p_account_key uuid, p_status smallint, p_claimed_at timestamptz, p_is_late boolean) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF p_account_key IS NULL THEN
        RETURN p_status < 300;
    ELSIF p_status < 300 AND NOT p_is_late THEN
        RETURN true;
    ELSIF p_status < 300 THEN
        PERFORM data_import.lock_account(p_account_key);
        PERFORM 1 FROM data_import.account_action
        WHERE account_key = p_account_key AND action IN ('reset', 'erased') AND at >= p_claimed_at;
        IF FOUND THEN
            RETURN false;
        END IF;
    ELSIF NOT pg_try_advisory_xact_lock_shared(data_import.lock_number('account_removal', p_account_key::text)) THEN
        RETURN false;
    END IF;
    PERFORM 1 FROM data_import.account WHERE account_key = p_account_key;
    RETURN FOUND;
END
$$;
COMMENT ON FUNCTION data_import.is_answer_to_keep IS
    'Whether an answer under an Idempotency-Key may be kept: a success whose account is there, or the refusal of a payload for one.';

-- Keeps an answer if is_answer_to_keep allows it. If the key has an answer from after p_claimed_at, that answer stays, and the
-- new one is dropped: the claim was lost with its session, and another request has claimed the key since.
--
-- An answer from before p_claimed_at has expired, because otherwise the claim would have returned it. The function deletes it
-- after the account was locked. An erasure locks and deletes in the same order, so the two cannot deadlock.
CREATE FUNCTION data_import.idempotency_key_keep(
    p_organisation text, p_key text, p_content_sha256 bytea, p_import_supplier text, p_account_key uuid, p_status smallint,
    p_body text, p_request_id uuid, p_api_key_id bigint, p_claimed_at timestamptz, p_is_late boolean) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_has_expired boolean;
    v_is_kept boolean;
BEGIN
    IF NOT data_import.is_answer_to_keep(p_account_key, p_status, p_claimed_at, p_is_late) THEN
        RETURN;
    END IF;
    SELECT bool_or(kept_at < p_claimed_at), bool_or(kept_at >= p_claimed_at) INTO v_has_expired, v_is_kept
    FROM data_import.idempotency_key WHERE organisation = p_organisation AND key = p_key;
    IF v_is_kept THEN
        RETURN;
    ELSIF v_has_expired THEN
        DELETE FROM data_import.idempotency_key
        WHERE organisation = p_organisation AND key = p_key AND kept_at < p_claimed_at;
    END IF;
    INSERT INTO data_import.idempotency_key (organisation, key, content_sha256, import_supplier, account_key, status, body,
                                             request_id, api_key_id, placed_by)
    VALUES (p_organisation, p_key, p_content_sha256, p_import_supplier, p_account_key, p_status, p_body, p_request_id,
            p_api_key_id, coalesce(p_account_key, '00000000-0000-0000-0000-000000000000'))
    ON CONFLICT DO NOTHING;
END
$$;
COMMENT ON FUNCTION data_import.idempotency_key_keep IS
    'Keeps the answer of a request that claimed its key, where it may be kept.';

-- Deletes at most p_most kept answers that are older than p_retention, and returns how many it has deleted.
CREATE FUNCTION data_import.idempotency_keys_purge(p_retention interval, p_most integer) RETURNS bigint
LANGUAGE sql VOLATILE AS $$
    WITH gone AS (
        DELETE FROM data_import.idempotency_key
        WHERE ctid = ANY (ARRAY(SELECT ctid FROM data_import.idempotency_key
                                WHERE kept_at <= now() - p_retention LIMIT p_most FOR UPDATE SKIP LOCKED))
        RETURNING 1
    )
    SELECT count(*) FROM gone
$$;
COMMENT ON FUNCTION data_import.idempotency_keys_purge IS
    'Forgets kept answers that are older than the retention, at most so many at once.';

-- This table says which account each key was used for, so that no key is used for two accounts. Only the coordinator of a
-- distributed schema fills it, because the answers themselves are on the nodes of the accounts. A row is deleted a day after its
-- answer has expired, or when its account is reset or erased.
CREATE TABLE data_import.idempotency_key_use (
    organisation text COLLATE "C" NOT NULL,
    key          text COLLATE "C" NOT NULL,
    placed_by    uuid NOT NULL,
    at           timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organisation, key)
);
COMMENT ON TABLE data_import.idempotency_key_use IS
    'What the keys of idempotency_key were used for, where the schema is distributed; kept for a day longer than answers.';
COMMENT ON COLUMN data_import.idempotency_key_use.organisation IS 'As in idempotency_key.';
COMMENT ON COLUMN data_import.idempotency_key_use.key IS 'As in idempotency_key.';
COMMENT ON COLUMN data_import.idempotency_key_use.placed_by IS 'Where an answer is: as in idempotency_key.';
COMMENT ON COLUMN data_import.idempotency_key_use.at IS 'When the key was used last.';
CREATE INDEX idempotency_key_use_by_time ON data_import.idempotency_key_use (at);
CREATE INDEX idempotency_key_use_by_place ON data_import.idempotency_key_use (placed_by);

-- Locks a key for the session, and stores the account for which the key is used. Returns one of these verdicts:
--
--   running  another session has locked the key
--   reused   a request for another account has used the key, and its answer is still kept: it is not older than p_retention
--   first    in all other cases; the key may have been used for the same account before
CREATE FUNCTION data_import.idempotency_key_hold(p_organisation text, p_key text, p_account_key uuid, p_retention interval)
RETURNS text LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_placed_by constant uuid := coalesce(p_account_key, '00000000-0000-0000-0000-000000000000');
    v_known uuid;
BEGIN
    IF NOT pg_try_advisory_lock(data_import.idempotency_key_lock(p_organisation, p_key)) THEN
        RETURN 'running';
    END IF;
    INSERT INTO data_import.idempotency_key_use AS known (organisation, key, placed_by)
    VALUES (p_organisation, p_key, v_placed_by)
    ON CONFLICT (organisation, key) DO UPDATE SET at = now()
    RETURNING known.placed_by INTO v_known;
    IF v_known <> v_placed_by THEN
        PERFORM 1 FROM data_import.idempotency_key
        WHERE placed_by = v_known AND organisation = p_organisation AND key = p_key AND kept_at > now() - p_retention;
        IF FOUND THEN
            RETURN 'reused';
        END IF;
        DELETE FROM data_import.idempotency_key
        WHERE placed_by = v_known AND organisation = p_organisation AND key = p_key;
        UPDATE data_import.idempotency_key_use SET placed_by = v_placed_by
        WHERE organisation = p_organisation AND key = p_key;
    END IF;
    RETURN 'first';
END
$$;
COMMENT ON FUNCTION data_import.idempotency_key_hold IS
    'Locks an Idempotency-Key on the coordinator until the session gives it back, and tells whether it may be used for an account.';

-- The space that the answers under Idempotency-Keys take, by organisation. New keys of an organisation that has used up its quota
-- are refused (contract, section 9.2).
--
-- No answer is forgotten early, because its request could then take effect twice. The sizes are measured every few seconds. If
-- each transaction counted its own answer, the requests of an organisation would wait for each other.
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

GRANT SELECT, INSERT, DELETE ON data_import.idempotency_key TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.idempotency_key_lock, data_import.idempotency_key_claim, data_import.is_answer_to_keep,
    data_import.idempotency_key_keep, data_import.idempotency_key_hold, data_import.measure_kept_answers,
    data_import.are_kept_answers_full TO "data-import";
GRANT SELECT ON data_import.kept_answers TO "data-import";
