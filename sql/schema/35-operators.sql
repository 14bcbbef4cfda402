-- Operators who act in the browser: their rights, their acts of the last day, and the functions of acts, which data-importctl calls,
-- too.

-- nginx passes acts to the workers of the pool operator, with the name of the person who has signed in. These workers have the
-- role "data-import-operator", which has only the rights that acts need. Every act is one transaction, in which the worker calls:
--
--   begin_operator_act    tells who the person is, and whether the act was done already
--   ...                   the functions of the act, which check its rules, and record_action, for the audit history
--   end_operator_act      keeps the answer for a repeat
--
-- The workers compare the person's role and suppliers with what the act needs (src/service/api/act.cc).

CREATE TABLE data_import.operator (
    name             data_import.label COLLATE "C" PRIMARY KEY,
    role             text NOT NULL CONSTRAINT role_of_operator_is_known CHECK (role IN ('viewer', 'operator', 'signer')),
    import_suppliers text[] COLLATE "C"
                     CONSTRAINT operators_have_a_supplier CHECK (cardinality(import_suppliers) > 0),
    added_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    added_by         text NOT NULL
);
COMMENT ON TABLE data_import.operator IS 'Persons who may act on the page of operators.';
COMMENT ON COLUMN data_import.operator.name IS 'Name by which nginx lets the person in.';
COMMENT ON COLUMN data_import.operator.role IS
    'viewer: reads only; operator: does everything but sign; signer: also signs reports.';
COMMENT ON COLUMN data_import.operator.import_suppliers IS 'Codes of the suppliers that the person may act on; null: all.';
COMMENT ON COLUMN data_import.operator.added_at IS 'When the person got these rights.';
COMMENT ON COLUMN data_import.operator.added_by IS 'System user who gave them: whoever called sudo, where that was used.';

CREATE TABLE data_import.operator_act (
    operator text COLLATE "C" NOT NULL,
    key      uuid NOT NULL,
    at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    content  bytea NOT NULL,
    status   integer NOT NULL,
    answer   text NOT NULL,
    PRIMARY KEY (operator, key)
);
COMMENT ON TABLE data_import.operator_act IS
    'Acts of the last day on the page of operators: a repeat is not carried out again, and gets the same answer. Has no secrets.';
COMMENT ON COLUMN data_import.operator_act.operator IS 'Name of the person.';
COMMENT ON COLUMN data_import.operator_act.key IS 'Identity of the act, which the page has made.';
COMMENT ON COLUMN data_import.operator_act.at IS 'When it was done or refused.';
COMMENT ON COLUMN data_import.operator_act.content IS 'SHA-256 of the request: another request with this key is refused.';
COMMENT ON COLUMN data_import.operator_act.status IS 'Status of the answer.';
COMMENT ON COLUMN data_import.operator_act.answer IS 'Body of the answer.';
CREATE INDEX operator_act_by_time ON data_import.operator_act (at);

-- Begins an act or a dry run of the operator p_operator. Returns a verdict and the operator's rights: the role and the suppliers.
--
--   p_key            the key of the act; null for a dry run, of which nothing is kept
--   p_content        SHA-256 of the request; null if the caller only asks for the operator's rights
--   p_most_a_minute  most acts of one operator within a minute
--
-- The verdicts:
--
--   unknown    there is no such operator
--   busy       the operator's previous act or dry run has not ended within 5 s
--   done       the act was done or refused before; status and answer are those of that time
--   reused     the key belongs to another request
--   throttled  the operator has done p_most_a_minute acts within a minute
--   new        the act or dry run is to be carried out
--
-- A call with p_content first waits for the end of the operator's previous act or dry run. So no act is done twice, no operator
-- does more than p_most_a_minute acts within a minute, and each further request of an operator keeps a worker busy for 5 s at most.
-- data-importctl waits in the same way when it removes an operator or changes the operator's rights.
--
-- A call with a key also deletes up to ten acts that are more than a day old. Each act adds only one row, so old rows do not pile
-- up.
CREATE FUNCTION data_import.begin_operator_act(
    p_operator text, p_key uuid, p_content bytea, p_most_a_minute bigint,
    OUT verdict text, OUT role text, OUT import_suppliers text[], OUT status integer, OUT answer text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s' AS $$
#variable_conflict use_column
DECLARE
    v_content bytea;
BEGIN
    IF p_content IS NOT NULL THEN
        BEGIN
            PERFORM pg_advisory_xact_lock(data_import.lock_number('operator_act', p_operator));
        EXCEPTION WHEN lock_not_available THEN
            verdict := 'busy';
            RETURN;
        END;
    END IF;
    SELECT known.role, known.import_suppliers INTO role, import_suppliers
    FROM data_import.operator AS known WHERE known.name = p_operator FOR SHARE;
    IF NOT FOUND THEN
        verdict := 'unknown';
        RETURN;
    END IF;
    verdict := 'new';
    IF p_key IS NULL THEN
        RETURN;
    END IF;
    DELETE FROM data_import.operator_act
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM data_import.operator_act WHERE at < statement_timestamp() - interval '1 day'
                            ORDER BY at LIMIT 10 FOR UPDATE SKIP LOCKED));
    SELECT act.content, act.status, act.answer INTO v_content, status, answer
    FROM data_import.operator_act AS act WHERE act.operator = p_operator AND act.key = p_key;
    IF FOUND THEN
        verdict := CASE WHEN v_content = p_content THEN 'done' ELSE 'reused' END;
    ELSIF p_most_a_minute <= (SELECT count(*) FROM data_import.operator_act AS act
                              WHERE act.operator = p_operator AND act.at > clock_timestamp() - interval '1 minute') THEN
        verdict := 'throttled';
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.begin_operator_act IS
    'Tells what a person may do, and what is to become of an act: unknown, busy, done, reused, throttled or new.';

CREATE FUNCTION data_import.end_operator_act(
    p_operator text, p_key uuid, p_content bytea, p_status integer, p_answer text)
RETURNS void LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO data_import.operator_act (operator, key, content, status, answer)
    VALUES (p_operator, p_key, p_content, p_status, p_answer)
$$;
COMMENT ON FUNCTION data_import.end_operator_act IS 'Keeps the answer to an act, in its transaction.';

-- Writes an audit entry, in the transaction of the change that it tells of.
CREATE FUNCTION data_import.record_action(
    p_action text, p_operator text, p_host text, p_import_supplier text, p_external_account_number text, p_details text,
    p_consumer text)
RETURNS bigint LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO data_import.access_event (action, operator_name, host, import_supplier, subject_account, details, consumer)
    VALUES (p_action, p_operator, p_host, p_import_supplier,
            CASE WHEN p_external_account_number IS NOT NULL
                 THEN data_import.account_key(p_import_supplier, p_external_account_number) END,
            p_details, p_consumer)
    RETURNING id
$$;
COMMENT ON FUNCTION data_import.record_action IS 'Adds an action to the audit history, and returns its id.';

-- Locks a supplier; returns false if there is none. Acts on one supplier wait for each other, so that each sees what the one
-- before has changed. Imports and changes of accounts do not wait.
CREATE FUNCTION data_import.lock_import_supplier(p_code text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM 1 FROM data_import.import_supplier WHERE code = p_code FOR NO KEY UPDATE;
    RETURN FOUND;
END
$$;
COMMENT ON FUNCTION data_import.lock_import_supplier IS
    'Waits for other acts on the supplier, until the transaction ends. False: there is none.';

CREATE FUNCTION data_import.create_import_supplier(p_code text, p_name text, p_status text, p_document_root text)
RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO data_import.import_supplier (code, name, status, document_root)
    VALUES (p_code, p_name, p_status, p_document_root) ON CONFLICT (code) DO NOTHING;
    RETURN FOUND;
END
$$;
COMMENT ON FUNCTION data_import.create_import_supplier IS
    'Creates a supplier. False: there is one of this code, which stays as it is.';

CREATE FUNCTION data_import.plan_end(p_code text, p_planned_end date) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE data_import.import_supplier SET planned_end = p_planned_end WHERE code = p_code;
END
$$;
COMMENT ON FUNCTION data_import.plan_end IS 'Sets the last planned day of a supplier''s migration; null: none.';

CREATE FUNCTION data_import.figures_to_acknowledge(p_import_supplier text, OUT failed bigint, OUT refused bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    SELECT coalesce(max(records) FILTER (WHERE kind = 'account_failed'), 0), coalesce(max(refused_last_hour), 0)
    INTO failed, refused
    FROM data_import.migration_overview(ARRAY[p_import_supplier]);
END
$$;
COMMENT ON FUNCTION data_import.figures_to_acknowledge IS
    'How many accounts of a supplier have failed, and how many requests were refused in the last hour.';

CREATE FUNCTION data_import.acknowledge_figures(
    p_import_supplier text, p_failed bigint, p_refused bigint, p_reason text, p_author text)
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM data_import.acknowledgement WHERE import_supplier = p_import_supplier;
    IF p_reason IS NOT NULL THEN
        INSERT INTO data_import.acknowledgement (import_supplier, failed, refused, reason, acknowledged_by)
        VALUES (p_import_supplier, p_failed, p_refused, p_reason, p_author);
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.acknowledge_figures IS
    'Replaces the acknowledgement of a supplier; without a reason takes it back.';

-- Returns those of p_external_account_numbers that no failed account of the supplier has. Callers stage only failed accounts
-- again, because staging an unknown number would create an account.
CREATE FUNCTION data_import.accounts_not_failed(p_import_supplier text, p_external_account_numbers text[]) RETURNS SETOF text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_keys constant uuid[] := ARRAY(SELECT data_import.account_key(p_import_supplier, wanted.number)
                                    FROM unnest(p_external_account_numbers) AS wanted (number));
    v_failed constant text[] := ARRAY(SELECT external_account_number::text FROM data_import.account
                                      WHERE account_key = ANY (v_keys) AND state = 'failed');
BEGIN
    RETURN QUERY SELECT wanted.number FROM unnest(p_external_account_numbers) AS wanted (number)
                 WHERE wanted.number <> ALL (v_failed);
END
$$;
COMMENT ON FUNCTION data_import.accounts_not_failed IS 'Those of these numbers that no failed account of the supplier has.';

CREATE FUNCTION data_import.create_api_key(
    p_organisation text, p_key_sha256 bytea, p_import_suppliers text[], p_author text, p_host text,
    OUT api_key_id bigint, OUT event_id bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    v_codes constant text[] := ARRAY(
        SELECT DISTINCT code COLLATE "C" FROM unnest(p_import_suppliers) AS wanted (code) ORDER BY 1);
BEGIN
    INSERT INTO data_import.api_key (organisation, key_sha256, created_by)
    VALUES (p_organisation, p_key_sha256, p_author) RETURNING id INTO api_key_id;
    INSERT INTO data_import.api_key_import_supplier (api_key_id, import_supplier)
    SELECT create_api_key.api_key_id, unnest(v_codes);
    INSERT INTO data_import.access_event (action, operator_name, host, api_key_id, organisation, new_scope)
    VALUES ('key_created', p_author, p_host, create_api_key.api_key_id, p_organisation, v_codes) RETURNING id INTO event_id;
END
$$;
COMMENT ON FUNCTION data_import.create_api_key IS 'Creates an API key of known suppliers, and its entry in the audit history.';

-- Revokes an API key, and adds an entry to the audit history. A key that was revoked before stays so, and gets no entry.
CREATE FUNCTION data_import.revoke_api_key(
    p_id bigint, p_author text, p_host text, OUT is_known boolean, OUT event_id bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_organisation text;
BEGIN
    UPDATE data_import.api_key SET revoked_at = now(), revoked_by = p_author
    WHERE id = p_id AND revoked_at IS NULL RETURNING organisation INTO v_organisation;
    is_known := FOUND OR EXISTS (SELECT FROM data_import.api_key WHERE id = p_id);
    IF v_organisation IS NULL THEN
        PERFORM data_import.await_standbys();
        RETURN;
    END IF;
    INSERT INTO data_import.access_event (action, operator_name, host, api_key_id, organisation)
    VALUES ('key_revoked', p_author, p_host, p_id, v_organisation) RETURNING id INTO event_id;
END
$$;
COMMENT ON FUNCTION data_import.revoke_api_key IS
    'Revokes an API key, with its entry in the audit history; tells whether there is such a key.';

CREATE FUNCTION data_import.accept_booked(
    p_consumer text, p_import_supplier text, p_kind text, p_figure text, p_held numeric, p_booked numeric, p_reason text,
    p_author text)
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO data_import.accepted_booking (consumer, import_supplier, kind, figure, held, booked, reason, accepted_by)
    VALUES (p_consumer, p_import_supplier, p_kind, p_figure, p_held, p_booked, p_reason, p_author)
    ON CONFLICT (consumer, import_supplier, kind, figure) DO UPDATE
        SET held = excluded.held, booked = excluded.booked, reason = excluded.reason, accepted_by = excluded.accepted_by,
            accepted_at = excluded.accepted_at;
END
$$;
COMMENT ON FUNCTION data_import.accept_booked IS 'Accepts that a consumer has booked another figure than is held.';

CREATE FUNCTION data_import.accept_difference(
    p_account_key uuid, p_import_supplier text, p_external_account_number text, p_kind text, p_declared_records bigint,
    p_declared_amount numeric, p_declared_fingerprint uuid, p_held_records bigint, p_held_amount numeric, p_held_fingerprint uuid,
    p_author text, p_reason text, p_declared_sums jsonb)
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO data_import.accepted_difference (account_key, import_supplier, external_account_number, kind, declared_records,
                                                 declared_amount, declared_fingerprint, held_records, held_amount,
                                                 held_fingerprint, accepted_by, reason, declared_sums)
    VALUES (p_account_key, p_import_supplier, p_external_account_number, p_kind, p_declared_records, p_declared_amount,
            p_declared_fingerprint, p_held_records, p_held_amount, p_held_fingerprint, p_author, p_reason, p_declared_sums);
END
$$;
COMMENT ON FUNCTION data_import.accept_difference IS
    'Accepts that an account has other records of a kind than its supplier states.';

CREATE FUNCTION data_import.record_comparison(
    p_import_supplier text, p_accounts bigint, p_open bigint, p_accepted bigint, p_author text, p_figures_digest bytea)
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO data_import.account_comparison (import_supplier, accounts, open, accepted, compared_by, figures_digest)
    VALUES (p_import_supplier, p_accounts, p_open, p_accepted, p_author, p_figures_digest)
    ON CONFLICT (import_supplier) DO UPDATE
        SET accounts = excluded.accounts, open = excluded.open, accepted = excluded.accepted, compared_by = excluded.compared_by,
            figures_digest = excluded.figures_digest, compared_at = excluded.compared_at;
END
$$;
COMMENT ON FUNCTION data_import.record_comparison IS 'Replaces the last comparison of a supplier''s accounts with its file.';

-- Stores a signed report, together with a digest of the supplier's figures. Has to be called in the transaction that read the
-- figures for the report, because this function reads the figures again for the digest.
CREATE FUNCTION data_import.record_signed_report(
    p_id uuid, p_import_supplier text, p_as_of timestamptz, p_signed_by text, p_author text, p_host text, p_html_sha256 bytea,
    p_json_sha256 bytea)
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO data_import.signed_report (id, import_supplier, as_of, signed_by, operator_name, host, html_sha256, json_sha256,
                                           figures_digest)
    VALUES (p_id, p_import_supplier, p_as_of, p_signed_by, p_author, p_host, p_html_sha256, p_json_sha256,
            data_import.signed_digest((SELECT digest FROM data_import.compared_suppliers(ARRAY[p_import_supplier])),
                                      (SELECT digest FROM data_import.booked_suppliers(ARRAY[p_import_supplier]))));
END
$$;
COMMENT ON FUNCTION data_import.record_signed_report IS 'Records a signed report, and keeps the present figures as the signed ones.';

GRANT USAGE ON SCHEMA data_import TO "data-import-operator";
GRANT EXECUTE ON FUNCTION data_import.begin_operator_act, data_import.end_operator_act, data_import.record_action,
    data_import.lock_import_supplier, data_import.create_import_supplier, data_import.change_import_supplier,
    data_import.plan_end, data_import.figures_to_acknowledge, data_import.acknowledge_figures, data_import.account_stage,
    data_import.need_ongoing_supplier, data_import.count_failed_accounts, data_import.retry_failed_accounts,
    data_import.account_hold, data_import.account_reset,
    data_import.accounts_not_failed, data_import.create_api_key, data_import.revoke_api_key,
    data_import.accept_booked, data_import.accept_difference, data_import.record_comparison,
    data_import.record_signed_report TO "data-import-operator";
GRANT SELECT ON data_import.import_supplier, data_import.api_key_import_supplier, data_import.api_key_use,
    data_import.access_event TO "data-import-operator";
GRANT SELECT (id, organisation, created_at, created_by, revoked_at, revoked_by) ON data_import.api_key TO "data-import-operator";
GRANT SELECT (id, import_supplier, signed_at, signed_by, operator_name, host, html_sha256, json_sha256) ON
    data_import.signed_report TO "data-import-operator";

-- These rights let the workers of the operators' pool read every record: for a report that is to be signed, and for a comparison with
-- a supplier's file, which they copy into temporary tables.
GRANT EXECUTE ON FUNCTION data_import.await_standbys, data_import.progress_figures, data_import.migration_progress,
    data_import.migration_throughput, data_import.open_accounts, data_import.unsettled_steps, data_import.held_figures,
    data_import.declared_figures, data_import.compared_suppliers, data_import.control_totals, data_import.consumers_of,
    data_import.accounts_not_taken, data_import.booked_figures, data_import.booked_totals, data_import.booked_suppliers,
    data_import.invoice_line_items, data_import.invoice_tax_amounts TO "data-import-operator";
GRANT SELECT ON data_import.schema_migration, data_import.account, data_import.account_action, data_import.open_account,
    data_import.supplier_erasure, data_import.import_rate, data_import.import_receipt, data_import.import_total,
    data_import.counted_figure, data_import.control_total_declaration, data_import.accepted_difference,
    data_import.account_comparison, data_import.consumer, data_import.booked_declaration, data_import.accepted_booking,
    data_import.note, data_import.financial_transaction, data_import.transaction_line_item, data_import.transaction_tax_item,
    data_import.historical_statement, data_import.delivery_note, data_import.energy_amount,
    data_import.market_participant_invoice, data_import.payment_instruction TO "data-import-operator";
