-- The most frequent statements. The line above each statement has the database role that sends it, and what the statement does.

-- data-import: three notes, two of them the same and one without a time
SELECT * FROM data_import.notes_import(
    p_account_key => ARRAY[data_import.account_key('PLANS', '7')], p_import_supplier => '{PLANS}', p_request_id => ARRAY[gen_random_uuid()],
    p_api_key_id => '{1}', p_request => '{1,1,1}',
    p_identity => ARRAY[md5('a'), md5('a'), md5('b')]::uuid[], p_created_at => ARRAY[now(), now(), NULL], p_body => '{a,a,b}',
    p_document_paths => '{NULL,NULL,NULL}', p_is_pinned => '{f,f,f}', p_unpin_at => '{NULL,NULL,NULL}')

-- data-import: two transactions, one stored already and one moved into the statement period
SELECT * FROM data_import.transactions_import(
    p_account_key => ARRAY[data_import.account_key('PLANS', '7')], p_import_supplier => '{PLANS}', p_request_id => ARRAY[gen_random_uuid()],
    p_api_key_id => '{1}', p_check_previously_added => '{t}', p_force_add_to_current_statement => '{t}',
    p_most_stored => '{1000000}', p_least_id => '{a}', p_greatest_id => '{z}', p_earliest => '{2024-01-05}',
    p_latest => '{2024-05-05}', p_request => '{1,1}', p_type => '{CHARGE,CHARGE}', p_transaction_id => '{t7,u7}',
    p_transaction_date => '{2024-01-05,2024-05-05}', p_amount => '{1,1}', p_note => '{n,n}', p_reason => '{n,n}',
    p_display_note => '{n,n}', p_has_tax_items => '{t,t}', p_reference => '{n,n}', p_payment_type => '{n,n}',
    p_product_code => '{n,n}', p_tax_item_of => '{2}', p_tax_position => '{0}', p_tax_amount => '{1}',
    p_tax_type => '{V}', p_value_taxed => '{1}', p_rate => '{1}', p_unit_type => '{PROPORTION}', p_tax_written => '{#}',
    p_line_item_of => '{2}', p_line_position => '{0}', p_start_date => '{2024-01-01}', p_end_date => '{2024-01-01}',
    p_number_of_units => '{1}', p_net_amount => '{1}', p_price_per_unit => '{1}', p_rate_band => '{b}',
    p_units => '{"{1,2}"}', p_line_written => '{#}')

-- data-import: two historical statements, one of them stored already
SELECT * FROM data_import.historical_statements_import(
    p_account_key => ARRAY[data_import.account_key('PLANS', '7')], p_import_supplier => '{PLANS}', p_request_id => ARRAY[gen_random_uuid()],
    p_api_key_id => '{1}', p_request => '{1,1}', p_statement_id => '{s,t}',
    p_bill_period_from_date => '{2024-01-01,2024-01-01}', p_bill_period_to_date => '{2024-01-31,2024-01-31}',
    p_issued_date => '{NULL,NULL}', p_number => '{n,n}', p_gross_amount => '{1,1}', p_statement_path => '{p,p}',
    p_supply_type => '{s,s}', p_is_annulled => '{t,t}', p_content_digest => ARRAY[gen_random_uuid(), gen_random_uuid()])

-- data-import: an energy amount
SELECT data_import.documents_import(
    p_rows => json_build_array(json_build_object(
        'account_key', data_import.account_key('PLANS', '7'), 'content_digest', md5('x'), 'malo_number', 'm', 'period_start_at', now(),
        'period_end_at', now(), 'product_identifier', 'p', 'product_identifier_type', 't', 'quantity', 1,
        'quantity_unit', 'KWH', 'line_item_identifier', 'l', 'cancelled', false, 'edifact_reference_number', 'e',
        'request_id', md5('r'), 'api_key_id', 1, 'imported_at', now())),
    p_account_key => ARRAY[data_import.account_key('PLANS', '7')], p_import_supplier => '{PLANS}', p_content_digest => ARRAY[md5('x')::uuid],
    p_request => '{1}', p_figure => '{records}', p_value => '{1}',
    p_kind => 'energy_amounts')

-- data-import: the claim of an Idempotency-Key
SELECT * FROM data_import.idempotency_key_claim('plans', '7', sha256('x'), '1 day', false)

-- data-import: an answer to keep
SELECT data_import.idempotency_key_keep(
    'plans', 'new', sha256('x'), 'PLANS', data_import.account_key('PLANS', '7'), 201::smallint, '{}', gen_random_uuid(), 1, now(), false)

-- data-import: a token
SELECT * FROM data_import.request_token('192.0.2.0/24', sha256('k'), NULL, 10, now(), '1 min')

-- data-import: a refusal of an account's request
SELECT data_import.account_refusals_add(
    ARRAY[data_import.account_key('PLANS', '7')], '{PLANS}', ARRAY[gen_random_uuid()], '{0}', ARRAY[now()], '{1}', '{/}', '{400}', '{c}', '{0}', '{"{}"}', '{"{}"}', '{7}', '{PLANS}', '{1}')

-- data-import: refused lines of a bulk request
SELECT data_import.bulk_refusals_add(ARRAY[gen_random_uuid()], '{1}', '{1}')

-- data-import: housekeeping without anything to do, which runs every few seconds
SELECT data_import.housekeeping(1000, 1000, '1000 days')

-- data-import: the delivery of news, of accounts for the first time and of accounts that have news waiting already
SELECT pg_advisory_xact_lock(data_import.lock_number('news', ''));
INSERT INTO data_import.news (subjects, since) SELECT ARRAY[data_import.account_key('PLANS', n::text)], now() FROM generate_series(1, 2000) AS n;
SELECT data_import.deliver_news();
INSERT INTO data_import.news (subjects, since) SELECT ARRAY[data_import.account_key('PLANS', n::text)], now() FROM generate_series(1001, 3000) AS n;
SELECT data_import.deliver_news()

-- data-import-platform: a consumer takes news, so often that its session keeps plans
SELECT count(*) FROM platform.take_accounts('plans', 400, 1000000);
SELECT count(*) FROM platform.take_accounts('plans', 400, 1000000);
SELECT count(*) FROM platform.take_accounts('plans', 400, 1000000);
SELECT count(*) FROM platform.take_accounts('plans', 400, 1000000);
SELECT count(*) FROM platform.take_accounts('plans', 400, 1000000);
SELECT count(*) FROM platform.take_accounts('plans', 400, 1000000);
SELECT count(*) FROM platform.take_accounts('plans', 400, 1000000)

-- data-import: events
SELECT count(*) FROM data_import.events('PLANS', 10000, 0, 100)

-- data-import: the progress of a supplier
SELECT count(*) FROM data_import.migration_progress('PLANS')

-- data-import: the overview of suppliers
SELECT count(*) FROM data_import.migration_overview('{PLANS}')

-- data-import: the throughput by supplier
SELECT count(*) FROM data_import.throughput_by_supplier('{PLANS}', now() - interval '1 hour', 60)

-- data-import: why accounts have failed
SELECT count(*) FROM data_import.failures('{PLANS}')

-- data-import: a further page of failed accounts
SELECT count(*) FROM data_import.next_open_accounts('PLANS', 'failed', now(), '5', 10)

-- data-import-owner: steps of accounts
SELECT data_import.account_complete('PLANS', '7', 'P-7', NULL, '2024-02-01', '2024-02-28'),
       data_import.account_stage('PLANS', 'new'), data_import.account_begin('PLANS', 'new')

-- data-import-owner: the last attempts that failed, for an operator
SELECT count(*) FROM data_import.open_accounts('{PLANS}', 'failed', 10)

-- data-import-owner: the erasure of an account
SELECT data_import.account_erase('PLANS', '9')

-- data-import-reader: an account's row in the view account
SELECT * FROM platform.account WHERE import_supplier = 'PLANS' AND external_account_number = '7'

-- data-import-reader: an account's rows in the view note
SELECT * FROM platform.note WHERE import_supplier = 'PLANS' AND external_account_number = '7'

-- data-import-reader: an account's rows in the view financial_transaction
SELECT * FROM platform.financial_transaction WHERE import_supplier = 'PLANS' AND external_account_number = '7'

-- data-import-reader: an account's rows in the view transaction_line_item
SELECT * FROM platform.transaction_line_item WHERE import_supplier = 'PLANS' AND external_account_number = '7'

-- data-import-reader: an account's rows in the view transaction_tax_item
SELECT * FROM platform.transaction_tax_item WHERE import_supplier = 'PLANS' AND external_account_number = '7'

-- data-import-reader: an account's rows in the view historical_statement
SELECT * FROM platform.historical_statement WHERE import_supplier = 'PLANS' AND external_account_number = '7'

-- data-import-reader: an account's rows in the view delivery_note
SELECT * FROM platform.delivery_note WHERE import_supplier = 'PLANS' AND external_account_number = '7'

-- data-import-reader: an account's rows in the view delivery_note_amount
SELECT * FROM platform.delivery_note_amount WHERE import_supplier = 'PLANS' AND external_account_number = '7'

-- data-import-reader: an account's rows in the view energy_amount
SELECT * FROM platform.energy_amount WHERE import_supplier = 'PLANS' AND external_account_number = '7'

-- data-import-reader: an account's rows in the view market_participant_invoice
SELECT * FROM platform.market_participant_invoice WHERE import_supplier = 'PLANS' AND external_account_number = '7'

-- data-import-reader: an account's rows in the view invoice_line_item
SELECT * FROM platform.invoice_line_item WHERE import_supplier = 'PLANS' AND external_account_number = '7'

-- data-import-reader: an account's rows in the view invoice_tax_amount
SELECT * FROM platform.invoice_tax_amount WHERE import_supplier = 'PLANS' AND external_account_number = '7'

-- data-import-reader: an account's rows in the view payment_instruction
SELECT * FROM platform.payment_instruction WHERE import_supplier = 'PLANS' AND external_account_number = '7'

-- data-import-reader: an account's rows in the view record
SELECT * FROM platform.record WHERE import_supplier = 'PLANS' AND external_account_number = '7'

-- data-import-reader: the rows of some accounts in the view note
WITH taken AS MATERIALIZED (SELECT * FROM (VALUES ('PLANS', '7'), ('PLANS', '8')) AS taken (import_supplier, external_account_number))
SELECT * FROM taken JOIN platform.note USING (import_supplier, external_account_number)

-- data-import-reader: all records of some accounts
WITH taken AS MATERIALIZED (SELECT * FROM (VALUES ('PLANS', '7'), ('PLANS', '8')) AS taken (import_supplier, external_account_number))
SELECT * FROM taken JOIN platform.record USING (import_supplier, external_account_number)
