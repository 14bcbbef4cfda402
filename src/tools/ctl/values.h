// Checks of the values that operators give on the command line and in files. The declaration of each command
// names the checks of the command's arguments and options.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/util/datetime.h"
#include "tools/ctl/command.h"

namespace data_import::ctl {

// Each function returns the fault of the text (`is empty`); nothing if the text is right. See
// command_line::Check.

[[nodiscard]] std::optional<std::string> check_supplier_code(std::string_view text);
[[nodiscard]] std::optional<std::string> check_external_account_number(std::string_view text);
/// Returns what is wrong with an external account number that a supplier has sent; nothing if it is right.
/// Blanks at the ends of the number are right, although no stored number has them.
[[nodiscard]] std::optional<std::string> check_sent_account_number(std::string_view text);
[[nodiscard]] std::optional<std::string> check_service_account_number(std::string_view text);
/// Checks names of suppliers and organisations.
[[nodiscard]] std::optional<std::string> check_name(std::string_view text);
[[nodiscard]] std::optional<std::string> check_consumer_name(std::string_view text);
/// Returns what is wrong with the text; nothing if it is `now` or `beginning`.
[[nodiscard]] std::optional<std::string> check_consumer_beginning(std::string_view text);
/// Returns what is wrong with the path of a folder in the document bucket; nothing if the path is right. An
/// empty path is right, too: it stands for the whole bucket.
[[nodiscard]] std::optional<std::string> check_document_root(std::string_view text);
[[nodiscard]] std::optional<std::string> check_supplier_status(std::string_view text);
[[nodiscard]] std::optional<std::string> check_operator_role(std::string_view text);
[[nodiscard]] std::optional<std::string> check_account_state(std::string_view text);
/// Checks a kind of records: notes, transactions, ...
[[nodiscard]] std::optional<std::string> check_record_kind(std::string_view text);
/// Lists all kinds, for help texts: `notes, ... or payment_instructions`.
[[nodiscard]] std::string record_kinds();
/// Returns what is wrong with a number of hours; nothing if it is whole, at least 1, and at most ten years.
[[nodiscard]] std::optional<std::string> check_hours(std::string_view text);
[[nodiscard]] std::optional<std::string> check_reason(std::string_view text);
[[nodiscard]] std::optional<std::string> check_key_id(std::string_view text);
[[nodiscard]] std::optional<std::string> check_request_id(std::string_view text);
[[nodiscard]] std::optional<std::string> check_instant(std::string_view text);
[[nodiscard]] std::optional<std::string> check_date(std::string_view text);
/// Checks a date. An empty text is accepted, too: it means that no end is planned.
[[nodiscard]] std::optional<std::string> check_planned_end(std::string_view text);
/// Returns what is wrong with the number of failed accounts or refusals at which a supplier begins to need
/// attention; nothing if the number is right. The number has to be whole, and at least 1.
[[nodiscard]] std::optional<std::string> check_attention(std::string_view text);
/// Returns what is wrong with the number of days after which the accounts of a Complete supplier are erased;
/// nothing if the number is right. The number has to be whole, and at most a hundred years. An empty text is
/// right, too, and means that the accounts are never erased.
[[nodiscard]] std::optional<std::string> check_erase_after(std::string_view text);
[[nodiscard]] std::optional<std::string> check_period(std::string_view text);
[[nodiscard]] std::optional<std::string> check_file(std::string_view text);

/// Arguments of many commands.
inline const Argument supplier_code{"CODE", check_supplier_code};
inline const Argument external_account_number{"EXTERNAL", check_external_account_number};

/// The first and the last day of a statement period.
struct Period {
    std::string first_day;  ///< day in the form YYYY-MM-DD
    std::string last_day;
};

/// Splits `FROM:TO`, a text that check_period finds right.
[[nodiscard]] Period parse_period(std::string_view text);

}  // namespace data_import::ctl
