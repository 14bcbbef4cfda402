#include "base/codes/codes.h"

#include <algorithm>
#include <array>

namespace data_import::codes {

namespace {

// clang-format off
constexpr auto table = std::to_array<CodeRow>({
    {Code::bad_request, "bad_request", 400,
     "The request is not valid HTTP, its address is not correctly encoded, or parts of it exclude each other.",
     "Correct the client's software as `detail` says. Percent-encode the query and each segment of the path in UTF-8. Send no "
     "`Idempotency-Key` with a dry run or a bulk request.",
     "The request is not valid HTTP, or its address is not correctly percent-encoded."},
    {Code::parse_error, "parse_error", 400,
     "The body is not valid JSON.",
     "Correct the body at the place that `detail` names.",
     "The body is not valid JSON."},
    {Code::validation_error, "validation_error", 400,
     "The payload is not valid.",
     "Correct each fault in `errors`; nothing of the request was stored.",
     "The payload is not valid."},
    {Code::vendor_rejected, "vendor_rejected", 400,
     "The payment vendor does not accept the instruction.",
     "Correct the reference and send the request again.",
     "The payment vendor does not accept this instruction: correct the reference."},
    {Code::vendor_unavailable, "vendor_unavailable", 400,
     "The payment vendor cannot be used until the operator has corrected something.",
     "Tell the operator, and repeat the request when the operator has corrected it.",
     "The payment vendor cannot be used: do not repeat the request before the operator has corrected it."},
    {Code::not_authenticated, "not_authenticated", 401,
     "No token was sent.",
     "Send the header `Authorization: Token <token>`.",
     "The request has no Authorization header with a token.", "WWW-Authenticate", "Token, Bearer"},
    {Code::authentication_failed, "authentication_failed", 401,
     "The token is not valid: it is malformed, wrongly signed or revoked.",
     "Obtain a token with the API key. If that fails, ask the operator.",
     "The token is not valid.", "WWW-Authenticate", "Token, Bearer"},
    {Code::token_expired, "token_expired", 401,
     "The token has expired.",
     "Obtain a new token and repeat the request.",
     "The token has expired: obtain a new one.", "WWW-Authenticate", "Token, Bearer"},
    {Code::cross_site_request, "cross_site_request", 403,
     "A page of another site asks the operators' listener. The service itself never answers this.",
     "Open the address directly, by a name of this machine: `http://localhost:` or `http://127.0.0.1:`.",
     "This request comes from a page of another site: open the address directly."},
    {Code::not_found, "not_found", 404,
     "There is nothing at this address, or nothing that this token may see.",
     "Correct the path, or ask the operator whether the API key may use this import supplier.",
     "There is nothing at this path."},
    {Code::account_not_found, "account_not_found", 404,
     "The account is not imported, or the supplier is not in the token's scope.",
     "Correct the number, or wait until the account has been imported.",
     "No such account: the import_supplier may be wrong or outside the token's scope, or no account with this "
     "external_account_number has been imported yet."},
    {Code::method_not_allowed, "method_not_allowed", 405,
     "The address does not take this method.",
     "Use one of the methods of the header `Allow`.",
     "This method is not allowed here."},
    {Code::request_timeout, "request_timeout", 408,
     "The request did not arrive in time.",
     "Send the request again, without pauses in its body.",
     "The request did not arrive in time."},
    {Code::request_in_progress, "request_in_progress", 409,
     "The first request with the same Idempotency-Key was still running.",
     "Repeat the request after `Retry-After` seconds.",
     "The first request with this Idempotency-Key is still running: repeat this one later.", "Retry-After", "1"},
    {Code::payload_too_large, "payload_too_large", 413,
     "The body is too large.",
     "Send fewer items in one request.",
     "The body is too large."},
    {Code::uri_too_long, "uri_too_long", 414,
     "The request line is too long.",
     "Correct the path.",
     "The request line is longer than 16 KiB."},
    {Code::unsupported_media_type, "unsupported_media_type", 415,
     "The `Content-Type` or `Content-Encoding` of the request is not accepted at this address.",
     "Send the body as JSON, not compressed, with the header `Content-Type: application/json`. Send the body of a bulk request "
     "as NDJSON with `Content-Type: application/x-ndjson`, plain or with `Content-Encoding: gzip`.",
     "The body must be plain JSON: Content-Type: application/json, no Content-Encoding. The body of a bulk request must be "
     "NDJSON: Content-Type: application/x-ndjson, Content-Encoding: gzip or none."},
    {Code::idempotency_key_reused, "idempotency_key_reused", 422,
     "The Idempotency-Key was used for another request.",
     "Send a new key with each new request.",
     "This Idempotency-Key was used for another request: send a new key with this one."},
    {Code::throttled, "throttled", 429,
     "There are too many requests at the same time.",
     "Repeat the request after `Retry-After` seconds, and send fewer at a time.",
     "Too many requests: repeat this one later, and send fewer at a time.", "Retry-After", "1"},
    {Code::header_too_large, "header_too_large", 431,
     "The header block is too large.",
     "Send fewer or shorter headers.",
     "The header block is larger than 16 KiB."},
    {Code::error, "error", 500,
     "An unexpected error occurred in the service; its log has the details.",
     "Repeat the request as it is. If that does not help, give the operator its `X-Request-Id`.",
     "An unexpected error occurred."},
    {Code::vendor_intermittent, "vendor_intermittent", 500,
     "The payment vendor did not answer correctly; the request can be repeated.",
     "Repeat the request as it is, with increasing pauses.",
     "The payment vendor did not answer correctly: repeat the request as it is."},
    {Code::bad_gateway, "bad_gateway", 502,
     "The service ended before it answered; the request can be repeated.",
     "Repeat the request as it is: nothing is stored twice.",
     "The service ended before it answered: it is unknown whether the request took effect. Repeat it as it is."},
    {Code::service_unavailable, "service_unavailable", 503,
     "The database cannot be reached or cannot store data now, or an account stays locked; the request can be repeated.",
     "Repeat the request as it is, after `Retry-After` seconds.",
     "The service cannot reach its database; nothing was stored. Repeat the request as it is.", "Retry-After", "2"},
    {Code::gateway_timeout, "gateway_timeout", 504,
     "The database did not answer in time; the request can be repeated.",
     "Repeat the request as it is: nothing is stored twice.",
     "The database did not answer in time. Repeat the request as it is."},
    {Code::required, "required", 0,
     "The field is missing.",
     "Send the field."},
    {Code::null, "null", 0,
     "The field is null.",
     "Leave the field out."},
    {Code::invalid, "invalid", 0,
     "The value has the wrong JSON type or form.",
     "Send the type and form that `detail` names."},
    {Code::blank, "blank", 0,
     "The text is empty or all white space.",
     "Send text, or leave an optional field out."},
    {Code::empty, "empty", 0,
     "The array has no items.",
     "Send at least one item, or leave an optional field out."},
    {Code::unknown_field, "unknown_field", 0,
     "The field is not documented here, or its name is misspelt.",
     "Correct the name, or leave the field out."},
    {Code::invalid_choice, "invalid_choice", 0,
     "The value is not one of the allowed values.",
     "Send one of the values that `detail` lists. For `vendor`, ask the operator."},
    {Code::max_length, "max_length", 0,
     "The text is too long.",
     "Shorten the text."},
    {Code::max_value, "max_value", 0,
     "The number is too large.",
     "Send a smaller number: `detail` names the limit."},
    {Code::min_value, "min_value", 0,
     "The number is too small.",
     "Send a larger number: `detail` names the limit."},
    {Code::max_items, "max_items", 0,
     "The array has too many items.",
     "Send the items in several requests."},
    {Code::max_digits, "max_digits", 0,
     "The number has too many digits before the decimal point.",
     "Check the unit of the number."},
    {Code::max_decimal_places, "max_decimal_places", 0,
     "The number has too many digits after the decimal point; zeros at the end do not count.",
     "Round the number."},
    {Code::invalid_document_path, "invalid_document_path", 0,
     "The document path is not relative, or has forbidden segments or characters.",
     "Send the path as the document was delivered, relative to its bucket."},
    {Code::does_not_exist, "does_not_exist", 0,
     "The field refers to something that has not been imported, or that the vendor does not have or has not activated.",
     "Import what is missing first, or correct the reference."},
    {Code::duplicate, "duplicate", 0,
     "The same identifier is in the request twice, or is stored with other content.",
     "Send each identifier once, and always with the same content."},
    {Code::period_end_before_start, "period_end_before_start", 0,
     "The period ends before it begins.",
     "Correct the dates."},
    {Code::note_body_or_document_path_not_found, "note_body_or_document_path_not_found", 0,
     "The note has neither a body nor documents.",
     "Send `body` or `document_paths`."},
    {Code::note_unpin_at_earlier_than_creation_date, "note_unpin_at_earlier_than_creation_date", 0,
     "The note is to be unpinned before it is created.",
     "Correct the times."},
    {Code::duplicate_transaction_ids, "duplicate_transaction_ids", 0,
     "The same transaction_id is in one request twice.",
     "Send each transaction once."},
    {Code::start_date_later_than_end_date, "start_date_later_than_end_date", 0,
     "The line item ends before it begins.",
     "Correct the dates."},
    {Code::line_item_units_must_be_two_values, "line_item_units_must_be_two_values", 0,
     "`units` does not have exactly two numbers.",
     "Send two numbers."},
    {Code::no_open_statement_period, "no_open_statement_period", 0,
     "The account has no open statement period.",
     "Ask the operator to open a statement period."},
    {Code::transaction_outside_statement_period, "transaction_outside_statement_period", 0,
     "The transaction's date is outside the open statement period.",
     "Correct the date, or ask the operator about the period."},
    {Code::historical_statement_already_exists, "historical_statement_already_exists", 0,
     "The account has this statement with other content.",
     "Send a statement once. To change its content, ask the operator."},
    {Code::import_supplier_migration_not_ongoing, "import_supplier_migration_not_ongoing", 0,
     "The import supplier is Paused or Complete.",
     "Wait until the operator continues the migration, then repeat the request."},
    {Code::expired_cursor, "expired_cursor", 0,
     "The events after the cursor are no longer kept.",
     "Begin again without `after`, from the oldest event that is kept. The listings show the present state of accounts whose "
     "events you missed."},
});
// clang-format on

constexpr bool is_in_order() {
    for (std::size_t index = 0; index < table.size(); ++index) {
        if (static_cast<std::size_t>(table[index].code) != index) return false;
        if (index > 0 && table[index - 1].is_of_item() && !table[index].is_of_item()) return false;
    }
    return true;
}
static_assert(is_in_order());

constexpr std::size_t answers =
    std::ranges::count_if(table, [](const CodeRow& row) { return !row.is_of_item(); });

}  // namespace

std::span<const CodeRow> all() {
    return table;
}

std::span<const CodeRow> of_answers() {
    return std::span(table).first(answers);
}

std::span<const CodeRow> of_items() {
    return std::span(table).subspan(answers);
}

const CodeRow& row_of(Code code) {
    return table[static_cast<std::size_t>(code)];
}

std::string_view name_of(Code code) {
    return row_of(code).name;
}

const CodeRow* find(std::string_view name) {
    const auto found = std::ranges::find(table, name, &CodeRow::name);
    return found == table.end() ? nullptr : &*found;
}

}  // namespace data_import::codes
