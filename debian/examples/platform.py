"""A consumer with a database of its own: copies all records of data-import as they were sent, each of them exactly once.

    python3 platform.py --consumer crm --source 'host=db.example.com dbname=data-import user=crm' --target dbname=crm

The handbook (platform.md) explains it. Needs Debian's python3-psycopg2. The role of the source is a member of
data-import-platform; that of the target may create tables. Several processes may run for one consumer. SIGTERM ends a
process after its present batch. After an error it connects again. Give your copy another name: Python has a module
of its own that is called platform.

The target commits before the source does. If the process is killed in between, the accounts come again, and their
records are recognised by record_id.
"""
import argparse
import os
import select
import signal
import sys

import psycopg2
from psycopg2.extras import execute_values

TABLES = """
    CREATE TABLE IF NOT EXISTS account (
        import_supplier text, external_account_number text, service_account_number text,
        PRIMARY KEY (import_supplier, external_account_number));
    CREATE TABLE IF NOT EXISTS record (
        record_id uuid PRIMARY KEY, kind text NOT NULL, import_supplier text, external_account_number text,
        content jsonb NOT NULL);
    CREATE INDEX IF NOT EXISTS record_by_account ON record (import_supplier, external_account_number);
"""
# to plan this takes longer than to read an account
PREPARED = """
    PREPARE records_of_account (text, text, timestamptz) AS
    SELECT record_id, kind, import_supplier, external_account_number, canonical_content FROM platform.record
    WHERE import_supplier = $1 AND external_account_number = $2 AND imported_at >= $3
"""
BATCH = 100  # accounts of one transaction
FINAL = ("DI011", "42501")  # no such consumer, not allowed: to try again does not help
STATUS_OF_FINAL = 2  # for systemd's RestartPreventExitStatus
PAUSE = 5  # seconds before the next attempt to connect
LONGEST_WAIT = 60  # seconds; a notification may be lost with its connection


def store(target, records):
    execute_values(
        target,
        "INSERT INTO record (record_id, kind, import_supplier, external_account_number, content) VALUES %s"
        " ON CONFLICT (record_id) DO NOTHING",
        records,
        page_size=1000,
    )


def copy_account(source, target, supplier, number, service_number, since, event):
    # The row of the account is locked until the target commits. A process that took the account before, and was cut
    # off from the source since, has committed or failed by then: nothing of it comes after what this one writes.
    target.execute(
        "INSERT INTO account VALUES (%s, %s, %s) ON CONFLICT (import_supplier, external_account_number)"
        " DO UPDATE SET service_account_number = excluded.service_account_number",
        (supplier, number, service_number),
    )
    if event in ("reset", "erased"):
        target.execute("DELETE FROM record WHERE import_supplier = %s AND external_account_number = %s", (supplier, number))
    if event == "erased":
        target.execute("DELETE FROM account WHERE import_supplier = %s AND external_account_number = %s", (supplier, number))
        return
    source.execute("EXECUTE records_of_account (%s, %s, %s)", (supplier, number, since))
    store(target, source)


def copy_market_participant(source, target, code, since):
    """With its price sheets. The lists inside, contacts and prices, are in the contents."""
    for view, column in (("market_participant", "code"), ("price_sheet", "market_participant_code")):
        source.execute(
            f"SELECT record_id, kind, NULL, NULL, canonical_content FROM platform.record WHERE kind = %s AND record_id IN"
            f" (SELECT record_id FROM platform.{view} WHERE {column} = %s AND imported_at >= %s)",
            (f"{view}s", code, since),
        )
        store(target, source)


def copy_batch(source, target, consumer):
    """Takes some of what is new and copies it. True: there was something."""
    with source.cursor() as reading, target.cursor() as writing:
        reading.execute(
            "SELECT import_supplier, external_account_number, service_account_number, since, event"
            " FROM platform.take_accounts(%s, %s)", (consumer, BATCH))
        accounts = reading.fetchall()
        # in one order, so that two processes do not wait for each other's accounts
        for account in sorted(accounts, key=lambda row: row[:2]):
            copy_account(reading, writing, *account)
        reading.execute(
            "SELECT market_participant_code, since FROM platform.take_market_participants(%s, %s)", (consumer, BATCH))
        participants = reading.fetchall()
        for participant in participants:
            copy_market_participant(reading, writing, *participant)
    target.commit()
    source.commit()
    return bool(accounts or participants)


def give_up(sentence):
    print(sentence, file=sys.stderr)
    sys.exit(STATUS_OF_FINAL)


def copy_news(options, wakeup, is_ended):
    """Copies until the end, or raises psycopg2.Error."""
    source = psycopg2.connect(options.source)
    target = psycopg2.connect(options.target)
    try:
        with target.cursor() as cursor:
            cursor.execute("SELECT to_regnamespace('platform') IS NOT NULL")
            if cursor.fetchone()[0]:
                give_up("--target is data-import's own database; copies there are made as platform.sql makes them")
            cursor.execute(TABLES)
        target.commit()
        with source.cursor() as cursor:
            cursor.execute(PREPARED)
            cursor.execute("LISTEN data_import_news")
        source.commit()
        while not is_ended():
            if not copy_batch(source, target, options.consumer):
                if not source.notifies:  # some may have come with the answers to the last statements
                    select.select([source, wakeup], [], [], LONGEST_WAIT)
                source.poll()
                source.notifies.clear()
    finally:
        source.close()
        target.close()


def main():
    parser = argparse.ArgumentParser(description="Copies what is new in data-import into another database.")
    parser.add_argument("--consumer", required=True, help="name of the consumer, as data-importctl consumer list has it")
    parser.add_argument("--source", required=True, help="connection to the database of data-import")
    parser.add_argument("--target", required=True, help="connection to the database of the copies")
    options = parser.parse_args()

    ended = []
    wakeup, signals = os.pipe()
    os.set_blocking(signals, False)
    signal.set_wakeup_fd(signals)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.append(True))
    while not ended:
        try:
            copy_news(options, wakeup, lambda: ended)
        except psycopg2.Error as problem:
            sentence = problem.diag.message_primary or str(problem).strip()
            if problem.pgcode in FINAL:
                give_up(sentence)
            print(f"{sentence}; connecting again in {PAUSE} seconds", file=sys.stderr, flush=True)
            select.select([wakeup], [], [], PAUSE)


if __name__ == "__main__":
    main()
