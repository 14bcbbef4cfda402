-- Import suppliers (contract, section 1.2).

CREATE TABLE data_import.import_supplier (
    code          data_import.supplier_code PRIMARY KEY,
    name          data_import.label NOT NULL,
    status        data_import.supplier_status NOT NULL DEFAULT 'Ongoing',
    document_root text NOT NULL DEFAULT ''
                  CONSTRAINT document_root_is_of_1024_characters_at_most CHECK (char_length(document_root) <= 1024),
    created_at    timestamptz NOT NULL DEFAULT now(),
    status_since  timestamptz NOT NULL DEFAULT now(),
    status_by     text
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

GRANT SELECT ON data_import.import_supplier TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.known_suppliers TO "data-import";
