-- Access: the days on which API keys were used, who changed what about them, the limit on refused requests for tokens, and
-- when the present tokens of a key were issued (decisions, sections 6 and 7).

CREATE TABLE data_import.api_key_use (
    api_key_id bigint NOT NULL REFERENCES data_import.api_key (id),
    used_on    date NOT NULL,
    noted_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (api_key_id, used_on)
);
COMMENT ON TABLE data_import.api_key_use IS 'The days on which API keys, or tokens issued for them, were used; kept for good.';
COMMENT ON COLUMN data_import.api_key_use.api_key_id IS 'The key.';
COMMENT ON COLUMN data_import.api_key_use.used_on IS 'The day, in UTC.';
COMMENT ON COLUMN data_import.api_key_use.noted_at IS 'When a process first noted the use of that day, seconds after it at most.';

-- One place tells when a key was used last.
INSERT INTO data_import.api_key_use (api_key_id, used_on, noted_at)
SELECT id, last_used_on, last_used_on FROM data_import.api_key WHERE last_used_on IS NOT NULL;
ALTER TABLE data_import.api_key DROP COLUMN last_used_on;

CREATE FUNCTION data_import.note_api_key_use(p_api_key_ids bigint[]) RETURNS void
LANGUAGE sql VOLATILE AS $$
    INSERT INTO data_import.api_key_use (api_key_id, used_on)
    SELECT key.id, (now() AT TIME ZONE 'UTC')::date
    FROM data_import.api_key AS key
    WHERE key.id = ANY (p_api_key_ids)
    ORDER BY key.id
    ON CONFLICT DO NOTHING
$$;
COMMENT ON FUNCTION data_import.note_api_key_use(bigint[]) IS
    'Notes that these keys were used today (UTC). Ids that no key has are passed over.';

CREATE TABLE data_import.access_event (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    action       text NOT NULL CHECK (action IN ('key_created', 'scope_changed', 'key_revoked', 'token_issued',
                                                 'signing_key_made', 'signing_key_removed')),
    system_user  text NOT NULL,
    host         text NOT NULL,
    api_key_id   bigint REFERENCES data_import.api_key (id),
    organisation text,
    old_scope    text[],
    new_scope    text[],
    signing_key  text,
    CHECK ((action LIKE 'signing_key%') = (signing_key IS NOT NULL)),
    CHECK ((action LIKE 'signing_key%') = (api_key_id IS NULL)),
    CHECK ((api_key_id IS NULL) = (organisation IS NULL))
);
CREATE INDEX access_event_by_time ON data_import.access_event (at);
COMMENT ON TABLE data_import.access_event IS
    'What operators did about access, written in the transaction of the change; never changed, kept for good, no secrets.';
COMMENT ON COLUMN data_import.access_event.id IS 'Order of the events of one instant.';
COMMENT ON COLUMN data_import.access_event.at IS 'When it was done.';
COMMENT ON COLUMN data_import.access_event.action IS
    'What was done to an API key (key_created, scope_changed, key_revoked), that a token was given out for one by hand '
    '(token_issued), or what was done to a key that signs tokens (signing_key_made, signing_key_removed).';
COMMENT ON COLUMN data_import.access_event.system_user IS 'System user who did it: whoever called sudo, where that was used.';
COMMENT ON COLUMN data_import.access_event.host IS 'Name of the host on which it was done.';
COMMENT ON COLUMN data_import.access_event.api_key_id IS 'The API key; null for signing keys.';
COMMENT ON COLUMN data_import.access_event.organisation IS 'Organisation of the API key; null for signing keys.';
COMMENT ON COLUMN data_import.access_event.old_scope IS
    'Codes of the suppliers that the key could touch before; null where the scope was not changed.';
COMMENT ON COLUMN data_import.access_event.new_scope IS
    'Codes of the suppliers that the key may touch since; null where the scope was not changed.';
COMMENT ON COLUMN data_import.access_event.signing_key IS 'kid of the signing key; null for API keys.';

-- What a crash of the server would take with it is worth a minute, so nobody waits for the disk.
CREATE UNLOGGED TABLE data_import.token_request (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
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

-- Each request takes more rows away than it adds, so that the table stays as small as one minute is.
CREATE FUNCTION data_import.forget_token_requests(p_rows integer) RETURNS void
LANGUAGE sql VOLATILE AS $$
    DELETE FROM data_import.token_request
    WHERE id IN (SELECT id FROM data_import.token_request
                 WHERE at < clock_timestamp() - interval '1 minute'
                 ORDER BY at LIMIT p_rows
                 FOR UPDATE SKIP LOCKED)
$$;
COMMENT ON FUNCTION data_import.forget_token_requests(integer) IS
    'Deletes at most so many requests for tokens that no limit counts any more; waits for nobody.';

-- A crash costs a key no more than another token.
CREATE UNLOGGED TABLE data_import.api_key_token (
    api_key_id bigint PRIMARY KEY,
    issued_at  timestamptz NOT NULL
);
COMMENT ON TABLE data_import.api_key_token IS
    'When the tokens were issued that each key has at present: asked again soon, all hosts give out the same ones.';
COMMENT ON COLUMN data_import.api_key_token.api_key_id IS
    'The key; 0 in the row of all refused requests, which is here so that they make as much work as good ones.';
COMMENT ON COLUMN data_import.api_key_token.issued_at IS 'Time of issue, by the clock of the host that gave them out first.';

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
COMMENT ON FUNCTION data_import.api_key_token_time(bigint, timestamptz, interval) IS
    'When the tokens were issued that the key gets at p_now: the same ones for p_reuse.';

-- A valid key is taken whatever its address has done, and waits for no wrong one: behind one address there may be many
-- clients. Wrong keys of one address are decided one after another; otherwise many at once would all be the tenth. Up to the
-- limit every way through here looks for a key and stores the same rows, so that its time tells nothing about the key.
CREATE FUNCTION data_import.request_token(
    p_address_block cidr, p_key_sha256 bytea, p_api_key_id bigint, p_most_refused integer, p_now timestamptz,
    p_reuse interval)
RETURNS TABLE (seconds_to_wait integer, api_key_id bigint, issued_at timestamptz)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_now     timestamptz;
    v_counted timestamptz;
    v_key     bigint;
    v_issued  timestamptz;
BEGIN
    SELECT key.id INTO v_key
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
                            NULL::timestamptz;
        RETURN;
    END IF;
    INSERT INTO data_import.token_request (address_block, at, refused) VALUES (p_address_block, v_now, v_key IS NULL);
    v_issued := data_import.api_key_token_time(coalesce(v_key, 0), p_now, p_reuse);
    PERFORM data_import.note_api_key_use(ARRAY[v_key]);
    RETURN QUERY SELECT NULL::integer, v_key, v_issued;
END
$$;
COMMENT ON FUNCTION data_import.request_token(cidr, bytea, bigint, integer, timestamptz, interval) IS
    'Decides on a request for a token by the digest of an API key, or by the id that a refresh token names. One row: the id of '
    'the valid key and the time of issue of its tokens; else a null id: refused, and the seconds to wait where the address '
    'has had p_most_refused refusals within a minute.';

REVOKE ALL ON data_import.api_key_use, data_import.access_event, data_import.token_request, data_import.api_key_token
    FROM PUBLIC;
REVOKE ALL ON FUNCTION
    data_import.note_api_key_use(bigint[]),
    data_import.forget_token_requests(integer),
    data_import.api_key_token_time(bigint, timestamptz, interval),
    data_import.request_token(cidr, bytea, bigint, integer, timestamptz, interval)
    FROM PUBLIC;
GRANT SELECT, INSERT ON data_import.api_key_use TO "data-import";
GRANT SELECT, INSERT, UPDATE, DELETE ON data_import.token_request TO "data-import";
GRANT SELECT, INSERT, UPDATE ON data_import.api_key_token TO "data-import";
GRANT EXECUTE ON FUNCTION
    data_import.note_api_key_use(bigint[]),
    data_import.forget_token_requests(integer),
    data_import.api_key_token_time(bigint, timestamptz, interval),
    data_import.request_token(cidr, bytea, bigint, integer, timestamptz, interval)
    TO "data-import";
