"""Sends long bodies that the service refuses before it has read them, with httpx, which offers HTTP/2 if python3-h2 is
installed. Prints a line for each request: `ok NAME` or `FAILED NAME: what it got`.

    early_refusal.py URL CA_FILE TOKEN
"""
import importlib.util
import ssl
import sys
import time

import httpx

LONGEST = 10 * 1024 * 1024
URL, CA_FILE, TOKEN = sys.argv[1:]


def ask(client, authorization, body, status):
    headers = {"Content-Type": "application/json"}
    if authorization:
        headers["Authorization"] = authorization
    try:
        answer = client.post(URL + "/v1/data-import/notes/create/", content=body, headers=headers)
    except httpx.HTTPError as failure:
        return repr(failure)
    is_expected = answer.status_code == status and answer.http_version == "HTTP/1.1"
    return "" if is_expected else f"{answer.http_version} {answer.status_code} {answer.text}"


def pieces(body):
    """The pieces of a body, which is sent in chunks and without a length."""
    for begin in range(0, len(body), 65536):
        yield body[begin:begin + 65536]


offers_http2 = importlib.util.find_spec("h2") is not None
trusted = ssl.create_default_context(cafile=CA_FILE)
with httpx.Client(http2=offers_http2, verify=trusted, trust_env=False, timeout=15) as client:
    for sender, authorization in (("no token", ""), ("a wrong token", "Token a.b.c"), ("a token", "Token " + TOKEN)):
        for size in 110_000, 900_000, 12 * 1024 * 1024:
            body = b"{" + b" " * (size - 2) + b"}"
            status = 400 if sender == "a token" else 401
            for form, content, expected in (("its length told", body, 413 if size > LONGEST else status),
                                            ("in chunks", pieces(body), 413 if size > LONGEST and status == 400 else status)):
                begin = time.monotonic()
                failure = ask(client, authorization, content, expected)
                name = f"httpx, {sender}, {size} bytes, {form}, {(time.monotonic() - begin) * 1000:.0f} ms"
                print(f"FAILED {name}: {failure}" if failure else f"ok {name}", flush=True)
