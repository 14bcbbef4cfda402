#include "ctl/refusal_sentences.h"

#include <algorithm>
#include <array>
#include <utility>

namespace data_import::ctl {

namespace {

using Sentence = std::pair<std::string_view, std::string_view>;

constexpr auto sentences = std::to_array<Sentence>({
    // of items in `errors`
    {"required", "The field is missing."},
    {"null", "The field is null; what has no value is left out."},
    {"invalid", "The value has the wrong JSON type or form."},
    {"blank", "The text is empty or all white space."},
    {"empty", "The array has no items."},
    {"unknown_field", "A field here is not documented, or its name is misspelt."},
    {"invalid_choice", "The value is none of those that are allowed."},
    {"max_length", "The text is too long."},
    {"min_length", "The text or array is too short."},
    {"max_value", "The number is too large."},
    {"min_value", "The number is too small."},
    {"max_items", "The array has too many items; send them in several requests."},
    {"max_digits", "The number has too many digits before the decimal point."},
    {"max_decimal_places", "The number has too many digits behind the decimal point."},
    {"invalid_document_path",
     "The document path is not relative, or has segments or characters it must not have."},
    {"does_not_exist",
     "What the field refers to has not been imported, or is not there or not active at the vendor."},
    {"duplicate", "The same identifier stands here twice, or is stored with other content."},
    {"period_end_before_start", "The period ends before it begins."},
    {"note_body_or_document_path_not_found", "The note has neither a body nor documents."},
    {"note_unpin_at_earlier_than_creation_date", "The note is to be unpinned before it is created."},
    {"duplicate_transaction_ids", "The same transaction_id stands twice in one request."},
    {"start_date_later_than_end_date", "The line item ends before it begins."},
    {"line_item_units_must_be_two_values", "Units are not exactly two numbers."},
    {"no_open_statement_period", "The account has no open statement period; the operator opens one."},
    {"transaction_outside_statement_period",
     "The transaction's date is outside of the open statement period."},
    {"historical_statement_already_exists", "The account has this statement with other content."},
    {"import_supplier_migration_not_ongoing", "The import supplier is Paused or Complete."},
    // of answers
    {"bad_request", "The request is not valid HTTP, or its address is wrongly encoded."},
    {"parse_error", "The body is not valid JSON."},
    {"validation_error", "The payload is not valid."},
    {"vendor_rejected",
     "The payment vendor does not accept the instruction; the reference is to be corrected."},
    {"vendor_unavailable", "The payment vendor cannot be used; the operator has to look after it."},
    {"not_authenticated", "No token was sent."},
    {"authentication_failed", "The token is not valid: malformed, wrongly signed or revoked."},
    {"token_expired", "The token has expired; a new one has to be obtained."},
    {"not_found", "There is nothing at the address, or not for this token."},
    {"account_not_found", "The account is not imported, or the supplier is not in the token's scope."},
    {"method_not_allowed", "The address does not take this method."},
    {"request_timeout", "The request did not arrive in time."},
    {"request_in_progress", "The first request with the same Idempotency-Key was still running."},
    {"payload_too_large", "The body is too large; send fewer items at a time."},
    {"uri_too_long", "The request line is too long."},
    {"unsupported_media_type", "The request does not say Content-Type: application/json."},
    {"idempotency_key_reused", "The Idempotency-Key was used for another request."},
    {"throttled", "Too many requests at a time."},
    {"header_too_large", "The header block is too large."},
    {"error", "An unexpected error of the service: its log tells more of the request."},
    {"vendor_intermittent", "The payment vendor did not answer as it should; the request can be repeated."},
    {"bad_gateway", "The service broke off; the request can be repeated."},
    {"service_unavailable", "The database could not be reached; the request can be repeated."},
    {"gateway_timeout", "The database did not answer in time; the request can be repeated."},
    {"other", "More kinds of refusals than are kept apart; the service's log has each request."},
});

}  // namespace

std::string_view refusal_sentence(std::string_view code) {
    const auto found = std::ranges::find(sentences, code, &Sentence::first);
    return found == sentences.end() ? std::string_view() : found->second;
}

}  // namespace data_import::ctl
