-- Notes (contract, sections 4.2 and 5.1).

CREATE TABLE data_import.note (
    account_key    uuid NOT NULL,
    identity       uuid NOT NULL,
    created_at     timestamptz NOT NULL,
    body           text,
    document_paths text[],
    is_pinned      boolean NOT NULL,
    has_created_at boolean NOT NULL,
    has_is_pinned  boolean NOT NULL,
    is_by_service  boolean NOT NULL DEFAULT false,
    unpin_at       timestamptz,
    LIKE data_import.provenance INCLUDING DEFAULTS INCLUDING COMMENTS,
    PRIMARY KEY (account_key, identity, created_at),
    CONSTRAINT note_says_something CHECK (body IS NOT NULL OR document_paths IS NOT NULL)
);
COMMENT ON TABLE data_import.note IS 'Imported notes (contract, section 4.2).';
COMMENT ON COLUMN data_import.note.account_key IS 'The account.';
COMMENT ON COLUMN data_import.note.identity IS
    'First 16 bytes of a SHA-256 over the body, or where there is none over the document paths in their order: two notes '
    'of one account are the same when this and created_at agree.';
COMMENT ON COLUMN data_import.note.created_at IS 'When the note was written; the time of import where none was sent.';
COMMENT ON COLUMN data_import.note.body IS 'Text of the note as sent; null for a note of documents only.';
COMMENT ON COLUMN data_import.note.document_paths IS
    'Paths as sent, relative to the supplier''s document root, in their order; null where none were sent.';
COMMENT ON COLUMN data_import.note.is_pinned IS
    'Whether the note is pinned to the top of the account''s page; false where it was not sent.';
COMMENT ON COLUMN data_import.note.has_created_at IS 'Whether created_at was sent.';
COMMENT ON COLUMN data_import.note.has_is_pinned IS 'Whether is_pinned was sent.';
COMMENT ON COLUMN data_import.note.is_by_service IS
    'Whether the service wrote the note itself, about transactions that it moved; control totals leave it out.';
COMMENT ON COLUMN data_import.note.unpin_at IS 'When a pinned note is to be unpinned.';

-- The figures that p_records notes add to receipts and totals. The service's own notes count as pinned.
CREATE FUNCTION data_import.note_figures(p_is_by_service boolean, p_records bigint)
RETURNS TABLE (figure text, value numeric) LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_is_by_service THEN 'pinned' ELSE 'records' END, p_records::numeric
$$;
COMMENT ON FUNCTION data_import.note_figures IS 'Figures of so many notes.';

-- Returns the creation time of each note. The arrays have one element for each note:
--
--   p_request     the index of the note's request among the requests of the call
--   p_identity    the note's identity, a digest of its body or paths
--   p_created_at  the creation time that was sent with the note; null: none
--   p_known_at    the earliest creation time of the same note in the account: the result of known_note_times
--
-- A note that was sent with a time keeps it. A note without a time gets the earliest time of the notes with the same identity in
-- its account, or before it in its request. If there are no such notes, the note gets the present time.
CREATE FUNCTION data_import.note_times(
    p_request integer[], p_identity uuid[], p_created_at timestamptz[], p_known_at timestamptz[]) RETURNS timestamptz[]
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN ARRAY(
        SELECT coalesce(created_at,
                        least(known_at, min(created_at) OVER earlier,
                              CASE WHEN known_at IS NULL AND first_value(created_at) OVER same IS NULL THEN now() END))
        FROM unnest(p_request, p_identity, p_created_at, p_known_at) WITH ORDINALITY
            AS sent (request, identity, created_at, known_at, place)
        WINDOW same AS (PARTITION BY request, identity ORDER BY place),
               earlier AS (PARTITION BY request, identity ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
        ORDER BY place);
END
$$;
COMMENT ON FUNCTION data_import.note_times IS 'When notes were created: as sent, or the time that a note without one gets.';

-- Returns an array with one element for each note. For a note that was sent without a time (p_created_at is null), the element is
-- the earliest created_at of the account's notes with the same identity; null if there are none. For a note that was sent with a
-- time, the element is null. p_request holds for each note the index of its account in p_account_key.
CREATE FUNCTION data_import.known_note_times(
    p_account_key uuid[], p_request integer[], p_identity uuid[], p_created_at timestamptz[]) RETURNS timestamptz[]
LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_known_at timestamptz[] := array_fill(NULL::timestamptz, ARRAY[cardinality(p_request)]);
    v_known record;
BEGIN
    FOR v_known IN
        SELECT sent.place, min(note.created_at) AS created_at
        FROM (SELECT unnest(p_request) AS request, unnest(p_identity) AS identity, unnest(p_created_at) AS created_at,
                     generate_subscripts(p_request, 1) AS place) AS sent
        JOIN data_import.note ON note.account_key = p_account_key[sent.request] AND note.identity = sent.identity
        WHERE sent.created_at IS NULL
        GROUP BY sent.place
    LOOP
        v_known_at[v_known.place] := v_known.created_at;
    END LOOP;
    RETURN v_known_at;
END
$$;
COMMENT ON FUNCTION data_import.known_note_times IS
    'The earliest time that an account has for each note that was sent without one.';

-- Returns for each note whether it was stored with imported_at = p_imported_at, which is the time of one call of notes_import. If
-- a request has the same note twice, the first gets true and the second gets false. p_request, p_identity and p_created_at have
-- one element for each note. An element of p_request is the index of the note's account in p_account_key.
CREATE FUNCTION data_import.notes_stored_at(
    p_imported_at timestamptz, p_account_key uuid[], p_request integer[], p_identity uuid[], p_created_at timestamptz[])
RETURNS boolean[] LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_is_stored boolean[] := array_fill(false, ARRAY[cardinality(p_request)]);
    v_place integer;
BEGIN
    FOR v_place IN
        SELECT min(place) FROM unnest(p_request, p_identity, p_created_at) WITH ORDINALITY
            AS sent (request, identity, created_at, place)
        JOIN data_import.note ON note.account_key = p_account_key[sent.request] AND note.identity = sent.identity
                             AND note.created_at = sent.created_at
        WHERE note.imported_at = p_imported_at
        GROUP BY sent.request, sent.identity, sent.created_at
    LOOP
        v_is_stored[v_place] := true;
    END LOOP;
    RETURN v_is_stored;
END
$$;
COMMENT ON FUNCTION data_import.notes_stored_at IS 'Whether each note was stored by the call of that time.';

-- Imports notes; begin_imports describes the arrays and the verdicts. Each element of p_document_paths is an array literal with
-- the paths of one note. An element of p_created_at or p_is_pinned is null if the field was not sent. Two notes of an account are
-- the same note if they have the same time and the same identity, a digest of the body or the paths.
--
-- Returns a row for each note. created_at is the note's time as stored; created tells whether this call stored the note. If
-- begin_imports has given no request the verdict done, returns a row for each request instead.
--
--   note without a time   A repeat if the account has a note of the same identity, with any time. Otherwise the note is new, and
--                         gets the present time.
--   unpin_at too early    The unpin_at of such a new note is before the present time. The note's request gets the verdict
--                         unpin_at_before_creation, and no note of the request is stored. created is true for each note whose
--                         unpin_at is too early, and false for the other notes of the request.
--
-- Rows come from arrays by unnest in the SELECT list, because unnest in FROM stores each column before it is read.
CREATE FUNCTION data_import.notes_import(
    p_account_key uuid[], p_import_supplier text[], p_request_id uuid[], p_api_key_id bigint[],
    p_request integer[], p_body text[], p_document_paths text[], p_created_at timestamptz[], p_is_pinned boolean[],
    p_unpin_at timestamptz[], p_identity uuid[])
RETURNS TABLE (request integer, verdict text, created_at timestamptz, created boolean)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
    v_verdict text[] := data_import.begin_imports(p_account_key, p_import_supplier);
    v_created_at timestamptz[] := p_created_at;
    v_created boolean[] := array_fill(true, ARRAY[cardinality(p_request)]);
    v_known_at timestamptz[];
    v_too_early integer[] := '{}';
    v_place integer;
    v_stored bigint;
    v_now constant timestamptz := clock_timestamp();  -- no other call for these accounts has the same
BEGIN
    IF 'done' <> ALL (v_verdict) THEN
        RETURN QUERY SELECT place::integer, sent.verdict, NULL::timestamptz, NULL::boolean
                     FROM unnest(v_verdict) WITH ORDINALITY AS sent (verdict, place) ORDER BY place;
        RETURN;
    END IF;
    IF array_position(p_created_at, NULL) IS NOT NULL THEN
        v_known_at := data_import.known_note_times(p_account_key, p_request, p_identity, p_created_at);
        v_created_at := data_import.note_times(p_request, p_identity, p_created_at, v_known_at);
        v_too_early := ARRAY(
            SELECT place
            FROM (SELECT *, min(place) OVER (PARTITION BY request, identity) AS first
                  FROM unnest(p_request, p_identity, p_created_at, v_known_at, p_unpin_at) WITH ORDINALITY
                      AS sent (request, identity, created_at, known_at, unpin_at, place)) AS sent
            WHERE created_at IS NULL AND known_at IS NULL AND unpin_at < now() AND place = first
              AND v_verdict[request] = 'done');
        FOREACH v_place IN ARRAY v_too_early LOOP
            v_verdict[p_request[v_place]] := 'unpin_at_before_creation';
        END LOOP;
    END IF;

    WITH stored AS (
        INSERT INTO data_import.note (account_key, identity, created_at, body, document_paths, is_pinned, has_created_at,
                                      has_is_pinned, unpin_at, request_id, api_key_id, imported_at)
        SELECT p_account_key[request], identity, created_at, body, document_paths::text[], coalesce(is_pinned, false),
               has_created_at, is_pinned IS NOT NULL, unpin_at, p_request_id[request], p_api_key_id[request], v_now
        FROM (SELECT unnest(p_request) AS request, unnest(p_body) AS body, unnest(p_document_paths) AS document_paths,
                     unnest(v_created_at) AS created_at, unnest(p_created_at) IS NOT NULL AS has_created_at,
                     unnest(p_is_pinned) AS is_pinned, unnest(p_unpin_at) AS unpin_at, unnest(p_identity) AS identity) AS sent
        WHERE v_verdict[request] = 'done'
        ON CONFLICT DO NOTHING
        RETURNING 1  -- ROW_COUNT would count what Citus was given
    )
    SELECT count(*) INTO v_stored FROM stored;
    IF v_stored < cardinality(p_request) THEN
        v_created := data_import.notes_stored_at(v_now, p_account_key, p_request, p_identity, v_created_at);
        FOREACH v_place IN ARRAY v_too_early LOOP
            v_created[v_place] := true;
        END LOOP;
    END IF;

    INSERT INTO data_import.import_receipt (import_supplier, kind, figure, value)
    SELECT import_supplier, 'notes', figure, value
    FROM (SELECT p_import_supplier[request], count(*)
          FROM (SELECT unnest(p_request) AS request, unnest(v_created) AS created) AS sent
          WHERE created AND v_verdict[request] = 'done'
          GROUP BY 1) AS added (import_supplier, records),
         data_import.note_figures(false, records);
    IF current_setting('data_import.tells_news', true) = 'on' THEN
        PERFORM data_import.add_news(
            ARRAY(SELECT DISTINCT p_account_key[request]
                  FROM (SELECT unnest(p_request) AS request, unnest(v_created) AS created) AS sent
                  WHERE created AND v_verdict[request] = 'done'),
            least(v_now, now()));
    END IF;
    RETURN QUERY SELECT request, v_verdict[request], created_at, created
                 FROM (SELECT unnest(p_request) AS request, unnest(v_created_at) AS created_at,
                              unnest(v_created) AS created) AS sent;
END
$$;
COMMENT ON FUNCTION data_import.notes_import IS
    'Stores the notes that the account does not have yet, and tells for each which it was.';

GRANT SELECT, INSERT ON data_import.note TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.note_figures, data_import.note_times, data_import.known_note_times,
    data_import.notes_stored_at, data_import.notes_import TO "data-import";
