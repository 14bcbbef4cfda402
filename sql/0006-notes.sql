-- Notes (specification, sections 2.4 and 4.1; decisions, section 5).

CREATE TABLE data_import.note (
    account_key    uuid NOT NULL,
    identity       uuid NOT NULL,
    created_at     timestamptz NOT NULL,
    body           text,
    document_paths text[],
    is_pinned      boolean NOT NULL,
    unpin_at       timestamptz,
    request_id     uuid NOT NULL,
    api_key_id     bigint NOT NULL,
    imported_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_key, identity, created_at),
    CHECK (body IS NOT NULL OR document_paths IS NOT NULL)
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
COMMENT ON COLUMN data_import.note.is_pinned IS 'Whether the note is pinned to the top of the account''s page.';
COMMENT ON COLUMN data_import.note.unpin_at IS 'When a pinned note is to be unpinned.';
COMMENT ON COLUMN data_import.note.request_id IS 'The request that brought the note: X-Request-Id of its answer.';
COMMENT ON COLUMN data_import.note.api_key_id IS 'The API key of that request''s token.';
COMMENT ON COLUMN data_import.note.imported_at IS 'When the note was stored.';

-- Imports notes into one account (specification 4.1; decisions, section 5). The arrays hold one element per note, in the
-- order of the request; p_document_paths holds array literals, p_created_at null for a note without.
-- Verdict in every row: done, supplier_not_ongoing, account_not_found, unpin_at_before_creation. With done, one row per
-- note in the order of the request: the note's time as stored, and whether this call created it. One note after the
-- other, so that a note sees those before it in the request like those of earlier requests.
-- unpin_at_before_creation: notes without a time of their own, which would be created now, are to be unpinned earlier;
-- one row per note, and created says which. Notes that the account has are repeats and no part of that.
CREATE FUNCTION data_import.notes_import(
    p_account_key uuid, p_import_supplier text, p_request_id uuid, p_api_key_id bigint,
    p_identity uuid[], p_created_at timestamptz[], p_body text[], p_document_paths text[],
    p_is_pinned boolean[], p_unpin_at timestamptz[])
RETURNS TABLE (verdict text, created_at timestamptz, created boolean)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
    v_sent record;
    v_stored integer := 0;
BEGIN
    verdict := data_import.import_verdict(p_account_key, p_import_supplier);
    IF verdict <> 'done' THEN
        RETURN NEXT;
        RETURN;
    END IF;
    PERFORM data_import.lock_account(p_account_key);
    IF array_remove(p_unpin_at, NULL) <> '{}' THEN
        RETURN QUERY
        WITH judged AS (
            SELECT n, sent.created_at IS NULL AND coalesce(sent.unpin_at < now(), false)
                      AND n = min(n) OVER (PARTITION BY sent.identity) AND NOT EXISTS (
                       SELECT FROM data_import.note
                       WHERE note.account_key = p_account_key AND note.identity = sent.identity) AS is_too_early
            FROM unnest(p_identity, p_created_at, p_unpin_at) WITH ORDINALITY AS sent (identity, created_at, unpin_at, n)
        )
        SELECT 'unpin_at_before_creation', NULL::timestamptz, is_too_early FROM judged
        WHERE EXISTS (SELECT FROM judged WHERE is_too_early) ORDER BY n;
        IF FOUND THEN
            RETURN;
        END IF;
    END IF;
    FOR v_sent IN
        SELECT * FROM unnest(p_identity, p_created_at, p_body, p_document_paths, p_is_pinned, p_unpin_at)
            AS sent (identity, created_at, body, document_paths, is_pinned, unpin_at)
    LOOP
        IF v_sent.created_at IS NULL THEN
            created_at := (SELECT min(note.created_at) FROM data_import.note
                           WHERE note.account_key = p_account_key AND note.identity = v_sent.identity);
        ELSE
            created_at := (SELECT note.created_at FROM data_import.note
                           WHERE note.account_key = p_account_key AND note.identity = v_sent.identity
                             AND note.created_at = v_sent.created_at);
        END IF;
        created := created_at IS NULL;
        IF created THEN
            created_at := coalesce(v_sent.created_at, now());
            INSERT INTO data_import.note (account_key, identity, created_at, body, document_paths, is_pinned, unpin_at,
                                          request_id, api_key_id)
            VALUES (p_account_key, v_sent.identity, created_at, v_sent.body, v_sent.document_paths::text[],
                    v_sent.is_pinned, v_sent.unpin_at, p_request_id, p_api_key_id);
            v_stored := v_stored + 1;
        END IF;
        RETURN NEXT;
    END LOOP;
    IF v_stored > 0 THEN
        INSERT INTO data_import.import_receipt (import_supplier, kind, records)
        VALUES (p_import_supplier, 'notes', v_stored);
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.notes_import IS
    'Stores the notes that the account does not have yet, and tells for each which it was.';

GRANT SELECT, INSERT ON data_import.note TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.notes_import TO "data-import";
