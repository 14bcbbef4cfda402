#!/usr/bin/env python3
"""Sends a file of requests, one a line, to the service: python3 bulk.py URL API-KEY-FILE FILE [CA-FILE]

A line is {"path": "/v1/data-import/notes/create/", "body": {...}}. Prints the lines that were refused, with the reasons, and
the counts. The exit status is 0 if every line was accepted.
"""
import gzip
import json
import sys
import time

import requests

LINES = 1000  # of one bulk request; the service takes 10,000


class Service:
    def __init__(self, url, key, ca_file=True):
        self.url = url
        self.key = key
        self.ca_file = ca_file
        self.session = requests.Session()

    def send(self, path, body, headers):
        """Sends a request until it is answered for good: pauses are those that the service asks for, or grow."""
        pause = 1
        while True:
            try:
                answer = self.session.post(
                    self.url + path, data=body, headers=headers, timeout=120, verify=self.ca_file
                )
                if answer.status_code not in (408, 409, 429, 500, 502, 503, 504):
                    return answer
                wait = int(answer.headers.get("Retry-After", pause))
            except requests.exceptions.SSLError:
                raise  # the certificate is not trusted: name the authority's as CA-FILE
            except (requests.ConnectionError, requests.Timeout):
                wait = pause  # the request may be stored; repeating it is always right
            time.sleep(wait)
            pause = min(pause * 2, 60)

    def get_token(self):
        self.session.headers.pop("Authorization", None)
        query = "mutation ($input: ObtainTokenInput!) { obtainToken(input: $input) { token } }"
        body = json.dumps({"query": query, "variables": {"input": {"APIKey": self.key}}})
        answer = self.send("/v1/graphql/", body, {"Content-Type": "application/json"}).json()
        if answer.get("errors"):
            sys.exit(answer["errors"][0]["message"])
        self.session.headers["Authorization"] = "Token " + answer["data"]["obtainToken"]["token"]

    def send_lines(self, lines):
        """Yields the answers of the lines that were refused, and sends those again that were not executed."""
        headers = {"Content-Type": "application/x-ndjson", "Content-Encoding": "gzip"}
        pause = 1
        tries = 10
        while lines:
            body = gzip.compress(b"".join(lines))
            answer = self.send("/v1/data-import/bulk/?results=errors", body, headers)
            if answer.status_code == 401:  # a token holds for an hour
                self.get_token()
                continue
            if answer.status_code not in (200, 207):
                sys.exit(f"{answer.status_code}: {answer.text}")
            tries -= 1
            again = []
            for told in map(json.loads, answer.content.splitlines()[:-1]):  # the counts stand at the end
                if told["status"] >= 500 and tries > 0:
                    again.append(lines[told["line"] - 1])
                else:
                    yield lines[told["line"] - 1], told
            lines = again
            if lines:
                time.sleep(pause)
                pause = min(pause * 2, 60)


def main():
    url, key_file, file = sys.argv[1:4]
    with open(key_file, encoding="ascii") as key:
        service = Service(url, key.read().strip(), *sys.argv[4:])
    service.get_token()
    count = refused = 0
    with open(file, "rb") as source:
        lines = [line.rstrip(b"\n") + b"\n" for line in source if line.strip()]
    for begin in range(0, len(lines), LINES):
        part = lines[begin : begin + LINES]
        count += len(part)
        for line, told in service.send_lines(part):
            refused += 1
            print(told["status"], json.dumps(told["body"]), line.decode(errors="replace").rstrip())
    print(f"{count} lines, {refused} refused")
    sys.exit(1 if refused else 0)


main()
