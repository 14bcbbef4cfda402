-- Totals that the platform has booked, as consumers declare them: they have the form of the control totals of suppliers (contract,
-- section 12.3), and are compared with what is held.

CREATE TABLE data_import.booked_declaration (
    consumer        text COLLATE "C" NOT NULL REFERENCES data_import.consumer ON DELETE CASCADE,
    import_supplier text COLLATE "C" NOT NULL,
    number          integer NOT NULL,
    kind            text[] COLLATE "C" NOT NULL,
    figure          text[] COLLATE "C" NOT NULL,
    value           numeric[] NOT NULL,
    declared_by     text NOT NULL,
    declared_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, import_supplier, number),
    CONSTRAINT each_figure_has_kind_and_value
        CHECK (cardinality(kind) > 0 AND cardinality(figure) = cardinality(kind) AND cardinality(value) = cardinality(kind))
);
COMMENT ON TABLE data_import.booked_declaration IS
    'What consumers have declared to have booked of a supplier. The last declaration of a consumer and supplier counts; the 99 before '
    'it are kept, too. They go with their consumer: signed reports have their own copy.';
COMMENT ON COLUMN data_import.booked_declaration.consumer IS 'Name of the consumer.';
COMMENT ON COLUMN data_import.booked_declaration.import_supplier IS 'Code of the supplier.';
COMMENT ON COLUMN data_import.booked_declaration.number IS 'Place among the declarations of the consumer on the supplier, from 1.';
COMMENT ON COLUMN data_import.booked_declaration.kind IS 'As in control_total_declaration.';
COMMENT ON COLUMN data_import.booked_declaration.figure IS 'As in control_total_declaration.';
COMMENT ON COLUMN data_import.booked_declaration.value IS 'The figure''s value.';
COMMENT ON COLUMN data_import.booked_declaration.declared_by IS
    'Author of the declaration: the system user of an administrator, else the role that had logged in.';
COMMENT ON COLUMN data_import.booked_declaration.declared_at IS 'When it was declared.';

CREATE TABLE data_import.accepted_booking (
    consumer        text COLLATE "C" NOT NULL REFERENCES data_import.consumer ON DELETE CASCADE,
    import_supplier text COLLATE "C" NOT NULL,
    kind            text COLLATE "C" NOT NULL,
    figure          text COLLATE "C" NOT NULL,
    held            numeric NOT NULL,
    booked          numeric NOT NULL,
    reason          data_import.reason NOT NULL,
    accepted_by     text NOT NULL,
    accepted_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (consumer, import_supplier, kind, figure)
);
COMMENT ON TABLE data_import.accepted_booking IS
    'Figures in which the platform has booked other than is held, which an operator has looked at and accepted: data-importctl '
    'consumer accept. One counts as long as both sides are as they were. The last of a figure; access_event tells of all.';
COMMENT ON COLUMN data_import.accepted_booking.consumer IS 'Name of the consumer.';
COMMENT ON COLUMN data_import.accepted_booking.import_supplier IS 'Code of the supplier.';
COMMENT ON COLUMN data_import.accepted_booking.kind IS 'Kind of the figure, as in booked_declaration.';
COMMENT ON COLUMN data_import.accepted_booking.figure IS 'Name of the figure, as in booked_declaration.';
COMMENT ON COLUMN data_import.accepted_booking.held IS 'What was held here; 0 for no held figure.';
COMMENT ON COLUMN data_import.accepted_booking.booked IS 'What the platform had booked.';
COMMENT ON COLUMN data_import.accepted_booking.reason IS 'Why.';
COMMENT ON COLUMN data_import.accepted_booking.accepted_by IS 'The system user who accepted it.';
COMMENT ON COLUMN data_import.accepted_booking.accepted_at IS 'When it was accepted.';

-- Returns the consumers of a supplier, including those whose addition has not ended yet.
CREATE FUNCTION data_import.consumers_of(p_import_supplier text) RETURNS SETOF data_import.consumer
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY SELECT * FROM data_import.consumer WHERE suppliers IS NULL OR p_import_supplier = ANY (suppliers);
END
$$;
COMMENT ON FUNCTION data_import.consumers_of IS 'The consumers that take the accounts of a supplier.';

-- Returns, for each consumer of the supplier, how many accounts have news that the consumer has not taken. An account counts,
-- too, if its news are not delivered yet, if a session has taken them in a transaction that is still open, or if they wait for
-- the end of such a transaction (is_held). The count can miss accounts, because deliveries move news from table to table while
-- the caller's statement runs. A caller that must not miss any takes the lock of news before its statement begins.
--
-- Adds up consumer_count for the number of accounts that wait, because counting a million rows of consumer_news takes seconds.
CREATE FUNCTION data_import.accounts_not_taken(p_import_supplier text) RETURNS TABLE (consumer text, accounts bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    v_consumers constant text[] := ARRAY(SELECT name FROM data_import.consumers_of(p_import_supplier));
    v_subjects uuid[];
    v_coming uuid[];
BEGIN
    IF v_consumers = '{}' THEN
        RETURN;
    END IF;
    v_subjects := ARRAY(SELECT unnest(subjects) FROM data_import.news WHERE market_participant_code IS NULL AND NOT is_removal);
    v_coming := ARRAY(SELECT account_key FROM data_import.account
                      WHERE account_key = ANY (v_subjects) AND import_supplier = p_import_supplier);
    v_coming := v_coming || ARRAY(SELECT subjects[1] FROM data_import.news WHERE is_removal AND supplier = p_import_supplier);
    RETURN QUERY
        SELECT name,
               CASE WHEN EXISTS (SELECT 1 FROM data_import.consumer_news AS waiting
                                 WHERE waiting.consumer = name AND waiting.supplier = p_import_supplier AND NOT waiting.is_held)
                    THEN greatest((SELECT sum(waiting) FROM data_import.consumer_count AS part
                                   WHERE part.consumer = name AND part.supplier = p_import_supplier)::bigint, 1)
                    ELSE 0 END
               + (SELECT count(*)
                  FROM (SELECT subject FROM data_import.consumer_news AS held
                        WHERE held.consumer = name AND held.supplier = p_import_supplier AND held.is_held
                        UNION SELECT unnest(v_coming)) AS more
                  WHERE NOT EXISTS (SELECT 1 FROM data_import.consumer_news AS waiting
                                    WHERE waiting.consumer = name AND waiting.subject = more.subject AND NOT waiting.is_held))
        FROM unnest(v_consumers) AS name;
END
$$;
COMMENT ON FUNCTION data_import.accounts_not_taken IS
    'How many accounts of a supplier have news that each of its consumers has not taken.';

CREATE FUNCTION data_import.booked_figures(p_import_suppliers text[])
RETURNS TABLE (import_supplier text, consumer text, kind text, figure text, value numeric)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT last.import_supplier, last.consumer, unnest(last.kind), unnest(last.figure), unnest(last.value)
        FROM (SELECT DISTINCT ON (import_supplier, consumer) * FROM data_import.booked_declaration
              WHERE p_import_suppliers IS NULL OR import_supplier = ANY (p_import_suppliers)
              ORDER BY import_supplier, consumer, number DESC) AS last;
END
$$;
COMMENT ON FUNCTION data_import.booked_figures IS
    'The figures that consumers have declared last to have booked of these suppliers, or of all if that is null.';

-- Returns a row for each consumer of the supplier and each figure that the consumer has declared, in the order of control_totals.
-- A consumer that has declared no figures gets one row without a figure. difference is booked minus held; null if they are equal.
-- undeclared_kinds are the kinds that have records, but no figure declared by the consumer.
CREATE FUNCTION data_import.booked_totals(p_import_supplier text)
RETURNS TABLE (consumer text, is_ready boolean, not_taken bigint, declared_at timestamptz, declared_by text, undeclared_kinds text[],
               kind text, figure text, held text, booked text, difference text, accepted_by text, accepted_at timestamptz,
               reason text)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM FROM data_import.consumers_of(p_import_supplier);
    IF NOT FOUND THEN
        RETURN;
    END IF;
    RETURN QUERY
        WITH held AS MATERIALIZED (
            SELECT kind, figure, value FROM data_import.held_figures(ARRAY[p_import_supplier])
        ), booked AS MATERIALIZED (
            SELECT consumer, kind, figure, value FROM data_import.booked_figures(ARRAY[p_import_supplier])
        )
        SELECT known.name, known.is_ready, coalesce(waiting.accounts, 0), last.declared_at, last.declared_by,
               ARRAY(SELECT held.kind FROM held
                     WHERE held.figure = 'records' AND NOT starts_with(held.kind, 'account_')
                       AND held.kind NOT IN (SELECT booked.kind FROM booked WHERE booked.consumer = known.name)
                     ORDER BY held.kind COLLATE "C"),
               booked.kind, booked.figure, trim_scale(held.value)::text, trim_scale(booked.value)::text,
               trim_scale(nullif(booked.value - coalesce(held.value, 0), 0))::text,
               accepted.accepted_by, accepted.accepted_at, accepted.reason::text
        FROM data_import.consumers_of(p_import_supplier) AS known
        LEFT JOIN data_import.accounts_not_taken(p_import_supplier) AS waiting ON waiting.consumer = known.name
        LEFT JOIN LATERAL (SELECT declared_at, declared_by FROM data_import.booked_declaration
                           WHERE consumer = known.name AND import_supplier = p_import_supplier
                           ORDER BY number DESC LIMIT 1) AS last ON true
        LEFT JOIN booked ON booked.consumer = known.name
        LEFT JOIN held ON held.kind = booked.kind AND held.figure = booked.figure
        LEFT JOIN data_import.accepted_booking AS accepted
            ON accepted.consumer = known.name AND accepted.import_supplier = p_import_supplier
           AND accepted.kind = booked.kind AND accepted.figure = booked.figure
           AND accepted.held = coalesce(held.value, 0) AND accepted.booked = booked.value AND accepted.held <> accepted.booked
        ORDER BY known.name, booked.kind COLLATE "C", booked.figure <> 'records', booked.figure COLLATE "C";
END
$$;
COMMENT ON FUNCTION data_import.booked_totals IS
    'What each consumer of a supplier has declared to have booked, beside what is held.';

CREATE FUNCTION data_import.booked_suppliers(p_import_suppliers text[])
RETURNS TABLE (import_supplier text, differs boolean, digest bytea)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM 1 FROM data_import.booked_declaration LIMIT 1;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    RETURN QUERY
        WITH booked AS MATERIALIZED (
            SELECT * FROM data_import.booked_figures(p_import_suppliers)
        )
        SELECT booked.import_supplier,
               bool_or(booked.value <> coalesce(held.value, 0)
                       AND (accepted.held, accepted.booked) IS DISTINCT FROM (coalesce(held.value, 0), booked.value)),
               sha256(convert_to(string_agg(row(consumer, kind, figure, trim_scale(booked.value))::text, E'\n'
                                            ORDER BY consumer, kind COLLATE "C", figure COLLATE "C"), 'UTF8'))
        FROM booked
        LEFT JOIN data_import.held_figures(ARRAY(SELECT DISTINCT import_supplier FROM booked)) AS held
            USING (import_supplier, kind, figure)
        LEFT JOIN data_import.accepted_booking AS accepted USING (consumer, import_supplier, kind, figure)
        GROUP BY booked.import_supplier;
END
$$;
COMMENT ON FUNCTION data_import.booked_suppliers IS
    'Of suppliers of which consumers have declared what they booked: whether it is other than what is held and nobody has accepted '
    'that, and a digest of what is booked.';

-- Returns the digest of the figures of a signed report. p_compared is the digest of the held and declared figures. p_booked is
-- the digest of the booked figures; null if no consumer has declared any.
--
-- Without booked figures the result is p_compared, because that was the digest of all reports before consumers could declare
-- them.
CREATE FUNCTION data_import.signed_digest(p_compared bytea, p_booked bytea) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN CASE WHEN p_booked IS NULL THEN p_compared ELSE sha256(p_compared || p_booked) END;
END
$$;
COMMENT ON FUNCTION data_import.signed_digest IS
    'figures_digest of a signed report, of the digests of compared_suppliers and booked_suppliers.';

-- The sums that can be declared (src/data/records/kinds.cc): a kind without sums has a row without a figure, and a figure that ends with a
-- colon is followed by any unit.
CREATE FUNCTION data_import.declarable_sums() RETURNS TABLE (kind text, figure text)
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN QUERY
        VALUES ('notes', NULL),
               ('transactions', 'amount:CHARGE'), ('transactions', 'amount:CREDIT'), ('transactions', 'amount:PAYMENT'),
               ('transactions', 'amount:REPAYMENT'), ('transactions', 'amount:SUPPLY_CHARGE'),
               ('historical_statements', 'gross_amount'),
               ('delivery_notes', 'amounts'), ('delivery_notes', 'quantity:'),
               ('energy_amounts', 'quantity:'),
               ('market_participant_invoices', 'amount_total'), ('market_participant_invoices', 'line_items'),
               ('payment_instructions', NULL);
END
$$;
COMMENT ON FUNCTION data_import.declarable_sums IS 'Kinds of records and their sums, as control totals know them.';

-- Returns what is wrong with a value, in words that follow the name of its field; null if nothing is.
CREATE FUNCTION data_import.count_problem(p_value jsonb) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN CASE WHEN jsonb_typeof(p_value) <> 'number' OR p_value::text LIKE '%.%'
                    THEN 'has to be an integer, written as a number without fraction'
                WHEN p_value::numeric < 0 THEN 'has to be at least 0'
                WHEN p_value::numeric > 9223372036854775807 THEN 'has to be at most 9223372036854775807' END;
END
$$;
COMMENT ON FUNCTION data_import.count_problem IS 'What is wrong with a declared number of accounts or records.';

CREATE FUNCTION data_import.sum_problem(p_value jsonb) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    v_text constant text := p_value #>> '{}';
BEGIN
    RETURN CASE WHEN jsonb_typeof(p_value) NOT IN ('number', 'string') OR v_text !~ '^-?[0-9]+([.][0-9]+)?$'
                    THEN 'has to be a number, or a decimal string like "-12.50" without exponent, plus sign and white space'
                WHEN char_length(ltrim(split_part(ltrim(v_text, '-'), '.', 1), '0')) > 28
                    THEN 'has to have at most 28 digits before the decimal point'
                WHEN char_length(rtrim(split_part(v_text, '.', 2), '0')) > 10
                    THEN 'has to have at most 10 digits after the decimal point; zeros at the end do not count' END;
END
$$;
COMMENT ON FUNCTION data_import.sum_problem IS 'What is wrong with a declared sum.';

-- Returns what is wrong with the name of a sum, in words that follow the name; null if nothing is. p_known holds the sums of the
-- kind.
CREATE FUNCTION data_import.sum_name_problem(p_known text[], p_figure text) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    v_colon constant integer := strpos(p_figure, ':');
BEGIN
    IF char_length(p_figure) - v_colon BETWEEN 1 AND 16 AND left(p_figure, v_colon) = ANY (p_known)
       OR p_figure = ANY (p_known) AND right(p_figure, 1) <> ':' THEN
        RETURN NULL;
    END IF;
    RETURN 'is not known; '
        || CASE WHEN p_known = '{}' THEN 'the kind has no sums'
                ELSE 'allowed: ' || array_to_string(ARRAY(
                         SELECT CASE WHEN known LIKE '%:' THEN known || 'UNIT with a unit of 1 to 16 characters' ELSE known END
                         FROM unnest(p_known) AS known), ', ') END;
END
$$;
COMMENT ON FUNCTION data_import.sum_name_problem IS 'What is wrong with the name of a declared sum.';

-- Returns a row for each figure in p_totals: value if the figure is right, else problem, which says what is wrong with it. Also
-- returns a row with a problem for each other part of p_totals that is wrong, such as a member that is not known.
CREATE FUNCTION data_import.figures_in(p_totals jsonb) RETURNS TABLE (kind text, figure text, value numeric, problem text)
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    v_kinds constant text[] := ARRAY(SELECT DISTINCT known.kind FROM data_import.declarable_sums() AS known ORDER BY 1);
    v_member record;
    v_part record;
    v_sums text[];
    v_place text;
BEGIN
    IF jsonb_typeof(p_totals) IS DISTINCT FROM 'object' THEN
        problem := 'they have to be a JSON object like {"accounts": 1, "kinds": {"notes": {"records": 2}}}';
        RETURN NEXT;
        RETURN;
    END IF;
    FOR v_member IN SELECT * FROM jsonb_each(p_totals) AS member (name, content) LOOP
        kind := v_member.name;
        figure := v_member.name;
        value := NULL;
        IF v_member.name = 'accounts' THEN
            problem := 'accounts ' || data_import.count_problem(v_member.content);
            value := CASE WHEN problem IS NULL THEN v_member.content::numeric END;
            RETURN NEXT;
        ELSIF v_member.name <> 'kinds' THEN
            problem := left(v_member.name, 40) || ' is not known; allowed: accounts, kinds';
            RETURN NEXT;
        ELSIF jsonb_typeof(v_member.content) <> 'object' THEN
            problem := 'kinds has to be an object of kinds: ' || array_to_string(v_kinds, ', ');
            RETURN NEXT;
        END IF;
    END LOOP;
    IF jsonb_typeof(p_totals -> 'kinds') IS DISTINCT FROM 'object' THEN
        RETURN;
    END IF;
    FOR v_member IN SELECT * FROM jsonb_each(p_totals -> 'kinds') AS member (name, content) LOOP
        kind := v_member.name;
        figure := '';
        value := NULL;
        v_place := 'kinds.' || left(v_member.name, 40);
        IF v_member.name <> ALL (v_kinds) THEN
            problem := v_place || ' is not known; allowed: ' || array_to_string(v_kinds, ', ');
            RETURN NEXT;
            CONTINUE;
        ELSIF jsonb_typeof(v_member.content) <> 'object' THEN
            problem := v_place || ' has to be an object with records, sums or both';
            RETURN NEXT;
            CONTINUE;
        END IF;
        FOR v_part IN SELECT * FROM jsonb_each(v_member.content) AS part (name, content) LOOP
            figure := v_part.name;
            value := NULL;
            problem := NULL;
            IF v_part.name = 'records' THEN
                problem := v_place || '.records ' || data_import.count_problem(v_part.content);
                value := CASE WHEN problem IS NULL THEN v_part.content::numeric END;
                RETURN NEXT;
            ELSIF v_part.name <> 'sums' THEN
                problem := v_place || '.' || left(v_part.name, 40) || ' is not known; allowed: records, sums';
                RETURN NEXT;
            ELSIF jsonb_typeof(v_part.content) <> 'object' THEN
                problem := v_place || '.sums has to be an object of sums';
                RETURN NEXT;
            ELSE
                v_sums := ARRAY(SELECT known.figure FROM data_import.declarable_sums() AS known
                                WHERE known.kind = v_member.name AND known.figure IS NOT NULL);
                RETURN QUERY
                    SELECT v_member.name, sum.name,
                           CASE WHEN wrong.problem IS NULL THEN (sum.content #>> '{}')::numeric END,
                           v_place || '.sums.' || left(sum.name, 40) || ' ' || wrong.problem
                    FROM jsonb_each(v_part.content) AS sum (name, content)
                    CROSS JOIN LATERAL (SELECT coalesce(data_import.sum_name_problem(v_sums, sum.name),
                                                        data_import.sum_problem(sum.content)) AS problem) AS wrong;
            END IF;
        END LOOP;
    END LOOP;
END
$$;
COMMENT ON FUNCTION data_import.figures_in IS 'The figures of totals in the form of the contract''s section 12.3, and what is wrong.';

-- Returns the answer of platform.declare_totals: the verdict, the figures that differ, and the kinds that have records but no
-- figure declared by the consumer.
CREATE FUNCTION data_import.booked_answer(p_consumer text, p_import_supplier text) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN (
        SELECT jsonb_build_object(
                   'verdict', CASE WHEN count(difference) > 0 THEN 'DIFFERENT' ELSE 'EQUAL' END,
                   'differences', coalesce(
                       jsonb_agg(jsonb_build_object('kind', kind, 'figure', figure, 'held', coalesce(held, '0'), 'booked', booked,
                                                    'difference', difference)) FILTER (WHERE difference IS NOT NULL), '[]'),
                   'undeclared_kinds', to_jsonb(undeclared_kinds))
        FROM data_import.booked_totals(p_import_supplier) WHERE consumer = p_consumer GROUP BY undeclared_kinds);
END
$$;
COMMENT ON FUNCTION data_import.booked_answer IS 'What platform.declare_totals answers.';

-- Besides the errors of the functions for consumers, these are raised:
--
--   DI013  the consumer does not take accounts of the supplier
--   DI014  totals are not in the form of the contract's section 12.3
--
-- jit is off, because plans over results of functions look so costly that PostgreSQL would compile them, which takes a second.
CREATE FUNCTION platform.declare_totals(consumer text, import_supplier text, totals jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s'
SET jit = off AS $$
#variable_conflict use_column
DECLARE
    v_consumer constant text := declare_totals.consumer;
    v_supplier constant text := declare_totals.import_supplier;
    v_most_kept constant integer := 100;
    v_longest constant integer := 10485760;
    v_figures record;
    v_problems text[];
    v_last data_import.booked_declaration;
BEGIN
    PERFORM data_import.need_consumer(v_consumer);
    PERFORM 1 FROM data_import.import_supplier WHERE code = v_supplier;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no import supplier %', coalesce(v_supplier, 'null') USING ERRCODE = 'DI001';
    END IF;
    PERFORM FROM data_import.consumers_of(v_supplier) WHERE name = v_consumer;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'consumer % does not take accounts of import supplier %, but of %', v_consumer, v_supplier,
            (SELECT array_to_string(suppliers, ', ') FROM data_import.consumer WHERE name = v_consumer) USING ERRCODE = 'DI013';
    END IF;
    IF octet_length(totals::text) > v_longest THEN
        v_problems := ARRAY['they have to be of at most 10 MiB'];
    ELSE
        SELECT array_agg(kind ORDER BY place) AS kinds, array_agg(figure ORDER BY place) AS names,
               array_agg(value ORDER BY place) AS values, array_agg(problem ORDER BY place) FILTER (WHERE problem IS NOT NULL) AS problems
        INTO v_figures
        FROM data_import.figures_in(totals) WITH ORDINALITY AS told (kind, figure, value, problem, place);
        v_problems := CASE WHEN v_figures.kinds IS NULL
                           THEN ARRAY['they need at least one figure: accounts, records or a sum'] ELSE v_figures.problems END;
    END IF;
    IF v_problems IS NOT NULL THEN
        RAISE EXCEPTION 'the totals are not taken: %',
            array_to_string(v_problems[:5], '; ')
            || CASE WHEN cardinality(v_problems) > 5 THEN '; ' || (cardinality(v_problems) - 5) || ' more' ELSE '' END
            USING ERRCODE = 'DI014';
    END IF;

    PERFORM pg_advisory_xact_lock(data_import.lock_number('control_totals', v_consumer || chr(31) || v_supplier));
    SELECT * INTO v_last FROM data_import.booked_declaration AS known
    WHERE known.consumer = v_consumer AND known.import_supplier = v_supplier ORDER BY known.number DESC LIMIT 1;
    IF (v_last.kind, v_last.figure, v_last.value, v_last.declared_by)
        = (v_figures.kinds, v_figures.names, v_figures.values, data_import.step_author()) THEN
        PERFORM data_import.await_standbys();
    ELSE
        INSERT INTO data_import.booked_declaration (consumer, import_supplier, number, kind, figure, value, declared_by)
        VALUES (v_consumer, v_supplier, coalesce(v_last.number, 0) + 1, v_figures.kinds, v_figures.names, v_figures.values,
                data_import.step_author());
        DELETE FROM data_import.booked_declaration AS known
        WHERE known.consumer = v_consumer AND known.import_supplier = v_supplier
          AND known.number <= v_last.number + 1 - v_most_kept;
    END IF;
    RETURN data_import.booked_answer(v_consumer, v_supplier);
END
$$;
COMMENT ON FUNCTION platform.declare_totals(text, text, jsonb) IS
    'Declares what the platform has booked of a supplier, in the form of the contract''s section 12.3: {"accounts": 1, "kinds": '
    '{"transactions": {"records": 2, "sums": {"amount:CHARGE": "12.50"}}}}, each figure optional, at least one. It replaces the '
    'declaration of the consumer before. Answers {"verdict": "EQUAL" or "DIFFERENT", "differences": [{"kind", "figure", "held", '
    '"booked", "difference"}], "undeclared_kinds": [...]}: difference is booked minus held; undeclared_kinds have records, and no '
    'declared figure. Raises DI001, DI011, DI013 and DI014.';

GRANT EXECUTE ON FUNCTION platform.declare_totals TO "data-import-platform";
GRANT SELECT ON data_import.booked_declaration, data_import.accepted_booking TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.consumers_of, data_import.accounts_not_taken, data_import.booked_figures,
    data_import.booked_totals, data_import.booked_suppliers, data_import.signed_digest TO "data-import";
