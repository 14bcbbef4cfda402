-- Notes (specification, sections 2.4 and 4.1; decisions, section 5).

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
    request_id     uuid NOT NULL,
    api_key_id     bigint NOT NULL,
    imported_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_key, identity, created_at),
    CONSTRAINT note_says_something CHECK (body IS NOT NULL OR document_paths IS NOT NULL)
);
COMMENT ON TABLE data_import.note IS 'Imported notes (specification, section 2.4).';
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
COMMENT ON COLUMN data_import.note.request_id IS 'The request that brought the note: X-Request-Id of its answer.';
COMMENT ON COLUMN data_import.note.api_key_id IS 'The API key of that request''s token.';
COMMENT ON COLUMN data_import.note.imported_at IS 'When the note was stored.';

-- Notes of one request where one was sent without a time of its own: one after the other, so that a note sees those before it
-- in the request like those of earlier requests. A note without a time that the account has is a repeat, whatever its time; else
-- it is created now, and cannot be unpinned earlier: then nothing is stored, and created tells which notes those are.
CREATE FUNCTION data_import.notes_import_one_by_one(
    p_account_key uuid, p_request_id uuid, p_api_key_id bigint,
    p_identity uuid[], p_created_at timestamptz[], p_body text[], p_document_paths text[], p_is_pinned boolean[],
    p_unpin_at timestamptz[], OUT verdict text, OUT created_at timestamptz[], OUT created boolean[])
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
    v_known uuid[];
    v_known_at timestamptz;
BEGIN
    verdict := 'done';
    IF array_remove(p_unpin_at, NULL) <> '{}' THEN
        v_known := ARRAY(SELECT note.identity FROM data_import.note
                         WHERE note.account_key = p_account_key AND note.identity = ANY (p_identity));
        created := ARRAY(
            SELECT sent.created_at IS NULL AND coalesce(sent.unpin_at < now(), false)
                   AND place = min(place) OVER (PARTITION BY sent.identity)
                   AND sent.identity <> ALL (v_known)
            FROM unnest(p_identity, p_created_at, p_unpin_at) WITH ORDINALITY AS sent (identity, created_at, unpin_at, place)
            ORDER BY place);
        IF true = ANY (created) THEN
            verdict := 'unpin_at_before_creation';
            RETURN;
        END IF;
    END IF;
    FOR v_place IN 1 .. cardinality(p_identity) LOOP
        v_known_at := (SELECT min(note.created_at) FROM data_import.note
                       WHERE note.account_key = p_account_key AND note.identity = p_identity[v_place]
                         AND (p_created_at[v_place] IS NULL OR note.created_at = p_created_at[v_place]));
        created[v_place] := v_known_at IS NULL;
        created_at[v_place] := coalesce(v_known_at, p_created_at[v_place], now());
        IF v_known_at IS NULL THEN
            INSERT INTO data_import.note (account_key, identity, created_at, body, document_paths, is_pinned, has_created_at,
                                          has_is_pinned, unpin_at, request_id, api_key_id)
            VALUES (p_account_key, p_identity[v_place], created_at[v_place], p_body[v_place],
                    p_document_paths[v_place]::text[], coalesce(p_is_pinned[v_place], false),
                    p_created_at[v_place] IS NOT NULL, p_is_pinned[v_place] IS NOT NULL, p_unpin_at[v_place], p_request_id,
                    p_api_key_id);
        END IF;
    END LOOP;
END
$$;
COMMENT ON FUNCTION data_import.notes_import_one_by_one IS
    'Stores the notes of one request that the account does not have yet, and tells for each which it was.';

-- Imports notes (begin_imports). p_document_paths holds array literals; p_created_at and p_is_pinned are null where they were not
-- sent. With done, a row for each note: its time as stored, and whether this request created it. A call for locked accounts
-- alone ends at once: it is repeated until they are free.
-- A note that has a time is known by its primary key. Rows come from arrays by unnest in the SELECT list, because as a function
-- in FROM it stores each column before it is read.
CREATE FUNCTION data_import.notes_import(
    p_account_key uuid[], p_import_supplier text[], p_request_id uuid[], p_api_key_id bigint[],
    p_request integer[], p_identity uuid[], p_created_at timestamptz[], p_body text[], p_document_paths text[],
    p_is_pinned boolean[], p_unpin_at timestamptz[])
RETURNS TABLE (request integer, verdict text, created_at timestamptz, created boolean)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
    v_verdict text[] := data_import.begin_imports(p_account_key, p_import_supplier);
    v_created_at timestamptz[] := p_created_at;
    v_created boolean[] := array_fill(true, ARRAY[cardinality(p_request)]);
    v_untimed integer[] := '{}';
    v_request integer;
    v_place integer;
    v_last integer;
    v_one record;
    v_stored bigint;
    v_now constant timestamptz := clock_timestamp();  -- no other call for these accounts has the same
BEGIN
    IF 'done' <> ALL (v_verdict) THEN
        RETURN QUERY SELECT place::integer, sent.verdict, NULL::timestamptz, NULL::boolean
                     FROM unnest(v_verdict) WITH ORDINALITY AS sent (verdict, place) ORDER BY place;
        RETURN;
    END IF;
    IF array_position(p_created_at, NULL) IS NOT NULL THEN
        v_untimed := ARRAY(SELECT DISTINCT request FROM unnest(p_request, p_created_at) AS sent (request, created_at)
                           WHERE created_at IS NULL AND v_verdict[request] = 'done');
    END IF;

    WITH stored AS (
        INSERT INTO data_import.note (account_key, identity, created_at, body, document_paths, is_pinned, has_created_at,
                                      has_is_pinned, unpin_at, request_id, api_key_id, imported_at)
        SELECT p_account_key[request], identity, created_at, body, document_paths::text[], coalesce(is_pinned, false), true,
               is_pinned IS NOT NULL, unpin_at, p_request_id[request], p_api_key_id[request], v_now
        FROM (SELECT unnest(p_request) AS request, unnest(p_identity) AS identity, unnest(p_created_at) AS created_at,
                     unnest(p_body) AS body, unnest(p_document_paths) AS document_paths, unnest(p_is_pinned) AS is_pinned,
                     unnest(p_unpin_at) AS unpin_at) AS sent
        WHERE v_verdict[request] = 'done' AND request <> ALL (v_untimed)
        ON CONFLICT DO NOTHING
        RETURNING 1  -- ROW_COUNT would count what Citus was given
    )
    SELECT count(*) INTO v_stored FROM stored;
    IF v_stored < cardinality(p_request) THEN
        v_created := array_fill(false, ARRAY[cardinality(p_request)]);
        FOR v_place IN
            SELECT min(place) FROM unnest(p_request, p_identity, p_created_at) WITH ORDINALITY
                AS sent (request, identity, created_at, place)
            JOIN data_import.note ON note.account_key = p_account_key[sent.request] AND note.identity = sent.identity
                                 AND note.created_at = sent.created_at
            WHERE note.imported_at = v_now
            GROUP BY sent.request, sent.identity, sent.created_at
        LOOP
            v_created[v_place] := true;
        END LOOP;
    END IF;

    FOREACH v_request IN ARRAY v_untimed LOOP
        v_place := array_position(p_request, v_request);
        v_last := coalesce(array_position(p_request, v_request + 1) - 1, cardinality(p_request));
        SELECT * INTO v_one FROM data_import.notes_import_one_by_one(
            p_account_key[v_request], p_request_id[v_request], p_api_key_id[v_request], p_identity[v_place:v_last],
            p_created_at[v_place:v_last], p_body[v_place:v_last], p_document_paths[v_place:v_last],
            p_is_pinned[v_place:v_last], p_unpin_at[v_place:v_last]);
        v_verdict[v_request] := v_one.verdict;
        v_created[v_place:v_last] := v_one.created;
        v_created_at[v_place:v_last] := coalesce(v_one.created_at, p_created_at[v_place:v_last]);
    END LOOP;

    INSERT INTO data_import.import_receipt (import_supplier, kind, value)
    SELECT p_import_supplier[request], 'notes', count(*)
    FROM (SELECT unnest(p_request) AS request, unnest(v_created) AS created) AS sent
    WHERE created AND v_verdict[request] = 'done' GROUP BY 1;
    RETURN QUERY SELECT request, v_verdict[request], created_at, created
                 FROM (SELECT unnest(p_request) AS request, unnest(v_created_at) AS created_at,
                              unnest(v_created) AS created) AS sent;
END
$$;
COMMENT ON FUNCTION data_import.notes_import IS
    'Stores the notes that the account does not have yet, and tells for each which it was.';

GRANT SELECT, INSERT ON data_import.note TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.notes_import_one_by_one, data_import.notes_import TO "data-import";
