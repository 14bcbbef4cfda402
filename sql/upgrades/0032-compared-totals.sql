-- When the stored totals of each supplier were last compared with its records. `data-importctl doctor` compares as many suppliers
-- as its time allows in each run, and goes on where the last run, on any host, has ended.

CREATE TABLE data_import.totals_comparison (
    supplier    text COLLATE "C" PRIMARY KEY,
    tried_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    compared_at timestamptz,
    differing   integer
);
COMMENT ON TABLE data_import.totals_comparison IS
    'The last comparison of the totals of suppliers with their records, by doctor or recount.';
COMMENT ON COLUMN data_import.totals_comparison.supplier IS
    'Code of the supplier, which may be gone: a comparison does not prevent remove_import_supplier, as rows with import_supplier do.';
COMMENT ON COLUMN data_import.totals_comparison.tried_at IS 'When it was last tried.';
COMMENT ON COLUMN data_import.totals_comparison.compared_at IS 'When it was last done to the end; null: never yet.';
COMMENT ON COLUMN data_import.totals_comparison.differing IS
    'How many figures differed then; 0: the totals were what the records say.';
