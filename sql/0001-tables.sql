-- Suppliers, API keys, accounts, statement periods, notes.
--
-- Layout rules: every table that belongs to an account has account_key as the first column of its primary key, so that
-- the schema can be spread over several machines by that column. Small shared tables stand alone. Identities are
-- opaque; nothing is ordered by them. What operators name is shown in terminals and tables: no control characters, and none
-- that change the direction of text.

CREATE TABLE data_import.import_supplier (
    code          text COLLATE "C" PRIMARY KEY
                  CHECK (char_length(code) BETWEEN 1 AND 64
                         AND code !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
    name          text NOT NULL
                  CHECK (char_length(name) BETWEEN 1 AND 255
                         AND name !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
    status        text NOT NULL DEFAULT 'Ongoing' CHECK (status IN ('Ongoing', 'Paused', 'Complete')),
    document_root text NOT NULL DEFAULT '' CHECK (char_length(document_root) <= 1024),
    created_at    timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE data_import.import_supplier IS
    'External suppliers whose accounts are migrated (specification, section 2.3).';
COMMENT ON COLUMN data_import.import_supplier.code IS 'What clients send as import_supplier; no control characters.';
COMMENT ON COLUMN data_import.import_supplier.name IS 'Name of the supplier for people.';
COMMENT ON COLUMN data_import.import_supplier.status IS
    'Ongoing: takes imports; Paused: refuses them for a while; Complete: refuses them for good. Set by operators.';
COMMENT ON COLUMN data_import.import_supplier.document_root IS
    'Root of the document paths in payloads, inside the document bucket; empty: the bucket itself.';
COMMENT ON COLUMN data_import.import_supplier.created_at IS 'When the supplier was created here.';

CREATE TABLE data_import.api_key (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organisation text NOT NULL
                 CHECK (char_length(organisation) BETWEEN 1 AND 255
                        AND organisation !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
    key_sha256   bytea NOT NULL UNIQUE CHECK (octet_length(key_sha256) = 32),
    created_at   timestamptz NOT NULL DEFAULT now(),
    created_by   text NOT NULL,
    revoked_at   timestamptz,
    revoked_by   text,
    last_used_on date,
    CHECK ((revoked_at IS NULL) = (revoked_by IS NULL))
);
COMMENT ON TABLE data_import.api_key IS 'API keys of organisations; only digests, never the keys (decisions, section 6).';
COMMENT ON COLUMN data_import.api_key.id IS 'Identity of the key; the subject of the tokens issued for it.';
COMMENT ON COLUMN data_import.api_key.organisation IS 'Organisation that the key belongs to.';
COMMENT ON COLUMN data_import.api_key.key_sha256 IS 'SHA-256 of the key as it was shown once at its creation.';
COMMENT ON COLUMN data_import.api_key.created_at IS 'When the key was created.';
COMMENT ON COLUMN data_import.api_key.created_by IS 'System user who created the key.';
COMMENT ON COLUMN data_import.api_key.revoked_at IS 'When the key was revoked; null while it is valid.';
COMMENT ON COLUMN data_import.api_key.revoked_by IS 'System user who revoked the key.';
COMMENT ON COLUMN data_import.api_key.last_used_on IS 'Last day (UTC) on which a token was issued for the key.';

CREATE TABLE data_import.api_key_import_supplier (
    api_key_id      bigint NOT NULL,
    import_supplier text COLLATE "C" NOT NULL,
    PRIMARY KEY (api_key_id, import_supplier)
);
COMMENT ON TABLE data_import.api_key_import_supplier IS 'The scope of a key: the import suppliers it may touch.';
COMMENT ON COLUMN data_import.api_key_import_supplier.api_key_id IS 'The key.';
COMMENT ON COLUMN data_import.api_key_import_supplier.import_supplier IS 'Code of a supplier in its scope.';

CREATE TABLE data_import.account (
    account_key             uuid PRIMARY KEY,
    import_supplier         text COLLATE "C" NOT NULL,
    external_account_number text COLLATE "C" NOT NULL
                            CHECK (char_length(external_account_number) BETWEEN 1 AND 128),
    state                   text NOT NULL CHECK (state IN ('staged', 'in_progress', 'failed', 'imported')),
    service_account_number  text COLLATE "C" CHECK (char_length(service_account_number) BETWEEN 1 AND 64),
    account_created_at      timestamptz,
    failure_reason          text,
    staged_at               timestamptz NOT NULL DEFAULT now(),
    state_changed_at        timestamptz NOT NULL DEFAULT now(),
    CHECK ((state = 'imported') = (service_account_number IS NOT NULL)),
    CHECK ((state = 'imported') = (account_created_at IS NOT NULL)),
    CHECK ((state = 'failed') = (failure_reason IS NOT NULL))
);
-- the listings read along this index; the number index answers "whose is A-1B2C3D4E" and keeps numbers apart
CREATE INDEX account_by_external_number ON data_import.account (import_supplier, external_account_number);
CREATE INDEX account_by_service_number ON data_import.account (service_account_number)
    WHERE service_account_number IS NOT NULL;
COMMENT ON TABLE data_import.account IS
    'Account import processes: staged, in progress, failed or imported (specification, section 3.1).';
COMMENT ON COLUMN data_import.account.account_key IS 'data_import.account_key(import_supplier, external_account_number).';
COMMENT ON COLUMN data_import.account.import_supplier IS 'Code of the supplier.';
COMMENT ON COLUMN data_import.account.external_account_number IS 'The account''s number in the supplier''s system.';
COMMENT ON COLUMN data_import.account.state IS
    'staged: data is staged; in_progress: an attempt is running; failed: the last attempt failed; imported: it exists.';
COMMENT ON COLUMN data_import.account.service_account_number IS 'The platform''s number; only of an imported account.';
COMMENT ON COLUMN data_import.account.account_created_at IS 'When the platform created it; only of an imported account.';
COMMENT ON COLUMN data_import.account.failure_reason IS 'Why the last attempt failed; only of a failed one.';
COMMENT ON COLUMN data_import.account.staged_at IS 'When the account became known here.';
COMMENT ON COLUMN data_import.account.state_changed_at IS 'When the present state began.';

CREATE TABLE data_import.statement_period (
    account_key uuid NOT NULL,
    first_day   date NOT NULL,
    last_day    date NOT NULL,
    opened_at   timestamptz NOT NULL DEFAULT now(),
    closed_at   timestamptz,
    PRIMARY KEY (account_key, first_day),
    CHECK (first_day <= last_day)
);
CREATE UNIQUE INDEX statement_period_open ON data_import.statement_period (account_key) WHERE closed_at IS NULL;
COMMENT ON TABLE data_import.statement_period IS 'Statement periods of accounts; at most one of an account is open.';
COMMENT ON COLUMN data_import.statement_period.account_key IS 'The account.';
COMMENT ON COLUMN data_import.statement_period.first_day IS 'First day of the period.';
COMMENT ON COLUMN data_import.statement_period.last_day IS 'Last day of the period, inclusive.';
COMMENT ON COLUMN data_import.statement_period.opened_at IS 'When the period was opened.';
COMMENT ON COLUMN data_import.statement_period.closed_at IS 'When the period was closed; null while it is open.';

CREATE TABLE data_import.note (
    account_key    uuid NOT NULL,
    identity       uuid NOT NULL,
    created_at     timestamptz NOT NULL,
    body           text,
    document_paths text[],
    is_pinned      boolean NOT NULL,
    unpin_at       timestamptz,
    request_id     uuid NOT NULL,
    api_key_id     bigint NOT NULL,
    imported_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_key, identity, created_at),
    CHECK (body IS NOT NULL OR document_paths IS NOT NULL)
);
COMMENT ON TABLE data_import.note IS 'Imported notes (specification, section 2.4).';
COMMENT ON COLUMN data_import.note.account_key IS 'The account.';
COMMENT ON COLUMN data_import.note.identity IS
    'First 16 bytes of a SHA-256 over the body, or where there is none over the document paths in their order: two notes '
    'of one account are the same when this and created_at agree.';
COMMENT ON COLUMN data_import.note.created_at IS 'When the note was written; the time of import where none was sent.';
COMMENT ON COLUMN data_import.note.body IS 'Text of the note as sent; null for a note of documents only.';
COMMENT ON COLUMN data_import.note.document_paths IS
    'Paths as sent, relative to the supplier''s document root, in their order; null where none were sent.';
COMMENT ON COLUMN data_import.note.is_pinned IS 'Whether the note is pinned to the top of the account''s page.';
COMMENT ON COLUMN data_import.note.unpin_at IS 'When a pinned note is to be unpinned.';
COMMENT ON COLUMN data_import.note.request_id IS 'The request that brought the note: X-Request-Id of its answer.';
COMMENT ON COLUMN data_import.note.api_key_id IS 'The API key of that request''s token.';
COMMENT ON COLUMN data_import.note.imported_at IS 'When the note was stored.';
