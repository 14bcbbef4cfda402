#!/usr/bin/python3
"""Watches what becomes of imports while hosts are lost: see tests/ha/check.

    witness.py members                      hosts that run, primaries, synchronous standbys, by Patroni
    witness.py primary                      the host that takes writes
    witness.py prepare                      makes the table by which the database itself is asked
    witness.py write-lines FILE COUNT       requests for data-import-load
    witness.py post FAULT SECONDS LEDGER    imports for so long
    witness.py linger SECONDS               one request to the first host that takes so long
    witness.py judge LEDGER TIME            compares the ledger with the database; the fault came at TIME
    witness.py recount LEDGER ...           what the database has now of everything that was ever acknowledged
    witness.py table LEDGER ...             the figures of all that was judged

Runs in the client's network namespace; RUN_DIR holds the API key and the authority of the certificates."""
import collections
import json
import os
import sys
import urllib.request

from clients import DATABASES, SERVICES, linger, open_database, post, write_lines

# how many seconds an outage of the service may last longer than the outage of the database
MOST_BEYOND_DATABASE = 2.0
# how many seconds longer a request may take than the longest one before the fault (which shows how slow the machine is): 5 s of
# silence (database_silence), 2 s to connect to the next host, and one more
LONGEST_WAIT = 8.0


def members():
    for address in DATABASES.values():
        try:
            with urllib.request.urlopen("http://%s:8008/cluster" % address, timeout=1) as answer:
                return json.load(answer)["members"]
        except (OSError, ValueError, KeyError):
            continue
    return []


def count_members():
    found = members()
    return "%d %d %d" % (
        sum(member["state"] in ("running", "streaming") for member in found),
        sum(member["role"] == "leader" for member in found),
        sum(member["role"] == "sync_standby" for member in found),
    )


def stored_parts(cursor, run):
    """Returns how often each part is stored. Transactions with too few or too many line items are counted as one more part."""
    cursor.execute("SELECT body, count(*) FROM data_import.note WHERE starts_with(body, %s) GROUP BY 1", (run + ".",))
    stored = dict(cursor.fetchall())
    cursor.execute(
        """SELECT transaction_id, count(DISTINCT copy), count(line.*) FROM data_import.financial_transaction
           LEFT JOIN data_import.transaction_line_item AS line USING (account_key, transaction_id, copy)
           WHERE starts_with(transaction_id, %s) GROUP BY 1""",
        (run + ".",),
    )
    torn = 0
    for name, copies, lines in cursor.fetchall():
        stored[name] = copies
        torn += lines != 2 * copies
    return stored, torn


def wrong_counts(cursor):
    """Returns the kinds whose figures of progress differ from the number of rows."""
    counted = collections.Counter()
    for supplier in ("HA", "LOAD"):
        cursor.execute("SELECT kind, records FROM data_import.migration_progress(%s)", (supplier,))
        for kind, records in cursor.fetchall():
            counted[kind] += records or 0
    wrong = 0
    for kind, table in (("notes", "note"), ("transactions", "financial_transaction")):
        cursor.execute("SELECT count(*) FROM data_import." + table)
        wrong += cursor.fetchone()[0] != counted[kind]
    return wrong


def compare(ledger, cursor):
    stored, half = stored_parts(cursor, ledger["run"])
    missing = doubled = 0
    for request in ledger["requests"]:
        counts = [stored.get("%s.%d" % (request["id"], part), 0) for part in range(request["parts"])]
        missing += bool(request["acknowledged"]) and 0 in counts
        doubled += max(counts) > 1
        half += 0 in counts and max(counts) > 0
    return missing, doubled, half + wrong_counts(cursor)


def longest_pause(times, since):
    times = sorted(moment for moment in times if moment > since)
    if len(times) < 2:
        return float("inf")
    return max(later - earlier for earlier, later in zip(times, times[1:]))


def is_documented(attempt, fault):
    _, _, host, kind, status, said = attempt
    if 200 <= status < 300 or (fault == "service" and host == SERVICES[0]):
        return True
    if fault == "upgrade":
        return False
    return status == 503 or (status == 500 and kind == "unchecked" and "outcome is unknown" in said)


def name_of(attempt):
    _, _, _, _, status, said = attempt
    try:
        return "%d %s" % (status, json.loads(said)["code"])
    except (ValueError, KeyError, TypeError):
        return "%s %s" % (status or "no answer", said[:60])


def figures_of(ledger, since):
    """Returns the figures of a run, from its ledger and from what the database holds now."""
    missing, doubled, half = compare(ledger, open_database().cursor())
    acknowledged = [r for r in ledger["requests"] if r["acknowledged"]]
    refused = collections.Counter(name_of(a) for a in ledger["attempts"] if not 200 <= a[4] < 300)
    return {
        "fault": ledger["fault"],
        "load": os.getloadavg()[0],
        "service": longest_pause([r["acknowledged"] for r in acknowledged], since),
        "database": longest_pause(ledger["probes"], since),
        "longest": max(attempt[1] for attempt in ledger["attempts"]),
        "usual": max((took for began, took, *_ in ledger["attempts"] if began + took < since), default=0.0),
        "acknowledged": len(acknowledged),
        "repeated": sum(r["tries"] > 1 for r in acknowledged),
        "missing": missing,
        "doubled": doubled,
        "half": half,
        "untaken": sum(bool(r["acknowledged"]) and not r["taken"] for r in ledger["requests"]),
        "never": sum(not r["acknowledged"] and not r["unknown"] for r in ledger["requests"]),
        "others": ", ".join("%d x %s" % (count, name) for name, count in refused.most_common()) or "none",
    }


def judge(file, moment):
    with open(file, encoding="utf-8") as stream:
        ledger = json.load(stream)
    figures = ledger["figures"] = figures_of(ledger, float(moment) - 1)
    with open(file, "w", encoding="utf-8") as stream:
        json.dump(ledger, stream)
    table([file])
    wrong = []
    if figures["missing"] or figures["doubled"] or figures["half"]:
        wrong.append("the database has not what was acknowledged")
    if figures["untaken"]:
        wrong.append("the platform's software has not taken what was acknowledged")
    if figures["never"]:
        wrong.append("requests were never acknowledged")
    if figures["service"] > figures["database"] + MOST_BEYOND_DATABASE:
        wrong.append("the service was away for more than %g s longer than the database" % MOST_BEYOND_DATABASE)
    if figures["longest"] > figures["usual"] + LONGEST_WAIT:
        wrong.append(
            "a request took %.1f s, and none before the fault more than %.1f s" % (figures["longest"], figures["usual"])
        )
    if undocumented := [a for a in ledger["attempts"] if not is_documented(a, ledger["fault"])]:
        wrong.append("undocumented answers, such as %s" % name_of(undocumented[0]))
    for sentence in wrong:
        print("            FAILED: " + sentence)
    return 1 if wrong else 0


def recount(files):
    cursor, lost = open_database().cursor(), 0
    for file in files:
        with open(file, encoding="utf-8") as stream:
            lost += sum(compare(json.load(stream), cursor))
    print("in the end  %d missing, doubled or half counted of all that was acknowledged" % lost)
    return 1 if lost else 0


COLUMNS = (
    ("fault", "fault", "%-10s"),
    ("no writes s", "service", "%11.1f"),
    ("database's", "database", "%10.1f"),
    ("longest s", "longest", "%9.1f"),
    ("acknowledged", "acknowledged", "%12d"),
    ("repeats", "repeated", "%7d"),
    ("missing", "missing", "%7d"),
    ("doubled", "doubled", "%7d"),
    ("half", "half", "%4d"),
    ("untaken", "untaken", "%7d"),
    ("never", "never", "%5d"),
    ("load", "load", "%4.0f"),
    ("others", "others", "%s"),
)


def table(files):
    """Prints for each run: the seconds without an acknowledged write, and without a commit in the database itself; the longest
    answer; how much was acknowledged, how much of that after a repeat, and how much of that is wrong; the load of the machine;
    the answers other than 2xx."""
    if len(files) > 1:
        print("  ".join(title if form == "%s" else title.rjust(len(form % 0)) if key != "fault" else "%-10s" % title
                        for title, key, form in COLUMNS))
    for file in sorted(files, key=os.path.getmtime):
        with open(file, encoding="utf-8") as stream:
            figures = json.load(stream)["figures"]
        print("  ".join(form % figures[key] for _, key, form in COLUMNS), flush=True)


def prepare():
    database = open_database()
    database.cursor().execute("CREATE TABLE public.ha_probe (at timestamptz)")
    database.commit()


def main(command, *arguments):
    if command == "members":
        print(count_members())
    elif command == "primary":
        print(" ".join(member["name"] for member in members() if member["role"] == "leader"))
    elif command == "prepare":
        prepare()
    elif command == "write-lines":
        write_lines(*arguments)
    elif command == "post":
        post(*arguments)
    elif command == "linger":
        return 0 if linger(*arguments) else 1
    elif command == "judge":
        return judge(*arguments)
    elif command == "recount":
        return recount(arguments)
    elif command == "table":
        table(arguments)
    else:
        sys.exit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
