-- Counts of stored records: receipts, and totals and rates, which are sums of receipts.

-- Each import adds a row, its receipt, in the transaction that stores its records. housekeeping() moves receipts into totals.
-- Readers add up totals and receipts in one snapshot, so the figures are exact at any time. Reading takes the same time with ten
-- accounts as with ten million.
--
-- Counting millions of rows for each reader would be too slow. Counters that every import updates would make imports wait for
-- each other.

-- On Citus, receipts are on the nodes of their accounts: placed_by distributes them, and has no other meaning. A call that stores
-- something for several accounts of a shard group puts the key of one of these accounts into placed_by.
CREATE TABLE data_import.import_receipt (
    import_supplier text COLLATE "C" NOT NULL,
    kind            text COLLATE "C" NOT NULL,
    figure          text COLLATE "C" NOT NULL DEFAULT 'records',
    value           numeric NOT NULL,
    at              timestamptz NOT NULL DEFAULT now(),
    placed_by       uuid NOT NULL
                    DEFAULT coalesce(nullif(current_setting('import_receipt.placed_by', true), ''),
                                     '00000000-0000-0000-0000-000000000000')::uuid
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000);
-- the table has no key, so logical replication has to know rows by all their columns: else no row could be deleted
ALTER TABLE data_import.import_receipt REPLICA IDENTITY FULL;
COMMENT ON TABLE data_import.import_receipt IS
    'What was stored and is not in the totals yet, with no index, because every import adds to it: a row for each figure of '
    'what a call stored for a supplier. Rows leave it by housekeeping().';
COMMENT ON COLUMN data_import.import_receipt.import_supplier IS
    'Code of the supplier; empty for records that belong to no supplier.';
COMMENT ON COLUMN data_import.import_receipt.kind IS
    'Kind of the records, as the counts of accounts and suppliers call it (notes, transactions, ...), or account_ and a '
    'state.';
COMMENT ON COLUMN data_import.import_receipt.figure IS
    'What is counted or summed up: records that suppliers sent; pinned, notes that the service added itself; differing, records '
    'that were sent again with other content, and not stored; or a field, where several are kept apart with what they are kept '
    'apart by (amount:CHARGE, quantity:KWH, gross_amount).';
COMMENT ON COLUMN data_import.import_receipt.value IS
    'The sum over what was stored, repeats not among it; of account_ how many accounts came into the state; negative for '
    'what was taken out again.';
COMMENT ON COLUMN data_import.import_receipt.at IS 'When; -infinity for a correction of the totals, which is of no time.';
COMMENT ON COLUMN data_import.import_receipt.placed_by IS
    'The shard that has the row, where the schema is distributed: an account key of the shard group.';

CREATE TABLE data_import.import_total (
    import_supplier text COLLATE "C" NOT NULL,
    kind            text COLLATE "C" NOT NULL,
    figure          text COLLATE "C" NOT NULL,
    value           numeric NOT NULL,
    last_at         timestamptz NOT NULL,
    PRIMARY KEY (import_supplier, kind, figure)
);
COMMENT ON TABLE data_import.import_total IS
    'Sums of all receipts that are gone. With the receipts that are there it is what the database holds.';
COMMENT ON COLUMN data_import.import_total.import_supplier IS 'As in import_receipt.';
COMMENT ON COLUMN data_import.import_total.kind IS 'As in import_receipt.';
COMMENT ON COLUMN data_import.import_total.figure IS 'As in import_receipt.';
COMMENT ON COLUMN data_import.import_total.value IS 'Sum of the receipts'' values.';
COMMENT ON COLUMN data_import.import_total.last_at IS
    'Time of the last of these receipts that brought anything, which takes nothing out; -infinity: none did.';

CREATE VIEW data_import.counted_figure AS
SELECT import_supplier, kind, figure, value FROM data_import.import_total
UNION ALL
SELECT import_supplier, kind, figure, value FROM data_import.import_receipt;
COMMENT ON VIEW data_import.counted_figure IS 'What receipts and totals tell, in parts that readers add up.';
COMMENT ON COLUMN data_import.counted_figure.import_supplier IS 'Code of the supplier, as in import_receipt.';
COMMENT ON COLUMN data_import.counted_figure.kind IS 'Kind of the records, as in import_receipt.';
COMMENT ON COLUMN data_import.counted_figure.figure IS 'What is counted or summed up, as in import_receipt.';
COMMENT ON COLUMN data_import.counted_figure.value IS 'A part of the figure.';

CREATE TABLE data_import.import_rate (
    import_supplier text COLLATE "C" NOT NULL,
    kind            text COLLATE "C" NOT NULL,
    seconds         integer NOT NULL CONSTRAINT seconds_are_those_of_rates CHECK (seconds IN (5, 60, 3600)),
    began_at        timestamptz NOT NULL,
    records         bigint NOT NULL,
    PRIMARY KEY (import_supplier, seconds, began_at, kind)
);
COMMENT ON TABLE data_import.import_rate IS
    'What the receipts that are gone say of when it came: sums for every 5 seconds of the last minutes, for every minute of the '
    'last 25 hours, and for every hour before, which are kept for good. Of accounts, only how many were imported; nothing of '
    'what was taken out again.';
COMMENT ON COLUMN data_import.import_rate.import_supplier IS 'As in import_receipt.';
COMMENT ON COLUMN data_import.import_rate.kind IS 'As in import_receipt.';
COMMENT ON COLUMN data_import.import_rate.seconds IS 'Length of the time that is summed up.';
COMMENT ON COLUMN data_import.import_rate.began_at IS 'Its begin: a multiple of its length.';
COMMENT ON COLUMN data_import.import_rate.records IS 'Sum of the records of receipts in this time.';
CREATE INDEX import_rate_by_age ON data_import.import_rate (seconds, began_at);

-- Deletes receipts in the same statement that adds them to the totals and rates.
CREATE FUNCTION data_import.sum_up_receipts(p_most integer) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_finest_from constant timestamptz := date_trunc('minute', now() - interval '2 minutes');
    v_taken bigint;
BEGIN
    WITH taken AS (
        DELETE FROM data_import.import_receipt
        WHERE ctid = ANY (ARRAY(SELECT ctid FROM data_import.import_receipt LIMIT p_most))
        RETURNING import_supplier, kind, figure, value, at
    ), totals AS (
        INSERT INTO data_import.import_total AS total (import_supplier, kind, figure, value, last_at)
        SELECT import_supplier, kind, figure, sum(value), coalesce(max(at) FILTER (WHERE value > 0), '-infinity')
        FROM taken GROUP BY import_supplier, kind, figure
        ON CONFLICT (import_supplier, kind, figure) DO UPDATE
            SET value = total.value + excluded.value, last_at = greatest(total.last_at, excluded.last_at)
    ), rates AS (
        INSERT INTO data_import.import_rate AS rate (import_supplier, kind, seconds, began_at, records)
        SELECT import_supplier, kind, span.seconds,
               date_bin(make_interval(secs => span.seconds), at, timestamptz '2000-01-01 00:00:00+00'), sum(value)
        FROM taken
        CROSS JOIN LATERAL (SELECT CASE WHEN at >= v_finest_from THEN 5 ELSE 60 END) AS span (seconds)
        WHERE figure IN ('records', 'pinned') AND value > 0 AND at > '-infinity'
          AND kind NOT IN ('account_staged', 'account_in_progress', 'account_failed')
        GROUP BY 1, 2, 3, 4
        ON CONFLICT (import_supplier, kind, seconds, began_at) DO UPDATE SET records = rate.records + excluded.records
    )
    SELECT count(*) INTO v_taken FROM taken;
    RETURN v_taken;
END
$$;
COMMENT ON FUNCTION data_import.sum_up_receipts IS
    'Moves at most so many receipts into the totals and rates, and tells how many.';

CREATE FUNCTION data_import.merge_rates_into(p_seconds integer, p_finer integer, p_before timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    WITH old AS (
        DELETE FROM data_import.import_rate WHERE seconds = p_finer AND began_at < p_before
        RETURNING import_supplier, kind, began_at, records
    )
    INSERT INTO data_import.import_rate AS rate (import_supplier, kind, seconds, began_at, records)
    SELECT import_supplier, kind, p_seconds,
           date_bin(make_interval(secs => p_seconds), began_at, timestamptz '2000-01-01 00:00:00+00'), sum(records)
    FROM old GROUP BY 1, 2, 4
    ON CONFLICT (import_supplier, kind, seconds, began_at) DO UPDATE SET records = rate.records + excluded.records;
END
$$;
COMMENT ON FUNCTION data_import.merge_rates_into IS 'Turns rates of before that time into those of a longer one.';

CREATE FUNCTION data_import.merge_rates() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM data_import.merge_rates_into(60, 5, date_trunc('minute', now() - interval '2 minutes')),
            data_import.merge_rates_into(3600, 60, date_trunc('hour', now() - interval '25 hours'));
END
$$;
COMMENT ON FUNCTION data_import.merge_rates IS
    'Turns rates of 5 seconds that are older than some minutes into those of a minute, and those of 25 hours ago into those of '
    'an hour.';

GRANT SELECT, INSERT ON data_import.import_receipt TO "data-import";
GRANT SELECT ON data_import.import_total, data_import.counted_figure, data_import.import_rate TO "data-import";
