// The closed list of error codes. Each answer outside 2xx has one (contract, section 3.2), and so has each
// item of its `errors` (contract, section 3.3).
#pragma once

#include <span>
#include <string_view>

namespace data_import::codes {

/// All codes. nginx itself answers with some of them, before a request reaches the service or if the service
/// does not answer. A client sees no difference.
enum class Code {
    // codes of answers, by status
    bad_request,
    parse_error,
    validation_error,
    vendor_rejected,
    vendor_unavailable,
    not_authenticated,
    authentication_failed,
    token_expired,
    cross_site_request,
    not_found,
    account_not_found,
    method_not_allowed,
    request_timeout,
    request_in_progress,
    payload_too_large,
    uri_too_long,
    unsupported_media_type,
    idempotency_key_reused,
    throttled,
    header_too_large,
    error,
    vendor_intermittent,
    bad_gateway,
    service_unavailable,
    gateway_timeout,
    // codes of items in `errors`
    required,
    null,
    invalid,
    blank,
    empty,
    unknown_field,
    invalid_choice,
    max_length,
    max_value,
    min_value,
    max_items,
    max_digits,
    max_decimal_places,
    invalid_document_path,
    does_not_exist,
    duplicate,
    period_end_before_start,
    note_body_or_document_path_not_found,
    note_unpin_at_earlier_than_creation_date,
    duplicate_transaction_ids,
    start_date_later_than_end_date,
    line_item_units_must_be_two_values,
    no_open_statement_period,
    transaction_outside_statement_period,
    historical_statement_already_exists,
    import_supplier_migration_not_ongoing,
    expired_cursor,
};

/// A row of the table of codes.
struct CodeRow {
    Code code;
    std::string_view name;         ///< the name that clients read; its meaning never changes
    int status;                    ///< status of answers with this code; 0: a code of items of `errors` only
    std::string_view meaning;      ///< the meaning, for operators and the documentation
    std::string_view action;       ///< the step that the client should take next
    std::string_view detail = {};  ///< `detail` of answers that have no more precise sentence
    std::string_view header = {};  ///< name of a header that all answers with this code have; empty: none
    std::string_view header_value = {};

    [[nodiscard]] constexpr bool is_of_item() const { return status == 0; }
};

/// Returns the whole table in the order of Code: codes of answers by status, then codes of items.
[[nodiscard]] std::span<const CodeRow> all();
[[nodiscard]] std::span<const CodeRow> of_answers();
[[nodiscard]] std::span<const CodeRow> of_items();

[[nodiscard]] const CodeRow& row_of(Code code);
[[nodiscard]] std::string_view name_of(Code code);

/// The sentence in an answer `throttled` to an organisation that already uses its whole share of the service.
inline constexpr std::string_view beyond_share =
    "Your organisation uses its whole share of the service, and other organisations need theirs: repeat this "
    "request later, and send fewer at a time.";

/// Returns the row of the code with this name; null if there is none.
[[nodiscard]] const CodeRow* find(std::string_view name);

}  // namespace data_import::codes

namespace data_import {

using codes::Code;

}  // namespace data_import
