-- The schema of the platform's own software: views of what was imported.
--
-- The schema `platform` is an interface like /v1: views and columns are added, never renamed, removed or given another meaning.
-- The schema data_import is no interface. A field that a later version adds stands at the end of its view, because CREATE OR
-- REPLACE VIEW takes new columns only there. Comments on columns of payloads are the sentences of src/data/payload; a test
-- compares them.
--
-- The views run with the rights of their owner, so readers need no rights on tables. The views write nothing, so they can be read
-- on a standby. The queries of the views are simple enough for PostgreSQL to inline them. So a search for a supplier and an
-- external account number finds the account by the index account_by_external_number, and its records by the primary key of the
-- kind's table.

-- On Citus the coordinator puts the queries of views into the place of their names, and its workers need the functions inside alone,
-- which they get with those of the shard groups. It would send them the views, too, and take grants on these functions for a
-- circle.
DO $$
BEGIN
    PERFORM set_config('citus.enable_ddl_propagation', 'off', true);
END
$$;

CREATE SCHEMA platform;
COMMENT ON SCHEMA platform IS 'What was imported, for the platform''s own software to read.';

-- Functions for the names and identifiers of records. Each is a single immutable expression, which PostgreSQL puts in the place
-- of the call. Readers of views need EXECUTE on the functions that the views call.

-- Does not use convert_to, because that is no immutable function. The database is in UTF-8: db setup sees to that.
CREATE FUNCTION data_import.bytes_of(p_text text) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT decode(replace(p_text, E'\\', E'\\\\'), 'escape')
$$;
COMMENT ON FUNCTION data_import.bytes_of IS 'The bytes of a text in UTF-8.';

-- Computes the identifier of a record. No kind's name begins with the name of another kind, and all account keys have the same
-- length. So two records have the same identifier only if kind, account and name are the same.
CREATE FUNCTION data_import.record_id(p_kind text, p_account_key uuid, p_name bytea) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT encode(substring(sha256(data_import.bytes_of(p_kind) || uuid_send(p_account_key) || p_name)
                            FROM 1 FOR 16), 'hex')::uuid
$$;
COMMENT ON FUNCTION data_import.record_id IS
    'Identifier of a record: first 16 bytes of SHA-256 over its kind, its account and its name among the account''s records of '
    'the kind. The account key of a record without an account is nothing but zeros.';

-- Returns the name of a note for record_id. p_identity is note.identity: a digest of the note's body or paths. The time belongs
-- to the name only if it was sent (p_has_created_at), because a time that the service has set is another one in each
-- installation. An account has at most one note without a sent time for each identity.
CREATE FUNCTION data_import.name_of_note(p_identity uuid, p_has_created_at boolean, p_created_at timestamptz) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT uuid_send(p_identity)
        || CASE WHEN p_has_created_at
                THEN int8send((extract(epoch FROM p_created_at AT TIME ZONE 'UTC') * 1000000)::bigint) ELSE '' END
$$;
COMMENT ON FUNCTION data_import.name_of_note IS 'Name of a note for record_id: its identity, and the time if one was sent.';

CREATE FUNCTION data_import.name_of_transaction(p_transaction_id text, p_copy integer) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT int4send(p_copy) || data_import.bytes_of(p_transaction_id)
$$;
COMMENT ON FUNCTION data_import.name_of_transaction IS 'Name of a transaction for record_id.';

CREATE FUNCTION data_import.name_of_payment_instruction(p_vendor text, p_reference text) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT data_import.bytes_of(p_vendor) || decode('00', 'hex') || data_import.bytes_of(p_reference)
$$;
COMMENT ON FUNCTION data_import.name_of_payment_instruction IS
    'Name of a payment instruction for record_id; no text holds U+0000.';

CREATE FUNCTION data_import.name_of_price_sheet(p_organisation text, p_market_participant_code bigint, p_external_id text)
RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT int8send(p_market_participant_code) || data_import.bytes_of(p_organisation) || decode('00', 'hex')
        || data_import.bytes_of(p_external_id)
$$;
COMMENT ON FUNCTION data_import.name_of_price_sheet IS 'Name of a price sheet for record_id; no text holds U+0000.';

-- Import suppliers and accounts.

CREATE VIEW platform.import_supplier AS
SELECT code::text, name::text, status::text, document_root, created_at, status_since
FROM data_import.import_supplier;
COMMENT ON VIEW platform.import_supplier IS 'Import suppliers: where accounts come from.';
COMMENT ON COLUMN platform.import_supplier.code IS 'Code of the import supplier: `import_supplier` in the other views.';
COMMENT ON COLUMN platform.import_supplier.name IS 'Name of the supplier for people.';
COMMENT ON COLUMN platform.import_supplier.status IS
    'State of the import supplier''s migration, which the operator sets. Ongoing: it takes imports; Paused: refuses them for '
    'a while; Complete: refuses them for good.';
COMMENT ON COLUMN platform.import_supplier.document_root IS
    'Root of the document paths of the supplier, inside the document bucket; empty: the bucket itself.';
COMMENT ON COLUMN platform.import_supplier.created_at IS 'When the supplier was created here.';
COMMENT ON COLUMN platform.import_supplier.status_since IS 'When the status was set.';

CREATE VIEW platform.account AS
SELECT account.import_supplier::text, account.external_account_number::text, account.service_account_number::text,
       account.state::text, account.state_changed_at, account.failure_reason::text, account.staged_at, account.account_created_at,
       period.first_day AS statement_period_first_day, period.last_day AS statement_period_last_day
FROM data_import.account
LEFT JOIN data_import.statement_period AS period ON period.account_key = account.account_key AND period.closed_at IS NULL;
COMMENT ON VIEW platform.account IS 'Accounts: their states and their open statement periods.';
COMMENT ON COLUMN platform.account.import_supplier IS
    'Code of the import supplier, which the operator of the platform assigns.';
COMMENT ON COLUMN platform.account.external_account_number IS 'The account''s number in the import supplier''s own system.';
COMMENT ON COLUMN platform.account.service_account_number IS
    'The account''s number on the platform, assigned when the account was created. Null until then.';
COMMENT ON COLUMN platform.account.state IS
    'State of the import: staged (the account is to be created), in_progress (an attempt is running), failed (the last '
    'attempt failed) or imported (it exists, and takes imports).';
COMMENT ON COLUMN platform.account.state_changed_at IS 'Since when the account is in this state.';
COMMENT ON COLUMN platform.account.failure_reason IS
    'Why the last attempt failed; only of a failed account, null for one that was loaded as failed.';
COMMENT ON COLUMN platform.account.staged_at IS 'When the account became known here.';
COMMENT ON COLUMN platform.account.account_created_at IS 'When the platform created the account; only of an imported one.';
COMMENT ON COLUMN platform.account.statement_period_first_day IS
    'First day of the open statement period; null if none is open.';
COMMENT ON COLUMN platform.account.statement_period_last_day IS
    'Last day of the open statement period, inclusive; null if none is open.';

-- Views of the records of accounts, and of the lists inside of them. The table of suppliers is joined by an outer join, so
-- PostgreSQL does not read it for queries that ask for no location of a document.

-- Hardly any path has slashes that meet: the others are spared the regular expression. Not STRICT: PostgreSQL would not put such
-- a CASE in the place of a call.
CREATE OR REPLACE FUNCTION data_import.location_in_bucket(p_document_root text, p_document_path text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT ltrim(CASE WHEN strpos(p_document_root || '/' || p_document_path, '//') = 0
                      THEN p_document_root || '/' || p_document_path
                      ELSE regexp_replace(p_document_root || '/' || p_document_path, '/+', '/', 'g') END, '/')
$$;

CREATE VIEW platform.note AS
SELECT account.import_supplier::text, account.external_account_number::text, account.service_account_number::text,
       data_import.record_id('notes', note.account_key,
                             data_import.name_of_note(note.identity, note.has_created_at, note.created_at)) AS record_id,
       note.body, note.document_paths, note.created_at, note.is_pinned, note.unpin_at, note.is_by_service,
       CASE WHEN note.document_paths IS NOT NULL THEN ARRAY(
           SELECT data_import.location_in_bucket(supplier.document_root, path.document_path)
           FROM unnest(note.document_paths) WITH ORDINALITY AS path (document_path, place)
           ORDER BY path.place) END AS document_locations,
       note.imported_at, note.request_id
FROM data_import.note JOIN data_import.account USING (account_key)
LEFT JOIN data_import.import_supplier AS supplier ON supplier.code = account.import_supplier;
COMMENT ON VIEW platform.note IS 'Notes of accounts.';
COMMENT ON COLUMN platform.note.import_supplier IS 'Code of the import supplier, which the operator of the platform assigns.';
COMMENT ON COLUMN platform.note.external_account_number IS 'The account''s number in the import supplier''s own system.';
COMMENT ON COLUMN platform.note.service_account_number IS
    'The account''s number on the platform, assigned when the account was created. Null until then.';
COMMENT ON COLUMN platform.note.record_id IS
    'Identifier of the record, which is the same in every installation that has the record.';
COMMENT ON COLUMN platform.note.body IS 'Text of the note. A note needs `body` or `document_paths`.';
COMMENT ON COLUMN platform.note.document_paths IS 'Documents of the note. A note needs `body` or `document_paths`.';
COMMENT ON COLUMN platform.note.created_at IS 'When the note was written; the present time if left out.';
COMMENT ON COLUMN platform.note.is_pinned IS 'Whether the note is at the top of the account''s page; false if left out.';
COMMENT ON COLUMN platform.note.unpin_at IS 'When a pinned note becomes unpinned. Other notes ignore it.';
COMMENT ON COLUMN platform.note.is_by_service IS
    'Whether the service wrote the note itself, about transactions that it moved. Suppliers sent the others.';
COMMENT ON COLUMN platform.note.document_locations IS
    'Where the documents are in the bucket, in the order of `document_paths`: the root of the supplier, then the path.';
COMMENT ON COLUMN platform.note.imported_at IS 'When the record was stored.';
COMMENT ON COLUMN platform.note.request_id IS 'Request that brought the record: `X-Request-Id` of its answer.';

CREATE VIEW platform.financial_transaction AS
SELECT account.import_supplier::text, account.external_account_number::text, account.service_account_number::text,
       data_import.record_id('transactions', stored.account_key,
                             data_import.name_of_transaction(stored.transaction_id, stored.copy)) AS record_id,
       stored.type, stored.transaction_id, stored.transaction_date, stored.amount, stored.note, stored.reason, stored.reference,
       stored.payment_type, stored.product_code, stored.display_note,
       stored.requested_transaction_date AS sent_transaction_date, stored.description, stored.copy, stored.imported_at,
       stored.request_id
FROM data_import.financial_transaction AS stored JOIN data_import.account USING (account_key);
COMMENT ON VIEW platform.financial_transaction IS 'Financial transactions of accounts.';
COMMENT ON COLUMN platform.financial_transaction.import_supplier IS
    'Code of the import supplier, which the operator of the platform assigns.';
COMMENT ON COLUMN platform.financial_transaction.external_account_number IS
    'The account''s number in the import supplier''s own system.';
COMMENT ON COLUMN platform.financial_transaction.service_account_number IS
    'The account''s number on the platform, assigned when the account was created. Null until then.';
COMMENT ON COLUMN platform.financial_transaction.record_id IS
    'Identifier of the record, which is the same in every installation that has the record.';
COMMENT ON COLUMN platform.financial_transaction.type IS
    'Kind of the transaction. It determines which other fields are allowed.';
COMMENT ON COLUMN platform.financial_transaction.transaction_id IS
    'Identifier of the transaction in the supplier''s system. A transaction with the same identifier is added once.';
COMMENT ON COLUMN platform.financial_transaction.transaction_date IS
    'Day of the transaction. It must be inside the open statement period, unless the service may move it there.';
COMMENT ON COLUMN platform.financial_transaction.amount IS 'In the currency''s main unit (12.50): the amount.';
COMMENT ON COLUMN platform.financial_transaction.note IS 'Internal note, which the customer does not see.';
COMMENT ON COLUMN platform.financial_transaction.reason IS
    'Code of the reason, for example `IMPORTED_CHARGE` or `IMPORTED_CREDIT`. Code of the reason, for example '
    '`ACCOUNT_CHARGE_PAYMENT` or `FULL_CREDIT_REFUND`.';
COMMENT ON COLUMN platform.financial_transaction.reference IS 'Reference of the payment at the bank or payment provider.';
COMMENT ON COLUMN platform.financial_transaction.payment_type IS
    'Code of the payment method, for example `DD_REGULAR_COLLECTION` or `DIRECT_CREDIT`.';
COMMENT ON COLUMN platform.financial_transaction.product_code IS 'Code of the charged product.';
COMMENT ON COLUMN platform.financial_transaction.display_note IS 'Note that the customer sees.';
COMMENT ON COLUMN platform.financial_transaction.sent_transaction_date IS
    'The date that was sent, if the service moved the transaction into the statement period; else null.';
COMMENT ON COLUMN platform.financial_transaction.description IS 'Reason why the service changed the date, if it did.';
COMMENT ON COLUMN platform.financial_transaction.copy IS
    'From 1: which of the transactions of the account with this `transaction_id`. There are several if a supplier had them '
    'added again (`check_previously_added=false`).';
COMMENT ON COLUMN platform.financial_transaction.imported_at IS 'When the record was stored.';
COMMENT ON COLUMN platform.financial_transaction.request_id IS 'Request that brought the record: `X-Request-Id` of its answer.';

CREATE VIEW platform.transaction_line_item AS
SELECT account.import_supplier::text, account.external_account_number::text, account.service_account_number::text,
       data_import.record_id('transactions', item.account_key,
                             data_import.name_of_transaction(item.transaction_id, item.copy)) AS record_id,
       item.position, item.start_date, item.end_date, item.number_of_units, item.net_amount, item.price_per_unit, item.rate_band,
       item.units
FROM data_import.transaction_line_item AS item JOIN data_import.account USING (account_key);
COMMENT ON VIEW platform.transaction_line_item IS 'The lines of the charge.';
COMMENT ON COLUMN platform.transaction_line_item.import_supplier IS
    'Code of the import supplier, which the operator of the platform assigns.';
COMMENT ON COLUMN platform.transaction_line_item.external_account_number IS
    'The account''s number in the import supplier''s own system.';
COMMENT ON COLUMN platform.transaction_line_item.service_account_number IS
    'The account''s number on the platform, assigned when the account was created. Null until then.';
COMMENT ON COLUMN platform.transaction_line_item.record_id IS
    'Identifier of the record that this belongs to, as in `financial_transaction`.';
COMMENT ON COLUMN platform.transaction_line_item.position IS 'Place in `line_items`, from 0.';
COMMENT ON COLUMN platform.transaction_line_item.start_date IS 'First day of the line''s period.';
COMMENT ON COLUMN platform.transaction_line_item.end_date IS 'Last day of the line''s period, inclusive.';
COMMENT ON COLUMN platform.transaction_line_item.number_of_units IS
    'In the units of the product, such as kWh: the charged quantity.';
COMMENT ON COLUMN platform.transaction_line_item.net_amount IS
    'In the currency''s main unit (12.50): the price of this quantity without tax.';
COMMENT ON COLUMN platform.transaction_line_item.price_per_unit IS
    'In the currency''s main unit (0.30): the price of one unit.';
COMMENT ON COLUMN platform.transaction_line_item.rate_band IS
    'Code of the rate that applies, for example `CONSUMPTION_STANDARD`.';
COMMENT ON COLUMN platform.transaction_line_item.units IS
    'In the units of the product: exactly two figures of the supplier''s system.';

CREATE VIEW platform.transaction_tax_item AS
SELECT account.import_supplier::text, account.external_account_number::text, account.service_account_number::text,
       data_import.record_id('transactions', item.account_key,
                             data_import.name_of_transaction(item.transaction_id, item.copy)) AS record_id,
       item.position, item.amount, item.tax_type, item.value_taxed, item.rate, item.unit_type
FROM data_import.transaction_tax_item AS item JOIN data_import.account USING (account_key);
COMMENT ON VIEW platform.transaction_tax_item IS 'Taxes that the amount contains. Taxes on the charge.';
COMMENT ON COLUMN platform.transaction_tax_item.import_supplier IS
    'Code of the import supplier, which the operator of the platform assigns.';
COMMENT ON COLUMN platform.transaction_tax_item.external_account_number IS
    'The account''s number in the import supplier''s own system.';
COMMENT ON COLUMN platform.transaction_tax_item.service_account_number IS
    'The account''s number on the platform, assigned when the account was created. Null until then.';
COMMENT ON COLUMN platform.transaction_tax_item.record_id IS
    'Identifier of the record that this belongs to, as in `financial_transaction`.';
COMMENT ON COLUMN platform.transaction_tax_item.position IS 'Place in `tax_items`, from 0.';
COMMENT ON COLUMN platform.transaction_tax_item.amount IS 'In the currency''s main unit (12.50): the tax.';
COMMENT ON COLUMN platform.transaction_tax_item.tax_type IS 'Code of the tax, for example `VAT`.';
COMMENT ON COLUMN platform.transaction_tax_item.value_taxed IS
    'In the currency''s main unit (12.50), or in kWh if `unit_type` is CURRENCY_PER_KWH: the taxed value.';
COMMENT ON COLUMN platform.transaction_tax_item.rate IS
    'As a proportion (0.19), or in the currency''s main unit per kWh: see `unit_type`.';
COMMENT ON COLUMN platform.transaction_tax_item.unit_type IS
    'Meaning of `rate`: a proportion of the value, or money for each kWh.';

CREATE VIEW platform.historical_statement AS
SELECT account.import_supplier::text, account.external_account_number::text, account.service_account_number::text,
       data_import.record_id('historical_statements', statement.account_key,
                             data_import.bytes_of(statement.statement_id)) AS record_id,
       statement.statement_id, statement.bill_period_from_date, statement.bill_period_to_date, statement.issued_date,
       statement.number, statement.gross_amount, statement.statement_path, statement.supply_type, statement.is_annulled,
       data_import.location_in_bucket(supplier.document_root, statement.statement_path) AS document_location,
       statement.imported_at, statement.request_id
FROM data_import.historical_statement AS statement JOIN data_import.account USING (account_key)
LEFT JOIN data_import.import_supplier AS supplier ON supplier.code = account.import_supplier;
COMMENT ON VIEW platform.historical_statement IS 'Statements that the supplier issued before the migration.';
COMMENT ON COLUMN platform.historical_statement.import_supplier IS
    'Code of the import supplier, which the operator of the platform assigns.';
COMMENT ON COLUMN platform.historical_statement.external_account_number IS
    'The account''s number in the import supplier''s own system.';
COMMENT ON COLUMN platform.historical_statement.service_account_number IS
    'The account''s number on the platform, assigned when the account was created. Null until then.';
COMMENT ON COLUMN platform.historical_statement.record_id IS
    'Identifier of the record, which is the same in every installation that has the record.';
COMMENT ON COLUMN platform.historical_statement.statement_id IS
    'Identifier of the statement in the supplier''s system. A statement with the same identifier is stored once.';
COMMENT ON COLUMN platform.historical_statement.bill_period_from_date IS 'First day of the period of the statement.';
COMMENT ON COLUMN platform.historical_statement.bill_period_to_date IS 'Last day of the period, inclusive.';
COMMENT ON COLUMN platform.historical_statement.issued_date IS 'Day on which the statement was issued.';
COMMENT ON COLUMN platform.historical_statement.number IS 'Number printed on the statement.';
COMMENT ON COLUMN platform.historical_statement.gross_amount IS
    'In the currency''s main unit (86.42): total of the statement including tax.';
COMMENT ON COLUMN platform.historical_statement.statement_path IS
    'Path of the document, relative to the root that the operator has set for the supplier.';
COMMENT ON COLUMN platform.historical_statement.supply_type IS 'What was supplied, for example `ELECTRICITY`.';
COMMENT ON COLUMN platform.historical_statement.is_annulled IS 'Whether the statement has been annulled; false if left out.';
COMMENT ON COLUMN platform.historical_statement.document_location IS
    'Where the document is in the bucket: the root of the supplier, then `statement_path`.';
COMMENT ON COLUMN platform.historical_statement.imported_at IS 'When the record was stored.';
COMMENT ON COLUMN platform.historical_statement.request_id IS 'Request that brought the record: `X-Request-Id` of its answer.';

CREATE VIEW platform.delivery_note AS
SELECT account.import_supplier::text, account.external_account_number::text, account.service_account_number::text,
       data_import.record_id('delivery_notes', note.account_key, uuid_send(note.content_digest)) AS record_id,
       note.malo_number, note.preceding_reference, note.cancelled, note.validation_status, note.last_validation_at,
       note.edifact_reference_number, note.imported_at, note.request_id
FROM data_import.delivery_note AS note JOIN data_import.account USING (account_key);
COMMENT ON VIEW platform.delivery_note IS 'Delivery notes of accounts.';
COMMENT ON COLUMN platform.delivery_note.import_supplier IS
    'Code of the import supplier, which the operator of the platform assigns.';
COMMENT ON COLUMN platform.delivery_note.external_account_number IS
    'The account''s number in the import supplier''s own system.';
COMMENT ON COLUMN platform.delivery_note.service_account_number IS
    'The account''s number on the platform, assigned when the account was created. Null until then.';
COMMENT ON COLUMN platform.delivery_note.record_id IS
    'Identifier of the record, which is the same in every installation that has the record.';
COMMENT ON COLUMN platform.delivery_note.malo_number IS 'Number of the market location (MaLo).';
COMMENT ON COLUMN platform.delivery_note.preceding_reference IS 'Reference of the preceding message.';
COMMENT ON COLUMN platform.delivery_note.cancelled IS 'Whether the message has been cancelled.';
COMMENT ON COLUMN platform.delivery_note.validation_status IS 'Whether the delivery note is valid.';
COMMENT ON COLUMN platform.delivery_note.last_validation_at IS 'When the delivery note was validated last.';
COMMENT ON COLUMN platform.delivery_note.edifact_reference_number IS 'Reference number of the EDIFACT message.';
COMMENT ON COLUMN platform.delivery_note.imported_at IS 'When the record was stored.';
COMMENT ON COLUMN platform.delivery_note.request_id IS 'Request that brought the record: `X-Request-Id` of its answer.';

-- Computes record_id once for each delivery note, in the subquery `record`, not once for each of the note's amounts. This halves
-- the time that it takes to read the view.
CREATE VIEW platform.delivery_note_amount AS
SELECT account.import_supplier::text, account.external_account_number::text, account.service_account_number::text,
       record.record_id, amount.place::integer - 1 AS position, amount.period_start_at, amount.period_end_at,
       coalesce(amount.product_identifier, note.amount_product_identifier[1]) AS product_identifier,
       coalesce(amount.product_identifier_type, note.amount_product_identifier_type[1]) AS product_identifier_type,
       amount.quantity, coalesce(amount.quantity_unit, note.amount_quantity_unit[1]) AS quantity_unit,
       coalesce(amount.line_item_identifier, note.amount_line_item_identifier[1]) AS line_item_identifier
FROM data_import.delivery_note AS note
JOIN data_import.account USING (account_key)
CROSS JOIN LATERAL (
    SELECT data_import.record_id('delivery_notes', note.account_key, uuid_send(note.content_digest)) AS record_id OFFSET 0
) AS record
CROSS JOIN unnest(note.amount_period_start_at, note.amount_period_end_at, note.amount_product_identifier,
                  note.amount_product_identifier_type, note.amount_quantity, note.amount_quantity_unit,
                  note.amount_line_item_identifier) WITH ORDINALITY
    AS amount (period_start_at, period_end_at, product_identifier, product_identifier_type, quantity, quantity_unit,
               line_item_identifier, place);
COMMENT ON VIEW platform.delivery_note_amount IS 'The delivered amounts, one for each period and product.';
COMMENT ON COLUMN platform.delivery_note_amount.import_supplier IS
    'Code of the import supplier, which the operator of the platform assigns.';
COMMENT ON COLUMN platform.delivery_note_amount.external_account_number IS
    'The account''s number in the import supplier''s own system.';
COMMENT ON COLUMN platform.delivery_note_amount.service_account_number IS
    'The account''s number on the platform, assigned when the account was created. Null until then.';
COMMENT ON COLUMN platform.delivery_note_amount.record_id IS
    'Identifier of the record that this belongs to, as in `delivery_note`.';
COMMENT ON COLUMN platform.delivery_note_amount.position IS 'Place in `amounts`, from 0.';
COMMENT ON COLUMN platform.delivery_note_amount.period_start_at IS 'Beginning of the period.';
COMMENT ON COLUMN platform.delivery_note_amount.period_end_at IS 'End of the period, not before its beginning.';
COMMENT ON COLUMN platform.delivery_note_amount.product_identifier IS
    'What was measured, in the scheme of `product_identifier_type`.';
COMMENT ON COLUMN platform.delivery_note_amount.product_identifier_type IS 'Scheme of `product_identifier`, for example `SRW`.';
COMMENT ON COLUMN platform.delivery_note_amount.quantity IS 'In `quantity_unit`: the quantity.';
COMMENT ON COLUMN platform.delivery_note_amount.quantity_unit IS 'Unit of `quantity`, for example `KWH`.';
COMMENT ON COLUMN platform.delivery_note_amount.line_item_identifier IS 'Identifier of the line in the message.';

CREATE VIEW platform.energy_amount AS
SELECT account.import_supplier::text, account.external_account_number::text, account.service_account_number::text,
       data_import.record_id('energy_amounts', amount.account_key, uuid_send(amount.content_digest)) AS record_id,
       amount.malo_number, amount.period_start_at, amount.period_end_at, amount.product_identifier,
       amount.product_identifier_type, amount.quantity, amount.quantity_unit, amount.line_item_identifier,
       amount.preceding_reference, amount.cancelled, amount.cancelled_at, amount.cancelled_reference, amount.qualifier,
       amount.estimate_method, amount.estimate_reason, amount.correction_reason, amount.plausibility_indications,
       amount.measurement_classifications, amount.edifact_reference_number, amount.imported_at, amount.request_id
FROM data_import.energy_amount AS amount JOIN data_import.account USING (account_key);
COMMENT ON VIEW platform.energy_amount IS 'Energy amounts of accounts.';
COMMENT ON COLUMN platform.energy_amount.import_supplier IS
    'Code of the import supplier, which the operator of the platform assigns.';
COMMENT ON COLUMN platform.energy_amount.external_account_number IS
    'The account''s number in the import supplier''s own system.';
COMMENT ON COLUMN platform.energy_amount.service_account_number IS
    'The account''s number on the platform, assigned when the account was created. Null until then.';
COMMENT ON COLUMN platform.energy_amount.record_id IS
    'Identifier of the record, which is the same in every installation that has the record.';
COMMENT ON COLUMN platform.energy_amount.malo_number IS 'Number of the market location (MaLo).';
COMMENT ON COLUMN platform.energy_amount.period_start_at IS 'Beginning of the period.';
COMMENT ON COLUMN platform.energy_amount.period_end_at IS 'End of the period, not before its beginning.';
COMMENT ON COLUMN platform.energy_amount.product_identifier IS 'What was measured, in the scheme of `product_identifier_type`.';
COMMENT ON COLUMN platform.energy_amount.product_identifier_type IS 'Scheme of `product_identifier`, for example `SRW`.';
COMMENT ON COLUMN platform.energy_amount.quantity IS 'In `quantity_unit`: the quantity.';
COMMENT ON COLUMN platform.energy_amount.quantity_unit IS 'Unit of `quantity`, for example `KWH`.';
COMMENT ON COLUMN platform.energy_amount.line_item_identifier IS 'Identifier of the line in the message.';
COMMENT ON COLUMN platform.energy_amount.preceding_reference IS 'Reference of the preceding message.';
COMMENT ON COLUMN platform.energy_amount.cancelled IS 'Whether the message has been cancelled.';
COMMENT ON COLUMN platform.energy_amount.cancelled_at IS 'When the message was cancelled; null if it was not.';
COMMENT ON COLUMN platform.energy_amount.cancelled_reference IS
    'Reference of the message that cancelled this one; null if there is none.';
COMMENT ON COLUMN platform.energy_amount.qualifier IS 'Code that qualifies the quantity.';
COMMENT ON COLUMN platform.energy_amount.estimate_method IS 'Code of the method by which the quantity was estimated.';
COMMENT ON COLUMN platform.energy_amount.estimate_reason IS 'Code of the reason why the quantity was estimated.';
COMMENT ON COLUMN platform.energy_amount.correction_reason IS 'Code of the reason why the quantity was corrected.';
COMMENT ON COLUMN platform.energy_amount.plausibility_indications IS
    'Codes of findings about the plausibility of the quantity.';
COMMENT ON COLUMN platform.energy_amount.measurement_classifications IS 'Codes that classify the measurement.';
COMMENT ON COLUMN platform.energy_amount.edifact_reference_number IS 'Reference number of the EDIFACT message.';
COMMENT ON COLUMN platform.energy_amount.imported_at IS 'When the record was stored.';
COMMENT ON COLUMN platform.energy_amount.request_id IS 'Request that brought the record: `X-Request-Id` of its answer.';

CREATE VIEW platform.market_participant_invoice AS
SELECT account.import_supplier::text, account.external_account_number::text, account.service_account_number::text,
       data_import.record_id('market_participant_invoices', invoice.account_key, uuid_send(invoice.content_digest)) AS record_id,
       invoice.invoice_type, invoice.invoice_sub_type, invoice.invoice_document_type, invoice.invoice_number, invoice.status,
       invoice.issued_at, invoice.due_at, invoice.malo_number, invoice.melo_number, invoice.period_start_at,
       invoice.period_end_at, invoice.balancing_period_start_at, invoice.supply_period_end_at, invoice.service_conducted_at,
       invoice.amount_total, invoice.amount_due, invoice.amount_discount, invoice.is_reverse_charge, invoice.is_duplicate,
       invoice.was_prepaid, invoice.reference_invoice_number, invoice.reference_invoice_issued_at, invoice.reference_document,
       invoice.interchange_reference, invoice.external_id, invoice.sender_id, invoice.recipient_id, invoice.sender_address_name,
       invoice.sender_address_street, invoice.sender_address_city, invoice.sender_address_postcode,
       invoice.sender_address_tax_number, invoice.sender_address_tax_number_type, invoice.sender_address_country_code,
       invoice.recipient_address_name, invoice.recipient_address_street, invoice.recipient_address_city,
       invoice.recipient_address_postcode, invoice.recipient_address_tax_number, invoice.recipient_address_tax_number_type,
       invoice.recipient_address_country_code, invoice.imported_at, invoice.request_id
FROM data_import.market_participant_invoice AS invoice JOIN data_import.account USING (account_key);
COMMENT ON VIEW platform.market_participant_invoice IS 'Invoices of market participants.';
COMMENT ON COLUMN platform.market_participant_invoice.import_supplier IS
    'Code of the import supplier, which the operator of the platform assigns.';
COMMENT ON COLUMN platform.market_participant_invoice.external_account_number IS
    'The account''s number in the import supplier''s own system.';
COMMENT ON COLUMN platform.market_participant_invoice.service_account_number IS
    'The account''s number on the platform, assigned when the account was created. Null until then.';
COMMENT ON COLUMN platform.market_participant_invoice.record_id IS
    'Identifier of the record, which is the same in every installation that has the record.';
COMMENT ON COLUMN platform.market_participant_invoice.invoice_type IS 'Code of the kind of invoice.';
COMMENT ON COLUMN platform.market_participant_invoice.invoice_sub_type IS 'Code of the kind within `invoice_type`.';
COMMENT ON COLUMN platform.market_participant_invoice.invoice_document_type IS 'Code of the purpose of the invoice.';
COMMENT ON COLUMN platform.market_participant_invoice.invoice_number IS 'Number of the invoice, assigned by its sender.';
COMMENT ON COLUMN platform.market_participant_invoice.status IS 'State of the invoice, for example `CLOSED`.';
COMMENT ON COLUMN platform.market_participant_invoice.issued_at IS 'When the invoice was issued.';
COMMENT ON COLUMN platform.market_participant_invoice.due_at IS 'When the invoice must be paid.';
COMMENT ON COLUMN platform.market_participant_invoice.malo_number IS 'Number of the market location (MaLo).';
COMMENT ON COLUMN platform.market_participant_invoice.melo_number IS
    'Number of the metering location (MeLo); null if there is none.';
COMMENT ON COLUMN platform.market_participant_invoice.period_start_at IS 'Beginning of the period.';
COMMENT ON COLUMN platform.market_participant_invoice.period_end_at IS 'End of the period, not before its beginning.';
COMMENT ON COLUMN platform.market_participant_invoice.balancing_period_start_at IS
    'When balancing begins; null if there is none.';
COMMENT ON COLUMN platform.market_participant_invoice.supply_period_end_at IS 'When the supply ends; null if it goes on.';
COMMENT ON COLUMN platform.market_participant_invoice.service_conducted_at IS
    'When the service was performed; null if there was none.';
COMMENT ON COLUMN platform.market_participant_invoice.amount_total IS
    'In the currency''s minor unit (1250): total of the invoice including tax.';
COMMENT ON COLUMN platform.market_participant_invoice.amount_due IS
    'In the currency''s minor unit (1250): the amount that is still to be paid.';
COMMENT ON COLUMN platform.market_participant_invoice.amount_discount IS
    'In the currency''s minor unit (1250): discount on the invoice; null if there is none.';
COMMENT ON COLUMN platform.market_participant_invoice.is_reverse_charge IS
    'Whether the recipient owes the tax (reverse charge).';
COMMENT ON COLUMN platform.market_participant_invoice.is_duplicate IS 'Whether this invoice is a duplicate of an earlier one.';
COMMENT ON COLUMN platform.market_participant_invoice.was_prepaid IS 'Whether the invoice was paid in advance.';
COMMENT ON COLUMN platform.market_participant_invoice.reference_invoice_number IS
    'Number of the invoice to which this one refers; null if there is none.';
COMMENT ON COLUMN platform.market_participant_invoice.reference_invoice_issued_at IS
    'When that invoice was issued; null if there is none.';
COMMENT ON COLUMN platform.market_participant_invoice.reference_document IS
    'Document to which the invoice refers; null if there is none.';
COMMENT ON COLUMN platform.market_participant_invoice.interchange_reference IS 'Reference of the EDIFACT interchange.';
COMMENT ON COLUMN platform.market_participant_invoice.external_id IS 'Identifier of the invoice in the supplier''s system.';
COMMENT ON COLUMN platform.market_participant_invoice.sender_id IS
    'Code number of the market participant who sends the invoice.';
COMMENT ON COLUMN platform.market_participant_invoice.recipient_id IS
    'Code number of the market participant who receives the invoice.';
COMMENT ON COLUMN platform.market_participant_invoice.sender_address_name IS
    'Address of the sender. Name of the company or person.';
COMMENT ON COLUMN platform.market_participant_invoice.sender_address_street IS 'Address of the sender. Street and number.';
COMMENT ON COLUMN platform.market_participant_invoice.sender_address_city IS 'Address of the sender. City or place.';
COMMENT ON COLUMN platform.market_participant_invoice.sender_address_postcode IS 'Address of the sender. Postal code.';
COMMENT ON COLUMN platform.market_participant_invoice.sender_address_tax_number IS
    'Address of the sender. Tax number, of the kind of `tax_number_type`.';
COMMENT ON COLUMN platform.market_participant_invoice.sender_address_tax_number_type IS
    'Address of the sender. Code of the kind of tax number, for example `VA` or `FC`.';
COMMENT ON COLUMN platform.market_participant_invoice.sender_address_country_code IS
    'Address of the sender. Country code of ISO 3166-1.';
COMMENT ON COLUMN platform.market_participant_invoice.recipient_address_name IS
    'Address of the recipient. Name of the company or person.';
COMMENT ON COLUMN platform.market_participant_invoice.recipient_address_street IS
    'Address of the recipient. Street and number.';
COMMENT ON COLUMN platform.market_participant_invoice.recipient_address_city IS 'Address of the recipient. City or place.';
COMMENT ON COLUMN platform.market_participant_invoice.recipient_address_postcode IS 'Address of the recipient. Postal code.';
COMMENT ON COLUMN platform.market_participant_invoice.recipient_address_tax_number IS
    'Address of the recipient. Tax number, of the kind of `tax_number_type`.';
COMMENT ON COLUMN platform.market_participant_invoice.recipient_address_tax_number_type IS
    'Address of the recipient. Code of the kind of tax number, for example `VA` or `FC`.';
COMMENT ON COLUMN platform.market_participant_invoice.recipient_address_country_code IS
    'Address of the recipient. Country code of ISO 3166-1.';
COMMENT ON COLUMN platform.market_participant_invoice.imported_at IS 'When the record was stored.';
COMMENT ON COLUMN platform.market_participant_invoice.request_id IS
    'Request that brought the record: `X-Request-Id` of its answer.';

-- Functions that read the lists of an invoice: line_items_of_invoice and tax_amounts_of_invoice.
--
-- json_to_recordset parses each element once for all its fields, which is seven times as fast as one operator for each field.
-- Both functions are immutable, because Citus takes only immutable functions in FROM. They can be, because the stored timestamps
-- name their time zone.
CREATE FUNCTION data_import.line_items_of_invoice(p_line_items json) RETURNS TABLE (
    ordinal integer, "position" integer, article text, article_type text, quantity numeric, quantity_unit text,
    quantity_interval json, quantity_interval_type json, quantity_correction_factor json, period_start_at timestamptz,
    period_end_at timestamptz, service_conducted_at timestamptz, amount_net bigint, amount_adjustment bigint, price numeric,
    price_interval json, tax_rate numeric, tax_rate_type text, external_id text, sent_as_null text[])
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT item.*
    FROM json_to_recordset(p_line_items) AS item (
        ordinal integer, position integer, article text, article_type text, quantity numeric, quantity_unit text,
        quantity_interval json, quantity_interval_type json, quantity_correction_factor json, period_start_at timestamptz,
        period_end_at timestamptz, service_conducted_at timestamptz, amount_net bigint, amount_adjustment bigint, price numeric,
        price_interval json, tax_rate numeric, tax_rate_type text, external_id text, sent_as_null text[])
$$;
COMMENT ON FUNCTION data_import.line_items_of_invoice IS 'The elements of market_participant_invoice.line_items.';

CREATE FUNCTION data_import.tax_amounts_of_invoice(p_tax_amounts json) RETURNS TABLE (
    ordinal integer, tax_rate numeric, tax_rate_type text, amount_paid_in_advance json, tax_amount_paid_in_advance json,
    tax_amount_assessment_basis bigint, tax_amount bigint, sent_as_null text[])
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT item.*
    FROM json_to_recordset(p_tax_amounts) AS item (
        ordinal integer, tax_rate numeric, tax_rate_type text, amount_paid_in_advance json, tax_amount_paid_in_advance json,
        tax_amount_assessment_basis bigint, tax_amount bigint, sent_as_null text[])
$$;
COMMENT ON FUNCTION data_import.tax_amounts_of_invoice IS 'The elements of market_participant_invoice.tax_amounts.';

-- The column position is the place of a line in the list. The column position_on_invoice holds the payload's field `position`,
-- which may have any value, even the same in two lines of an invoice. Fields of the payload that take any scalar are jsonb,
-- because a number that an import accepts is never too large for jsonb. The subquery `record` computes record_id once for each
-- invoice, not once for each line.
CREATE VIEW platform.invoice_line_item AS
SELECT account.import_supplier::text, account.external_account_number::text, account.service_account_number::text,
       record.record_id, item.ordinal AS position, item.position AS position_on_invoice, item.article, item.article_type,
       item.quantity, item.quantity_unit, item.quantity_interval::jsonb, item.quantity_interval_type::jsonb,
       item.quantity_correction_factor::jsonb, item.period_start_at, item.period_end_at, item.service_conducted_at,
       item.amount_net, item.amount_adjustment, item.price, item.price_interval::jsonb, item.tax_rate, item.tax_rate_type,
       item.external_id
FROM data_import.market_participant_invoice AS invoice
JOIN data_import.account USING (account_key)
CROSS JOIN LATERAL (
    SELECT data_import.record_id('market_participant_invoices', invoice.account_key, uuid_send(invoice.content_digest))
        AS record_id OFFSET 0
) AS record
CROSS JOIN data_import.line_items_of_invoice(invoice.line_items) AS item;
COMMENT ON VIEW platform.invoice_line_item IS 'The lines of the invoice.';
COMMENT ON COLUMN platform.invoice_line_item.import_supplier IS
    'Code of the import supplier, which the operator of the platform assigns.';
COMMENT ON COLUMN platform.invoice_line_item.external_account_number IS
    'The account''s number in the import supplier''s own system.';
COMMENT ON COLUMN platform.invoice_line_item.service_account_number IS
    'The account''s number on the platform, assigned when the account was created. Null until then.';
COMMENT ON COLUMN platform.invoice_line_item.record_id IS
    'Identifier of the record that this belongs to, as in `market_participant_invoice`.';
COMMENT ON COLUMN platform.invoice_line_item.position IS 'Place in `line_items`, from 0.';
COMMENT ON COLUMN platform.invoice_line_item.position_on_invoice IS
    'Number of the line on the invoice. The field `position` of the payload.';
COMMENT ON COLUMN platform.invoice_line_item.article IS 'Number of the article, in the scheme of `article_type`.';
COMMENT ON COLUMN platform.invoice_line_item.article_type IS 'Scheme of `article`.';
COMMENT ON COLUMN platform.invoice_line_item.quantity IS 'In `quantity_unit`: the quantity.';
COMMENT ON COLUMN platform.invoice_line_item.quantity_unit IS 'Unit of `quantity`, for example `KWH`.';
COMMENT ON COLUMN platform.invoice_line_item.quantity_interval IS
    'Interval of the quantity; null if there is none. As JSON: a text, a number or a boolean.';
COMMENT ON COLUMN platform.invoice_line_item.quantity_interval_type IS
    'Unit of `quantity_interval`; null if there is none. As JSON: a text, a number or a boolean.';
COMMENT ON COLUMN platform.invoice_line_item.quantity_correction_factor IS
    'Factor by which the quantity was corrected; null if there is none. As JSON: a text, a number or a boolean.';
COMMENT ON COLUMN platform.invoice_line_item.period_start_at IS 'Beginning of the period.';
COMMENT ON COLUMN platform.invoice_line_item.period_end_at IS 'End of the period, not before its beginning.';
COMMENT ON COLUMN platform.invoice_line_item.service_conducted_at IS 'When the service was performed; null if there was none.';
COMMENT ON COLUMN platform.invoice_line_item.amount_net IS 'In the currency''s minor unit (1250): the line without tax.';
COMMENT ON COLUMN platform.invoice_line_item.amount_adjustment IS
    'In the currency''s minor unit (1250): discount or surcharge on the line; null if there is none.';
COMMENT ON COLUMN platform.invoice_line_item.price IS
    'In the currency''s main unit (0.085671): the price of one `quantity_unit`, without tax.';
COMMENT ON COLUMN platform.invoice_line_item.price_interval IS
    'Interval of the price; null if there is none. As JSON: a text, a number or a boolean.';
COMMENT ON COLUMN platform.invoice_line_item.tax_rate IS 'In per cent: the rate of the tax (19.0000).';
COMMENT ON COLUMN platform.invoice_line_item.tax_rate_type IS 'Code of the kind of rate, for example `S`.';
COMMENT ON COLUMN platform.invoice_line_item.external_id IS 'Identifier of the line in the supplier''s system.';

CREATE VIEW platform.invoice_tax_amount AS
SELECT account.import_supplier::text, account.external_account_number::text, account.service_account_number::text,
       record.record_id, item.ordinal AS position, item.tax_rate, item.tax_rate_type, item.amount_paid_in_advance::jsonb,
       item.tax_amount_paid_in_advance::jsonb, item.tax_amount_assessment_basis, item.tax_amount
FROM data_import.market_participant_invoice AS invoice
JOIN data_import.account USING (account_key)
CROSS JOIN LATERAL (
    SELECT data_import.record_id('market_participant_invoices', invoice.account_key, uuid_send(invoice.content_digest))
        AS record_id OFFSET 0
) AS record
CROSS JOIN data_import.tax_amounts_of_invoice(invoice.tax_amounts) AS item;
COMMENT ON VIEW platform.invoice_tax_amount IS 'The taxes on the invoice, one for each rate.';
COMMENT ON COLUMN platform.invoice_tax_amount.import_supplier IS
    'Code of the import supplier, which the operator of the platform assigns.';
COMMENT ON COLUMN platform.invoice_tax_amount.external_account_number IS
    'The account''s number in the import supplier''s own system.';
COMMENT ON COLUMN platform.invoice_tax_amount.service_account_number IS
    'The account''s number on the platform, assigned when the account was created. Null until then.';
COMMENT ON COLUMN platform.invoice_tax_amount.record_id IS
    'Identifier of the record that this belongs to, as in `market_participant_invoice`.';
COMMENT ON COLUMN platform.invoice_tax_amount.position IS 'Place in `tax_amounts`, from 0.';
COMMENT ON COLUMN platform.invoice_tax_amount.tax_rate IS 'In per cent: the rate of the tax (19.0000).';
COMMENT ON COLUMN platform.invoice_tax_amount.tax_rate_type IS 'Code of the kind of rate, for example `S`.';
COMMENT ON COLUMN platform.invoice_tax_amount.amount_paid_in_advance IS
    'In the currency''s minor unit (1250): the advance payment; null if there was none. As JSON: a text, a number or a '
    'boolean.';
COMMENT ON COLUMN platform.invoice_tax_amount.tax_amount_paid_in_advance IS
    'In the currency''s minor unit (1250): the tax on the advance payment; null if there was none. As JSON: a text, a number '
    'or a boolean.';
COMMENT ON COLUMN platform.invoice_tax_amount.tax_amount_assessment_basis IS
    'In the currency''s minor unit (1250): the amount from which the tax is computed.';
COMMENT ON COLUMN platform.invoice_tax_amount.tax_amount IS 'In the currency''s minor unit (1250): the tax.';

CREATE VIEW platform.payment_instruction AS
SELECT account.import_supplier::text, account.external_account_number::text, account.service_account_number::text,
       data_import.record_id('payment_instructions', instruction.account_key,
                             data_import.name_of_payment_instruction(instruction.vendor, instruction.reference)) AS record_id,
       instruction.vendor, instruction.reference, instruction.type, instruction.status, instruction.last_four,
       instruction.masked_account, instruction.details, instruction.imported_at, instruction.request_id
FROM data_import.payment_instruction AS instruction JOIN data_import.account USING (account_key);
COMMENT ON VIEW platform.payment_instruction IS 'Payment instructions that their vendor has confirmed.';
COMMENT ON COLUMN platform.payment_instruction.import_supplier IS
    'Code of the import supplier, which the operator of the platform assigns.';
COMMENT ON COLUMN platform.payment_instruction.external_account_number IS
    'The account''s number in the import supplier''s own system.';
COMMENT ON COLUMN platform.payment_instruction.service_account_number IS
    'The account''s number on the platform, assigned when the account was created. Null until then.';
COMMENT ON COLUMN platform.payment_instruction.record_id IS
    'Identifier of the record, which is the same in every installation that has the record.';
COMMENT ON COLUMN platform.payment_instruction.vendor IS
    'Code of the payment vendor; `GET /v1/data-import/token/` lists those of this service.';
COMMENT ON COLUMN platform.payment_instruction.reference IS 'The instruction''s reference at the vendor.';
COMMENT ON COLUMN platform.payment_instruction.type IS 'Kind of the instruction, for example `CARD`.';
COMMENT ON COLUMN platform.payment_instruction.status IS 'What the vendor said: the status of the instruction.';
COMMENT ON COLUMN platform.payment_instruction.last_four IS
    'What the vendor said: the last four digits of the card; null if it is none.';
COMMENT ON COLUMN platform.payment_instruction.masked_account IS
    'What the vendor said: the number of the bank account, with all but its last four characters masked; null if it is none.';
COMMENT ON COLUMN platform.payment_instruction.details IS
    'What the vendor said: the fields that the contract names in section 8, such as holder and brand. 1.0.0 stored all that it said, with the numbers of cards and accounts masked.';
COMMENT ON COLUMN data_import.payment_instruction.details IS
    'What the vendor said: the fields that the contract names in section 8. 1.0.0 stored all that it said, with numbers of cards and accounts masked but for their last four.';
COMMENT ON COLUMN platform.payment_instruction.imported_at IS 'When the record was stored.';
COMMENT ON COLUMN platform.payment_instruction.request_id IS 'Request that brought the record: `X-Request-Id` of its answer.';

-- Market participants and price sheets belong to no account.

CREATE VIEW platform.market_participant AS
SELECT data_import.record_id('market_participants', '00000000-0000-0000-0000-000000000000', int8send(code)) AS record_id, code,
       code_type, name, role, energy, organisation, imported_at, request_id
FROM data_import.market_participant;
COMMENT ON VIEW platform.market_participant IS 'Market participants.';
COMMENT ON COLUMN platform.market_participant.record_id IS
    'Identifier of the record, which is the same in every installation that has the record.';
COMMENT ON COLUMN platform.market_participant.code IS
    'Code number of the market participant. It identifies the participant in all requests.';
COMMENT ON COLUMN platform.market_participant.code_type IS 'Issuer of the code number, for example `BDEW`.';
COMMENT ON COLUMN platform.market_participant.name IS 'Name of the company.';
COMMENT ON COLUMN platform.market_participant.role IS 'Role on the market, for example `NETWORK_OPERATOR`.';
COMMENT ON COLUMN platform.market_participant.energy IS 'Form of energy, for example `ELECTRICITY`.';
COMMENT ON COLUMN platform.market_participant.organisation IS 'Organisation whose API key brought it.';
COMMENT ON COLUMN platform.market_participant.imported_at IS 'When the record was stored.';
COMMENT ON COLUMN platform.market_participant.request_id IS 'Request that brought the record: `X-Request-Id` of its answer.';

CREATE VIEW platform.market_participant_contact AS
SELECT market_participant_code,
       data_import.record_id('market_participants', '00000000-0000-0000-0000-000000000000', int8send(market_participant_code))
           AS record_id,
       ordinal AS position, category, name, email, phone, valid_from
FROM data_import.market_participant_contact;
COMMENT ON VIEW platform.market_participant_contact IS 'Contacts of the market participant.';
COMMENT ON COLUMN platform.market_participant_contact.market_participant_code IS 'Code number of the market participant.';
COMMENT ON COLUMN platform.market_participant_contact.record_id IS
    'Identifier of the record that this belongs to, as in `market_participant`.';
COMMENT ON COLUMN platform.market_participant_contact.position IS 'Place in `contact_details`, from 0.';
COMMENT ON COLUMN platform.market_participant_contact.category IS 'Code of the purpose of the contact.';
COMMENT ON COLUMN platform.market_participant_contact.name IS 'Name of the person or desk.';
COMMENT ON COLUMN platform.market_participant_contact.email IS 'E-mail address.';
COMMENT ON COLUMN platform.market_participant_contact.phone IS 'Phone number.';
COMMENT ON COLUMN platform.market_participant_contact.valid_from IS 'When the contact becomes valid.';

CREATE VIEW platform.price_sheet AS
SELECT data_import.record_id('price_sheets', '00000000-0000-0000-0000-000000000000',
                             data_import.name_of_price_sheet(organisation, market_participant_code, external_id)) AS record_id,
       market_participant_code, price_sheet_type, document_number, preceding_document_number, active_from, external_id,
       is_price_sheet_unused, organisation, imported_at, request_id
FROM data_import.price_sheet;
COMMENT ON VIEW platform.price_sheet IS 'Price sheets of market participants'' fees.';
COMMENT ON COLUMN platform.price_sheet.record_id IS
    'Identifier of the record, which is the same in every installation that has the record.';
COMMENT ON COLUMN platform.price_sheet.market_participant_code IS 'Code number of a market participant that has been imported.';
COMMENT ON COLUMN platform.price_sheet.price_sheet_type IS 'Code of the kind of price sheet.';
COMMENT ON COLUMN platform.price_sheet.document_number IS 'Number of the PRICAT message.';
COMMENT ON COLUMN platform.price_sheet.preceding_document_number IS 'Number of the preceding PRICAT message.';
COMMENT ON COLUMN platform.price_sheet.active_from IS 'When the prices become valid.';
COMMENT ON COLUMN platform.price_sheet.external_id IS
    'Identifier of the price sheet in the sender''s system. A price sheet with the same identifier is stored once for each '
    'participant.';
COMMENT ON COLUMN platform.price_sheet.is_price_sheet_unused IS 'Whether the price sheet is not used; false if left out.';
COMMENT ON COLUMN platform.price_sheet.organisation IS
    'Organisation whose API key brought it. It has one sheet of a market participant for each `external_id`.';
COMMENT ON COLUMN platform.price_sheet.imported_at IS 'When the record was stored.';
COMMENT ON COLUMN platform.price_sheet.request_id IS 'Request that brought the record: `X-Request-Id` of its answer.';

CREATE VIEW platform.article_price AS
SELECT organisation, market_participant_code, external_id,
       data_import.record_id('price_sheets', '00000000-0000-0000-0000-000000000000',
                             data_import.name_of_price_sheet(organisation, market_participant_code, external_id)) AS record_id,
       ordinal AS position, article_id, price_cents, interval_zone_lower_bound, interval_zone_upper_bound
FROM data_import.article_price;
COMMENT ON VIEW platform.article_price IS 'The prices.';
COMMENT ON COLUMN platform.article_price.organisation IS 'Organisation of the price sheet.';
COMMENT ON COLUMN platform.article_price.market_participant_code IS 'Code number of the market participant of the price sheet.';
COMMENT ON COLUMN platform.article_price.external_id IS 'Identifier of the price sheet in the sender''s system.';
COMMENT ON COLUMN platform.article_price.record_id IS 'Identifier of the record that this belongs to, as in `price_sheet`.';
COMMENT ON COLUMN platform.article_price.position IS 'Place in `article_prices`, from 0.';
COMMENT ON COLUMN platform.article_price.article_id IS 'Number of the article.';
COMMENT ON COLUMN platform.article_price.price_cents IS
    'In hundredths of the currency''s main unit (1250.0000 is 12.50): the price of the article.';
COMMENT ON COLUMN platform.article_price.interval_zone_lower_bound IS
    'Quantities to which the price applies; all if left out. In the article''s unit: the lower bound of the quantity.';
COMMENT ON COLUMN platform.article_price.interval_zone_upper_bound IS
    'Quantities to which the price applies; all if left out. In the article''s unit: the upper bound of the quantity.';

-- Views of records as they were sent, in the canonical form (contract, section 12.5): members stand in the order of their names.
-- data-import writes the same form for control totals (src/data/store/stored_record.h). Each kind has its own view, so that a new
-- field of a kind changes only the view of that kind.
--
-- Each view has one table in its FROM, and no WHERE. With anything more, a join of platform.record with a table of accounts would
-- read the records of all accounts. The form is put together as text, because building jsonb of 96 amounts takes several times as
-- long.

-- Writes a timestamp as JSON does, whatever DateStyle and TimeZone say.
CREATE FUNCTION data_import.canonical_instant(p_instant timestamptz) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT '"' || split_part(to_json(p_instant AT TIME ZONE 'UTC')::text, '"', 2) || 'Z"'
$$;
COMMENT ON FUNCTION data_import.canonical_instant IS
    'An instant in the canonical form: a JSON string in UTC, with a fraction only if it is not zero, without zeros at its end.';

CREATE FUNCTION data_import.canonical_decimal(p_decimal numeric) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT '"' || trim_scale(p_decimal)::text || '"'
$$;
COMMENT ON FUNCTION data_import.canonical_decimal IS 'A decimal in the canonical form: a JSON string without zeros at its end.';

CREATE FUNCTION data_import.canonical_scalar(p_scalar json) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    RETURN CASE WHEN json_typeof(p_scalar) = 'number' AND p_scalar::text ~ '[.eE]'
                THEN data_import.canonical_decimal(p_scalar::text::numeric)
                WHEN json_typeof(p_scalar) <> 'null' THEN p_scalar::jsonb::text END;
END
$$;
COMMENT ON FUNCTION data_import.canonical_scalar IS
    'A scalar in the canonical form: a number with a point or an exponent is a decimal in a string, another one an integer. SQL null '
    'for null: canonical_member is told which fields were sent so.';

-- Removes the first comma by right(), because ltrim() looks at every character.
CREATE FUNCTION data_import.canonical_object(p_members text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT '{' || right(p_members, -1) || '}'
$$;
COMMENT ON FUNCTION data_import.canonical_object IS 'An object of members that have a comma in front.';

-- Callers pass the name as a constant, so PostgreSQL can inline the call.
CREATE FUNCTION data_import.canonical_member(p_name text, p_value text, p_sent_as_null text[]) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(',"' || p_name || '":' || p_value,
                    CASE WHEN p_name = ANY (p_sent_as_null) THEN ',"' || p_name || '":null' END)
$$;
COMMENT ON FUNCTION data_import.canonical_member IS
    'A member of an object, with a comma in front. SQL null if it has neither a value nor was sent as null.';

CREATE VIEW data_import.sent_note AS
SELECT note.account_key,
       data_import.record_id('notes', note.account_key,
                             data_import.name_of_note(note.identity, note.has_created_at, note.created_at)) AS record_id,
       note.imported_at, note.request_id, note.is_by_service,
       data_import.canonical_object(concat(
           ',"body":' || to_json(note.body),
           ',"created_at":' || CASE WHEN note.has_created_at THEN data_import.canonical_instant(note.created_at) END,
           ',"document_paths":' || (
               SELECT '[' || string_agg('{"document_path":' || to_json(path.document_path) || '}', ',' ORDER BY path.place) || ']'
               FROM unnest(note.document_paths) WITH ORDINALITY AS path (document_path, place)),
           ',"is_pinned":' || CASE WHEN note.has_is_pinned THEN to_json(note.is_pinned) END,
           ',"unpin_at":' || data_import.canonical_instant(note.unpin_at))) AS canonical_content
FROM data_import.note;
COMMENT ON VIEW data_import.sent_note IS 'The notes as they were sent.';
COMMENT ON COLUMN data_import.sent_note.account_key IS 'The account.';
COMMENT ON COLUMN data_import.sent_note.record_id IS 'data_import.record_id.';
COMMENT ON COLUMN data_import.sent_note.imported_at IS 'When the record was stored.';
COMMENT ON COLUMN data_import.sent_note.request_id IS 'The request that brought it.';
COMMENT ON COLUMN data_import.sent_note.is_by_service IS 'Whether the service wrote the note itself: nobody sent it.';
COMMENT ON COLUMN data_import.sent_note.canonical_content IS 'The record in the canonical form.';

CREATE VIEW data_import.sent_transaction AS
SELECT stored.account_key,
       data_import.record_id('transactions', stored.account_key,
                             data_import.name_of_transaction(stored.transaction_id, stored.copy)) AS record_id,
       stored.imported_at, stored.request_id,
       data_import.canonical_object(concat(
           ',"amount":' || data_import.canonical_decimal(stored.amount),
           ',"display_note":' || to_json(stored.display_note),
           ',"line_items":' || CASE WHEN stored.type = 'SUPPLY_CHARGE' THEN (
               SELECT '[' || string_agg(data_import.canonical_object(concat(
                   ',"end_date":' || to_json(item.end_date),
                   ',"net_amount":' || data_import.canonical_decimal(item.net_amount),
                   ',"number_of_units":' || data_import.canonical_decimal(item.number_of_units),
                   ',"price_per_unit":' || data_import.canonical_decimal(item.price_per_unit),
                   ',"rate_band":' || to_json(item.rate_band),
                   ',"start_date":' || to_json(item.start_date),
                   ',"units":[' || data_import.canonical_decimal(item.units[1]) || ','
                       || data_import.canonical_decimal(item.units[2]) || ']')),
                       ',' ORDER BY item.position) || ']'
               FROM data_import.transaction_line_item AS item
               WHERE item.account_key = stored.account_key AND item.transaction_id = stored.transaction_id
                 AND item.copy = stored.copy) END,
           ',"note":' || to_json(stored.note),
           ',"payment_type":' || to_json(stored.payment_type),
           ',"product_code":' || to_json(stored.product_code),
           ',"reason":' || to_json(stored.reason),
           ',"reference":' || to_json(stored.reference),
           ',"tax_items":' || CASE WHEN stored.has_tax_items THEN coalesce((
               SELECT '[' || string_agg(data_import.canonical_object(concat(
                   ',"amount":' || data_import.canonical_decimal(item.amount),
                   ',"rate":' || data_import.canonical_decimal(item.rate),
                   ',"tax_type":' || to_json(item.tax_type),
                   ',"unit_type":' || to_json(item.unit_type),
                   ',"value_taxed":' || data_import.canonical_decimal(item.value_taxed))), ',' ORDER BY item.position) || ']'
               FROM data_import.transaction_tax_item AS item
               WHERE item.account_key = stored.account_key AND item.transaction_id = stored.transaction_id
                 AND item.copy = stored.copy), '[]') END,
           ',"transaction_date":' || to_json(coalesce(stored.requested_transaction_date, stored.transaction_date)),
           ',"transaction_id":' || to_json(stored.transaction_id),
           ',"type":' || to_json(stored.type))) AS canonical_content
FROM data_import.financial_transaction AS stored;
COMMENT ON VIEW data_import.sent_transaction IS 'The transactions as they were sent.';
COMMENT ON COLUMN data_import.sent_transaction.account_key IS 'The account.';
COMMENT ON COLUMN data_import.sent_transaction.record_id IS 'data_import.record_id.';
COMMENT ON COLUMN data_import.sent_transaction.imported_at IS 'When the record was stored.';
COMMENT ON COLUMN data_import.sent_transaction.request_id IS 'The request that brought it.';
COMMENT ON COLUMN data_import.sent_transaction.canonical_content IS 'The record in the canonical form.';

CREATE VIEW data_import.sent_historical_statement AS
SELECT statement.account_key,
       data_import.record_id('historical_statements', statement.account_key,
                             data_import.bytes_of(statement.statement_id)) AS record_id,
       statement.imported_at, statement.request_id,
       data_import.canonical_object(concat(
           ',"bill_period_from_date":' || to_json(statement.bill_period_from_date),
           ',"bill_period_to_date":' || to_json(statement.bill_period_to_date),
           ',"gross_amount":' || data_import.canonical_decimal(statement.gross_amount),
           ',"is_annulled":' || CASE WHEN statement.has_is_annulled THEN to_json(statement.is_annulled) END,
           ',"issued_date":' || to_json(statement.issued_date),
           ',"number":' || to_json(statement.number),
           ',"statement_id":' || to_json(statement.statement_id),
           ',"statement_path":' || to_json(statement.statement_path),
           ',"supply_type":' || to_json(statement.supply_type))) AS canonical_content
FROM data_import.historical_statement AS statement;
COMMENT ON VIEW data_import.sent_historical_statement IS 'The historical statements as they were sent.';
COMMENT ON COLUMN data_import.sent_historical_statement.account_key IS 'The account.';
COMMENT ON COLUMN data_import.sent_historical_statement.record_id IS 'data_import.record_id.';
COMMENT ON COLUMN data_import.sent_historical_statement.imported_at IS 'When the record was stored.';
COMMENT ON COLUMN data_import.sent_historical_statement.request_id IS 'The request that brought it.';
COMMENT ON COLUMN data_import.sent_historical_statement.canonical_content IS 'The record in the canonical form.';

-- Shows each delivery note as it was sent. A text that all amounts of a delivery note have in common is stored only once, as the
-- first element of its array. The subquery `same` makes the JSON of these first elements, once for each delivery note. `same` has
-- a FROM, because Citus refuses to_json in a subquery without one.
CREATE VIEW data_import.sent_delivery_note AS
SELECT note.account_key,
       data_import.record_id('delivery_notes', note.account_key, uuid_send(note.content_digest)) AS record_id,
       note.imported_at, note.request_id,
       data_import.canonical_object(concat(
           ',"amounts":' || (
               SELECT '[' || string_agg(data_import.canonical_object(concat(
                   coalesce(',"line_item_identifier":' || to_json(amount.line_item_identifier), same.line_item_identifier),
                   ',"period_end_at":' || data_import.canonical_instant(amount.period_end_at),
                   ',"period_start_at":' || data_import.canonical_instant(amount.period_start_at),
                   coalesce(',"product_identifier":' || to_json(amount.product_identifier), same.product_identifier),
                   coalesce(',"product_identifier_type":' || to_json(amount.product_identifier_type),
                            same.product_identifier_type),
                   ',"quantity":' || data_import.canonical_decimal(amount.quantity),
                   coalesce(',"quantity_unit":' || to_json(amount.quantity_unit), same.quantity_unit))),
                   ',' ORDER BY amount.place) || ']'
               FROM (SELECT ',"line_item_identifier":' || to_json(note.amount_line_item_identifier[1]) AS line_item_identifier,
                            ',"product_identifier":' || to_json(note.amount_product_identifier[1]) AS product_identifier,
                            ',"product_identifier_type":' || to_json(note.amount_product_identifier_type[1])
                                AS product_identifier_type,
                            ',"quantity_unit":' || to_json(note.amount_quantity_unit[1]) AS quantity_unit
                     FROM generate_series(1, 1) OFFSET 0) AS same,
                    unnest(note.amount_period_start_at, note.amount_period_end_at, note.amount_product_identifier,
                           note.amount_product_identifier_type, note.amount_quantity, note.amount_quantity_unit,
                           note.amount_line_item_identifier) WITH ORDINALITY
                        AS amount (period_start_at, period_end_at, product_identifier, product_identifier_type, quantity,
                                   quantity_unit, line_item_identifier, place)),
           ',"cancelled":' || to_json(note.cancelled),
           ',"edifact_reference_number":' || to_json(note.edifact_reference_number),
           ',"last_validation_at":' || data_import.canonical_instant(note.last_validation_at),
           ',"malo_number":' || to_json(note.malo_number),
           ',"preceding_reference":' || to_json(note.preceding_reference),
           ',"validation_status":' || to_json(note.validation_status))) AS canonical_content
FROM data_import.delivery_note AS note;
COMMENT ON VIEW data_import.sent_delivery_note IS 'The delivery notes as they were sent.';
COMMENT ON COLUMN data_import.sent_delivery_note.account_key IS 'The account.';
COMMENT ON COLUMN data_import.sent_delivery_note.record_id IS 'data_import.record_id.';
COMMENT ON COLUMN data_import.sent_delivery_note.imported_at IS 'When the record was stored.';
COMMENT ON COLUMN data_import.sent_delivery_note.request_id IS 'The request that brought it.';
COMMENT ON COLUMN data_import.sent_delivery_note.canonical_content IS 'The record in the canonical form.';

CREATE VIEW data_import.sent_energy_amount AS
SELECT amount.account_key,
       data_import.record_id('energy_amounts', amount.account_key, uuid_send(amount.content_digest)) AS record_id,
       amount.imported_at, amount.request_id,
       data_import.canonical_object(concat(
           ',"cancelled":' || to_json(amount.cancelled),
           data_import.canonical_member('cancelled_at', data_import.canonical_instant(amount.cancelled_at),
                                        amount.sent_as_null),
           data_import.canonical_member('cancelled_reference', to_json(amount.cancelled_reference)::text,
                                        amount.sent_as_null),
           ',"correction_reason":' || to_json(amount.correction_reason),
           ',"edifact_reference_number":' || to_json(amount.edifact_reference_number),
           ',"estimate_method":' || to_json(amount.estimate_method),
           ',"estimate_reason":' || to_json(amount.estimate_reason),
           ',"line_item_identifier":' || to_json(amount.line_item_identifier),
           ',"malo_number":' || to_json(amount.malo_number),
           ',"measurement_classifications":' || to_json(amount.measurement_classifications),
           ',"period_end_at":' || data_import.canonical_instant(amount.period_end_at),
           ',"period_start_at":' || data_import.canonical_instant(amount.period_start_at),
           ',"plausibility_indications":' || to_json(amount.plausibility_indications),
           ',"preceding_reference":' || to_json(amount.preceding_reference),
           ',"product_identifier":' || to_json(amount.product_identifier),
           ',"product_identifier_type":' || to_json(amount.product_identifier_type),
           ',"qualifier":' || to_json(amount.qualifier),
           ',"quantity":' || data_import.canonical_decimal(amount.quantity),
           ',"quantity_unit":' || to_json(amount.quantity_unit))) AS canonical_content
FROM data_import.energy_amount AS amount;
COMMENT ON VIEW data_import.sent_energy_amount IS 'The energy amounts as they were sent.';
COMMENT ON COLUMN data_import.sent_energy_amount.account_key IS 'The account.';
COMMENT ON COLUMN data_import.sent_energy_amount.record_id IS 'data_import.record_id.';
COMMENT ON COLUMN data_import.sent_energy_amount.imported_at IS 'When the record was stored.';
COMMENT ON COLUMN data_import.sent_energy_amount.request_id IS 'The request that brought it.';
COMMENT ON COLUMN data_import.sent_energy_amount.canonical_content IS 'The record in the canonical form.';

CREATE VIEW data_import.sent_market_participant_invoice AS
SELECT invoice.account_key,
       data_import.record_id('market_participant_invoices', invoice.account_key, uuid_send(invoice.content_digest)) AS record_id,
       invoice.imported_at, invoice.request_id,
       data_import.canonical_object(concat(
           data_import.canonical_member('amount_discount', to_json(invoice.amount_discount)::text, invoice.sent_as_null),
           ',"amount_due":' || to_json(invoice.amount_due),
           ',"amount_total":' || to_json(invoice.amount_total),
           data_import.canonical_member('balancing_period_start_at',
               data_import.canonical_instant(invoice.balancing_period_start_at), invoice.sent_as_null),
           ',"due_at":' || data_import.canonical_instant(invoice.due_at),
           ',"external_id":' || to_json(invoice.external_id),
           ',"interchange_reference":' || to_json(invoice.interchange_reference),
           ',"invoice_document_type":' || to_json(invoice.invoice_document_type),
           ',"invoice_number":' || to_json(invoice.invoice_number),
           ',"invoice_sub_type":' || to_json(invoice.invoice_sub_type),
           ',"invoice_type":' || to_json(invoice.invoice_type),
           ',"is_duplicate":' || to_json(invoice.is_duplicate),
           ',"is_reverse_charge":' || to_json(invoice.is_reverse_charge),
           ',"issued_at":' || data_import.canonical_instant(invoice.issued_at),
           ',"line_items":' || (
               SELECT '[' || string_agg(data_import.canonical_object(concat(
                   data_import.canonical_member('amount_adjustment',
                       to_json(item.amount_adjustment)::text, item.sent_as_null),
                   ',"amount_net":' || to_json(item.amount_net),
                   ',"article":' || to_json(item.article),
                   ',"article_type":' || to_json(item.article_type),
                   ',"external_id":' || to_json(item.external_id),
                   ',"period_end_at":' || data_import.canonical_instant(item.period_end_at),
                   ',"period_start_at":' || data_import.canonical_instant(item.period_start_at),
                   ',"position":' || to_json(item.position),
                   ',"price":' || data_import.canonical_decimal(item.price),
                   data_import.canonical_member('price_interval', data_import.canonical_scalar(item.price_interval),
                                                item.sent_as_null),
                   ',"quantity":' || data_import.canonical_decimal(item.quantity),
                   data_import.canonical_member('quantity_correction_factor',
                       data_import.canonical_scalar(item.quantity_correction_factor), item.sent_as_null),
                   data_import.canonical_member('quantity_interval',
                       data_import.canonical_scalar(item.quantity_interval), item.sent_as_null),
                   data_import.canonical_member('quantity_interval_type',
                       data_import.canonical_scalar(item.quantity_interval_type), item.sent_as_null),
                   ',"quantity_unit":' || to_json(item.quantity_unit),
                   data_import.canonical_member('service_conducted_at',
                       data_import.canonical_instant(item.service_conducted_at), item.sent_as_null),
                   ',"tax_rate":' || data_import.canonical_decimal(item.tax_rate),
                   ',"tax_rate_type":' || to_json(item.tax_rate_type))),
                   ',' ORDER BY item.ordinal) || ']'
               FROM data_import.line_items_of_invoice(invoice.line_items) AS item),
           ',"malo_number":' || to_json(invoice.malo_number),
           data_import.canonical_member('melo_number', to_json(invoice.melo_number)::text, invoice.sent_as_null),
           ',"paid_in_advance_amounts":' || CASE WHEN invoice.has_paid_in_advance_amounts THEN '[]' END,
           ',"period_end_at":' || data_import.canonical_instant(invoice.period_end_at),
           ',"period_start_at":' || data_import.canonical_instant(invoice.period_start_at),
           ',"recipient_address":' || data_import.canonical_object(concat(
               ',"city":' || to_json(invoice.recipient_address_city),
               ',"country_code":' || to_json(invoice.recipient_address_country_code),
               ',"name":' || to_json(invoice.recipient_address_name),
               ',"postcode":' || to_json(invoice.recipient_address_postcode),
               ',"street":' || to_json(invoice.recipient_address_street),
               ',"tax_number":' || to_json(invoice.recipient_address_tax_number),
               ',"tax_number_type":' || to_json(invoice.recipient_address_tax_number_type))),
           ',"recipient_id":' || to_json(invoice.recipient_id),
           data_import.canonical_member('reference_document', to_json(invoice.reference_document)::text,
                                        invoice.sent_as_null),
           data_import.canonical_member('reference_invoice_issued_at',
               data_import.canonical_instant(invoice.reference_invoice_issued_at), invoice.sent_as_null),
           data_import.canonical_member('reference_invoice_number', to_json(invoice.reference_invoice_number)::text,
                                        invoice.sent_as_null),
           ',"sender_address":' || data_import.canonical_object(concat(
               ',"city":' || to_json(invoice.sender_address_city),
               ',"country_code":' || to_json(invoice.sender_address_country_code),
               ',"name":' || to_json(invoice.sender_address_name),
               ',"postcode":' || to_json(invoice.sender_address_postcode),
               ',"street":' || to_json(invoice.sender_address_street),
               ',"tax_number":' || to_json(invoice.sender_address_tax_number),
               ',"tax_number_type":' || to_json(invoice.sender_address_tax_number_type))),
           ',"sender_id":' || to_json(invoice.sender_id),
           data_import.canonical_member('service_conducted_at', data_import.canonical_instant(invoice.service_conducted_at),
                                        invoice.sent_as_null),
           ',"status":' || to_json(invoice.status),
           data_import.canonical_member('supply_period_end_at', data_import.canonical_instant(invoice.supply_period_end_at),
                                        invoice.sent_as_null),
           ',"tax_amounts":' || coalesce((
               SELECT '[' || string_agg(data_import.canonical_object(concat(
                   data_import.canonical_member('amount_paid_in_advance',
                       data_import.canonical_scalar(item.amount_paid_in_advance), item.sent_as_null),
                   ',"tax_amount":' || to_json(item.tax_amount),
                   ',"tax_amount_assessment_basis":' || to_json(item.tax_amount_assessment_basis),
                   data_import.canonical_member('tax_amount_paid_in_advance',
                       data_import.canonical_scalar(item.tax_amount_paid_in_advance), item.sent_as_null),
                   ',"tax_rate":' || data_import.canonical_decimal(item.tax_rate),
                   ',"tax_rate_type":' || to_json(item.tax_rate_type))),
                   ',' ORDER BY item.ordinal) || ']'
               FROM data_import.tax_amounts_of_invoice(invoice.tax_amounts) AS item), '[]'),
           ',"was_prepaid":' || to_json(invoice.was_prepaid))) AS canonical_content
FROM data_import.market_participant_invoice AS invoice;
COMMENT ON VIEW data_import.sent_market_participant_invoice IS 'The market participant invoices as they were sent.';
COMMENT ON COLUMN data_import.sent_market_participant_invoice.account_key IS 'The account.';
COMMENT ON COLUMN data_import.sent_market_participant_invoice.record_id IS 'data_import.record_id.';
COMMENT ON COLUMN data_import.sent_market_participant_invoice.imported_at IS 'When the record was stored.';
COMMENT ON COLUMN data_import.sent_market_participant_invoice.request_id IS 'The request that brought it.';
COMMENT ON COLUMN data_import.sent_market_participant_invoice.canonical_content IS 'The record in the canonical form.';

CREATE VIEW data_import.sent_payment_instruction AS
SELECT instruction.account_key,
       data_import.record_id('payment_instructions', instruction.account_key,
                             data_import.name_of_payment_instruction(instruction.vendor, instruction.reference)) AS record_id,
       instruction.imported_at, instruction.request_id,
       data_import.canonical_object(concat(
           ',"reference":' || to_json(instruction.reference),
           ',"type":' || to_json(instruction.type),
           ',"vendor":' || to_json(instruction.vendor))) AS canonical_content
FROM data_import.payment_instruction AS instruction;
COMMENT ON VIEW data_import.sent_payment_instruction IS 'The payment instructions as they were sent.';
COMMENT ON COLUMN data_import.sent_payment_instruction.account_key IS 'The account.';
COMMENT ON COLUMN data_import.sent_payment_instruction.record_id IS 'data_import.record_id.';
COMMENT ON COLUMN data_import.sent_payment_instruction.imported_at IS 'When the record was stored.';
COMMENT ON COLUMN data_import.sent_payment_instruction.request_id IS 'The request that brought it.';
COMMENT ON COLUMN data_import.sent_payment_instruction.canonical_content IS 'The record in the canonical form.';

CREATE VIEW data_import.sent_market_participant AS
SELECT data_import.record_id('market_participants', '00000000-0000-0000-0000-000000000000', int8send(participant.code))
           AS record_id,
       participant.imported_at, participant.request_id,
       data_import.canonical_object(concat(
           ',"code":' || to_json(participant.code),
           ',"code_type":' || to_json(participant.code_type),
           ',"contact_details":' || CASE WHEN participant.has_contact_details THEN coalesce((
               SELECT '[' || string_agg(data_import.canonical_object(concat(
                   ',"category":' || to_json(contact.category),
                   ',"email":' || to_json(contact.email),
                   ',"name":' || to_json(contact.name),
                   ',"phone":' || to_json(contact.phone),
                   ',"valid_from":' || data_import.canonical_instant(contact.valid_from))), ',' ORDER BY contact.ordinal) || ']'
               FROM data_import.market_participant_contact AS contact
               WHERE contact.market_participant_code = participant.code), '[]') END,
           ',"energy":' || to_json(participant.energy),
           ',"name":' || to_json(participant.name),
           ',"role":' || to_json(participant.role))) AS canonical_content
FROM data_import.market_participant AS participant;
COMMENT ON VIEW data_import.sent_market_participant IS 'The market participants as they were sent.';
COMMENT ON COLUMN data_import.sent_market_participant.record_id IS 'data_import.record_id.';
COMMENT ON COLUMN data_import.sent_market_participant.imported_at IS 'When the record was stored.';
COMMENT ON COLUMN data_import.sent_market_participant.request_id IS 'The request that brought it.';
COMMENT ON COLUMN data_import.sent_market_participant.canonical_content IS 'The record in the canonical form.';

-- Shows each price sheet as it was sent, without two things that have no meaning and are not stored: the field
-- is_price_sheet_unused if its value is false, and the object interval_zone of a price if it has neither lower_bound nor
-- upper_bound.
CREATE VIEW data_import.sent_price_sheet AS
SELECT data_import.record_id('price_sheets', '00000000-0000-0000-0000-000000000000',
                             data_import.name_of_price_sheet(sheet.organisation, sheet.market_participant_code,
                                                             sheet.external_id)) AS record_id,
       sheet.imported_at, sheet.request_id,
       data_import.canonical_object(concat(
           ',"active_from":' || data_import.canonical_instant(sheet.active_from),
           ',"article_prices":' || coalesce((
               SELECT '[' || string_agg(data_import.canonical_object(concat(
                   ',"article_id":' || to_json(price.article_id),
                   ',"interval_zone":' ||
                       CASE WHEN price.interval_zone_lower_bound IS NOT NULL OR price.interval_zone_upper_bound IS NOT NULL
                        THEN data_import.canonical_object(concat(
                            ',"lower_bound":' || data_import.canonical_decimal(price.interval_zone_lower_bound),
                            ',"upper_bound":' || data_import.canonical_decimal(price.interval_zone_upper_bound))) END,
                   ',"price_cents":' || data_import.canonical_decimal(price.price_cents))), ',' ORDER BY price.ordinal) || ']'
               FROM data_import.article_price AS price
               WHERE price.organisation = sheet.organisation AND price.market_participant_code = sheet.market_participant_code
                 AND price.external_id = sheet.external_id), '[]'),
           ',"document_number":' || to_json(sheet.document_number),
           ',"external_id":' || to_json(sheet.external_id),
           ',"is_price_sheet_unused":' || CASE WHEN sheet.is_price_sheet_unused THEN 'true' END,
           ',"market_participant_code":' || to_json(sheet.market_participant_code),
           ',"preceding_document_number":' || to_json(sheet.preceding_document_number),
           ',"price_sheet_type":' || to_json(sheet.price_sheet_type))) AS canonical_content
FROM data_import.price_sheet AS sheet;
COMMENT ON VIEW data_import.sent_price_sheet IS 'The price sheets as they were sent.';
COMMENT ON COLUMN data_import.sent_price_sheet.record_id IS 'data_import.record_id.';
COMMENT ON COLUMN data_import.sent_price_sheet.imported_at IS 'When the record was stored.';
COMMENT ON COLUMN data_import.sent_price_sheet.request_id IS 'The request that brought it.';
COMMENT ON COLUMN data_import.sent_price_sheet.canonical_content IS 'The record in the canonical form.';

-- Indexes for the view platform.record, which joins the records of all kinds with the accounts. A query for some accounts reads
-- their records by the primary key of each kind's table.
--
-- Market participants and price sheets have no account, so their account key is NULL in the view. By these two indexes on NULL,
-- PostgreSQL sees at once that an account has no such records. Without the indexes, PostgreSQL would read all participants and
-- sheets for each account.
CREATE INDEX market_participant_without_account ON data_import.market_participant ((NULL::uuid));
CREATE INDEX price_sheet_without_account ON data_import.price_sheet ((NULL::uuid));

CREATE VIEW platform.record AS
SELECT record.kind, account.import_supplier::text, account.external_account_number::text, account.service_account_number::text,
       record.record_id, record.imported_at, record.request_id,
       record.canonical_content::jsonb AS content, record.canonical_content
FROM (
    SELECT 'notes'::text AS kind, account_key, record_id, imported_at, request_id, is_by_service, canonical_content
    FROM data_import.sent_note
    UNION ALL
    SELECT 'transactions', account_key, record_id, imported_at, request_id, false, canonical_content
    FROM data_import.sent_transaction
    UNION ALL
    SELECT 'historical_statements', account_key, record_id, imported_at, request_id, false, canonical_content
    FROM data_import.sent_historical_statement
    UNION ALL
    SELECT 'delivery_notes', account_key, record_id, imported_at, request_id, false, canonical_content
    FROM data_import.sent_delivery_note
    UNION ALL
    SELECT 'energy_amounts', account_key, record_id, imported_at, request_id, false, canonical_content
    FROM data_import.sent_energy_amount
    UNION ALL
    SELECT 'market_participant_invoices', account_key, record_id, imported_at, request_id, false, canonical_content
    FROM data_import.sent_market_participant_invoice
    UNION ALL
    SELECT 'payment_instructions', account_key, record_id, imported_at, request_id, false, canonical_content
    FROM data_import.sent_payment_instruction
    UNION ALL
    SELECT 'market_participants', NULL, record_id, imported_at, request_id, false, canonical_content
    FROM data_import.sent_market_participant
    UNION ALL
    SELECT 'price_sheets', NULL, record_id, imported_at, request_id, false, canonical_content FROM data_import.sent_price_sheet
) AS record
LEFT JOIN data_import.account USING (account_key)
WHERE NOT record.is_by_service;
COMMENT ON VIEW platform.record IS
    'All records of all kinds, as JSON. The notes that the service wrote itself are not among them.';
COMMENT ON COLUMN platform.record.kind IS
    'Kind of the record, as in control totals: notes, transactions, historical_statements, delivery_notes, energy_amounts, '
    'market_participant_invoices or payment_instructions; or market_participants or price_sheets, which belong to no account.';
COMMENT ON COLUMN platform.record.import_supplier IS
    'Code of the import supplier, which the operator of the platform assigns; null if the record belongs to no account.';
COMMENT ON COLUMN platform.record.external_account_number IS
    'The account''s number in the import supplier''s own system; null if the record belongs to no account.';
COMMENT ON COLUMN platform.record.service_account_number IS
    'The account''s number on the platform, assigned when the account was created. Null until then.';
COMMENT ON COLUMN platform.record.record_id IS
    'Identifier of the record, which is the same in every installation that has the record.';
COMMENT ON COLUMN platform.record.imported_at IS 'When the record was stored.';
COMMENT ON COLUMN platform.record.request_id IS 'Request that brought the record: `X-Request-Id` of its answer.';
COMMENT ON COLUMN platform.record.content IS
    'The record as it was sent, in the canonical form of control totals (contract, section 12.5): decimals are texts without '
    'zeros at their end, instants are in UTC, a field that was not sent is left out, null stands where null was sent. Of a '
    'transaction that was moved it has the date that was sent. Of a price sheet, `is_price_sheet_unused` is left out if it is '
    'false.';
COMMENT ON COLUMN platform.record.canonical_content IS
    'The same as text, byte for byte as fingerprints take it: members in the order of their names, no space. PostgreSQL makes '
    '`content` of it, which costs half as much again.';

-- on data_import, too: PostgreSQL looks the functions inside of views up in the name of their reader
GRANT USAGE ON SCHEMA platform TO "data-import-platform", "data-import-reader";
GRANT USAGE ON SCHEMA data_import TO "data-import-reader";
GRANT SELECT ON platform.import_supplier, platform.account, platform.note, platform.financial_transaction,
    platform.transaction_line_item, platform.transaction_tax_item, platform.historical_statement, platform.delivery_note,
    platform.delivery_note_amount, platform.energy_amount, platform.market_participant_invoice, platform.invoice_line_item,
    platform.invoice_tax_amount, platform.payment_instruction, platform.market_participant,
    platform.market_participant_contact, platform.price_sheet, platform.article_price, platform.record
    TO "data-import-platform", "data-import-reader";
GRANT EXECUTE ON FUNCTION data_import.bytes_of, data_import.record_id, data_import.name_of_note,
    data_import.name_of_transaction, data_import.name_of_payment_instruction, data_import.name_of_price_sheet,
    data_import.canonical_instant, data_import.canonical_decimal, data_import.canonical_scalar, data_import.canonical_object,
    data_import.canonical_member, data_import.line_items_of_invoice, data_import.tax_amounts_of_invoice,
    data_import.location_in_bucket
    TO "data-import-platform", "data-import-reader";
