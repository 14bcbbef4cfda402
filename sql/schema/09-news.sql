-- News for consumers, which are programs of the platform: accounts with new records, accounts that were reset or erased, and
-- market participants.

-- An import that stores something adds a row to news in its own transaction, in a table that is only appended to, with no index.
-- deliver_news() moves these rows into consumer_news, where each account stands once for each consumer.
--
-- Imports add news only for suppliers with tells_news. Imports read the supplier's row anyway, so news cost nothing if there is
-- no consumer. Reading the table of consumers would cost an import of one note 4 microseconds of 110.

CREATE TABLE data_import.consumer (
    name       text COLLATE "C" PRIMARY KEY
               CONSTRAINT consumer_name_is_a_name CHECK (data_import.text_problem('name', name, 64) IS NULL),
    suppliers  text[] CONSTRAINT consumer_has_suppliers CHECK (suppliers <> '{}'),
    begins     text NOT NULL CONSTRAINT begin_is_known CHECK (begins IN ('now', 'beginning')),
    added_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    added_by   text NOT NULL,
    is_ready   boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE data_import.consumer IS 'Programs of the platform that take what is new.';
COMMENT ON COLUMN data_import.consumer.name IS 'Name of the consumer.';
COMMENT ON COLUMN data_import.consumer.suppliers IS 'Codes of the suppliers whose accounts it takes; null: of all.';
COMMENT ON COLUMN data_import.consumer.begins IS
    'beginning: it also takes what had been imported before it was added; now: it does not.';
COMMENT ON COLUMN data_import.consumer.added_at IS 'When it was added.';
COMMENT ON COLUMN data_import.consumer.added_by IS 'System user who added it: whoever called sudo, where that was used.';
COMMENT ON COLUMN data_import.consumer.is_ready IS
    'Whether it was added to the end: all imports tell it, and what it begins with is there.';

CREATE TABLE data_import.news (
    placed_by               uuid NOT NULL
                            DEFAULT coalesce(nullif(current_setting('import_receipt.placed_by', true), ''),
                                             '00000000-0000-0000-0000-000000000000')::uuid,
    subjects                uuid[] NOT NULL,
    since                   timestamptz NOT NULL,
    is_removal              boolean NOT NULL DEFAULT false,
    supplier                text COLLATE "C",
    external_account_number text COLLATE "C",
    service_account_number  text COLLATE "C",
    market_participant_code bigint
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
-- as import_receipt
ALTER TABLE data_import.news REPLICA IDENTITY FULL;
COMMENT ON TABLE data_import.news IS
    'What has come, or was removed, and is not delivered to consumers yet. It has no index, because imports add to it.';
COMMENT ON COLUMN data_import.news.placed_by IS 'The shard that has the row, where the schema is distributed, as in import_receipt.';
COMMENT ON COLUMN data_import.news.subjects IS
    'Keys of accounts that have got records; of a market participant data_import.account_key of no supplier and the code.';
COMMENT ON COLUMN data_import.news.since IS 'None of these records has an earlier imported_at.';
COMMENT ON COLUMN data_import.news.is_removal IS 'Whether the account was reset or erased.';
COMMENT ON COLUMN data_import.news.supplier IS 'Of a removal the code of the supplier.';
COMMENT ON COLUMN data_import.news.external_account_number IS 'Of a removal the account''s number in the supplier''s system.';
COMMENT ON COLUMN data_import.news.service_account_number IS 'Of a removal the number on the platform, if there was one.';
COMMENT ON COLUMN data_import.news.market_participant_code IS 'The market participant that the row is about; null: accounts.';

CREATE TABLE data_import.consumer_news (
    consumer                text COLLATE "C" NOT NULL,
    subject                 uuid NOT NULL,
    supplier                text COLLATE "C" NOT NULL,
    external_account_number text COLLATE "C",
    service_account_number  text COLLATE "C",
    market_participant_code bigint,
    since                   timestamptz NOT NULL,
    is_removed              boolean NOT NULL,
    waiting_since           timestamptz NOT NULL,
    delivery                bigint NOT NULL,
    is_held                 boolean NOT NULL,
    PRIMARY KEY (subject, consumer, is_held)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
COMMENT ON TABLE data_import.consumer_news IS
    'Accounts and market participants that consumers have yet to take: each once, however much has come.';
COMMENT ON COLUMN data_import.consumer_news.consumer IS 'Name of the consumer.';
COMMENT ON COLUMN data_import.consumer_news.subject IS 'The account or market participant, as in news.';
COMMENT ON COLUMN data_import.consumer_news.supplier IS 'Code of the supplier; empty for a market participant.';
COMMENT ON COLUMN data_import.consumer_news.external_account_number IS
    'The account''s number in the supplier''s system; null for a market participant.';
COMMENT ON COLUMN data_import.consumer_news.service_account_number IS 'The account''s number on the platform, if there was one.';
COMMENT ON COLUMN data_import.consumer_news.market_participant_code IS 'Code of the market participant; null for an account.';
COMMENT ON COLUMN data_import.consumer_news.since IS 'None of the records that are new has an earlier imported_at.';
COMMENT ON COLUMN data_import.consumer_news.is_removed IS
    'Whether records that the consumer may have taken were removed: by a reset, or an erasure.';
COMMENT ON COLUMN data_import.consumer_news.waiting_since IS 'When the first of the news was delivered.';
COMMENT ON COLUMN data_import.consumer_news.delivery IS 'Number of the delivery that brought the last of the news.';
COMMENT ON COLUMN data_import.consumer_news.is_held IS
    'Whether the news came while a session was taking the account, and may be taken when its transaction has ended.';
CREATE INDEX consumer_news_of_accounts ON data_import.consumer_news (consumer, waiting_since)
    WHERE market_participant_code IS NULL AND NOT is_held;
CREATE INDEX consumer_news_of_participants ON data_import.consumer_news (consumer, waiting_since)
    WHERE market_participant_code IS NOT NULL AND NOT is_held;
CREATE INDEX consumer_news_held ON data_import.consumer_news (consumer, subject) WHERE is_held;
CREATE INDEX consumer_news_by_supplier ON data_import.consumer_news (consumer, supplier, waiting_since);

CREATE TABLE data_import.news_delivery (
    number bigint PRIMARY KEY
);
INSERT INTO data_import.news_delivery VALUES (0);
COMMENT ON TABLE data_import.news_delivery IS 'The last delivery of news to consumers: one row.';
COMMENT ON COLUMN data_import.news_delivery.number IS 'Its number: that of the one before and 1.';

CREATE TABLE data_import.consumer_count (
    consumer text COLLATE "C" NOT NULL,
    supplier text COLLATE "C" NOT NULL,
    waiting  bigint NOT NULL,
    accounts bigint NOT NULL DEFAULT 0,
    records  bigint NOT NULL DEFAULT 0,
    at       timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
-- as import_receipt
ALTER TABLE data_import.consumer_count REPLICA IDENTITY FULL;
COMMENT ON TABLE data_import.consumer_count IS
    'Figures of consumers in parts that readers add up: one for each delivery and each call that took something. deliver_news() '
    'adds them up.';
COMMENT ON COLUMN data_import.consumer_count.consumer IS 'Name of the consumer.';
COMMENT ON COLUMN data_import.consumer_count.supplier IS 'Code of the supplier; empty for market participants.';
COMMENT ON COLUMN data_import.consumer_count.waiting IS 'How many came to those that wait; negative for those that were taken.';
COMMENT ON COLUMN data_import.consumer_count.accounts IS 'How many accounts, or market participants, were taken.';
COMMENT ON COLUMN data_import.consumer_count.records IS 'How many records these had that were new.';
COMMENT ON COLUMN data_import.consumer_count.at IS 'When something was taken; null: nothing was.';

-- Stores the news that accounts have got records; none of these records has an imported_at before p_since. p_account_keys holds
-- the key of each account once, in any order.
CREATE FUNCTION data_import.add_news(p_account_keys uuid[], p_since timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF p_account_keys <> '{}' THEN
        INSERT INTO data_import.news (subjects, since) VALUES (p_account_keys, p_since);
    END IF;
END
$$;
COMMENT ON FUNCTION data_import.add_news IS 'Tells consumers of accounts that have got records since then.';

-- Adds the news that an account is reset or erased. If there is no consumer, stores no row, because the row names the account,
-- which may have to be forgotten.
--
-- The lock on the table consumer keeps a consumer from being added during the removal, because the new consumer would not be told
-- of the removal. On Citus, nodes commit one after the other, so the row is on the node of the account's records. Otherwise a
-- consumer could be told of a removal before it sees that the records are gone.
CREATE FUNCTION data_import.add_removal(p_account_key uuid, p_import_supplier text, p_external_account_number text) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_service_account_number constant text := (
        SELECT service_account_number FROM data_import.account WHERE account_key = p_account_key);
BEGIN
    LOCK TABLE data_import.consumer IN ROW SHARE MODE;
    INSERT INTO data_import.news (placed_by, subjects, since, is_removal, supplier, external_account_number,
                                  service_account_number)
    SELECT p_account_key, ARRAY[p_account_key], now(), true, p_import_supplier, p_external_account_number, v_service_account_number
    WHERE EXISTS (SELECT 1 FROM data_import.consumer);
END
$$;
COMMENT ON FUNCTION data_import.add_removal IS 'Tells consumers that an account is reset or erased.';

-- Adds news of market participants. These are few, so their news are stored even if there is no consumer.
CREATE FUNCTION data_import.add_market_participants(p_codes bigint[], p_since timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO data_import.news (subjects, since, market_participant_code)
    SELECT ARRAY[data_import.account_key('', code::text)], p_since, code FROM unnest(p_codes) AS sent (code);
END
$$;
COMMENT ON FUNCTION data_import.add_market_participants IS
    'Tells consumers of market participants that are new, or have new price sheets.';

GRANT INSERT ON data_import.news TO "data-import";
GRANT EXECUTE ON FUNCTION data_import.add_news TO "data-import";
GRANT SELECT ON data_import.consumer, data_import.consumer_news, data_import.consumer_count TO "data-import";
