-- A consumer in the database of data-import: copies notes and transactions into tables of its own, each of them exactly once.
-- The handbook (platform.md) creates what it needs: a role, a schema that belongs to it and a consumer, all named crm. Then, as crm:
--     psql data-import --file=platform.sql                               creates tables and procedure; repeatable
--     psql data-import --command='CALL crm.take_news()'                  copies all that is new: for cron
--     echo 'CALL crm.take_news() \watch 5' | psql --quiet data-import    copies it every 5 seconds
CREATE TABLE IF NOT EXISTS crm.note (
    record_id uuid PRIMARY KEY, import_supplier text, external_account_number text, created_at timestamptz, body text,
    is_by_service boolean);
CREATE INDEX IF NOT EXISTS note_by_account ON crm.note (import_supplier, external_account_number);
CREATE TABLE IF NOT EXISTS crm.transaction (
    record_id uuid PRIMARY KEY, import_supplier text, external_account_number text, transaction_date date, type text,
    amount numeric);
CREATE INDEX IF NOT EXISTS transaction_by_account ON crm.transaction (import_supplier, external_account_number);

-- Each round takes 100 accounts and copies their records in one transaction. If it fails, the accounts come again.
CREATE OR REPLACE PROCEDURE crm.take_news() LANGUAGE plpgsql AS $$
DECLARE
    news record;
BEGIN
    PERFORM platform.take_market_participants('crm', 10000);  -- are not copied here, and would wait for ever
    LOOP
        FOR news IN SELECT import_supplier, external_account_number, since, event FROM platform.take_accounts('crm', 100) LOOP
            IF news.event IN ('reset', 'erased') THEN
                DELETE FROM crm.note
                WHERE (import_supplier, external_account_number) = (news.import_supplier, news.external_account_number);
                DELETE FROM crm.transaction
                WHERE (import_supplier, external_account_number) = (news.import_supplier, news.external_account_number);
            END IF;
            INSERT INTO crm.note
            SELECT record_id, import_supplier, external_account_number, created_at, body, is_by_service FROM platform.note
            WHERE (import_supplier, external_account_number) = (news.import_supplier, news.external_account_number)
              AND imported_at >= news.since ON CONFLICT DO NOTHING;
            INSERT INTO crm.transaction
            SELECT record_id, import_supplier, external_account_number, transaction_date, type, amount
            FROM platform.financial_transaction
            WHERE (import_supplier, external_account_number) = (news.import_supplier, news.external_account_number)
              AND imported_at >= news.since ON CONFLICT DO NOTHING;
        END LOOP;
        EXIT WHEN NOT FOUND;
        COMMIT;
    END LOOP;
END
$$;
