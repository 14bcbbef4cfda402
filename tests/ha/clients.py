"""The clients of tests/ha/check. They import through the hosts of the service and remember what was acknowledged; meanwhile
a probe commits in the database itself."""
import http.client
import json
import os
import socket
import ssl
import sys
import threading
import time
import urllib.request

DATABASES = {"db1": "192.0.2.21", "db2": "192.0.2.22", "db3": "192.0.2.23"}
# the two hosts of the service, and the balancer in front of them
SERVICES = ["http://192.0.2.11:8080", "http://192.0.2.12:8080"]
BALANCER = "https://192.0.2.10"
CLIENTS = 8
BULK_CLIENTS = 2
LINES = 20  # in a bulk request
ACCOUNTS = 200
PAUSE = 0.04  # seconds between two requests of a client
ONE_ANSWER = 60  # seconds for which a client waits for an answer
PROBE_HZ = 25
RUN_DIR = os.environ["RUN_DIR"]
TRUST = ssl.create_default_context(cafile=os.path.join(RUN_DIR, "authority.crt"))


class Ledger:
    def __init__(self, fault):
        self.fault = fault
        self.lock = threading.Lock()
        self.run = "r%x" % int(time.time())
        self.requests = []  # one for each different request: id, kind, parts, acknowledged at, attempts
        self.attempts = []  # one for each answer: began at, seconds, host, kind, status, text
        self.probes = []  # times of commits that the probe made in the database itself

    def save(self, file):
        with open(file, "w", encoding="utf-8") as stream:
            json.dump({name: getattr(self, name) for name in ("run", "fault", "requests", "attempts", "probes")}, stream)


class Token:
    """The current token of the API key. It is obtained again and again, so that a change of the signing key shows."""

    def __init__(self, services):
        self.services = services
        with open(os.path.join(RUN_DIR, "api-key"), encoding="utf-8") as stream:
            self.key = stream.read().strip()
        self.text = ""
        deadline = time.time() + 20
        while not self.text and time.time() < deadline:
            self.renew(self.services[0])
        if not self.text:
            sys.exit("no token is given out")

    def renew(self, host):
        query = 'mutation { obtainToken(input: {APIKey: "%s"}) { token } }' % self.key
        request = urllib.request.Request(
            host + "/v1/graphql/", json.dumps({"query": query}).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=5, context=TRUST) as answer:
                self.text = json.load(answer)["data"]["obtainToken"]["token"]
        except (OSError, ValueError, KeyError, TypeError, http.client.HTTPException):
            time.sleep(0.2)

    def keep_renewing(self, end):
        turn = 0
        while time.time() < end:
            self.renew(self.services[turn % len(self.services)])
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


def connect(service):
    scheme, _, place = service.partition("://")
    connection = (
        http.client.HTTPSConnection(place, timeout=2, context=TRUST)
        if scheme == "https"
        else http.client.HTTPConnection(place, timeout=2)
    )
    connection.connect()
    connection.sock.settimeout(ONE_ANSWER)
    # notices a vanished host within 5 s
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


class Poster:
    """Sends requests to one host after the other, and notes each answer."""

    def __init__(self, number, ledger, token, end):
        self.number, self.ledger, self.token, self.end = number, ledger, token, end
        self.connections = {}
        self.turn = number

    def account(self, count):
        return "A%d" % ((count * 17 + self.number * 31) % ACCOUNTS)

    def new_request(self, name, kind, parts):
        request = {"id": name, "kind": kind, "parts": parts, "acknowledged": None, "unknown": False, "tries": 0}
        with self.ledger.lock:
            self.ledger.requests.append(request)
        return request

    def note(self, began, host, kind, status, said):
        with self.ledger.lock:
            self.ledger.attempts.append((began, time.time() - began, host, kind, status, said))

    def send(self, kind, path, body, headers):
        """Returns the status (0: no answer), the text as far as it arrived, and whether anything was sent."""
        self.turn += 1
        services = self.token.services
        host = services[self.turn % len(services)]
        headers = {"Authorization": "Token " + self.token.text, **headers}
        began, status, text, said, was_sent = time.time(), 0, "", "", False
        try:
            if host not in self.connections:
                self.connections[host] = connect(host)
            was_sent = True
            self.connections[host].request("POST", path, body, headers)
            answer = self.connections[host].getresponse()
            text, status = answer.read().decode(errors="replace"), answer.status
            if status >= 300:
                said = text[:400]
        except (OSError, http.client.HTTPException) as failure:
            said = type(failure).__name__
            text = getattr(failure, "partial", b"").decode(errors="replace")
            self.forget(host)
        if host == BALANCER:  # the balancer chooses a host for each connection
            self.forget(host)
        self.note(began, host, kind, status, said)
        return status, text, was_sent

    def forget(self, host):
        if connection := self.connections.pop(host, None):
            connection.close()


class Client(Poster):
    """Makes requests that no other client makes. Repeats each until it is acknowledged, or must not be repeated."""

    def work(self):
        count = 0
        while time.time() < self.end:
            kind = ORDER[(count + self.number) % len(ORDER)]
            name = "%s.%d.%d" % (self.ledger.run, self.number, count)
            path, body, parts = KINDS[kind](name)
            body.update(import_supplier="HA", external_account_number=self.account(count))
            self.see_through(self.new_request(name, kind, parts), path, json.dumps(body).encode())
            count += 1
            time.sleep(PAUSE)

    def see_through(self, request, path, body):
        headers = {"Content-Type": "application/json"}
        if request["kind"] == "keyed":
            headers["Idempotency-Key"] = '"%s"' % request["id"]
        while time.time() < self.end + 20:
            request["tries"] += 1
            status, _, was_sent = self.send(request["kind"], path, body, headers)
            if 200 <= status < 300:
                request["acknowledged"] = time.time()
                return
            if request["kind"] == "unchecked" and was_sent and status in (0, 500, 502, 504):
                request["unknown"] = True
                return
            time.sleep(0.2)


class BulkClient(Poster):
    """Sends bulk requests. Each line is acknowledged by itself; lines without acknowledgement are sent again."""

    def work(self):
        count = 0
        while time.time() < self.end:
            open_lines = {}
            for number in range(LINES):
                name = "%s.b%d.%d.%d" % (self.ledger.run, self.number, count, number)
                path, body, parts = notes(name)
                body.update(import_supplier="HA", external_account_number=self.account(count + number))
                line = json.dumps({"id": name, "path": path, "body": body})
                open_lines[name] = (self.new_request(name, "bulk", parts), line)
            self.see_through(open_lines)
            count += 1
            time.sleep(PAUSE)

    def see_through(self, open_lines):
        while open_lines and time.time() < self.end + 20:
            for request, _ in open_lines.values():
                request["tries"] += 1
            body = "".join(line + "\n" for _, line in open_lines.values()).encode()
            status, text, _ = self.send("bulk", "/v1/data-import/bulk/", body, {"Content-Type": "application/x-ndjson"})
            # an answer that was cut off (0) may have complete result lines, which count
            if status in (0, 200, 207):
                self.take_results(text, open_lines)
            if open_lines:
                time.sleep(0.2)

    def take_results(self, text, open_lines):
        for line in text.splitlines():
            try:
                result = json.loads(line)
            except ValueError:
                continue
            if result.get("id") not in open_lines:
                continue
            if 200 <= result["status"] < 300:
                open_lines.pop(result["id"])[0]["acknowledged"] = time.time()
            else:
                self.note(time.time(), "", "line", result["status"], json.dumps(result["body"]))


def open_database():
    import psycopg2

    deadline = time.time() + 60
    while True:
        try:
            return psycopg2.connect(
                host=",".join(DATABASES.values()), user="postgres", dbname="data-import",
                target_session_attrs="read-write", connect_timeout=2, tcp_user_timeout=5000,
                keepalives_idle=2, keepalives_interval=1, keepalives_count=3,
            )
        except psycopg2.OperationalError:
            if time.time() > deadline:
                raise
            time.sleep(1)


class Consumer:
    """The platform's software: takes what is new, and keeps the names of the records."""

    TAKE = """SELECT coalesce(content ->> 'body', content ->> 'transaction_id')
        FROM platform.take_accounts('ha', 50) AS taken CROSS JOIN LATERAL (
            SELECT content FROM platform.record
            WHERE record.import_supplier = taken.import_supplier AND imported_at >= since
              AND record.external_account_number = taken.external_account_number OFFSET 0) AS record"""

    def __init__(self, ledger):
        self.prefix = ledger.run + "."
        self.names = set()
        self.session = None
        self.deadline = None

    def work(self):
        """Takes accounts until everything is taken, or the time is up."""
        import psycopg2

        while self.deadline is None or (time.time() < self.deadline and self.has_news()):
            try:
                self.take()
            except psycopg2.Error:
                if self.session is not None:
                    self.session.close()
                self.session = None
                time.sleep(0.2)

    def take(self):
        if self.session is None:
            self.session = open_database()
            self.session.cursor().execute('SET ROLE "data-import-platform"')
            self.session.commit()
        cursor = self.session.cursor()
        cursor.execute(self.TAKE)
        rows = cursor.fetchall()
        self.names.update(name for (name,) in rows if name.startswith(self.prefix))
        self.session.commit()
        if not rows:
            time.sleep(0.3)

    @staticmethod
    def has_news():
        session = open_database()
        try:
            cursor = session.cursor()
            cursor.execute("SELECT EXISTS (SELECT FROM data_import.news) OR EXISTS (SELECT FROM data_import.consumer_news)")
            return cursor.fetchone()[0]
        finally:
            session.close()

    def stop(self, thread):
        self.deadline = time.time() + 80
        thread.join(90)


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
            if session is not None and failure.pgcode != "25006":  # 25006: the host is a standby
                session.close()
                session = None
            time.sleep(0.1)


def post(fault, seconds, file):
    """Imports for `seconds`. During an upgrade the clients come through the balancer, and must notice nothing."""
    services = [BALANCER] if fault == "upgrade" else SERVICES
    ledger, token, end = Ledger(fault), Token(services), time.time() + float(seconds)
    clients = [Client(number, ledger, token, end) for number in range(CLIENTS)]
    clients += [BulkClient(CLIENTS + number, ledger, token, end) for number in range(BULK_CLIENTS)]
    threads = [threading.Thread(target=client.work, daemon=True) for client in clients]
    others = [threading.Thread(target=ask_database, args=(address, ledger, end), daemon=True) for address in DATABASES.values()]
    others.append(threading.Thread(target=token.keep_renewing, args=(end,), daemon=True))
    consumer = Consumer(ledger)
    taking = threading.Thread(target=consumer.work, daemon=True)
    for thread in threads + others + [taking]:
        thread.start()
    for thread in threads:
        thread.join(max(0.1, end + 20 + ONE_ANSWER - time.time()))
    consumer.stop(taking)
    with ledger.lock:
        for request in ledger.requests:
            parts = ("%s.%d" % (request["id"], part) for part in range(request["parts"]))
            request["taken"] = all(part in consumer.names for part in parts)
        ledger.save(file)


def linger(seconds):
    """Sends the first host a request whose body takes `seconds` to arrive, and checks that it is answered. It stores nothing.
    It does not go through the balancer, since whoever drains a host waits until the balancer has no more requests for it."""
    token = Token(SERVICES)
    path, body, _ = notes("linger")
    body.update(import_supplier="HA", external_account_number="A0")
    text = json.dumps(body).encode()
    step = len(text) // int(seconds) + 1
    try:
        connection = connect(SERVICES[0])
        connection.putrequest("POST", path + "?dry_run=true")
        for name, value in (("Authorization", "Token " + token.text), ("Content-Type", "application/json"),
                            ("Content-Length", str(len(text)))):
            connection.putheader(name, value)
        connection.endheaders()
        for begin in range(0, len(text), step):
            connection.send(text[begin:begin + step])
            time.sleep(1)
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as failure:
        status = type(failure).__name__
    if status not in (200, 201):
        print("FAILED: a request of %s s to a host that was drained: %s" % (seconds, status))
    return status in (200, 201)


def write_lines(file, count):
    """Writes requests for data-import-load, for a supplier of their own: two in three are notes, the others transactions."""
    name = os.path.basename(file)
    with open(file, "w", encoding="utf-8") as stream:
        for number in range(int(count)):
            made = KINDS["checked" if number % 3 == 2 else "notes"]("l%s.%d" % (name, number))
            made[1].update(import_supplier="LOAD", external_account_number="A%d" % (number * 7 % ACCOUNTS))
            stream.write(json.dumps({"path": made[0], "body": made[1]}) + "\n")
