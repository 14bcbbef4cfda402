-- Numbers that look the same, suppliers that are about to be removed, and locked accounts of payment instructions.

-- Characters that nobody sees, as a bracket expression of regular expressions: the list of src/base/util/invisible.cc. A test compares
-- the two.
CREATE FUNCTION data_import.invisible_characters() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT E'[\u0001-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f'
            '\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U00016fe4'
            '\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'
$$;
COMMENT ON FUNCTION data_import.invisible_characters IS
    'Characters that nobody sees, or nobody tells from a space: a bracket expression.';

CREATE FUNCTION data_import.invisible_problem(p_text text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    v_invisible constant text := data_import.invisible_characters();
    v_first constant text := substring(p_text FROM v_invisible);
    v_code constant text := upper(to_hex(ascii(v_first)));
BEGIN
    IF v_first IS NULL THEN
        RETURN NULL;
    END IF;
    RETURN CASE WHEN p_text ~ ('^ *' || v_invisible) THEN 'begins with'
                WHEN regexp_replace(substr(p_text, strpos(p_text, v_first)), v_invisible || '| ', '', 'g') = '' THEN 'ends with'
                ELSE 'holds' END || ' U+' || lpad(v_code, greatest(4, length(v_code)), '0');
END
$$;
COMMENT ON FUNCTION data_import.invisible_problem IS
    'The first character of a text that nobody sees, to stand behind the text''s own name (ends with U+200B). Null: all are seen.';

CREATE FUNCTION data_import.with_invisible_named(p_text text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    v_named text := p_text;
    v_next text;
    v_code text;
BEGIN
    LOOP
        v_next := substring(v_named FROM data_import.invisible_characters());
        EXIT WHEN v_next IS NULL;
        v_code := upper(to_hex(ascii(v_next)));
        v_named := replace(v_named, v_next, '<U+' || lpad(v_code, greatest(4, length(v_code)), '0') || '>');
    END LOOP;
    RETURN v_named;
END
$$;
COMMENT ON FUNCTION data_import.with_invisible_named IS 'A text with each of these characters named: 4711<U+200B>.';

-- Finds accounts that were staged with an invisible character, by the visible characters of their numbers. Such accounts are few,
-- so the index is small.
--
-- The index, and the queries that use it, contain the list of characters itself, because the nodes of Citus do not know the
-- function invisible_characters.
DO $$
BEGIN
    EXECUTE format(
        'CREATE INDEX account_with_invisible_character ON data_import.account
             (import_supplier, regexp_replace(external_account_number, %1$L, '''', ''g''))
         WHERE external_account_number ~ %1$L', data_import.invisible_characters());
END
$$;

-- Staged accounts in the order in which they came, for platform.begin_accounts. The index is made here and not in 0034, because 0034
-- locks the suppliers. Imports would wait for the index, and steps of accounts, which lock both tables, would be in a deadlock.
DO $$
BEGIN
    CREATE INDEX account_staged ON data_import.account (import_supplier, state_changed_at, account_key) WHERE state = 'staged';
END
$$;

GRANT EXECUTE ON FUNCTION data_import.invisible_characters TO "data-import";

-- Returns what is wrong with a new account number that looks the same as p_twin, the number of an account that the supplier has;
-- null if p_twin is null.
CREATE FUNCTION data_import.twin_problem(p_import_supplier text, p_twin text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT format('import supplier %s has account %s, whose number looks the same: it %s', p_import_supplier,
                  data_import.with_invisible_named(p_twin), data_import.invisible_problem(p_twin))
$$;
COMMENT ON FUNCTION data_import.twin_problem IS 'Names an account that nobody could tell from another one. Null: there is none.';

CREATE OR REPLACE FUNCTION data_import.judge_account_moves(
    p_import_supplier text, p_account_keys uuid[], p_external_account_numbers text[], p_states text[],
    p_service_account_numbers text[], p_account_created_at timestamptz[], p_reason text, p_is_load boolean, p_at timestamptz)
RETURNS data_import.account_move[] LANGUAGE plpgsql VOLATILE SET enable_nestloop = off SET enable_seqscan = off AS $$
DECLARE
    v_supplier_status constant text := (SELECT status FROM data_import.import_supplier WHERE code = p_import_supplier);
    v_known record;
    v_erased uuid[];
    v_twin record;
BEGIN
    -- an account may become failed until the supplier is Complete, so that a running attempt can be ended
    IF p_states && ARRAY['staged', 'in_progress', 'imported'] OR 'failed' = ANY (p_states) AND v_supplier_status = 'Complete' THEN
        PERFORM data_import.need_ongoing_supplier(p_import_supplier);
    END IF;
    SELECT array_agg(account.account_key) AS keys, array_agg(account.state::text) AS states,
           array_agg(account.service_account_number::text) AS numbers, array_agg(account.account_created_at) AS created_at,
           array_agg(account.failure_reason::text) AS reasons
    INTO v_known
    FROM data_import.account WHERE account.account_key = ANY (p_account_keys);
    SELECT array_agg(erased.account_key) INTO v_erased
    FROM data_import.erased_account AS erased WHERE erased.account_key = ANY (p_account_keys);

    SELECT array_agg(account.external_account_number::text) AS numbers,
           array_agg(regexp_replace(account.external_account_number, data_import.invisible_characters(), '', 'g')) AS seen
    INTO v_twin
    FROM data_import.account
    WHERE account.import_supplier = p_import_supplier
      AND account.external_account_number ~ data_import.invisible_characters()
      AND regexp_replace(account.external_account_number, data_import.invisible_characters(), '', 'g')
          = ANY (p_external_account_numbers);

    RETURN ARRAY(
        SELECT ROW(place, key, external_number, state_before, state,
                   CASE WHEN moves AND state = 'imported'
                        THEN coalesce(number, data_import.draw_service_account_number()) END,
                   number IS NULL, CASE state WHEN 'imported' THEN coalesce(created_at, p_at) END,
                   CASE state WHEN 'failed' THEN p_reason END, moves, code,
                   CASE WHEN code IS NOT NULL THEN data_import.refusal_sentence(
                       code, p_import_supplier, v_supplier_status, external_number, state_before, forbidden, number_problem)
                   END)::data_import.account_move
        FROM (SELECT generate_subscripts(p_account_keys, 1) AS place, unnest(p_account_keys) AS key,
                     unnest(p_external_account_numbers) AS external_number, unnest(p_states) AS state,
                     unnest(p_service_account_numbers) AS number, unnest(p_account_created_at) AS created_at) AS wanted
        LEFT JOIN unnest(v_known.keys, v_known.states, v_known.numbers, v_known.created_at, v_known.reasons)
             AS known (key, state_before, known_number, known_created_at, known_reason) USING (key)
        CROSS JOIN LATERAL (
            SELECT data_import.forbidden_step(state_before, state, known_number <> number OR known_created_at <> created_at),
                   coalesce('the external account number ' ||
                                CASE WHEN state_before IS NULL
                                     THEN coalesce(data_import.text_problem('name', external_number, 128),
                                                   data_import.invisible_problem(external_number)) END,
                            data_import.twin_problem(
                                p_import_supplier,
                                CASE WHEN state_before IS NULL
                                     THEN v_twin.numbers[array_position(v_twin.seen, external_number)] END),
                            'the number on the platform ' ||
                                CASE WHEN state = 'imported' THEN data_import.text_problem('name', number, 64) END)
            ) AS found (forbidden, number_problem)
        CROSS JOIN LATERAL (
            SELECT CASE WHEN number_problem IS NOT NULL THEN 'DI009'
                        WHEN forbidden IS NOT NULL THEN 'DI004'
                        WHEN key = ANY (v_erased) THEN 'DI007'
                        WHEN state_before IS NULL AND state IS DISTINCT FROM 'staged' AND NOT p_is_load THEN 'DI003'
                        WHEN state_before IS NULL AND v_supplier_status <> 'Ongoing' THEN 'DI002' END) AS refusal (code)
        CROSS JOIN LATERAL (
            SELECT code IS NULL AND state IS NOT NULL
                   AND (state IS DISTINCT FROM state_before
                        OR state = 'failed' AND NOT p_is_load AND known_reason IS DISTINCT FROM p_reason)) AS verdict (moves)
        ORDER BY place);
END
$$;

-- Stores the accounts of p_moves that get a state and are not stored yet, with p_at as staged_at and state_changed_at. Raises
-- DI001 if there is no such supplier. If another transaction is removing the supplier, waits first until that transaction has
-- ended.
CREATE OR REPLACE FUNCTION data_import.create_accounts(
    p_import_supplier text, p_moves data_import.account_move[], p_at timestamptz)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM 1 FROM data_import.import_supplier WHERE code = p_import_supplier FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no import supplier %', p_import_supplier USING ERRCODE = 'DI001';
    END IF;
    INSERT INTO data_import.account (account_key, import_supplier, external_account_number, state, service_account_number,
                                     account_created_at, failure_reason, staged_at, state_changed_at)
    SELECT account_key, p_import_supplier, external_account_number, state, service_account_number, account_created_at, reason,
           p_at, p_at
    FROM unnest(p_moves)
    WHERE moves AND state_before IS NULL
    ORDER BY external_account_number;
END
$$;

-- Locks an account, and returns the verdict of begin_imports. If the account is locked already, tries again for up to 50 ms,
-- because most locks are those of other imports, and last only some milliseconds.
--
-- Without these tries, the worker would have to repeat the request later, perhaps only after a slow vendor has answered another
-- request. The victim of the attack slow-vendor (make attacks) would then have a p99 of 900 ms.
CREATE FUNCTION data_import.begin_import_soon(p_account_key uuid, p_import_supplier text) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_verdict text;
BEGIN
    FOR attempt IN 1 .. 6 LOOP
        v_verdict := (data_import.begin_imports(ARRAY[p_account_key], ARRAY[p_import_supplier]))[1];
        EXIT WHEN v_verdict <> 'account_locked' OR attempt = 6;
        PERFORM pg_sleep(0.01);
    END LOOP;
    RETURN v_verdict;
END
$$;
COMMENT ON FUNCTION data_import.begin_import_soon IS
    'Locks an account and tells whether it takes imports, as begin_imports does; waits up to 50 ms for a locked one.';

-- A repeat of a stored instruction, and an instruction that its vendor has confirmed, do not wait long for a locked account. The
-- verdict account_locked then says that the request is to be tried again. The functions that the version before calls wait as they
-- did, and find_payment_instruction then finds that their transaction holds the lock.
CREATE FUNCTION data_import.find_payment_instruction(
    p_account_key uuid, p_import_supplier text, p_organisation text, p_vendor text, p_reference text, p_probe_seconds integer,
    OUT verdict text, OUT service_account_number text, OUT admission text, OUT retry_after integer)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    retry_after := 0;
    verdict := data_import.import_verdict(p_account_key, p_import_supplier);
    IF verdict = 'done' AND EXISTS (SELECT 1 FROM data_import.payment_instruction
                                    WHERE account_key = p_account_key AND vendor = p_vendor AND reference = p_reference) THEN
        -- a session that holds the lock may be about to remove the instruction
        verdict := data_import.begin_import_soon(p_account_key, p_import_supplier);
        IF verdict = 'done' THEN
            PERFORM 1 FROM data_import.payment_instruction
            WHERE account_key = p_account_key AND vendor = p_vendor AND reference = p_reference;
            admission := CASE WHEN FOUND THEN 'stored' END;
        END IF;
    END IF;
    IF verdict <> 'done' THEN
        RETURN;
    END IF;
    service_account_number := (SELECT a.service_account_number FROM data_import.account AS a
                               WHERE a.account_key = p_account_key);
    IF admission IS NULL THEN
        SELECT a.admission, a.retry_after INTO admission, retry_after
        FROM data_import.payment_vendor_admission(p_organisation, p_vendor, p_probe_seconds) AS a;
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.find_payment_instruction IS
    'Whether the account takes the instruction, and whether the vendor is to be asked; stored: the account has it.';

CREATE OR REPLACE FUNCTION data_import.payment_instruction_look(
    p_account_key uuid, p_import_supplier text, p_organisation text, p_vendor text, p_reference text, p_probe_seconds integer,
    OUT verdict text, OUT service_account_number text, OUT admission text, OUT retry_after integer)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM data_import.lock_account(p_account_key) FROM data_import.payment_instruction
    WHERE account_key = p_account_key AND vendor = p_vendor AND reference = p_reference;
    SELECT found.* INTO verdict, service_account_number, admission, retry_after
    FROM data_import.find_payment_instruction(
        p_account_key, p_import_supplier, p_organisation, p_vendor, p_reference, p_probe_seconds) AS found;
END
$$;

CREATE FUNCTION data_import.store_payment_instruction(
    p_account_key uuid, p_import_supplier text, p_request_id uuid, p_api_key_id bigint, p_organisation text, p_vendor text,
    p_reference text, p_type text, p_status text, p_last_four text, p_masked_account text, p_details jsonb,
    OUT verdict text, OUT service_account_number text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    verdict := data_import.begin_import_soon(p_account_key, p_import_supplier);
    PERFORM data_import.payment_vendor_answered(p_organisation, p_vendor, p_reference);
    IF verdict <> 'done' THEN
        RETURN;
    END IF;
    service_account_number := (SELECT a.service_account_number FROM data_import.account AS a
                               WHERE a.account_key = p_account_key);
    INSERT INTO data_import.payment_instruction (account_key, vendor, reference, type, status, last_four,
        masked_account, details, request_id, api_key_id)
    VALUES (p_account_key, p_vendor, p_reference, p_type, p_status, p_last_four, p_masked_account, p_details,
        p_request_id, p_api_key_id)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
        INSERT INTO data_import.import_receipt (import_supplier, kind, value)
        VALUES (p_import_supplier, 'payment_instructions', 1);
    ELSE
        verdict := 'repeated';
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.store_payment_instruction IS
    'Stores an instruction that the vendor has confirmed, unless the account has it.';

CREATE OR REPLACE FUNCTION data_import.payment_instruction_import(
    p_account_key uuid, p_import_supplier text, p_request_id uuid, p_api_key_id bigint, p_organisation text, p_vendor text,
    p_reference text, p_type text, p_status text, p_last_four text, p_masked_account text, p_details jsonb,
    OUT verdict text, OUT service_account_number text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    -- waits for the account before it locks rows of the vendor, which all requests use
    PERFORM data_import.lock_account(p_account_key);
    SELECT stored.* INTO verdict, service_account_number
    FROM data_import.store_payment_instruction(
        p_account_key, p_import_supplier, p_request_id, p_api_key_id, p_organisation, p_vendor, p_reference, p_type, p_status,
        p_last_four, p_masked_account, p_details) AS stored;
END
$$;

ALTER TABLE data_import.payment_vendor_circuit ADD COLUMN problem text;
COMMENT ON COLUMN data_import.payment_vendor_circuit.problem IS 'What was wrong with the last answer; null: it is not known.';

CREATE FUNCTION data_import.note_vendor_failure(
    p_organisation text, p_vendor text, p_reference text, p_request_id uuid, p_timed_out boolean, p_was_probe boolean,
    p_most_failures integer, p_most_time_outs integer, p_first_pause integer, p_longest_pause integer, p_problem text)
RETURNS integer LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_in_a_row constant integer := data_import.payment_vendor_failed(
        p_organisation, p_vendor, p_reference, p_request_id, p_timed_out, p_was_probe, p_most_failures, p_most_time_outs,
        p_first_pause, p_longest_pause);
BEGIN
    UPDATE data_import.payment_vendor_circuit SET problem = left(p_problem, 400)
    WHERE vendor = p_vendor AND organisation = p_organisation;
    RETURN v_in_a_row;
END
$$;
COMMENT ON FUNCTION data_import.note_vendor_failure IS
    'Counts a failure as payment_vendor_failed does, and keeps what was wrong with the answer.';

GRANT EXECUTE ON FUNCTION data_import.find_payment_instruction, data_import.store_payment_instruction,
    data_import.note_vendor_failure TO "data-import";
