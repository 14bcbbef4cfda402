-- Rows of one supplier with 20,000 accounts, in the tables that grow as suppliers import.
INSERT INTO data_import.import_supplier (code, name) VALUES ('PLANS', 'Plans');
INSERT INTO data_import.consumer (name, begins, added_by) VALUES ('plans', 'now', 'test');
INSERT INTO data_import.account (account_key, import_supplier, external_account_number, state, service_account_number,
                                 account_created_at)
SELECT data_import.account_key('PLANS', n::text), 'PLANS', n::text, 'imported', 'P-' || n, now()
FROM generate_series(1, 20000) AS n;
CREATE TEMPORARY TABLE mine AS
SELECT account_key, external_account_number AS number, row_number() OVER () AS place, gen_random_uuid() AS id
FROM data_import.account WHERE import_supplier = 'PLANS';
INSERT INTO data_import.service_account_number SELECT 'P-' || number, account_key FROM mine;
INSERT INTO data_import.account_step (account_key, number, state, at, author)
SELECT account_key, 1, 'imported', now() - make_interval(secs => place), 'plans' FROM mine;
INSERT INTO data_import.statement_period (account_key, first_day, last_day)
SELECT account_key, '2024-01-01', '2024-01-31' FROM mine;
INSERT INTO data_import.note (account_key, identity, created_at, body, is_pinned, has_created_at, has_is_pinned,
                              request_id, api_key_id)
SELECT account_key, id, now(), 'note', false, true, false, id, 1 FROM mine;
INSERT INTO data_import.financial_transaction (account_key, transaction_id, copy, type, transaction_date, has_tax_items,
                                               amount, request_id, api_key_id)
SELECT account_key, 't' || number, 1, 'CHARGE', '2024-01-02', true, 1, id, 1 FROM mine;
INSERT INTO data_import.transaction_line_item (account_key, transaction_id, copy, position, start_date, end_date,
                                               number_of_units, net_amount)
SELECT account_key, 't' || number, 1, 0, '2024-01-02', '2024-01-02', 1, 1 FROM mine;
INSERT INTO data_import.transaction_tax_item (account_key, transaction_id, copy, position, amount, tax_type, value_taxed,
                                              rate, unit_type)
SELECT account_key, 't' || number, 1, 0, 1, 'VAT', 1, 1, 'PROPORTION' FROM mine;
INSERT INTO data_import.historical_statement (account_key, statement_id, bill_period_from_date, bill_period_to_date,
                                              has_is_annulled, content_digest, request_id, api_key_id)
SELECT account_key, 's', '2024-01-01', '2024-01-31', false, id, id, 1 FROM mine;
INSERT INTO data_import.energy_amount (account_key, content_digest, malo_number, period_start_at, period_end_at,
                                       product_identifier, product_identifier_type, quantity, quantity_unit,
                                       line_item_identifier, cancelled, edifact_reference_number, request_id, api_key_id)
SELECT account_key, id, '1', now(), now(), 'p', 't', 1, 'KWH', 'l', false, 'e', id, 1 FROM mine;
INSERT INTO data_import.delivery_note (account_key, content_digest, malo_number, cancelled, validation_status,
                                       edifact_reference_number, amount_period_start_at, amount_period_end_at,
                                       amount_product_identifier, amount_product_identifier_type, amount_quantity,
                                       amount_quantity_unit, amount_line_item_identifier, request_id, api_key_id)
SELECT account_key, id, '1', false, true, 'e', ARRAY[now()], ARRAY[now()], '{p}', '{t}', '{1}', '{KWH}', '{l}', id, 1 FROM mine;
INSERT INTO data_import.market_participant_invoice (account_key, content_digest, invoice_type, invoice_document_type,
                                                    invoice_number, status, issued_at, due_at, malo_number, amount_total,
                                                    amount_due, external_id, sender_id, recipient_id, sender_address_name,
                                                    recipient_address_name, line_items, tax_amounts, request_id, api_key_id)
SELECT account_key, id, 't', 'd', 'n', 's', now(), now(), '1', 1, 1, 'x', 1, 1, 'n', 'n',
       '[{"ordinal": 0, "position": 1}]', '[{"ordinal": 0, "tax_amount": 1}]', id, 1 FROM mine;
INSERT INTO data_import.payment_instruction (account_key, vendor, reference, type, status, details, request_id, api_key_id)
SELECT account_key, 'v', 'r', 't', 'active', '{}', id, 1 FROM mine;
INSERT INTO data_import.market_participant (code, code_type, name, role, energy, has_contact_details, organisation, request_id,
                                            api_key_id)
SELECT 8000000000000 + place, 't', 'n', 'r', 'e', false, 'plans', id, 1 FROM mine;
INSERT INTO data_import.price_sheet (organisation, market_participant_code, external_id, price_sheet_type, document_number,
                                     active_from, content_digest, request_id, api_key_id)
SELECT 'plans', 8000000000000 + place, 'x', 't', 'd', now(), id, id, 1 FROM mine;
INSERT INTO data_import.idempotency_key (organisation, key, content_sha256, status, body, request_id, api_key_id,
                                         account_key)
SELECT 'plans', number, sha256('x'), 201, '{}', id, 1, account_key FROM mine;
INSERT INTO data_import.account_refusal (account_key, request_id, line, import_supplier, was_known, at, api_key_id, endpoint,
                                         status, code, error_count, item_codes, attrs)
SELECT account_key, id, 0, 'PLANS', true, now() - make_interval(secs => place), 1, '/', 400, 'c', 0, '{}', '{}' FROM mine;
INSERT INTO data_import.account_refusal (account_key, request_id, line, import_supplier, was_known, at, api_key_id, endpoint,
                                         status, code, error_count, item_codes, attrs)
SELECT gen_random_uuid(), id, 0, 'PLANS', false, now(), place % 100, '/', 404, 'c', 0, '{}', '{}' FROM mine;
INSERT INTO data_import.token_request (address_block, at, refused)
SELECT '192.0.2.0/24', now() - make_interval(secs => place), false FROM mine;
INSERT INTO data_import.event (import_supplier, place, at, kind, size, subjects, states, service_account_numbers, reasons,
                               concerns_open)
SELECT 'PLANS', place, now() - make_interval(secs => place), 'account', 1, ARRAY[number], ARRAY['failed'],
       ARRAY[NULL::text], ARRAY[NULL::text], true
FROM mine;
INSERT INTO data_import.event_feed (import_supplier, last_place, settled_place) VALUES ('PLANS', 20000, 19990);
INSERT INTO data_import.open_account (import_supplier, external_account_number, state, since)
SELECT 'PLANS', number, CASE place % 2 WHEN 0 THEN 'failed' ELSE 'in_progress' END, now() FROM mine;
INSERT INTO data_import.import_rate (import_supplier, kind, seconds, began_at, records)
SELECT 'PLANS', 'notes', 3600, now() - make_interval(hours => place::integer), 1 FROM mine;
INSERT INTO data_import.refusal_rate (import_supplier, code, seconds, began_at, refusals)
SELECT 'PLANS', 'c', 3600, now() - make_interval(hours => place::integer), 1 FROM mine;
