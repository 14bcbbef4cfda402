-- Requests for tokens, and the limit on refused ones (decisions, sections 6 and 7).

-- What a crash of the server would take with it is worth a minute, so nobody waits for the disk. The id comes from no
-- sequence: that of an unlogged table is unlogged, too, and PostgreSQL 15 leaves it unreadable where a standby takes over
-- before its first restartpoint.
CREATE UNLOGGED TABLE data_import.token_request (
    id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    address_block cidr NOT NULL,
    at            timestamptz NOT NULL,
    refused       boolean NOT NULL
);
CREATE INDEX token_request_by_address ON data_import.token_request (address_block, at);
CREATE INDEX token_request_by_time ON data_import.token_request (at);
COMMENT ON TABLE data_import.token_request IS
    'Requests for tokens of the last minute: what the limit on refused ones counts, on all hosts together.';
COMMENT ON COLUMN data_import.token_request.id IS 'Identity of the row.';
COMMENT ON COLUMN data_import.token_request.address_block IS 'Address of the client: an IPv4 address, or the /64 of an IPv6 one.';
COMMENT ON COLUMN data_import.token_request.at IS 'When it was decided.';
COMMENT ON COLUMN data_import.token_request.refused IS
    'Whether it was refused. Only these count, and only against others that are refused; good ones are here so that they make '
    'as much work.';

-- Each request takes more rows away than it adds, so that the tables stay as small as one minute is. What a refused request
-- left in api_key_token is of no use once its transaction has ended.
CREATE FUNCTION data_import.forget_token_requests(p_rows integer) RETURNS void
LANGUAGE sql VOLATILE AS $$
    DELETE FROM data_import.token_request
    WHERE id IN (SELECT id FROM data_import.token_request
                 WHERE at < statement_timestamp() - interval '1 minute'
                 ORDER BY at LIMIT p_rows
                 FOR UPDATE SKIP LOCKED);
    DELETE FROM data_import.api_key_token
    WHERE api_key_id IN (SELECT api_key_id FROM data_import.api_key_token
                         WHERE api_key_id < 0
                         ORDER BY api_key_id LIMIT p_rows
                         FOR UPDATE SKIP LOCKED)
$$;
COMMENT ON FUNCTION data_import.forget_token_requests IS
    'Deletes at most so many requests for tokens that no limit counts any more, and as many rows of refused ones in '
    'api_key_token; waits for nobody.';

-- A refused request stores as much as a good one, and waits for the row of no other one.
CREATE FUNCTION data_import.refused_token_id() RETURNS bigint
LANGUAGE sql VOLATILE AS $$
    SELECT ('x' || left(replace(gen_random_uuid()::text, '-', ''), 16))::bit(64)::bigint | (1::bigint << 63)
$$;
COMMENT ON FUNCTION data_import.refused_token_id IS
    'A random negative number, which no key has: the row of one refused request in api_key_token.';

-- The time of issue of the tokens that the key gets now: that of its last ones while they are no older than p_reuse, else
-- p_now. Clocks of hosts may differ by 30 seconds.
CREATE FUNCTION data_import.api_key_token_time(p_api_key_id bigint, p_now timestamptz, p_reuse interval) RETURNS timestamptz
LANGUAGE sql VOLATILE AS $$
    INSERT INTO data_import.api_key_token AS present (api_key_id, issued_at) VALUES (p_api_key_id, p_now)
    ON CONFLICT (api_key_id) DO UPDATE
        SET issued_at = CASE WHEN present.issued_at > excluded.issued_at - p_reuse
                                  AND present.issued_at <= excluded.issued_at + interval '30 seconds'
                             THEN present.issued_at ELSE excluded.issued_at END
    RETURNING issued_at
$$;
COMMENT ON FUNCTION data_import.api_key_token_time IS
    'When the tokens were issued that the key gets at p_now: the same ones for p_reuse.';

-- A valid key is taken whatever its address has done, and waits for no wrong one: behind one address there may be many
-- clients. Wrong keys of one address are decided one after another; otherwise many at once would all be the tenth. Those of
-- different addresses share no row. Up to the limit every way through here looks for a key and stores as many rows, so that its
-- time tells nothing about the key.
CREATE FUNCTION data_import.request_token(
    p_address_block cidr, p_key_sha256 bytea, p_api_key_id bigint, p_most_refused integer, p_now timestamptz,
    p_reuse interval)
RETURNS TABLE (seconds_to_wait integer, api_key_id bigint, issued_at timestamptz, organisation text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_now          timestamptz;
    v_counted      timestamptz;
    v_key          bigint;
    v_organisation text;
    v_issued       timestamptz;
    v_refused      bigint := data_import.refused_token_id();
BEGIN
    SELECT key.id, key.organisation INTO v_key, v_organisation
    FROM data_import.api_key AS key
    WHERE (key.key_sha256 = p_key_sha256 OR key.id = p_api_key_id) AND key.revoked_at IS NULL;
    PERFORM pg_advisory_xact_lock(data_import.lock_number('token_request', concat_ws('/', p_address_block, v_key)));
    v_now := clock_timestamp();
    PERFORM data_import.forget_token_requests(10);
    SELECT request.at INTO v_counted
    FROM data_import.token_request AS request
    WHERE request.address_block = p_address_block AND request.refused AND request.at > v_now - interval '1 minute'
    ORDER BY request.at DESC
    OFFSET p_most_refused - 1 LIMIT 1;
    IF v_key IS NULL AND v_counted IS NOT NULL THEN
        RETURN QUERY SELECT ceil(extract(epoch FROM v_counted + interval '1 minute' - v_now))::integer, NULL::bigint,
                            NULL::timestamptz, NULL::text;
        RETURN;
    END IF;
    INSERT INTO data_import.token_request (address_block, at, refused) VALUES (p_address_block, v_now, v_key IS NULL);
    v_issued := data_import.api_key_token_time(coalesce(v_key, v_refused), p_now, p_reuse);
    PERFORM data_import.note_api_key_use(ARRAY[v_key]);
    RETURN QUERY SELECT NULL::integer, v_key, v_issued, v_organisation;
END
$$;
COMMENT ON FUNCTION data_import.request_token IS
    'Decides on a request for a token by the digest of an API key, or by the id that a refresh token names. One row: the id of '
    'the valid key, the time of issue of its tokens and its organisation; else a null id: refused, and the seconds to wait where the address '
    'has had p_most_refused refusals within a minute.';

GRANT EXECUTE ON FUNCTION data_import.request_token TO "data-import";
