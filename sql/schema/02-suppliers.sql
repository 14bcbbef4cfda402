-- Import suppliers (contract, section 1.2), and their erasures at the end of migrations.

-- tells_news says whether imports of the supplier add news for consumers. It is true for a new supplier, so that consumers are
-- told of its first imports, too. deliver_news() sets it to false if no consumer takes the supplier's accounts.
CREATE TABLE data_import.import_supplier (
    code          data_import.supplier_code PRIMARY KEY,
    name          data_import.label NOT NULL,
    status        data_import.supplier_status NOT NULL DEFAULT 'Ongoing',
    document_root text NOT NULL DEFAULT ''
                  CONSTRAINT document_root_is_of_1024_characters_at_most CHECK (char_length(document_root) <= 1024),
    created_at    timestamptz NOT NULL DEFAULT now(),
    status_since  timestamptz NOT NULL DEFAULT now(),
    status_by     text,
    planned_end   date,
    attention     bigint NOT NULL DEFAULT 1 CONSTRAINT attention_begins_at_1 CHECK (attention >= 1),
    tells_news    boolean NOT NULL DEFAULT true,
    erase_after_days integer CONSTRAINT erase_after_days_are_0_to_36500 CHECK (erase_after_days BETWEEN 0 AND 36500)
);
COMMENT ON TABLE data_import.import_supplier IS
    'External suppliers whose accounts are migrated (contract, section 1.2).';
COMMENT ON COLUMN data_import.import_supplier.code IS 'What clients send as import_supplier.';
COMMENT ON COLUMN data_import.import_supplier.name IS 'Name of the supplier for people.';
COMMENT ON COLUMN data_import.import_supplier.status IS 'Whether it takes imports, as operators have set it.';
COMMENT ON COLUMN data_import.import_supplier.document_root IS
    'Root of the document paths in payloads, inside the document bucket; empty: the bucket itself.';
COMMENT ON COLUMN data_import.import_supplier.created_at IS 'When the supplier was created here.';
COMMENT ON COLUMN data_import.import_supplier.status_since IS 'When the status was set.';
COMMENT ON COLUMN data_import.import_supplier.status_by IS
    'Who set the status, as in account_step; null while it is the one that the supplier was created with.';
COMMENT ON COLUMN data_import.import_supplier.planned_end IS
    'The last day on which the migration should end; null where none was planned.';
COMMENT ON COLUMN data_import.import_supplier.attention IS
    'Fewer failed accounts, and fewer refusals in an hour, want nobody''s attention.';
COMMENT ON COLUMN data_import.import_supplier.tells_news IS 'Whether imports add to news: a consumer takes accounts of the supplier.';
COMMENT ON COLUMN data_import.import_supplier.erase_after_days IS
    'So many days after the supplier became Complete its accounts are erased; null: they stay.';

CREATE FUNCTION data_import.known_suppliers(p_import_suppliers text[]) RETURNS text[]
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN ARRAY(SELECT code FROM data_import.import_supplier
                 WHERE p_import_suppliers IS NULL OR code = ANY (p_import_suppliers));
END
$$;
COMMENT ON FUNCTION data_import.known_suppliers IS 'Those of these suppliers that exist; all of them if that is null.';

CREATE FUNCTION data_import.need_ongoing_supplier(p_import_supplier text) RETURNS void
LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_status text;
BEGIN
    SELECT status INTO v_status FROM data_import.import_supplier WHERE code = p_import_supplier;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no import supplier %', p_import_supplier USING ERRCODE = 'DI001';
    ELSIF v_status = 'Paused' THEN
        RAISE EXCEPTION 'import supplier % is paused: it takes no accounts until it goes on', p_import_supplier
            USING ERRCODE = 'DI002';
    ELSIF v_status = 'Complete' THEN
        RAISE EXCEPTION 'import supplier % is complete: its migration is over, and it takes no more accounts', p_import_supplier
            USING ERRCODE = 'DI002';
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.need_ongoing_supplier IS 'Raises DI001 or DI002 unless the supplier takes accounts.';

CREATE TABLE data_import.supplier_erasure (
    import_supplier text COLLATE "C" PRIMARY KEY,
    began_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    begun_by        text NOT NULL,
    passed_at       timestamptz,
    ended_at        timestamptz,
    accounts        bigint NOT NULL DEFAULT 0,
    records         bigint NOT NULL DEFAULT 0,
    reached         text COLLATE "C",
    kind            text[] COLLATE "C" NOT NULL,
    figure          text[] COLLATE "C" NOT NULL,
    value           numeric[] NOT NULL
);
COMMENT ON TABLE data_import.supplier_erasure IS
    'Suppliers whose accounts are or were erased as a whole. None of these accounts comes again.';
COMMENT ON COLUMN data_import.supplier_erasure.import_supplier IS 'Code of the supplier.';
COMMENT ON COLUMN data_import.supplier_erasure.began_at IS 'When the erasure began.';
COMMENT ON COLUMN data_import.supplier_erasure.begun_by IS
    'Who began it, as in account_step; data-importd for one that was due (erase_after_days).';
COMMENT ON COLUMN data_import.supplier_erasure.passed_at IS
    'When it last came to the end of the accounts; some may have been on hold. Null: never yet.';
COMMENT ON COLUMN data_import.supplier_erasure.ended_at IS 'When no account was left; null until then.';
COMMENT ON COLUMN data_import.supplier_erasure.accounts IS 'How many accounts were erased.';
COMMENT ON COLUMN data_import.supplier_erasure.records IS 'How many records these had.';
COMMENT ON COLUMN data_import.supplier_erasure.reached IS
    'Number of the last account that the running erasure has reached; null before it, and when it has come to its end.';
COMMENT ON COLUMN data_import.supplier_erasure.kind IS
    'Of each figure that was held when the erasure began the kind of records: held_figures goes on telling them.';
COMMENT ON COLUMN data_import.supplier_erasure.figure IS 'What was counted or summed up, as in import_receipt.';
COMMENT ON COLUMN data_import.supplier_erasure.value IS 'The count or sum.';

GRANT SELECT ON data_import.import_supplier TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.known_suppliers TO "data-import";
GRANT SELECT (import_supplier, began_at, begun_by, passed_at, ended_at, accounts, records, kind, figure, value) ON
    data_import.supplier_erasure TO "data-import";
