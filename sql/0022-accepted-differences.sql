-- Differences between what a supplier says an account has and what is held of it, which an operator has looked at and accepted:
-- `data-importctl reconcile` (extensions, section 4). An account need not be known here, nor need it ever be.

CREATE TABLE data_import.accepted_difference (
    account_key             uuid NOT NULL,
    kind                    text COLLATE "C" NOT NULL,
    accepted_at             timestamptz NOT NULL DEFAULT clock_timestamp(),
    import_supplier         text COLLATE "C" NOT NULL,
    external_account_number text COLLATE "C" NOT NULL,
    declared_records        bigint NOT NULL,
    declared_amount         numeric,
    declared_fingerprint    uuid,
    declared_sums           jsonb,
    held_records            bigint NOT NULL,
    held_amount             numeric NOT NULL,
    held_fingerprint        uuid NOT NULL,
    accepted_by             text NOT NULL,
    reason                  text NOT NULL CHECK (data_import.text_problem(reason, 4096) IS NULL),
    PRIMARY KEY (account_key, kind, accepted_at)
);
CREATE INDEX accepted_difference_by_account
    ON data_import.accepted_difference (import_supplier, external_account_number, kind, accepted_at DESC);
COMMENT ON TABLE data_import.accepted_difference IS
    'Known differences of accounts. One counts as long as both sides are as they were when it was accepted.';
COMMENT ON COLUMN data_import.accepted_difference.account_key IS
    'data_import.account_key of the supplier and the number; of an account that may not exist.';
COMMENT ON COLUMN data_import.accepted_difference.kind IS 'Kind of the records, notes for one.';
COMMENT ON COLUMN data_import.accepted_difference.accepted_at IS 'When it was accepted.';
COMMENT ON COLUMN data_import.accepted_difference.import_supplier IS 'Code of the supplier.';
COMMENT ON COLUMN data_import.accepted_difference.external_account_number IS
    'Number of the account at the supplier: of one that is not known here nothing else tells it.';
COMMENT ON COLUMN data_import.accepted_difference.declared_records IS 'How many records the supplier has.';
COMMENT ON COLUMN data_import.accepted_difference.declared_amount IS 'Their amount; null where the supplier does not say it.';
COMMENT ON COLUMN data_import.accepted_difference.declared_fingerprint IS
    'Their fingerprint; null where the supplier does not say it.';
COMMENT ON COLUMN data_import.accepted_difference.declared_sums IS
    'Each of their sums as an object of decimal strings, {"amount:CHARGE": "12.5"}; null where the supplier does not say them.';
COMMENT ON COLUMN data_import.accepted_difference.held_records IS 'How many records were held here.';
COMMENT ON COLUMN data_import.accepted_difference.held_amount IS 'Their amount; 0 where the kind has none.';
COMMENT ON COLUMN data_import.accepted_difference.held_fingerprint IS 'Their fingerprint.';
COMMENT ON COLUMN data_import.accepted_difference.accepted_by IS 'The system user who accepted it.';
COMMENT ON COLUMN data_import.accepted_difference.reason IS 'Why.';

GRANT SELECT ON data_import.accepted_difference TO "data-import";
