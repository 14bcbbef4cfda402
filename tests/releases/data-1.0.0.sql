-- Stores data by the functions of version 1.0.0: records of several kinds, refusals, a key with its history, declared totals.
SET ROLE "data-import-owner";
INSERT INTO data_import.import_supplier (code, name, document_root) VALUES ('OLD', 'Old', 'bucket'), ('PAUSED', 'Paused', '');
UPDATE data_import.import_supplier SET status = 'Paused' WHERE code = 'PAUSED';
INSERT INTO data_import.api_key (organisation, key_sha256, created_by) VALUES ('Old', sha256('key'), 'anna');
INSERT INTO data_import.api_key_import_supplier VALUES (1, 'OLD');
INSERT INTO data_import.access_event (action, operator_name, host, api_key_id, organisation, new_scope)
VALUES ('key_created', 'anna', 'host', 1, 'Old', '{OLD}');
INSERT INTO data_import.access_event (action, operator_name, host, import_supplier, subject_account)
VALUES ('account_erased', 'anna', 'host', 'OLD', data_import.account_key('OLD', 'gone'));
SELECT data_import.account_stage('OLD', number) FROM unnest('{staged,failed,imported}'::text[]) AS number;
SELECT data_import.account_begin('OLD', 'failed');
SELECT data_import.account_fail('OLD', 'failed', 'A reason');
SELECT data_import.account_complete('OLD', 'imported', 'S1', '2024-01-31 10:00:00+00', '2024-01-01', '2024-12-31');
SELECT * FROM data_import.notes_import(
    p_account_key => ARRAY[data_import.account_key('OLD', 'imported')], p_import_supplier => '{OLD}', p_request_id => '{00000000-0000-0000-0000-000000000001}',
    p_api_key_id => '{1}', p_request => '{1}', p_identity => ARRAY[md5('a')::uuid], p_created_at => ARRAY[now()], p_body => '{a}',
    p_document_paths => '{NULL}', p_is_pinned => '{f}', p_unpin_at => '{NULL}');
SELECT * FROM data_import.historical_statements_import(
    p_account_key => ARRAY[data_import.account_key('OLD', 'imported')], p_import_supplier => '{OLD}', p_request_id => '{00000000-0000-0000-0000-000000000002}',
    p_api_key_id => '{1}', p_request => '{1}', p_statement_id => '{s}', p_bill_period_from_date => '{2024-01-01}',
    p_bill_period_to_date => '{2024-01-31}', p_issued_date => '{NULL}', p_number => '{n}', p_gross_amount => '{1}',
    p_statement_path => '{p}', p_supply_type => '{s}', p_is_annulled => '{t}', p_content_digest => ARRAY[md5('s')::uuid]);
SELECT data_import.documents_import(
    p_rows => json_build_array(json_build_object(
        'account_key', data_import.account_key('OLD', 'imported'), 'content_digest', md5('x'), 'malo_number', 'm', 'period_start_at', now(),
        'period_end_at', now(), 'product_identifier', 'p', 'product_identifier_type', 't', 'quantity', 1,
        'quantity_unit', 'KWH', 'line_item_identifier', 'l', 'cancelled', false, 'edifact_reference_number', 'e',
        'request_id', md5('r'), 'api_key_id', 1, 'imported_at', now())),
    p_account_key => ARRAY[data_import.account_key('OLD', 'imported')], p_import_supplier => '{OLD}', p_content_digest => ARRAY[md5('x')::uuid],
    p_request => '{1}', p_figure => '{records}', p_value => '{1}', p_kind => 'energy_amounts');
SELECT data_import.payment_instruction_import(
    data_import.account_key('OLD', 'imported'), 'OLD', '00000000-0000-0000-0000-000000000003', 1, 'Old', 'vendor', 'reference', 'CARD', 'ACTIVE', '4242',
    NULL, '{}');
SELECT data_import.idempotency_key_keep(
    'Old', 'key', sha256('body'), 'OLD', data_import.account_key('OLD', 'imported'), 201::smallint, '{}', '00000000-0000-0000-0000-000000000001', 1, now(), false);
SELECT data_import.refused_requests_add(
    '{OLD}', '{notes}', '{400}', '{invalid_payload}', '{invalid}', '{notes.body}', '{2}', '{00000000-0000-0000-0000-000000000004}', ARRAY[now()]);
SELECT data_import.account_refusals_add(
    ARRAY[data_import.account_key('OLD', 'imported')], '{OLD}', '{00000000-0000-0000-0000-000000000004}', '{0}', ARRAY[now()], '{1}', '{notes}', '{400}',
    '{invalid_payload}', '{1}', '{"{invalid}"}', '{"{notes.body}"}', '{imported}', '{OLD}', '{1}');
SELECT * FROM data_import.control_totals_declare('OLD', '00000000-0000-0000-0000-000000000005', 1, '{notes}', '{records}', '{1}', 10);
INSERT INTO data_import.payment_vendor_circuit (organisation, vendor, failures, time_outs, changed_at) VALUES ('Old', 'vendor', 1, 0, now());
