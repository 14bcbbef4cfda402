-- Reports on migrations that somebody has signed: `data-importctl report`. The files are the reader's; what is kept here tells
-- whether a file is one of them, byte by byte.

CREATE TABLE data_import.signed_report (
    id              uuid PRIMARY KEY,
    import_supplier text COLLATE "C" NOT NULL,
    as_of           timestamptz NOT NULL,
    signed_by       text NOT NULL CHECK (char_length(signed_by) BETWEEN 1 AND 255),
    signed_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    operator_name   text NOT NULL,
    host            text NOT NULL,
    html_sha256     bytea NOT NULL CHECK (octet_length(html_sha256) = 32),
    json_sha256     bytea NOT NULL CHECK (octet_length(json_sha256) = 32)
);
COMMENT ON TABLE data_import.signed_report IS
    'Reports that were signed, a part of the audit history: never changed, kept for good.';
COMMENT ON COLUMN data_import.signed_report.id IS 'Identity of the report; both of its files say it.';
COMMENT ON COLUMN data_import.signed_report.import_supplier IS 'Code of the supplier whose migration it is about.';
COMMENT ON COLUMN data_import.signed_report.as_of IS 'The moment of which its figures tell.';
COMMENT ON COLUMN data_import.signed_report.signed_by IS 'Name of the person who signed it, as was given.';
COMMENT ON COLUMN data_import.signed_report.signed_at IS 'When it was signed.';
COMMENT ON COLUMN data_import.signed_report.operator_name IS 'System user who did it: whoever called sudo, where that was used.';
COMMENT ON COLUMN data_import.signed_report.host IS 'Name of the host on which it was done.';
COMMENT ON COLUMN data_import.signed_report.html_sha256 IS 'SHA-256 of the file for people.';
COMMENT ON COLUMN data_import.signed_report.json_sha256 IS 'SHA-256 of the file for programs.';
