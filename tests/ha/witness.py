#!/usr/bin/python3
"""The clients of tests/ha/check, which remember what was acknowledged, and what they find of it afterwards.

    witness.py members                    hosts that run, primaries, synchronous standbys, by Patroni
    witness.py primary | standby          the host that takes writes, the one that commits wait for
    witness.py post SECONDS LEDGER        imports for so long through both hosts of the service
    witness.py judge LEDGER FAULT TIME    compares the ledger with the database; FAULT came at TIME
    witness.py recount LEDGER ...         what the database has now of everything that was ever acknowledged

Runs in the client's network namespace; the API key is in the file that API_KEY names."""
import collections
import http.client
import json
import os
import socket
import sys
import threading
import time
import urllib.request

DATABASES = {"db1": "10.93.0.11", "db2": "10.93.0.12", "db3": "10.93.0.13"}
SERVICES = ["10.93.0.21", "10.93.0.22"]
CLIENTS = 8
ACCOUNTS = 200
PAUSE = 0.04  # seconds between two requests of a client
ONE_ANSWER = 60  # seconds for which a client waits
# what a fault may cost: seconds beyond those of the database itself, and of the longest request
MOST_BEYOND_DATABASE = 2.0
LONGEST_REQUEST = 8.0
PROBE_HZ = 25


def members():
    for address in DATABASES.values():
        try:
            with urllib.request.urlopen("http://%s:8008/cluster" % address, timeout=1) as answer:
                return json.load(answer)["members"]
        except (OSError, ValueError, KeyError):
            continue
    return []


def with_role(role):
    return " ".join(member["name"] for member in members() if member["role"] == role)


def count_members():
    found = members()
    return "%d %d %d" % (
        sum(member["state"] in ("running", "streaming") for member in found),
        sum(member["role"] == "leader" for member in found),
        sum(member["role"] == "sync_standby" for member in found),
    )


class Ledger:
    def __init__(self):
        self.lock = threading.Lock()
        self.run = "r%x" % int(time.time())
        self.requests = []  # one for each that was made up: id, kind, parts, acknowledged at
        self.attempts = []  # one for each answer: began at, seconds, host, kind, status, what was said
        self.probes = []  # when the database itself, asked past the service, committed

    def save(self, file):
        with open(file, "w", encoding="utf-8") as stream:
            json.dump({name: getattr(self, name) for name in ("run", "requests", "attempts", "probes")}, stream)


class Token:
    """The API key's present one; asked for again and again, so that a change of the signing key shows."""

    def __init__(self):
        with open(os.environ["API_KEY"], encoding="utf-8") as stream:
            self.key = stream.read().strip()
        self.text = ""
        deadline = time.time() + 20
        while not self.text and time.time() < deadline:
            self.renew(SERVICES[0])
        if not self.text:
            sys.exit("no token is given out")

    def renew(self, host):
        query = 'mutation { obtainToken(input: {APIKey: "%s"}) { token } }' % self.key
        request = urllib.request.Request(
            "http://%s/v1/graphql/" % host, json.dumps({"query": query}).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                self.text = json.load(answer)["data"]["obtainToken"]["token"]
        except (OSError, ValueError, KeyError, TypeError, http.client.HTTPException):
            time.sleep(0.2)

    def keep_renewing(self, end):
        turn = 0
        while time.time() < end:
            self.renew(SERVICES[turn % len(SERVICES)])
            turn += 1
            time.sleep(2)


def notes(name):
    return "/v1/data-import/notes/create/", {"notes": [{"body": "%s.%d" % (name, part)} for part in range(3)]}, 3


def transactions(name, path):
    line = {"start_date": "2024-05-01", "end_date": "2024-05-31", "number_of_units": 1, "net_amount": 1}
    rows = [
        {
            "type": "SUPPLY_CHARGE",
            "transaction_id": "%s.%d" % (name, part),
            "transaction_date": "2024-05-15",
            "amount": 2,
            "product_code": "E",
            "display_note": "x",
            "line_items": [line, line],
        }
        for part in range(2)
    ]
    return path, {"transactions": rows}, 2


CREATE_TRANSACTIONS = "/v1/data-import/transactions/create/"
KINDS = {
    "notes": notes,
    "keyed": notes,  # with an Idempotency-Key
    "checked": lambda name: transactions(name, CREATE_TRANSACTIONS),
    "unchecked": lambda name: transactions(name, CREATE_TRANSACTIONS + "?check_previously_added=false"),
}
ORDER = ["notes", "checked", "keyed"] * 3 + ["unchecked"]


def connect(host):
    connection = http.client.HTTPConnection(host, timeout=2)
    connection.connect()
    connection.sock.settimeout(ONE_ANSWER)
    # a vanished host is noticed within 5 s
    connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (
        (socket.TCP_NODELAY, 1),
        (socket.TCP_KEEPIDLE, 2),
        (socket.TCP_KEEPINTVL, 1),
        (socket.TCP_KEEPCNT, 3),
        (socket.TCP_USER_TIMEOUT, 5000),
    ):
        connection.sock.setsockopt(socket.IPPROTO_TCP, option, value)
    return connection


class Client:
    """Makes requests that nobody else makes, and repeats each until it is acknowledged or must not be."""

    def __init__(self, number, ledger, token, end):
        self.number, self.ledger, self.token, self.end = number, ledger, token, end
        self.connections = {}
        self.turn = number

    def work(self):
        count = 0
        while time.time() < self.end:
            kind = ORDER[(count + self.number) % len(ORDER)]
            name = "%s.%d.%d" % (self.ledger.run, self.number, count)
            path, body, parts = KINDS[kind](name)
            account = "A%d" % ((count * 17 + self.number * 31) % ACCOUNTS)
            body.update(import_supplier="HA", external_account_number=account)
            request = {"id": name, "kind": kind, "parts": parts, "acknowledged": None, "unknown": False}
            with self.ledger.lock:
                self.ledger.requests.append(request)
            self.see_through(request, path, json.dumps(body).encode())
            count += 1
            time.sleep(PAUSE)

    def see_through(self, request, path, body):
        while time.time() < self.end + 20:
            status, was_sent = self.attempt(request, path, body)
            if 200 <= status < 300:
                request["acknowledged"] = time.time()
                return
            if request["kind"] == "unchecked" and was_sent and status in (0, 500, 502, 504):
                request["unknown"] = True
                return
            time.sleep(0.2)

    def attempt(self, request, path, body):
        self.turn += 1
        host = SERVICES[self.turn % len(SERVICES)]
        headers = {"Authorization": "Token " + self.token.text, "Content-Type": "application/json"}
        if request["kind"] == "keyed":
            headers["Idempotency-Key"] = '"%s"' % request["id"]
        began, status, said, was_sent = time.time(), 0, "", False
        try:
            if host not in self.connections:
                self.connections[host] = connect(host)
            was_sent = True
            self.connections[host].request("POST", path, body, headers)
            answer = self.connections[host].getresponse()
            text, status = answer.read(), answer.status
            if status >= 300:
                said = text.decode(errors="replace")[:400]
        except (OSError, http.client.HTTPException) as failure:
            said = type(failure).__name__
            if connection := self.connections.pop(host, None):
                connection.close()
        with self.ledger.lock:
            self.ledger.attempts.append((began, time.time() - began, host, request["kind"], status, said))
        return status, was_sent


def ask_database(address, ledger, end):
    import psycopg2

    session = None
    while time.time() < end:
        try:
            if session is None:
                session = psycopg2.connect(
                    host=address, user="postgres", dbname="data-import", connect_timeout=2, tcp_user_timeout=2000,
                    keepalives_idle=1, keepalives_interval=1, keepalives_count=2,
                )
                session.autocommit = True
            session.cursor().execute("INSERT INTO public.ha_probe VALUES (clock_timestamp())")
            with ledger.lock:
                ledger.probes.append(time.time())
            time.sleep(1 / PROBE_HZ)
        except psycopg2.Error as failure:
            if session is not None and failure.pgcode != "25006":  # a standby
                session.close()
                session = None
            time.sleep(0.1)


def post(seconds, file):
    ledger, token, end = Ledger(), Token(), time.time() + float(seconds)
    threads = [threading.Thread(target=Client(number, ledger, token, end).work, daemon=True) for number in range(CLIENTS)]
    others = [threading.Thread(target=ask_database, args=(address, ledger, end), daemon=True) for address in DATABASES.values()]
    others.append(threading.Thread(target=token.keep_renewing, args=(end,), daemon=True))
    for thread in threads + others:
        thread.start()
    for thread in threads:
        thread.join(max(0.1, end + 20 + ONE_ANSWER - time.time()))
    with ledger.lock:
        ledger.save(file)


def open_database():
    import psycopg2

    deadline = time.time() + 60
    while True:
        try:
            return psycopg2.connect(
                host=",".join(DATABASES.values()), user="postgres", dbname="data-import",
                target_session_attrs="read-write", connect_timeout=2,
            )
        except psycopg2.OperationalError:
            if time.time() > deadline:
                raise
            time.sleep(1)


def stored_parts(cursor, run):
    """How often each part is there; line items that a transaction lacks or has too many make a part of their own."""
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
    """Kinds whose figures of progress are not those of the rows."""
    cursor.execute("SELECT kind, records FROM data_import.migration_progress('HA')")
    counted = dict(cursor.fetchall())
    wrong = 0
    for kind, table in (("notes", "note"), ("transactions", "financial_transaction")):
        cursor.execute("SELECT count(*) FROM data_import." + table)
        wrong += cursor.fetchone()[0] != (counted.get(kind) or 0)
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


def is_documented(attempt, lost_host):
    _, _, host, kind, status, said = attempt
    if 200 <= status < 300 or status == 503 or host == lost_host:
        return True
    return status == 500 and kind == "unchecked" and "outcome is unknown" in said


def name_of(attempt):
    _, _, _, _, status, said = attempt
    try:
        return "%d %s" % (status, json.loads(said)["code"])
    except (ValueError, KeyError, TypeError):
        return "%s %s" % (status or "no answer", said[:60])


def judge(file, fault, moment):
    with open(file, encoding="utf-8") as stream:
        ledger = json.load(stream)
    since = float(moment) - 1
    lost_host = SERVICES[0] if fault == "service" else None
    missing, doubled, half = compare(ledger, open_database().cursor())
    service = longest_pause([r["acknowledged"] for r in ledger["requests"] if r["acknowledged"]], since)
    database = longest_pause(ledger["probes"], since)
    longest = max(attempt[1] for attempt in ledger["attempts"])
    refused = collections.Counter(name_of(a) for a in ledger["attempts"] if not 200 <= a[4] < 300)
    undocumented = [a for a in ledger["attempts"] if not is_documented(a, lost_host)]
    acknowledged = sum(bool(r["acknowledged"]) for r in ledger["requests"])
    never = sum(not r["acknowledged"] and not r["unknown"] for r in ledger["requests"])
    print(
        "%-11s no writes for %.1f s (database alone %.1f s), longest request %.1f s; %d acknowledged: %d missing, "
        "%d doubled, %d half counted; %d never; others: %s"
        % (fault, service, database, longest, acknowledged, missing, doubled, half, never,
           ", ".join("%d x %s" % (count, name) for name, count in refused.most_common()) or "none")
    )
    wrong = []
    if missing or doubled or half:
        wrong.append("the database has not what was acknowledged")
    if never:
        wrong.append("requests were never acknowledged")
    if service > database + MOST_BEYOND_DATABASE:
        wrong.append("the service was away for more than %g s longer than the database" % MOST_BEYOND_DATABASE)
    if longest > LONGEST_REQUEST:
        wrong.append("a request took longer than %g s" % LONGEST_REQUEST)
    if undocumented:
        wrong.append("undocumented answers, such as %s" % name_of(undocumented[0]))
    for sentence in wrong:
        print("            FAILED: " + sentence)
    return 1 if wrong else 0


def recount(files):
    cursor, lost = open_database().cursor(), 0
    for file in files:
        with open(file, encoding="utf-8") as stream:
            lost += sum(compare(json.load(stream), cursor))
    print("%-11s %d missing, doubled or half counted of all that was acknowledged" % ("in the end", lost))
    return 1 if lost else 0


def main(command, *arguments):
    if command == "members":
        print(count_members())
    elif command in ("primary", "standby"):
        print(with_role("leader" if command == "primary" else "sync_standby"))
    elif command == "post":
        post(*arguments)
    elif command == "judge":
        return judge(*arguments)
    elif command == "recount":
        return recount(arguments)
    else:
        sys.exit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
