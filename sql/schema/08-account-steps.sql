-- The life of accounts: the steps between their states, and the rules for them.

-- Functions of the service (*_import) raise no error when they refuse a request. They store nothing and return a verdict, because
-- the calls of several requests may share one transaction. Functions that operators and the platform's software call (account_*,
-- statement_*) raise these errors, with a sentence for people:
--
--   DI001  the import supplier does not exist
--   DI002  the import supplier is not Ongoing
--   DI003  the account does not exist
--   DI004  this step is not allowed in the account's present state
--   DI005  the number on the platform belongs to another account
--   DI007  the account was erased
--   DI009  a number of an account (domains account_number, service_number) or a reason (domain reason) is not valid
--
-- The role "data-import-platform" of the platform's software may move accounts along, and open and close statement periods, by
-- these functions and by platform.begin_accounts. The functions run with the rights of their owner, so the role needs no rights
-- on tables:
--
--   account_stage(import_supplier, external_account_number [, true]) -> boolean
--       stages the account: a new one, or one that has failed; with true, also one that was erased
--   account_begin(import_supplier, external_account_number) -> boolean
--       says that an attempt to create the account on the platform is running
--   account_complete(import_supplier, external_account_number
--                    [, service_account_number, account_created_at, statement_first_day, statement_last_day]) -> text
--       says that the account exists on the platform; returns the account's number on the platform
--   account_fail(import_supplier, external_account_number, reason) -> boolean
--       says that the attempt has failed
--   statement_open(import_supplier, external_account_number, first_day, last_day) -> boolean
--       opens a statement period of the account, and closes the one that is open
--   statement_close(import_supplier, external_account_number) -> boolean
--       closes the open statement period of the account
--
-- A returned boolean says whether the call has changed anything. In a transaction whose isolation level is not READ COMMITTED,
-- PostgreSQL's default, the functions raise SQLSTATE 25000. The role with which the platform's software logs in has to be a
-- member of "data-import-platform". Examples of calls:
--
--   SELECT data_import.account_begin('ACME', '4711');
--   SELECT data_import.account_complete('ACME', '4711', 'A-1B2C3D4E', now(), '2024-05-01', '2024-05-31');
--
-- The six functions listed above, and `data-importctl account load`, call move_accounts, which applies the rules of an account's
-- life.

-- move_accounts has phases, each with a function of its own: judge_account_moves, take_service_account_numbers, create_accounts
-- and change_accounts, record_account_steps, record_account_events.
--
-- PostgreSQL keeps the plans of statements in these functions, because planning takes ten times as long as a step. A kept plan
-- does not know how long arrays are, so functions that join arrays switch nested loops off. The arrays that callers send are
-- unnested in a SELECT list, which takes a third of the time that unnest in FROM takes.

CREATE FUNCTION data_import.forbidden_step(p_state_before text, p_state text, p_has_other_values boolean) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE p_state
               WHEN 'staged' THEN CASE WHEN p_state_before IN ('in_progress', 'imported') THEN 'be staged' END
               WHEN 'in_progress' THEN CASE WHEN p_state_before = 'imported' THEN 'begin' END
               WHEN 'failed' THEN CASE WHEN p_state_before IN ('staged', 'imported') THEN 'fail' END
               WHEN 'imported' THEN
                   CASE WHEN p_state_before = 'failed' THEN 'be completed'
                        WHEN p_has_other_values THEN 'be completed with other values' END
               ELSE CASE WHEN p_state_before <> 'imported' THEN 'have a statement period' END
           END
$$;
COMMENT ON FUNCTION data_import.forbidden_step IS
    'The rules of an account''s life: what one in the first state cannot do, which is to come into the second, or for null to stay '
    'imported. Null: it can.';

CREATE FUNCTION data_import.refusal_sentence(
    p_code text, p_import_supplier text, p_supplier_status text, p_external_account_number text, p_state_before text,
    p_forbidden text, p_number_problem text)
RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE p_code
               WHEN 'DI002' THEN format('account %s is not known yet, and import supplier %s is %s: it takes no new accounts',
                                        p_external_account_number, p_import_supplier, lower(p_supplier_status))
               WHEN 'DI003' THEN format('import supplier %s has no account %s', p_import_supplier, p_external_account_number)
               WHEN 'DI004' THEN format('account %s of %s is %s: it cannot %s', p_external_account_number, p_import_supplier,
                                        replace(p_state_before, '_', ' '), p_forbidden)
               WHEN 'DI007' THEN format('account %s of %s was erased', p_external_account_number, p_import_supplier)
               WHEN 'DI009' THEN p_number_problem
           END
$$;
COMMENT ON FUNCTION data_import.refusal_sentence IS 'Why an account may not move, for people.';

-- Stores the numbers on the platform (service_account_number) of the elements of p_moves, and returns the elements with the
-- numbers stored. If another account has a number that the service has drawn (is_drawn), draws another number. If another account
-- has a number that the caller has chosen, the element gets the code DI005: it is refused.
--
-- The numbers are stored in ascending order, so that no two calls can deadlock.
CREATE FUNCTION data_import.take_service_account_numbers(p_moves data_import.account_move[])
RETURNS data_import.account_move[] LANGUAGE plpgsql VOLATILE SET enable_nestloop = off SET enable_seqscan = off AS $$
DECLARE
    v_wanted constant text[] := ARRAY(SELECT service_account_number FROM unnest(p_moves));
    v_numbers text[] := v_wanted;
    v_stored bigint;
    v_owned bigint := 0;
    v_taken record;
BEGIN
    LOOP
        INSERT INTO data_import.service_account_number (service_account_number, account_key)
        SELECT wanted.number, move.account_key
        FROM (SELECT unnest(v_numbers) AS number, generate_subscripts(v_numbers, 1) AS place) AS wanted
        JOIN unnest(p_moves) AS move USING (place)
        WHERE wanted.number IS NOT NULL
        ORDER BY wanted.number, move.is_drawn
        ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS v_stored = ROW_COUNT;
        v_owned := v_owned + v_stored;
        EXIT WHEN v_owned = cardinality(array_remove(v_numbers, NULL));

        SELECT array_agg(service_account_number::text) AS numbers, array_agg(account_key) AS owners INTO v_taken
        FROM data_import.service_account_number WHERE service_account_number = ANY (v_numbers);
        v_numbers := ARRAY(
            SELECT CASE WHEN taken.owner = move.account_key THEN wanted.number
                        WHEN move.is_drawn THEN data_import.draw_service_account_number() END
            FROM (SELECT unnest(v_numbers) AS number, generate_subscripts(v_numbers, 1) AS place) AS wanted
            JOIN unnest(p_moves) AS move USING (place)
            LEFT JOIN unnest(v_taken.numbers, v_taken.owners) AS taken (number, owner) USING (number)
            ORDER BY place);
    END LOOP;
    IF v_numbers = v_wanted THEN
        RETURN p_moves;
    END IF;
    RETURN ARRAY(
        SELECT ROW(place, account_key, external_account_number, state_before, state, number, is_drawn, account_created_at, reason,
                   moves, CASE WHEN is_taken THEN 'DI005' ELSE code END,
                   CASE WHEN is_taken
                        THEN format('number on the platform %s belongs to another account, %s', service_account_number,
                                    data_import.service_account_number_owner(service_account_number))
                        ELSE sentence END)::data_import.account_move
        FROM unnest(p_moves) AS move
        JOIN (SELECT unnest(v_numbers) AS number, generate_subscripts(v_numbers, 1) AS place) AS taken USING (place)
        CROSS JOIN LATERAL (SELECT service_account_number IS NOT NULL AND number IS NULL) AS verdict (is_taken)
        ORDER BY place);
END
$$;
COMMENT ON FUNCTION data_import.take_service_account_numbers IS
    'Makes the numbers of these moves those of the accounts, and answers the moves with the numbers taken, or refused.';

-- Stores the accounts of p_moves that get a state and are not stored yet, with p_at as staged_at and state_changed_at. Raises
-- DI001 if there is no such supplier. If another transaction is removing the supplier, waits first until that transaction has
-- ended.
CREATE FUNCTION data_import.create_accounts(
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
COMMENT ON FUNCTION data_import.create_accounts IS 'Stores those of the accounts that move and were not known.';

-- Updates the stored accounts of those elements of p_moves whose field `moves` is true. Takes p_moves apart into arrays first,
-- because other nodes of Citus do not know the type account_move.
CREATE FUNCTION data_import.change_accounts(p_moves data_import.account_move[], p_at timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE SET enable_nestloop = off SET enable_seqscan = off AS $$
DECLARE
    v_move record;
BEGIN
    SELECT array_agg(account_key) AS keys, array_agg(state) AS states, array_agg(service_account_number) AS numbers,
           array_agg(account_created_at) AS created_at, array_agg(reason) AS reasons
    INTO v_move
    FROM unnest(p_moves) WHERE moves AND state_before IS NOT NULL;
    UPDATE data_import.account
    SET state = move.state, service_account_number = move.number, account_created_at = move.created_at,
        failure_reason = move.reason, state_changed_at = p_at
    FROM unnest(v_move.keys, v_move.states, v_move.numbers, v_move.created_at, v_move.reasons)
         AS move (account_key, state, number, created_at, reason)
    WHERE account.account_key = move.account_key AND account.account_key = ANY (v_move.keys);
END
$$;
COMMENT ON FUNCTION data_import.change_accounts IS 'Brings those of the accounts into their new states that move and were known.';

CREATE FUNCTION data_import.record_account_steps(
    p_import_supplier text, p_moves data_import.account_move[], p_at timestamptz)
RETURNS void LANGUAGE plpgsql VOLATILE SET enable_nestloop = off SET enable_seqscan = off AS $$
DECLARE
    v_author constant text := data_import.step_author();
    v_known_keys constant uuid[] := ARRAY(SELECT account_key FROM unnest(p_moves) WHERE moves AND state_before IS NOT NULL);
    v_last record;
BEGIN
    SELECT array_agg(last.account_key) AS keys, array_agg(last.number) AS numbers INTO v_last
    FROM (SELECT account_key, max(number) AS number FROM data_import.account_step
          WHERE account_key = ANY (v_known_keys) GROUP BY account_key) AS last;
    INSERT INTO data_import.account_step (account_key, number, state, at, author, reason)
    SELECT account_key, coalesce(last.number, 0) + 1, move.state, p_at, v_author, move.reason
    FROM unnest(p_moves) AS move
    LEFT JOIN unnest(v_last.keys, v_last.numbers) AS last (account_key, number) USING (account_key)
    WHERE move.moves
    ORDER BY account_key;

    INSERT INTO data_import.import_receipt (import_supplier, kind, value, at)
    SELECT p_import_supplier, 'account_' || change.state, sum(change.accounts), p_at
    FROM (SELECT state, state_before AS other_state, 1 AS accounts FROM unnest(p_moves) WHERE moves
          UNION ALL
          SELECT state_before, state, -1 FROM unnest(p_moves) WHERE moves) AS change
    WHERE change.state IS NOT NULL AND change.state IS DISTINCT FROM change.other_state
    GROUP BY change.state;
END
$$;
COMMENT ON FUNCTION data_import.record_account_steps IS
    'Adds a step to the history of each account that moves, and to the figures of progress where the state has changed.';

-- Deletes the tombstone of an account that is staged again. The account's history begins anew; its first entry is the erasure.
-- Callers have locked the account.
CREATE FUNCTION data_import.forget_erasure(p_account_key uuid) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_erased record;
BEGIN
    SELECT at, author INTO v_erased FROM data_import.erased_account WHERE account_key = p_account_key;
    IF FOUND THEN
        DELETE FROM data_import.erased_account WHERE account_key = p_account_key;
        INSERT INTO data_import.account_action (account_key, number, action, at, author)
        VALUES (p_account_key, 1, 'erased', v_erased.at, v_erased.author);
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.forget_erasure IS 'Lets an erased account be staged again.';

-- Counts the failed accounts of a supplier. If p_reason_like is null, counts all of them; otherwise counts those whose reason
-- contains the text p_reason_like, in upper or lower case. An account that was loaded as failed has no reason.
CREATE FUNCTION data_import.count_failed_accounts(p_import_supplier text, p_reason_like text) RETURNS bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN (SELECT count(*) FROM data_import.next_open_accounts(p_import_supplier, 'failed', 'infinity', '', 2147483647)
            WHERE p_reason_like IS NULL OR strpos(lower(reason), lower(p_reason_like)) > 0);
END
$$;
COMMENT ON FUNCTION data_import.count_failed_accounts IS 'How many accounts retry_failed_accounts() would stage in all.';

-- Returns what is wrong with a new account number that looks the same as p_twin, the number of an account that the supplier has;
-- null if p_twin is null.
CREATE FUNCTION data_import.twin_problem(p_import_supplier text, p_twin text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT format('import supplier %s has account %s, whose number looks the same: it %s', p_import_supplier,
                  data_import.with_invisible_named(p_twin), data_import.invisible_problem(p_twin))
$$;
COMMENT ON FUNCTION data_import.twin_problem IS 'Names an account that nobody could tell from another one. Null: there is none.';

-- Returns an element for each account: whether its state changes, whether it stays as it is, or why it is refused. The parameters
-- are those of move_accounts, and p_at, the time of the step. An account that becomes imported without a number on the platform
-- gets one from draw_service_account_number.
--
-- The function first reads tables into arrays, and joins only arrays, because the rows of accounts may be on several machines.
-- The SET clauses make plans find rows by an index and join arrays by hashing.
CREATE FUNCTION data_import.judge_account_moves(
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
COMMENT ON FUNCTION data_import.judge_account_moves IS
    'Tells what is to become of each account: whether it moves, or may not and why. Raises DI001 and DI002.';

-- Moves accounts of one supplier, one for each element of the arrays, and opens their statement periods. The caller has locked
-- the accounts, or the whole table of accounts. If an array is null, all its elements count as null:
--
--   p_states                   the state that begins; null for an account that is imported and stays so
--   p_service_account_numbers  numbers for the accounts that become imported; null: a number is given out here
--   p_account_created_at       times of creation of the accounts that become imported; null: now
--   p_reason                   reason of the accounts that fail; null in a load, which sets no reasons
--   p_first_days, p_last_days  the statement period to open in place of the open one; null: none
--   p_is_load                  true for a load: an unknown account may begin in any state, and a failed one keeps its reason
--
-- An account that is in the wanted state already stays as it is. A failed account gets the reason p_reason nevertheless, unless
-- the call is a load. The output parameter refused holds the indexes of the refused elements, from 1; null if none is refused. If
-- refused is not null, the caller has to roll back.
CREATE FUNCTION data_import.move_accounts(
    p_import_supplier text, p_account_keys uuid[], p_external_account_numbers text[], p_states text[],
    p_service_account_numbers text[], p_account_created_at timestamptz[], p_reason text, p_first_days date[],
    p_last_days date[], p_is_load boolean,
    OUT created bigint, OUT moved bigint, OUT unchanged bigint, OUT statement_periods_opened bigint,
    OUT refused integer[], OUT codes text[], OUT sentences text[])
LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_now constant timestamptz := clock_timestamp();
    v_moves data_import.account_move[] := data_import.judge_account_moves(
        p_import_supplier, p_account_keys, p_external_account_numbers, p_states, p_service_account_numbers,
        p_account_created_at, p_reason, p_is_load, v_now);
BEGIN
    IF 'imported' = ANY (p_states) THEN
        v_moves := data_import.take_service_account_numbers(v_moves);
    END IF;
    SELECT count(*) FILTER (WHERE state_before IS NULL), count(*) FILTER (WHERE moves AND state_before IS NOT NULL),
           count(*) FILTER (WHERE NOT moves), array_agg(place) FILTER (WHERE code IS NOT NULL),
           array_agg(code) FILTER (WHERE code IS NOT NULL), array_agg(sentence) FILTER (WHERE code IS NOT NULL)
    INTO created, moved, unchanged, refused, codes, sentences
    FROM unnest(v_moves);
    statement_periods_opened := 0;
    IF refused IS NOT NULL THEN
        RETURN;
    END IF;

    IF created > 0 THEN
        PERFORM data_import.create_accounts(p_import_supplier, v_moves, v_now);
    END IF;
    IF moved > 0 THEN
        PERFORM data_import.change_accounts(v_moves, v_now);
    END IF;
    IF created + moved > 0 THEN
        PERFORM data_import.record_account_steps(p_import_supplier, v_moves, v_now);
        PERFORM data_import.record_account_events(p_import_supplier, v_moves, v_now);
    END IF;
    IF array_remove(p_first_days, NULL) <> '{}' THEN
        statement_periods_opened := data_import.open_statement_periods(p_account_keys, p_first_days, p_last_days, v_now);
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.move_accounts IS
    'Moves accounts of one supplier and opens statement periods, all of them or none, and tells what it did or refused.';

-- Moves one account by the rules of move_accounts. Waits first for a load of many accounts, which locks the whole table so that
-- no account changes after the load has read it. Returns whether anything changed.
CREATE FUNCTION data_import.move_account(
    p_import_supplier text, p_external_account_number text, p_state text, p_reason text DEFAULT NULL,
    p_service_account_number text DEFAULT NULL, p_account_created_at timestamptz DEFAULT NULL,
    p_first_day date DEFAULT NULL, p_last_day date DEFAULT NULL)
RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_account_key constant uuid := data_import.account_key(p_import_supplier, p_external_account_number);
    v_done record;
BEGIN
    IF (p_first_day IS NULL) <> (p_last_day IS NULL) THEN
        RAISE EXCEPTION 'a statement period has to have a first and a last day' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    LOCK TABLE data_import.account IN ROW EXCLUSIVE MODE;
    PERFORM data_import.lock_account(v_account_key);
    SELECT * INTO v_done FROM data_import.move_accounts(
        p_import_supplier, ARRAY[v_account_key], ARRAY[p_external_account_number], ARRAY[p_state],
        ARRAY[p_service_account_number], ARRAY[p_account_created_at], p_reason, ARRAY[p_first_day], ARRAY[p_last_day], false);
    IF v_done.refused IS NOT NULL THEN
        RAISE EXCEPTION '%', v_done.sentences[1] USING ERRCODE = v_done.codes[1];
    END IF;
    PERFORM data_import.await_standbys();
    RETURN v_done.created + v_done.moved + v_done.statement_periods_opened > 0;
END
$$;
COMMENT ON FUNCTION data_import.move_account IS
    'Moves one account under its lock and tells whether anything changed. Raises DI001 to DI005, DI007 and DI009.';

-- Makes an account known, or stages it again after a failed attempt; stages an erased account only if the call says so. Returns
-- whether anything changed.
CREATE FUNCTION data_import.account_stage(
    p_import_supplier text, p_external_account_number text, p_although_erased boolean DEFAULT false)
RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_account_key constant uuid := data_import.account_key(p_import_supplier, p_external_account_number);
BEGIN
    IF p_although_erased THEN
        LOCK TABLE data_import.account IN ROW EXCLUSIVE MODE;
        PERFORM data_import.lock_account(v_account_key);
        PERFORM data_import.forget_erasure(v_account_key);
    END IF;
    RETURN data_import.move_account(p_import_supplier, p_external_account_number, 'staged');
END
$$;
COMMENT ON FUNCTION data_import.account_stage IS 'Stages an account: pending from now on. Raises DI001, DI002, DI004, DI007, DI009.';

-- Records that an attempt to create the account on the platform is running. Returns whether anything changed.
CREATE FUNCTION data_import.account_begin(p_import_supplier text, p_external_account_number text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN data_import.move_account(p_import_supplier, p_external_account_number, 'in_progress');
END
$$;
COMMENT ON FUNCTION data_import.account_begin IS
    'Begins an attempt on a staged or failed account. Raises DI001 to DI004, DI007 and DI009.';

-- Records that the attempt failed. This is allowed while the supplier is paused, so that a running attempt can be ended.
CREATE FUNCTION data_import.account_fail(p_import_supplier text, p_external_account_number text, p_reason text)
RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_problem constant text := data_import.text_problem('text', p_reason, 4096);
BEGIN
    IF p_reason IS NULL THEN
        RAISE EXCEPTION 'a failure has to have a reason' USING ERRCODE = 'null_value_not_allowed';
    ELSIF v_problem IS NOT NULL THEN
        RAISE EXCEPTION 'the reason %', v_problem USING ERRCODE = 'DI009';
    END IF;
    RETURN data_import.move_account(p_import_supplier, p_external_account_number, 'failed', p_reason);
END
$$;
COMMENT ON FUNCTION data_import.account_fail IS
    'Ends the running attempt as failed, with a reason. Raises DI002, DI003, DI004, DI007 and DI009.';

-- Records that the account exists on the platform, and returns the account's number on the platform. If p_service_account_number
-- is null, a number is drawn here. If p_account_created_at is null, the present time is taken. The two days are those of the
-- statement period to open; if both are null, none is opened. An account that is imported already keeps its number and its time
-- of creation. Raises DI004 if the call passes another number or time for such an account.
CREATE FUNCTION data_import.account_complete(
    p_import_supplier text, p_external_account_number text,
    p_service_account_number text DEFAULT NULL, p_account_created_at timestamptz DEFAULT NULL,
    p_statement_first_day date DEFAULT NULL, p_statement_last_day date DEFAULT NULL)
RETURNS text LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_account_key constant uuid := data_import.account_key(p_import_supplier, p_external_account_number);
BEGIN
    PERFORM data_import.move_account(p_import_supplier, p_external_account_number, 'imported', NULL, p_service_account_number,
                                     p_account_created_at, p_statement_first_day, p_statement_last_day);
    RETURN (SELECT service_account_number FROM data_import.account WHERE account_key = v_account_key);
END
$$;
COMMENT ON FUNCTION data_import.account_complete IS
    'Completes a staged or running account: it is imported from now on. Raises DI001 to DI005, DI007 and DI009.';

-- Opens a statement period of an imported account, and closes the one that is open. Returns whether anything changed.
CREATE FUNCTION data_import.statement_open(
    p_import_supplier text, p_external_account_number text, p_first_day date, p_last_day date)
RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF p_first_day IS NULL THEN
        RAISE EXCEPTION 'a statement period has to have a first day' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    RETURN data_import.move_account(p_import_supplier, p_external_account_number, NULL, p_first_day => p_first_day,
                                    p_last_day => p_last_day);
END
$$;
COMMENT ON FUNCTION data_import.statement_open IS
    'Opens a statement period of an imported account in place of the open one. Raises DI003, DI004 and DI007.';

-- Closes the open statement period: the account takes no transactions from now on. Returns whether there was one.
CREATE FUNCTION data_import.statement_close(p_import_supplier text, p_external_account_number text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_account_key constant uuid := data_import.account_key(p_import_supplier, p_external_account_number);
    v_now timestamptz;
BEGIN
    PERFORM data_import.move_account(p_import_supplier, p_external_account_number, NULL);
    v_now := clock_timestamp();
    UPDATE data_import.statement_period SET closed_at = v_now WHERE account_key = v_account_key AND closed_at IS NULL;
    RETURN FOUND;
END
$$;
COMMENT ON FUNCTION data_import.statement_close IS
    'Closes the open statement period of an imported account. Raises DI003, DI004 and DI007.';

-- Looks at the next p_most failed accounts after the number p_after, and stages those whose reason contains p_reason_like (null:
-- all). Returns in `accounts` the number of staged accounts, and in last_number the p_after of the next call; null if there are
-- no more.
--
-- The function locks the whole table of accounts, which is one lock instead of one for each account.
CREATE FUNCTION data_import.retry_failed_accounts(
    p_import_supplier text, p_reason_like text, p_after text, p_most integer, OUT accounts bigint, OUT last_number text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_keys uuid[];
    v_numbers text[];
    v_done record;
BEGIN
    PERFORM data_import.need_ongoing_supplier(p_import_supplier);
    LOCK TABLE data_import.account IN SHARE ROW EXCLUSIVE MODE;
    SELECT array_agg(failed.account_key) FILTER (WHERE failed.is_meant),
           array_agg(failed.external_account_number) FILTER (WHERE failed.is_meant),
           CASE WHEN count(*) = p_most THEN max(failed.external_account_number COLLATE "C") END
    INTO v_keys, v_numbers, last_number
    FROM (SELECT account_key, external_account_number,
                 p_reason_like IS NULL OR strpos(lower(reason), lower(p_reason_like)) > 0 AS is_meant
          FROM data_import.next_open_accounts(p_import_supplier, 'failed', 'infinity', p_after, p_most)) AS failed;
    accounts := coalesce(cardinality(v_keys), 0);
    IF accounts = 0 THEN
        RETURN;
    END IF;
    SELECT * INTO v_done FROM data_import.move_accounts(
        p_import_supplier, v_keys, v_numbers, array_fill('staged'::text, ARRAY[accounts::integer]), NULL, NULL, NULL, NULL,
        NULL, false);
    IF v_done.refused IS NOT NULL THEN
        RAISE EXCEPTION '%', v_done.sentences[1] USING ERRCODE = v_done.codes[1];
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.retry_failed_accounts IS
    'Stages failed accounts again, and tells how many, and where to go on. Raises DI001 and DI002.';

GRANT EXECUTE ON FUNCTION data_import.account_stage, data_import.account_begin, data_import.account_complete,
    data_import.account_fail, data_import.statement_open, data_import.statement_close TO "data-import-platform";
