#!/usr/bin/python3
"""Prints bulk lines with records of all kinds in their most unusual forms, for the accounts of tests/export/accounts.csv.

    records.py FIRST        the records that the accounts get first
    records.py AGAIN        transactions that the accounts get once more
"""
import json
import sys

IMPORTS = {"notes": ("notes/create", "notes", True), "transactions": ("transactions/create", "transactions", True),
           "historical_statements": ("historical-statements/create", "statements", True),
           "delivery_notes": ("delivery-note/create", "delivery_note", False),
           "energy_amounts": ("energy-amount/create", "energy_amount", False),
           "market_participant_invoices": ("market-participant-invoice/create", "market_participant_invoice", False)}


def line(kind, account, record, query=""):
    """Prints a line. `record` is JSON text, so that its numbers arrive exactly as they are written here."""
    path, field, is_list = IMPORTS[kind]
    print('{"path": "/v1/data-import/%s/%s", "body": {"import_supplier": "ACME", "external_account_number": %s, "%s": %s}}'
          % (path, query, json.dumps(account), field, "[" + record + "]" if is_list else record))


def participant(code):
    print('{"path": "/v1/data-import/market-participant/import/", "body": {"code": %s, "code_type": "BDEW", "name": "Netz", '
          '"role": "NB", "energy": "STROM", "contact_details": [{"category": "C", "name": "Ann"}]}}' % code)


def first():
    vectors = json.load(open("tests/fingerprint-vectors.json", encoding="utf-8"))["vectors"]
    for vector in vectors:
        if vector["kind"] in IMPORTS:
            line(vector["kind"], "4711", vector["input"])
            line(vector["kind"], 'odd "number", \U0001f600', vector["input"])
    for number, text in enumerate(open("tests/releases/digests-1.0.0", encoding="utf-8")):
        kind, _, record = text.split(" ", 2)
        if kind in IMPORTS:
            line(kind, str(1 + number % 40), record.strip())
    # account N has N * 6 notes
    for account in range(1, 41):
        for number in range(account * 6):
            line("notes", str(account), json.dumps({"body": "Note %d of %d \U0001d11e" % (number, account),
                                                    "created_at": "2024-01-%02dT10:00:00.%06dZ" % (1 + number % 28, number)}))
        line("transactions", str(account), ", ".join(
            '{"type": "CHARGE", "transaction_id": "T%d", "transaction_date": "%s", "amount": %s, "reason": "R"%s}'
            % (number, "2024-01-30" if number % 7 else "2019-12-31", "1.0" if number % 3 else '"-0012.340"',
               ', "tax_items": []' if number % 2 else "") for number in range(150)))
    # the same notes without a time, and then with one: both are stored, because the order is this one
    for number in range(8):
        line("notes", "4711", '{"body": "twice %d"}' % number)
        line("notes", "4711", '{"body": "twice %d", "created_at": "2024-02-01T10:00:00Z"}' % number)
    line("notes", "4711", '{"body": "pinned", "is_pinned": true, "unpin_at": "2199-12-31T23:59:59.999999-12:00"}')
    line("notes", "4711", '{"body": "=1+1, not a \\"formula\\"\\nin two lines", "is_pinned": false}')
    line("notes", "closed", '{"body": "of an account without an open period"}')
    print('{"path": "/v1/data-import/payment-instruction/create/", "body": {"import_supplier": "ACME", '
          '"external_account_number": "4711", "vendor": "NORDPAY", "reference": "PI-1", "type": "CARD"}}')
    for code in range(9900000000001, 9900000000004):
        participant(code)


def sheets():
    for text in open("tests/releases/digests-1.0.0", encoding="utf-8"):
        kind, digest, record = text.split(" ", 2)
        if kind == "price_sheets":
            print('{"path": "/v1/data-import/market-participant-fees/import/", "body": {"price_sheets": [%s]}}'
                  % record.strip().replace('"external_id": "x"', '"external_id": "x%s"' % digest[:4]))


def again():
    query = "?check_previously_added=false"
    for account in ("1", "4711"):
        for amount in ("1", "2.5", "1"):
            line("transactions", account, '{"type": "CHARGE", "transaction_id": "T1", "transaction_date": "2024-01-30", '
                 '"amount": %s, "reason": "AGAIN"}, {"type": "PAYMENT", "transaction_id": "T3", "transaction_date": "2024-02-01", '
                 '"amount": %s}' % (amount, amount), query)
    sheets()


{"FIRST": first, "AGAIN": again}[sys.argv[1]]()
