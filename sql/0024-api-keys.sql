-- API keys: their scopes, the days on which they were used, their tokens, and who changed what about them (decisions, section 6).

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
COMMENT ON TABLE data_import.api_key IS 'API keys of organisations; only digests, never the keys (decisions, section 6).';
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

-- A crash costs a key no more than another token.
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
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at            timestamptz NOT NULL DEFAULT clock_timestamp(),
    action        text NOT NULL
                  CONSTRAINT access_event_action_is_known
                  CHECK (action IN ('key_created', 'scope_changed', 'key_revoked', 'token_issued', 'signing_key_made',
                                    'signing_key_removed')),
    operator_name text NOT NULL,
    host          text NOT NULL,
    api_key_id    bigint REFERENCES data_import.api_key (id),
    organisation  text,
    old_scope     text[],
    new_scope     text[],
    signing_key   text,
    CONSTRAINT signing_keys_are_named CHECK ((action LIKE 'signing_key%') = (signing_key IS NOT NULL)),
    CONSTRAINT api_keys_are_named CHECK ((action LIKE 'signing_key%') = (api_key_id IS NULL)),
    CONSTRAINT api_keys_have_an_organisation CHECK ((api_key_id IS NULL) = (organisation IS NULL))
);
CREATE INDEX access_event_by_time ON data_import.access_event (at);
COMMENT ON TABLE data_import.access_event IS
    'What operators did about access, written in the transaction of the change; never changed, kept for good, no secrets.';
COMMENT ON COLUMN data_import.access_event.id IS 'Order of the events of one instant.';
COMMENT ON COLUMN data_import.access_event.at IS 'When it was done.';
COMMENT ON COLUMN data_import.access_event.action IS
    'What was done to an API key (key_created, scope_changed, key_revoked), that a token was given out for one by hand '
    '(token_issued), or what was done to a key that signs tokens (signing_key_made, signing_key_removed).';
COMMENT ON COLUMN data_import.access_event.operator_name IS 'System user who did it: whoever called sudo, where that was used.';
COMMENT ON COLUMN data_import.access_event.host IS 'Name of the host on which it was done.';
COMMENT ON COLUMN data_import.access_event.api_key_id IS 'The API key; null for signing keys.';
COMMENT ON COLUMN data_import.access_event.organisation IS 'Organisation of the API key; null for signing keys.';
COMMENT ON COLUMN data_import.access_event.old_scope IS
    'Codes of the suppliers that the key could touch before; null where the scope was not changed.';
COMMENT ON COLUMN data_import.access_event.new_scope IS
    'Codes of the suppliers that the key may touch since; null where the scope was not changed.';
COMMENT ON COLUMN data_import.access_event.signing_key IS 'kid of the signing key; null for API keys.';

GRANT SELECT ON data_import.api_key, data_import.api_key_import_supplier, data_import.api_key_use TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.note_api_key_use TO "data-import";
