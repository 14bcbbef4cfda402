-- API keys: their scopes, the days on which they were used, their tokens, and the history of changes to them (contract,
-- section 6.2).

CREATE TABLE data_import.api_key (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organisation data_import.label NOT NULL,
    key_sha256   bytea NOT NULL UNIQUE CONSTRAINT key_sha256_is_a_sha256 CHECK (octet_length(key_sha256) = 32),
    created_at   timestamptz NOT NULL DEFAULT now(),
    created_by   text NOT NULL,
    revoked_at   timestamptz,
    revoked_by   text,
    CONSTRAINT keys_are_revoked_by_somebody CHECK ((revoked_at IS NULL) = (revoked_by IS NULL))
);
COMMENT ON TABLE data_import.api_key IS 'API keys of organisations; only digests, never the keys (contract, section 6.2).';
COMMENT ON COLUMN data_import.api_key.id IS 'Identity of the key; the subject of the tokens issued for it.';
COMMENT ON COLUMN data_import.api_key.organisation IS 'Organisation that the key belongs to.';
COMMENT ON COLUMN data_import.api_key.key_sha256 IS 'SHA-256 of the key as it was shown once at its creation.';
COMMENT ON COLUMN data_import.api_key.created_at IS 'When the key was created.';
COMMENT ON COLUMN data_import.api_key.created_by IS 'System user who created the key.';
COMMENT ON COLUMN data_import.api_key.revoked_at IS 'When the key was revoked; null while it is valid.';
COMMENT ON COLUMN data_import.api_key.revoked_by IS 'System user who revoked the key.';

CREATE TABLE data_import.api_key_import_supplier (
    api_key_id      bigint NOT NULL REFERENCES data_import.api_key (id),
    import_supplier data_import.supplier_code NOT NULL REFERENCES data_import.import_supplier (code),
    PRIMARY KEY (api_key_id, import_supplier)
);
COMMENT ON TABLE data_import.api_key_import_supplier IS 'The scope of a key: the import suppliers it may touch.';
COMMENT ON COLUMN data_import.api_key_import_supplier.api_key_id IS 'The key.';
COMMENT ON COLUMN data_import.api_key_import_supplier.import_supplier IS 'Code of a supplier in its scope.';

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

CREATE FUNCTION data_import.note_api_key_use(p_api_key_ids bigint[]) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO data_import.api_key_use (api_key_id, used_on)
    SELECT key.id, (now() AT TIME ZONE 'UTC')::date
    FROM data_import.api_key AS key
    WHERE key.id = ANY (p_api_key_ids)
    ORDER BY key.id
    ON CONFLICT DO NOTHING
$$;
COMMENT ON FUNCTION data_import.note_api_key_use IS
    'Notes that these keys were used today (UTC). Ids that no key has are passed over.';

-- The table is unlogged, so a crash empties it. Then a key's next request for a token gets a new token, and nothing else is lost.
CREATE UNLOGGED TABLE data_import.api_key_token (
    api_key_id bigint PRIMARY KEY,
    issued_at  timestamptz NOT NULL
);
COMMENT ON TABLE data_import.api_key_token IS
    'When the tokens were issued that each key has at present: asked again soon, all hosts give out the same ones.';
COMMENT ON COLUMN data_import.api_key_token.api_key_id IS
    'The key; a random negative number in the row of a refused request, which is here so that it makes as much work as a good '
    'one, and goes soon.';
COMMENT ON COLUMN data_import.api_key_token.issued_at IS 'Time of issue, by the clock of the host that gave them out first.';

CREATE TABLE data_import.access_event (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at              timestamptz NOT NULL DEFAULT clock_timestamp(),
    action          text NOT NULL
                    CONSTRAINT access_event_action_is_known
                    CHECK (action IN ('key_created', 'scope_changed', 'key_revoked', 'token_issued', 'signing_key_made',
                                      'signing_key_removed', 'totals_corrected', 'records_seen', 'status_set', 'supplier_removed',
                                      'differences_accepted', 'account_reset', 'account_erased', 'figures_acknowledged',
                                      'consumer_added', 'consumer_removed', 'consumer_followed', 'records_exported',
                                      'supplier_erased', 'erase_after_set', 'supplier_created', 'planned_end_set',
                                      'accounts_staged', 'hold_begun', 'hold_ended', 'operator_added', 'operator_removed',
                                      'act_refused')),
    operator_name   text NOT NULL,
    host            text NOT NULL,
    api_key_id      bigint REFERENCES data_import.api_key (id),
    organisation    text,
    old_scope       text[],
    new_scope       text[],
    signing_key     text,
    import_supplier text COLLATE "C",
    subject_account uuid,
    kind            text,
    details         text,
    consumer        text COLLATE "C",
    CONSTRAINT signing_keys_are_named CHECK ((action LIKE 'signing_key%') = (signing_key IS NOT NULL)),
    CONSTRAINT api_keys_are_named CHECK ((action ~ '^(key|scope|token)_') = (api_key_id IS NOT NULL)),
    CONSTRAINT api_keys_have_an_organisation CHECK ((api_key_id IS NULL) = (organisation IS NULL)),
    CONSTRAINT suppliers_are_named
        CHECK (action = 'act_refused'
               OR (action !~ '^(key|scope|token|signing_key|consumer|operator)_') = (import_supplier IS NOT NULL)),
    CONSTRAINT consumers_are_named CHECK ((action ~ '^consumer_') = (consumer IS NOT NULL)),
    CONSTRAINT subject_accounts_are_named
        CHECK (CASE action WHEN 'records_seen' THEN subject_account IS NOT NULL
                           ELSE subject_account IS NULL
                                OR action IN ('account_reset', 'account_erased', 'records_exported', 'accounts_staged',
                                              'hold_begun', 'hold_ended') END),
    CONSTRAINT looks_name_a_kind CHECK ((action = 'records_seen') = (kind IS NOT NULL)),
    CONSTRAINT details_are_of_suppliers_or_consumers
        CHECK (details IS NULL OR import_supplier IS NOT NULL OR consumer IS NOT NULL
               OR action IN ('operator_added', 'operator_removed', 'act_refused'))
);
COMMENT ON TABLE data_import.access_event IS
    'What operators did about access, suppliers, totals and personal data; never changed, kept for good, no secrets. A change of '
    'the database is written in its own transaction, the resets of a file after the last of them, a look at records before it, a '
    'signing key after it was made or removed.';
COMMENT ON COLUMN data_import.access_event.id IS 'Order of the events of one instant.';
COMMENT ON COLUMN data_import.access_event.at IS 'When it was done.';
COMMENT ON COLUMN data_import.access_event.action IS
    'What was done to an API key (key_created, scope_changed, key_revoked), that a token was given out for one by hand '
    '(token_issued), what was done to a key that signs tokens (signing_key_made, signing_key_removed), to a supplier '
    '(supplier_created, status_set, planned_end_set, supplier_removed, differences_accepted, figures_acknowledged; '
    'totals_corrected: its totals were made those of its records; supplier_erased: its accounts were removed; erase_after_set: '
    'when they are to be), to accounts (accounts_staged: again after a failure; hold_begun, hold_ended; account_reset and '
    'account_erased, which may be all of a file), to a person who acts in the browser (operator_added, operator_removed; '
    'act_refused: an act that was not allowed or not possible), to a consumer (consumer_added, consumer_removed; '
    'consumer_followed: an export began to take what is new for it), or that records were looked at (records_seen) or written to '
    'files (records_exported).';
COMMENT ON COLUMN data_import.access_event.operator_name IS
    'System user who did it: whoever called sudo, where that was used; or a person on the page of operators.';
COMMENT ON COLUMN data_import.access_event.host IS 'Name of the host on which it was done.';
COMMENT ON COLUMN data_import.access_event.api_key_id IS 'The API key; null where none is concerned.';
COMMENT ON COLUMN data_import.access_event.organisation IS 'Organisation of the API key; null where none is concerned.';
COMMENT ON COLUMN data_import.access_event.old_scope IS
    'Codes of the suppliers that the key could touch before; null where the scope was not changed.';
COMMENT ON COLUMN data_import.access_event.new_scope IS
    'Codes of the suppliers that the key may touch since; null where the scope was not changed.';
COMMENT ON COLUMN data_import.access_event.signing_key IS 'kid of the signing key; null where none is concerned.';
COMMENT ON COLUMN data_import.access_event.import_supplier IS 'Code of the supplier that is concerned; else null.';
COMMENT ON COLUMN data_import.access_event.subject_account IS
    'The account_key of the account that is concerned, which an erasure leaves here; else null.';
COMMENT ON COLUMN data_import.access_event.kind IS 'Kind of the records that were looked at; else null.';
COMMENT ON COLUMN data_import.access_event.details IS
    'Figures and states before and after, for people; nothing of a person, since it outlives an erasure.';
COMMENT ON COLUMN data_import.access_event.consumer IS 'Name of the consumer that is concerned; else null.';
CREATE INDEX access_event_by_time ON data_import.access_event (at);
CREATE INDEX access_event_of_signing_keys ON data_import.access_event (signing_key COLLATE "C", id DESC)
    WHERE signing_key IS NOT NULL;
CREATE INDEX access_event_of_accounts ON data_import.access_event (subject_account, at) WHERE subject_account IS NOT NULL;

-- Records in access_event that somebody has seen records of an account on the page of operators. Adds at most one row in five
-- minutes for each account, kind and host.
--
-- Without this limit, a page that is loaded again and again would fill the table, from which nothing is ever deleted.
CREATE FUNCTION data_import.record_seen_records(p_import_supplier text, p_account_key uuid, p_kind text, p_host text)
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO data_import.access_event (action, operator_name, host, import_supplier, subject_account, kind)
    SELECT 'records_seen', 'page of operators', p_host, p_import_supplier, p_account_key, p_kind
    WHERE NOT EXISTS (SELECT FROM data_import.access_event
                      WHERE subject_account = p_account_key AND at > now() - interval '5 minutes' AND kind = p_kind
                        AND host = p_host);
END
$$;
COMMENT ON FUNCTION data_import.record_seen_records IS
    'Records that somebody looked at records of an account on the page of operators; of one kind and host once in five minutes.';

-- Requests for tokens, and the limit on refused ones (contract, sections 6.1 and 7).

-- token_request is unlogged, so that no request for a token waits for the disk. A crash of the server loses only a minute's worth
-- of rows. The id comes from no sequence, because the sequence of an unlogged table is unlogged, too. PostgreSQL 15 leaves such a
-- sequence unreadable where a standby takes over before its first restartpoint.
CREATE UNLOGGED TABLE data_import.token_request (
    id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    address_block cidr NOT NULL,
    at            timestamptz NOT NULL,
    refused       boolean NOT NULL
);
COMMENT ON TABLE data_import.token_request IS
    'Requests for tokens of the last minute: what the limit on refused ones counts, on all hosts together.';
COMMENT ON COLUMN data_import.token_request.id IS 'Identity of the row.';
COMMENT ON COLUMN data_import.token_request.address_block IS 'Address of the client: an IPv4 address, or the /64 of an IPv6 one.';
COMMENT ON COLUMN data_import.token_request.at IS 'When it was decided.';
COMMENT ON COLUMN data_import.token_request.refused IS
    'Whether it was refused. Only these count, and only against others that are refused; good ones are here so that they make '
    'as much work.';
CREATE INDEX token_request_by_address ON data_import.token_request (address_block, at);
CREATE INDEX token_request_by_time ON data_import.token_request (at);

-- Deletes rows that are of no use any more from token_request and api_key_token, at most p_rows from each table. A row of
-- token_request is of no use after a minute. A refused request's row in api_key_token is of no use once its transaction has
-- ended.
--
-- Each request for a token calls this function and deletes more rows than it adds. So the tables do not grow beyond the requests
-- of about a minute.
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

-- Returns a random id that no key has. A refused request for a token stores a row in api_key_token under this id, so that it
-- stores as many rows as an accepted one, and takes the same time. The id is random, so that refused requests do not wait for
-- each other's rows.
CREATE FUNCTION data_import.refused_token_id() RETURNS bigint
LANGUAGE sql VOLATILE AS $$
    SELECT ('x' || left(replace(gen_random_uuid()::text, '-', ''), 16))::bit(64)::bigint | (1::bigint << 63)
$$;
COMMENT ON FUNCTION data_import.refused_token_id IS
    'A random negative number, which no key has: the row of one refused request in api_key_token.';

-- Returns the time of issue of the tokens that an API key gets at p_now, and stores this time in api_key_token. The time is one
-- of these:
--
--   the stored time   if it is later than p_now - p_reuse, and at most 30 seconds after p_now; the key gets its last tokens again
--   p_now             otherwise; the key gets new tokens
--
-- The stored time can be after p_now, because another host may have stored it, and the clock of that host may be ahead.
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

-- Decides on a request for a token. A valid key is accepted whatever came from its address before, because many clients may share
-- one address. For the same reason, a valid key does not wait for the lock that wrong keys from its address take. Requests from
-- different addresses share no row unless they have the same valid key.
--
-- Wrong keys from one address take the same lock, so they are judged one after another. Judged at the same time, several would
-- see the same number of refusals, and together exceed the limit. Up to the limit, each request looks for a key and stores the
-- same number of rows, so that the time it takes tells nothing about the key.
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
    'the valid key, the time of issue of its tokens and its organisation; else a null id: refused, and the seconds to wait '
    'where the address has had p_most_refused refusals within a minute.';

GRANT EXECUTE ON FUNCTION data_import.record_seen_records, data_import.note_api_key_use, data_import.request_token TO
    "data-import";
GRANT SELECT ON data_import.api_key, data_import.api_key_import_supplier, data_import.api_key_use TO "data-import";
