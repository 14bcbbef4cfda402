-- The supplier and some of the accounts of many_rows.sql.
INSERT INTO data_import.import_supplier (code, name) VALUES ('PLANS', 'Plans');
INSERT INTO data_import.consumer (name, begins, added_by) VALUES ('plans', 'now', 'test');
INSERT INTO data_import.account (account_key, import_supplier, external_account_number, state, service_account_number,
                                 account_created_at)
SELECT data_import.account_key('PLANS', n::text), 'PLANS', n::text, 'imported', 'P-' || n, now()
FROM generate_series(1, 10) AS n;
