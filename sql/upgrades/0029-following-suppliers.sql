-- Figures by which operators follow suppliers: planned ends, thresholds and acknowledged figures, comparisons of accounts, and the
-- sentences of refusals.

-- In a block, because Citus sends its workers the text of a command that changes a distributed table: of a script all of it.
DO $$
BEGIN
    ALTER TABLE data_import.import_supplier
        ADD COLUMN planned_end date,
        ADD COLUMN attention bigint NOT NULL DEFAULT 1 CONSTRAINT attention_begins_at_1 CHECK (attention >= 1);
    ALTER TABLE data_import.account_refusal ADD COLUMN details text[] NOT NULL DEFAULT '{}';
END
$$;
COMMENT ON COLUMN data_import.import_supplier.planned_end IS
    'The last day on which the migration should end; null where none was planned.';
COMMENT ON COLUMN data_import.import_supplier.attention IS
    'Fewer failed accounts, and fewer refusals in an hour, want nobody''s attention.';

CREATE TABLE data_import.acknowledgement (
    import_supplier text COLLATE "C" PRIMARY KEY,
    failed          bigint NOT NULL,
    refused         bigint NOT NULL,
    reason          data_import.reason NOT NULL,
    acknowledged_by text NOT NULL,
    acknowledged_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE data_import.acknowledgement IS
    'The figures of suppliers that an operator has looked at and acknowledged: each holds until the figure grows. The last of a '
    'supplier; access_event has them all.';
COMMENT ON COLUMN data_import.acknowledgement.import_supplier IS 'Code of the supplier.';
COMMENT ON COLUMN data_import.acknowledgement.failed IS 'How many of its accounts had failed then.';
COMMENT ON COLUMN data_import.acknowledgement.refused IS
    'How many requests had been refused in the hour before, without throttled ones.';
COMMENT ON COLUMN data_import.acknowledgement.reason IS 'Why nobody has to look at them.';
COMMENT ON COLUMN data_import.acknowledgement.acknowledged_by IS
    'System user who did it: whoever called sudo, where that was used.';
COMMENT ON COLUMN data_import.acknowledgement.acknowledged_at IS 'When it was done.';

CREATE TABLE data_import.account_comparison (
    import_supplier text COLLATE "C" PRIMARY KEY,
    accounts        bigint NOT NULL,
    open            bigint NOT NULL,
    accepted        bigint NOT NULL,
    figures_digest  bytea,
    compared_by     text NOT NULL,
    compared_at     timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE data_import.account_comparison IS
    'When the accounts of a supplier were compared one by one with its file last, and what was found: data-importctl reconcile.';
COMMENT ON COLUMN data_import.account_comparison.import_supplier IS 'Code of the supplier.';
COMMENT ON COLUMN data_import.account_comparison.accounts IS 'How many accounts were compared.';
COMMENT ON COLUMN data_import.account_comparison.open IS 'How many differences were found that are not accepted.';
COMMENT ON COLUMN data_import.account_comparison.accepted IS 'How many differences were found that are accepted.';
COMMENT ON COLUMN data_import.account_comparison.figures_digest IS
    'data_import.compared_suppliers of the supplier at that moment, as in signed_report; null where it had declared nothing.';
COMMENT ON COLUMN data_import.account_comparison.compared_by IS
    'System user who did it: whoever called sudo, where that was used.';
COMMENT ON COLUMN data_import.account_comparison.compared_at IS 'When it was done.';

ALTER TABLE data_import.access_event
    DROP CONSTRAINT access_event_action_is_known,
    ADD CONSTRAINT access_event_action_is_known
        CHECK (action IN ('key_created', 'scope_changed', 'key_revoked', 'token_issued', 'signing_key_made',
                          'signing_key_removed', 'totals_corrected', 'records_seen', 'status_set', 'supplier_removed',
                          'differences_accepted', 'account_reset', 'account_erased', 'figures_acknowledged'));
COMMENT ON COLUMN data_import.access_event.action IS
    'What was done to an API key (key_created, scope_changed, key_revoked), that a token was given out for one by hand '
    '(token_issued), what was done to a key that signs tokens (signing_key_made, signing_key_removed), to a supplier '
    '(status_set, supplier_removed, differences_accepted, figures_acknowledged; totals_corrected: its totals were made those of '
    'its records), to an account (account_reset, which may be all accounts of a file, and account_erased), or that records of an '
    'account were looked at (records_seen).';

-- Sentences of answers without the values that were sent.
ALTER TABLE data_import.refused_request
    ADD COLUMN detail text NOT NULL DEFAULT '' CONSTRAINT detail_is_of_512_characters_at_most CHECK (char_length(detail) <= 512);
COMMENT ON COLUMN data_import.refused_request.detail IS
    'The sentence of the last of them: of the item, or of the answer where it had none; empty where it is not known. Nothing '
    'in it was chosen by a client.';
COMMENT ON COLUMN data_import.account_refusal.details IS
    'The sentence of each of these items, or of the answer where it has none; without the values that were sent.';

-- Workers of the version before call refused_requests_add without the sentences.
CREATE FUNCTION data_import.note_refused_requests(
    p_import_supplier text[], p_endpoint text[], p_status integer[], p_code text[], p_item_code text[], p_attr text[],
    p_count bigint[], p_sample_request_id uuid[], p_last_at timestamptz[], p_detail text[])
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' AS $$
BEGIN
    PERFORM data_import.refused_requests_add(
        p_import_supplier, p_endpoint, p_status, p_code, p_item_code, p_attr, p_count, p_sample_request_id, p_last_at);
    UPDATE data_import.refused_request AS known SET detail = noted.detail
    FROM unnest(p_import_supplier, p_endpoint, p_status, p_code, p_item_code, p_attr, p_sample_request_id, p_last_at, p_detail)
        AS noted (import_supplier, endpoint, status, code, item_code, attr, sample_request_id, last_at, detail)
    WHERE known.day = (noted.last_at AT TIME ZONE 'UTC')::date AND known.import_supplier = noted.import_supplier
      AND known.endpoint = noted.endpoint AND known.status = noted.status AND known.code = noted.code
      AND known.item_code = noted.item_code AND known.attr = noted.attr
      AND known.sample_request_id = noted.sample_request_id AND known.detail <> noted.detail;
END
$$;
COMMENT ON FUNCTION data_import.note_refused_requests IS
    'Does what refused_requests_add does, and keeps the sentence of the last refusal of each kind.';

-- As account_refusals_add was, with p_details: array literals like p_item_codes.
CREATE FUNCTION data_import.keep_account_refusals(
    p_account_key uuid[], p_import_supplier text[], p_request_id uuid[], p_line integer[], p_at timestamptz[],
    p_api_key_id bigint[], p_endpoint text[], p_status integer[], p_code text[], p_error_count integer[], p_item_codes text[],
    p_attrs text[], p_details text[], p_external_account_number text[], p_counted text[], p_count bigint[])
RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
    v_most constant integer := 20;
    v_is_kept constant boolean := p_account_key = '{}'
        OR pg_try_advisory_xact_lock(data_import.lock_number('account_refusal', ''));
    v_known uuid[];
    v_erased uuid[];
    v_account_key uuid;
    v_last_to_go timestamptz;
    v_days date[] := array_fill((now() AT TIME ZONE 'UTC')::date, ARRAY[cardinality(p_counted)]);
    v_suppliers text[] := p_counted;
    v_refusals bigint[] := p_count;
    v_kept bigint[] := array_fill(0::bigint, ARRAY[cardinality(p_counted)]);
BEGIN
    IF v_is_kept AND p_account_key <> '{}' THEN
        SELECT array_agg(account_key) INTO v_known FROM data_import.account WHERE account_key = ANY (p_account_key);
        SELECT array_agg(account_key) INTO v_erased FROM data_import.erased_account WHERE account_key = ANY (p_account_key);
        WITH refused AS (
            SELECT *, account_key = ANY (coalesce(v_known, '{}')) AS was_known,
                   account_key = ANY (coalesce(v_erased, '{}')) AS is_erased
            FROM unnest(p_account_key, p_import_supplier, p_request_id, p_line, p_at, p_api_key_id, p_endpoint, p_status, p_code,
                        p_error_count, p_item_codes, p_attrs, p_details, p_external_account_number)
                AS refused (account_key, import_supplier, request_id, line, at, api_key_id, endpoint, status, code, error_count,
                            item_codes, attrs, details, external_account_number)
        ), stored AS (
            INSERT INTO data_import.account_refusal (
                account_key, request_id, line, import_supplier, was_known, at, api_key_id, endpoint, status, code, error_count,
                item_codes, attrs, details, external_account_number)
            SELECT account_key, request_id, line, import_supplier, was_known, at, api_key_id, endpoint, status, code, error_count,
                   item_codes::text[], attrs::text[], details::text[],
                   CASE WHEN NOT was_known THEN nullif(external_account_number, '') END
            FROM refused WHERE NOT is_erased
            ON CONFLICT DO NOTHING RETURNING import_supplier, at
        ), kept AS (
            SELECT (at AT TIME ZONE 'UTC')::date AS day, import_supplier, count(*) AS refusals
            FROM (SELECT import_supplier, at FROM stored
                  UNION ALL SELECT import_supplier, at FROM refused WHERE is_erased) AS done
            GROUP BY 1, 2
        )
        SELECT v_days || array_agg(day), v_suppliers || array_agg(import_supplier),
               v_refusals || array_agg(0::bigint), v_kept || array_agg(refusals)
        INTO v_days, v_suppliers, v_refusals, v_kept FROM kept;
        FOR v_account_key IN SELECT account_key FROM data_import.account_refusal WHERE account_key = ANY (p_account_key)
                             GROUP BY account_key HAVING count(*) > v_most LOOP
            SELECT at INTO v_last_to_go FROM data_import.account_refusal WHERE account_key = v_account_key
            ORDER BY at DESC OFFSET v_most LIMIT 1;
            DELETE FROM data_import.account_refusal WHERE account_key = v_account_key AND at <= v_last_to_go;
        END LOOP;
    END IF;
    PERFORM data_import.account_refusals_count(v_days, v_suppliers, v_refusals, v_kept);
    RETURN v_is_kept;
END
$$;
COMMENT ON FUNCTION data_import.keep_account_refusals IS
    'Counts refusals of one worker and keeps them, of each of their accounts the last 20; false: it cannot keep them now.';

-- For workers of the version before.
CREATE OR REPLACE FUNCTION data_import.account_refusals_add(
    p_account_key uuid[], p_import_supplier text[], p_request_id uuid[], p_line integer[], p_at timestamptz[],
    p_api_key_id bigint[], p_endpoint text[], p_status integer[], p_code text[], p_error_count integer[], p_item_codes text[],
    p_attrs text[], p_external_account_number text[], p_counted text[], p_count bigint[])
RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' AS $$
BEGIN
    RETURN data_import.keep_account_refusals(
        p_account_key, p_import_supplier, p_request_id, p_line, p_at, p_api_key_id, p_endpoint, p_status, p_code, p_error_count,
        p_item_codes, p_attrs, array_fill('{}'::text, ARRAY[cardinality(p_account_key)]), p_external_account_number, p_counted,
        p_count);
END
$$;

GRANT SELECT ON data_import.acknowledgement, data_import.account_comparison TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.note_refused_requests, data_import.keep_account_refusals TO "data-import";
