-- Payment instructions, and the failures of their vendors (contract, sections 4.8, 5.7 and 8).

-- A request that calls a vendor has three steps. First, find_payment_instruction decides whether to call. Then the call is made
-- with no transaction open. Finally, store_payment_instruction, payment_vendor_answered or note_vendor_failure records the
-- outcome. A vendor that answers has no rows in the two tables of failures, so nothing is written to them as long as all is well.
--
-- Failures are counted by organisation and vendor, because a vendor may fail for the references of one organisation alone. Each
-- organisation has a circuit breaker for each vendor. Each vendor also has a circuit breaker of its own, which stops the calls of
-- all organisations. The vendor's own circuit breaker opens when calls have failed for two organisations whose circuit breakers
-- are open, and the vendor has answered nobody since the first of these failures.

CREATE TABLE data_import.payment_instruction (
    account_key    uuid NOT NULL,
    vendor         text COLLATE "C" NOT NULL
                   CONSTRAINT vendor_is_of_1_to_64_characters CHECK (char_length(vendor) BETWEEN 1 AND 64),
    reference      text COLLATE "C" NOT NULL
                   CONSTRAINT reference_is_of_1_to_512_characters CHECK (char_length(reference) BETWEEN 1 AND 512),
    type           text NOT NULL CONSTRAINT type_is_of_1_to_32_characters CHECK (char_length(type) BETWEEN 1 AND 32),
    status         text NOT NULL,
    last_four      text CONSTRAINT last_four_are_four_at_most CHECK (char_length(last_four) <= 4),
    masked_account text,
    details        jsonb NOT NULL,
    LIKE data_import.provenance INCLUDING DEFAULTS INCLUDING COMMENTS,
    PRIMARY KEY (account_key, vendor, reference)
);
COMMENT ON TABLE data_import.payment_instruction IS
    'Imported payment instructions that their vendor has confirmed (contract, section 4.8).';
COMMENT ON COLUMN data_import.payment_instruction.account_key IS 'The account.';
COMMENT ON COLUMN data_import.payment_instruction.vendor IS 'Code of the vendor, as configured and as sent.';
COMMENT ON COLUMN data_import.payment_instruction.reference IS
    'The instruction''s reference at the vendor, as sent, never masked: the vendor knows the instruction by it.';
COMMENT ON COLUMN data_import.payment_instruction.type IS 'Type of the instruction as sent, CARD for one.';
COMMENT ON COLUMN data_import.payment_instruction.status IS 'Status of the instruction at the vendor: active.';
COMMENT ON COLUMN data_import.payment_instruction.last_four IS
    'Last four digits of the card, where the vendor gave them or the card''s number.';
COMMENT ON COLUMN data_import.payment_instruction.masked_account IS
    'Number of the bank account with all but its last four characters masked, where the vendor gave one.';
COMMENT ON COLUMN data_import.payment_instruction.details IS
    'What the vendor said: the fields that the contract names in section 8. 1.0.0 stored all that it said, with numbers of cards and accounts masked but for their last four.';

CREATE TABLE data_import.payment_vendor_failure (
    organisation     text COLLATE "C" NOT NULL,
    vendor           text COLLATE "C" NOT NULL,
    reference_digest bytea NOT NULL CONSTRAINT reference_digest_is_a_sha256 CHECK (octet_length(reference_digest) = 32),
    failures         integer NOT NULL,
    last_request_id  uuid NOT NULL,
    last_failed_at   timestamptz NOT NULL,
    PRIMARY KEY (organisation, vendor, reference_digest)
);
COMMENT ON TABLE data_import.payment_vendor_failure IS
    'Requests in a row of one organisation about one instruction of a vendor that failed; any other outcome removes the row.';
COMMENT ON COLUMN data_import.payment_vendor_failure.organisation IS 'Organisation of the API key.';
COMMENT ON COLUMN data_import.payment_vendor_failure.vendor IS 'Code of the vendor.';
COMMENT ON COLUMN data_import.payment_vendor_failure.reference_digest IS 'SHA-256 of the instruction''s reference.';
COMMENT ON COLUMN data_import.payment_vendor_failure.failures IS 'How many requests in a row have failed.';
COMMENT ON COLUMN data_import.payment_vendor_failure.last_request_id IS 'The last of them, which counts once.';
COMMENT ON COLUMN data_import.payment_vendor_failure.last_failed_at IS 'When it failed.';
CREATE INDEX payment_vendor_failure_by_age ON data_import.payment_vendor_failure (last_failed_at);

CREATE TABLE data_import.payment_vendor_circuit (
    organisation text COLLATE "C" NOT NULL,
    vendor       text COLLATE "C" NOT NULL,
    failures     integer NOT NULL,
    time_outs    integer NOT NULL,
    failing      text[] NOT NULL DEFAULT '{}',
    pauses       integer NOT NULL DEFAULT 0,
    open_until   timestamptz,
    probe_until  timestamptz,
    changed_at   timestamptz NOT NULL,
    problem      text,
    PRIMARY KEY (vendor, organisation),
    CONSTRAINT open_circuits_pause CHECK ((pauses = 0) = (open_until IS NULL)),
    CONSTRAINT own_circuits_alone_know_who_fails CHECK (organisation = '' OR failing = '{}')
);
COMMENT ON TABLE data_import.payment_vendor_circuit IS
    'Vendors whose last calls for an organisation have failed. A vendor that answers has no row here.';
COMMENT ON COLUMN data_import.payment_vendor_circuit.organisation IS
    'Organisation of the API keys; empty for the vendor''s own circuit, which holds for all.';
COMMENT ON COLUMN data_import.payment_vendor_circuit.vendor IS 'Code of the vendor.';
COMMENT ON COLUMN data_import.payment_vendor_circuit.failures IS
    'Failed requests of the organisation in a row, repeats about the same instruction counted once.';
COMMENT ON COLUMN data_import.payment_vendor_circuit.time_outs IS 'Those of them that the vendor let run out of time.';
COMMENT ON COLUMN data_import.payment_vendor_circuit.failing IS
    'Of the vendor''s own circuit: organisations that failed with an open circuit since the vendor answered anybody.';
COMMENT ON COLUMN data_import.payment_vendor_circuit.pauses IS
    'Pauses in a row without a good call between them; 0 while the circuit is closed.';
COMMENT ON COLUMN data_import.payment_vendor_circuit.open_until IS
    'End of the present pause, during which nobody calls the vendor; then one request at a time tries.';
COMMENT ON COLUMN data_import.payment_vendor_circuit.probe_until IS 'Until when the last try may take.';
COMMENT ON COLUMN data_import.payment_vendor_circuit.changed_at IS 'When a call failed last.';
COMMENT ON COLUMN data_import.payment_vendor_circuit.problem IS 'What was wrong with the last answer; null: it is not known.';

-- Decides whether a request may call the vendor. Two circuit breakers have to allow it: the organisation's and the vendor's own.
-- If several requests find that the pause of a circuit breaker is over, one request becomes the probe. The others get the
-- admission `wait`, without waiting for rows that the probe has locked.
CREATE FUNCTION data_import.payment_vendor_admission(
    p_organisation text, p_vendor text, p_probe_seconds integer, OUT admission text, OUT retry_after integer)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_now constant timestamptz := clock_timestamp();
    v_open integer;
    v_due integer;
    v_open_until timestamptz;
BEGIN
    admission := 'call';
    retry_after := 0;
    SELECT count(*), max(open_until) INTO v_open, v_open_until FROM data_import.payment_vendor_circuit
    WHERE vendor = p_vendor AND organisation IN (p_organisation, '') AND open_until IS NOT NULL;
    IF v_open = 0 THEN
        RETURN;
    END IF;
    PERFORM FROM data_import.payment_vendor_circuit
    WHERE vendor = p_vendor AND organisation IN (p_organisation, '')
      AND open_until <= v_now AND (probe_until IS NULL OR probe_until <= v_now)
    ORDER BY organisation DESC
    FOR UPDATE SKIP LOCKED;
    GET DIAGNOSTICS v_due = ROW_COUNT;
    IF v_due = v_open THEN
        UPDATE data_import.payment_vendor_circuit SET probe_until = v_now + make_interval(secs => p_probe_seconds)
        WHERE vendor = p_vendor AND organisation IN (p_organisation, '') AND open_until IS NOT NULL;
        admission := 'probe';
    ELSE
        admission := 'wait';
        retry_after := greatest(1, ceil(extract(epoch FROM v_open_until - v_now)));
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.payment_vendor_admission IS
    'call: the vendor may be called; probe: as the one that tries after a pause; wait: not before retry_after seconds.';

-- Forgets the failures of a vendor that has answered the organisation.
--
-- All functions change rows in the same order, so that requests cannot deadlock: payment_vendor_failure, then in
-- payment_vendor_circuit the row of the organisation, then the vendor's own row (with an empty organisation).
CREATE FUNCTION data_import.payment_vendor_answered(p_organisation text, p_vendor text, p_reference text) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DELETE FROM data_import.payment_vendor_failure
    WHERE organisation = p_organisation AND vendor = p_vendor AND reference_digest = sha256(convert_to(p_reference, 'UTF8'));
    DELETE FROM data_import.payment_vendor_circuit WHERE vendor = p_vendor AND organisation = p_organisation;
    DELETE FROM data_import.payment_vendor_circuit WHERE vendor = p_vendor AND organisation = ''
$$;
COMMENT ON FUNCTION data_import.payment_vendor_answered IS
    'The vendor has answered the organisation, whatever it said: failures before this no longer count.';

-- Counts a failed request, and returns how many requests for the instruction have failed in a row. At the first failure of
-- an instruction, also deletes up to ten rows of other instructions whose last failure was more than 30 days ago.
CREATE FUNCTION data_import.payment_vendor_failure_count(
    p_organisation text, p_vendor text, p_reference text, p_request_id uuid)
RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_failures integer;
BEGIN
    INSERT INTO data_import.payment_vendor_failure AS known (organisation, vendor, reference_digest, failures,
        last_request_id, last_failed_at)
    VALUES (p_organisation, p_vendor, sha256(convert_to(p_reference, 'UTF8')), 1, p_request_id, clock_timestamp())
    ON CONFLICT (organisation, vendor, reference_digest) DO UPDATE
        SET failures = known.failures + CASE WHEN known.last_request_id = p_request_id THEN 0 ELSE 1 END,
            last_request_id = p_request_id, last_failed_at = clock_timestamp()
    RETURNING failures INTO v_failures;
    IF v_failures = 1 THEN
        DELETE FROM data_import.payment_vendor_failure AS known
        USING (SELECT organisation, vendor, reference_digest FROM data_import.payment_vendor_failure
               WHERE last_failed_at < statement_timestamp() - interval '30 days'
               ORDER BY last_failed_at LIMIT 10 FOR UPDATE SKIP LOCKED) AS old
        WHERE known.organisation = old.organisation AND known.vendor = old.vendor
          AND known.reference_digest = old.reference_digest;
    END IF;
    RETURN v_failures;
END
$$;
COMMENT ON FUNCTION data_import.payment_vendor_failure_count IS
    'Counts a failed request about an instruction and answers how many in a row there are now; a request counts once.';

CREATE FUNCTION data_import.payment_vendor_pause(
    p_organisation text, p_vendor text, p_first_pause integer, p_longest_pause integer) RETURNS void
LANGUAGE sql VOLATILE AS $$
    UPDATE data_import.payment_vendor_circuit
    SET pauses = pauses + 1, probe_until = NULL,
        open_until = clock_timestamp()
            + make_interval(secs => least(p_longest_pause, p_first_pause * power(2, least(pauses, 30))))
    WHERE vendor = p_vendor AND organisation = p_organisation
$$;
COMMENT ON FUNCTION data_import.payment_vendor_pause IS
    'Opens a circuit, or leaves it open for a pause twice as long as the one before.';

-- Counts a failing organisation in the vendor's own circuit breaker, which stops the calls of all organisations. The caller has
-- just begun a pause of the organisation's circuit breaker. With the second organisation, the vendor's own circuit breaker opens.
-- While it is open, only the failure of a probe (p_was_probe) begins a new pause. p_first_pause and p_longest_pause are in
-- seconds.
CREATE FUNCTION data_import.payment_vendor_own_failed(
    p_organisation text, p_vendor text, p_was_probe boolean, p_first_pause integer, p_longest_pause integer) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_own data_import.payment_vendor_circuit;
BEGIN
    INSERT INTO data_import.payment_vendor_circuit AS known (organisation, vendor, failures, time_outs, failing, changed_at)
    VALUES ('', p_vendor, 0, 0, ARRAY[p_organisation], clock_timestamp())
    ON CONFLICT (vendor, organisation) DO UPDATE
        SET changed_at = excluded.changed_at,
            failing = CASE WHEN p_organisation = ANY (known.failing) THEN known.failing
                           ELSE known.failing || p_organisation END
    RETURNING * INTO v_own;
    IF (CASE WHEN v_own.pauses > 0 THEN p_was_probe ELSE cardinality(v_own.failing) > 1 END) THEN
        PERFORM data_import.payment_vendor_pause('', p_vendor, p_first_pause, p_longest_pause);
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.payment_vendor_own_failed IS
    'Counts a failing organisation in the vendor''s own circuit.';

-- Counts a failed request, and returns how many requests of the organisation for this instruction have failed in a row.
--
-- The second to the fifth failure in a row do not count in the circuit breaker. The service has asked the client for these
-- retries, so they say little about the vendor.
CREATE FUNCTION data_import.payment_vendor_failed(
    p_organisation text, p_vendor text, p_reference text, p_request_id uuid, p_timed_out boolean, p_was_probe boolean,
    p_most_failures integer, p_most_time_outs integer, p_first_pause integer, p_longest_pause integer)
RETURNS integer LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_in_a_row constant integer :=
        data_import.payment_vendor_failure_count(p_organisation, p_vendor, p_reference, p_request_id);
    v_weight constant integer := CASE WHEN v_in_a_row = 1 OR v_in_a_row > 5 THEN 1 ELSE 0 END;
    v_circuit data_import.payment_vendor_circuit;
    v_opens boolean;
BEGIN
    INSERT INTO data_import.payment_vendor_circuit AS known (organisation, vendor, failures, time_outs, changed_at)
    VALUES (p_organisation, p_vendor, v_weight, v_weight * p_timed_out::integer, clock_timestamp())
    ON CONFLICT (vendor, organisation) DO UPDATE
        SET failures = known.failures + excluded.failures, time_outs = known.time_outs + excluded.time_outs,
            changed_at = excluded.changed_at
    RETURNING * INTO v_circuit;
    -- a call that began before the pause adds nothing to it
    v_opens := CASE WHEN v_circuit.pauses > 0 THEN p_was_probe
                    ELSE v_circuit.failures >= p_most_failures OR v_circuit.time_outs >= p_most_time_outs END;
    IF v_opens THEN
        PERFORM data_import.payment_vendor_pause(p_organisation, p_vendor, p_first_pause, p_longest_pause);
    END IF;
    IF v_opens THEN
        PERFORM data_import.payment_vendor_own_failed(p_organisation, p_vendor, p_was_probe, p_first_pause,
            p_longest_pause);
    ELSIF p_was_probe AND EXISTS (SELECT 1 FROM data_import.payment_vendor_circuit
                                  WHERE vendor = p_vendor AND organisation = '' AND pauses > 0) THEN
        PERFORM data_import.payment_vendor_pause('', p_vendor, p_first_pause, p_longest_pause);
    END IF;
    RETURN v_in_a_row;
END
$$;
COMMENT ON FUNCTION data_import.payment_vendor_failed IS
    'The vendor did not answer a request as it should. Answers how many of the organisation''s in a row about this '
    'instruction.';

-- Decides whether the account takes the instruction (verdict), and whether to call the vendor (admission; `stored` if the account
-- has the instruction already). payment_vendor_admission describes the other values of admission, and retry_after. A probe that
-- has no result after p_probe_seconds counts as lost.
--
-- If the instruction is stored already and the account is locked, waits up to 50 ms for the lock. If the account is still locked
-- then, the verdict is account_locked, and the request is to be tried again.
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
        IF current_setting('data_import.tells_news', true) = 'on' THEN
            PERFORM data_import.add_news(ARRAY[p_account_key], now());
        END IF;
    ELSE
        verdict := 'repeated';
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.store_payment_instruction IS
    'Stores an instruction that the vendor has confirmed, unless the account has it.';

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

GRANT SELECT ON data_import.payment_instruction, data_import.payment_vendor_failure, data_import.payment_vendor_circuit TO
    "data-import";
GRANT EXECUTE ON FUNCTION data_import.payment_vendor_answered, data_import.payment_vendor_failed,
    data_import.find_payment_instruction, data_import.store_payment_instruction, data_import.note_vendor_failure TO
    "data-import";
