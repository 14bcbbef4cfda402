#include "openapi/prose.h"

#include <span>
#include <stdexcept>
#include <string>

namespace data_import::openapi {

namespace {

constexpr std::string_view introduction =
    R"(This service takes over the accounts of customers who come from another energy supplier: their notes,
transactions, statements, invoices and messages, and tells how far the migration of each account has come. The former
supplier is the *import supplier*; an account is named by `import_supplier` and `external_account_number`, its number
there.

Who begins reads the [guide](/docs/guide.html): a migration step by step, with commands to paste.

## Tokens
All addresses except those of this document, of the codes of errors and of the health checks need a token. It is obtained
at `/v1/graphql/` with the mutation `obtainToken` and the API key that the operator of the platform hands out, is valid
for an hour, and is sent with each request as `Authorization: Token <token>` (`Bearer <token>` and the bare token do,
too). Keep the API key secret; when a request is answered 401 with the code `token_expired`, obtain a new token, with the
refresh token of the answer before or with the API key, and repeat the request. Asked again within ten minutes, the same
API key gets the same token; `expiresIn` says how long it is still valid.

## Requests
The service speaks HTTP/1.1 over TLS; a client that offers HTTP/2 is not given it. Bodies are JSON (RFC 8259) in UTF-8, sent
with `Content-Type: application/json`, whose parameters have no effect. Fields and parameters that are not documented here
are refused. An optional field without a value is left out; `null` is for fields that say so. No string holds U+0000. A date is
`YYYY-MM-DD`; a time has seconds and an offset, as in `2024-02-29T13:45:00Z` or `2024-02-29T13:45:00.123456+01:00`, where
zeros behind the sixth digit of the second are taken. HEAD is answered wherever GET is, without a body.
A query is encoded as forms are, in UTF-8: `+` and `%20` are a space, `%2B` is a plus. In a path `+` is itself.

Decimals are exact, from the text of the request to the database. Send them as strings (`"12.50"`): a number of JavaScript,
and of many other languages, is binary and cannot hold most of them (there 0.1 + 0.2 is 0.30000000000000004). JSON numbers
are taken, too, as their digits stand in the text. Zeros at the end do not count as decimal places: `12.5000` is 12.5.

Amounts of transactions and statements are in the currency's main unit (`12.50`), those of invoices in its minor unit
(`1250`), `price_cents` in hundredths of the main unit, quantities in the `quantity_unit` beside them.

## Repeating requests
Every request is one transaction: either everything in it was stored, or nothing. What was answered 201 is stored for
good. After a time-out, a broken connection, 429, 500, 502, 503 or 504 it is always right to send the same request
again, after the seconds of `Retry-After` where that header stands and with growing pauses otherwise: what is there
already is recognised and stored once, and the answer to the repetition is that of a success. The only exception are
transactions that are sent with `check_previously_added=false`, which says that they shall be added again. A request
that was answered 400, 404, 413 or 415 fails again when it is repeated unchanged. Requests for different accounts can be sent
over several connections at the same time.

A client that names a request by an `Idempotency-Key` gets its first answer again, byte by byte and with the header
`Idempotency-Replayed`, whenever it repeats the request under that key within 24 hours (unless the operator has set
another time). This holds for successes, and for refusals of the payload for an account that is there; other refusals are
judged anew. Two requests are the same by method, path, body, and what their queries mean: a parameter at its default value
may be left out, and order and spelling do not count. While
the first request runs, others under its key are answered 409, and the key of one request is refused with 422 when it
comes with another one. Under a key, `check_previously_added=false` may be repeated as well. A key belongs to your
organisation, not to one API key or token.

## Dry runs
With `dry_run=true` in its query every import, a bulk request included, is checked like any other, against all that is stored,
and stores nothing at all. Refusals are the same. Otherwise the answer is 200 with the body that the request would have got,
and the header `Dry-Run` has the status that it would have had. No payment vendor is asked. The lines of a bulk request
are each judged by what is stored, not by the lines before. An `Idempotency-Key` is refused with 400.

## Many requests in one
A migration brings dozens of requests for each account. `POST /v1/data-import/bulk/` takes up to 10,000 of them as lines of
one (NDJSON, `Content-Type: application/x-ndjson`), plain or with `Content-Encoding: gzip`: at most 10 MiB as sent, 64 MiB
unpacked. Each line names the address and has the body that the same request would have alone, and is judged, stored and
answered like it:

    {"path": "/v1/data-import/notes/create/", "id": "1", "body": {"import_supplier": "ACME", ...}}
    {"path": "/v1/data-import/transactions/create/", "body": {"import_supplier": "ACME", ...}}

The answer is 200 when all lines were accepted, else 207, and has a line for each in their order, with the `id` where one was
sent, and the counts at the end; `results=errors` leaves out what was accepted, `results=none` all but the counts:

    {"line": 1, "id": "1", "status": 201, "body": [...]}
    {"line": 2, "status": 404, "body": {"detail": "...", "code": "account_not_found", "errors": []}}
    {"lines": 2, "accepted": 1, "refused": 1}

Lines for one account take effect in their order, those for different accounts in any. What is told to be accepted is on disk.
To repeat the whole request is always safe. Lines of status 503 were not begun in time, or not stored now, or their accounts
stayed locked: send them again.

    printf '%s\n' '{"path": "/v1/data-import/notes/create/", "body": {"import_supplier": "ACME", "external_account_number": "4711", "notes": [{"body": "Hello"}]}}' |
    gzip | curl -H "Authorization: Token $TOKEN" -H 'Content-Type: application/x-ndjson' -H 'Content-Encoding: gzip' --data-binary @- https://HOST/v1/data-import/bulk/

## The proof that everything arrived
`GET /v1/data-import/control-totals/{import_supplier}/` tells, exactly and at any time, how many records of each kind have
arrived and their sums. `PUT` to the same address what you have, as many figures of it as you know: the answer names each
figure that differs, and the `verdict` is `EQUAL` when none does. Repeats count once; amounts are in the currency's main
unit, those of market participant invoices in its minor unit. The supplier's migration is completed when the two agree.
`/v1/data-import/account-control-totals/` tells the same of each account, with a fingerprint of its records. The program
`data-import-load` adds up the files that it has loaded, declares that (`--totals --declare`), and names each account that
is not as in the files (`--verify`).

## Following a migration
`/v1/data-import/progress/` tells how far a supplier's migration has come, `/v1/data-import/import-suppliers/` the same of
all suppliers of a token at a glance, `/v1/data-import/throughput/` what was stored when,
`/v1/data-import/refusals/` what was refused when and what for, `/v1/data-import/failed-account-import-processes/` which
accounts could not be created, and why. The page `/migration/` shows all of this. Programs that want to know what happens read
`/v1/data-import/events/`: the first time without `after`, then with the `next` of the answer before, at once while there are
events and every few seconds when there are none. What a cursor has passed never comes later, and none comes twice. Keep the
cursor together with what was done about the events. Where the answer is 400 with the item `expired_cursor`, begin anew
without `after` and read the listings, which say how things are.

## Errors
Every answer outside 2xx, also those that never reached the service itself, has the same shape: `detail`, a sentence for
people whose wording may change; `code`, the kind of the error, which never changes its meaning; and `errors`, which
holds one item for each fault of the payload, in the order of the payload, the first 100 of them. `attr` of an item is
the path to the value, with field names and zero-based indexes between dots: `transactions.3.line_items.0.end_date`.
Programs go by the status, `code` and `attr` and never by `detail`. All codes, what they mean and what to do stand below,
each at an address of its own (`/docs/#code-not-found`), and for programs at `/v1/errors.json`. Each
endpoint lists the refusals of what was sent to it, 401 where it needs a token, and 429; all others are under `default`, and
listed once below.

## Limits
As they are unless the operator has set others:

| what | limit | beyond it |
|---|---|---|
| body | 10 MiB; 128 KiB at `/v1/graphql/`; a bulk request 64 MiB unpacked | 413 |
| transactions that are there already, as an answer tells them | 256 KiB, or twice the body | 413 |
| items of an array | as its field says (`maxItems`) | 400 `max_items` |
| JSON | 32 levels; 10,000 members in an object; one value or key for 6 bytes of the body, or 100,000 | 400 `parse_error` |
| requests of one token | 2,000 a second, 4,000 at once; 64 in flight | 429 |
| requests of one organisation in flight | 4 bulk requests; 4 listings and control totals; 8 bodies of 1,000,000 bytes and more, or of unknown length | 429 |
| bodies of 4,000,000 bytes and more | 2 a second of one token begin to be read; of those in chunks, without a Content-Length, 2 a second of one organisation are answered | they wait |
| an organisation's share | all of the service while nobody else wants to work; its first 16 requests in flight with bodies below 100,000 bytes wait for their turn instead of being refused | 429 |
| wait for an account that other work has locked | 45 seconds; 2 seconds for all lines of a bulk request together | 503 |
| requests of one organisation that wait for locked accounts | 64; 16 (one with a body of 100,000 bytes or more) while others want to work | 429 |
| requests for tokens from one address | 300 a minute; 10 refused ones, while a valid API key always gets its token | 429 |
| connections from one address | 256 | 429 |
| header block, request line | 16 KiB | 431, 414 |
| pause between two parts of a request | 30 seconds | 408, or no answer |
| answer | within 60 seconds; listings 10 minutes, as long as bytes flow | 504 |
| a long answer | to be read with 256 KiB a second and more, on average and after a minute | it is cut off |

An answer 429 may take a second or two to arrive.

## Headers of answers
| header | stands | says |
|---|---|---|
| `X-Request-Id` | always | the request's name in the logs of the service and beside every record that it stored: tell it when you ask the operator |
| `Retry-After` | with 409, 429 and 503, and some 500 | seconds to wait before the request is repeated |
| `Allow` | with 405 | the methods that the address takes |
| `WWW-Authenticate` | with 401 | the schemes of the header Authorization |
| `Accept` | with 415 | the `Content-Type` that the address takes, where the body has another one |
| `Accept-Encoding` | with 415 | the `Content-Encoding` that the address takes, where the body has another one |
| `Dry-Run` | with 200 of a dry run | the status that the request would have had |
| `Idempotency-Replayed` | where it applies | that this is the answer to an earlier request under the same Idempotency-Key |

An `X-Request-Id` (1 to 128 letters, digits and `-_.:/+=@`) or a W3C `traceparent` that a client sends is logged beside the
service's own id.

## Versions and changes
The version of the interface is the `v1` at the beginning of every path. In this version addresses, optional fields and
parameters, fields of answers and codes of errors may be added at any time; what is there keeps its meaning. So ignore
fields of answers that you do not know, and send only what is documented. What is to go is marked `deprecated` in this
document and named here at least six months before. A change that would break clients comes as `v2` beside `v1`.

- **Unreleased** The first version.
)";

// in the order of http::Tag
constexpr Tag tags[] = {
    {"Account data", "Records for accounts that have been imported."},
    {"Migration progress", "How far the accounts of an import supplier have come."},
    {"Market participants", "Participants of the energy market and their fees."},
    {"Tokens", "From an API key to a token."},
    {"Service", "Documentation and health of the service itself."},
};

constexpr PathParameter path_parameters[] = {
    {"import_supplier", "Code of the import supplier, percent-encoded in UTF-8.", 64},
    {"external_account_number",
     "The account's number in the import supplier's own system, percent-encoded in UTF-8.", 128},
};

constexpr AnswerHeader answer_headers[] = {
    {"X-Request-Id", "Names this request in the logs of the service and beside what it stored.",
     R"({"type": "string", "pattern": "^[0-9a-f]{32}$"})"},
    {"WWW-Authenticate", "The schemes of the Authorization header; with 401.",
     R"({"type": "string", "const": "Token, Bearer"})"},
    {"Allow", "The methods that this address takes; with 405.", R"({"type": "string"})"},
    {"Accept", "The media type that this address takes; with 415, where the body has another one.",
     R"({"type": "string"})"},
    {"Accept-Encoding", "The codings that this address takes; with 415, where the body has another one.",
     R"({"type": "string"})"},
    {"ETag", "Names the document: sent back as `If-None-Match`, it is answered 304 as long as that is the same.",
     R"({"type": "string"})"},
    {"Idempotency-Replayed",
     "Stands where this is the answer to an earlier request with the same Idempotency-Key.",
     R"({"type": "string", "const": "true"})"},
    {"Dry-Run", "Stands in the answer to a dry run: the status that the request would have had.",
     R"({"type": "integer", "enum": [200, 201, 207]})"},
    {"Retry-After", "Seconds to wait before the request is repeated; with 409, 429, 503 and some 500.",
     R"({"type": "integer", "minimum": 0})"},
};

template <typename Row>
const Row& row_named(std::string_view name, std::span<const Row> rows) {
    for (const Row& row : rows) {
        if (row.name == name) return row;
    }
    throw std::logic_error("the OpenAPI document has no sentence on " + std::string(name));
}

}  // namespace

std::string_view introduction_text() {
    return introduction;
}

std::string_view idempotency_key_description() {
    return "A name of your choice for this request, 1 to 255 printable ASCII characters, bare or in "
           "quotation marks: "
           "the request is answered once, and the answer given again when it is repeated.";
}

const Tag& tag_of(const http::Endpoint& endpoint) {
    return tags[static_cast<std::size_t>(endpoint.tag)];
}

const PathParameter& path_parameter(std::string_view name) {
    return row_named<PathParameter>(name, path_parameters);
}

const AnswerHeader& answer_header(std::string_view name) {
    return row_named<AnswerHeader>(name, answer_headers);
}

std::string_view security_schemes() {
    return R"({
"token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT",
 "description": "The token, [obtained with your API key](/docs/guide.html#token) at `/v1/graphql/`. Sent as `Authorization: Token <token>` or, as here, `Authorization: Bearer <token>`."}})";
}

std::string_view security_requirement() {
    return R"([{"token": []}])";
}

}  // namespace data_import::openapi
