-- What the service's role may do, and the foreign keys to the small shared tables.

REVOKE ALL ON ALL TABLES IN SCHEMA data_import FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA data_import FROM PUBLIC;

GRANT USAGE ON SCHEMA data_import TO "data-import";
GRANT SELECT ON data_import.schema_migration, data_import.import_supplier, data_import.account, data_import.api_key,
    data_import.api_key_import_supplier TO "data-import";
GRANT SELECT, INSERT ON data_import.note TO "data-import";
GRANT EXECUTE ON FUNCTION
    data_import.account_key(text, text),
    data_import.lock_number(text, text),
    data_import.lock_account(uuid),
    data_import.import_verdict(uuid, text),
    data_import.notes_import(uuid, text, uuid, bigint, uuid[], timestamptz[], text[], text[], boolean[], timestamptz[])
    TO "data-import";

ALTER TABLE data_import.account
    ADD FOREIGN KEY (import_supplier) REFERENCES data_import.import_supplier (code);
ALTER TABLE data_import.api_key_import_supplier
    ADD FOREIGN KEY (api_key_id) REFERENCES data_import.api_key (id),
    ADD FOREIGN KEY (import_supplier) REFERENCES data_import.import_supplier (code);
