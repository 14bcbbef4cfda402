-- What `data-importctl doctor` found last on each host, for the operators' page.

CREATE TABLE data_import.doctor_run (
    host        text PRIMARY KEY CHECK (char_length(host) BETWEEN 1 AND 255),
    at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    operator_name text NOT NULL,
    findings    json NOT NULL
);
COMMENT ON TABLE data_import.doctor_run IS 'The last look of data-importctl doctor at each host; without any secret.';
COMMENT ON COLUMN data_import.doctor_run.host IS 'Name of the host.';
COMMENT ON COLUMN data_import.doctor_run.at IS 'When it was looked at.';
COMMENT ON COLUMN data_import.doctor_run.operator_name IS
    'System user who did it: whoever called sudo, where that was used. Others than root do not see everything.';
COMMENT ON COLUMN data_import.doctor_run.findings IS 'What was found, as doctor --json prints it.';

GRANT SELECT ON data_import.doctor_run TO "data-import";
