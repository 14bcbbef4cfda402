#include "ctl/account_rows.h"

#include "ctl/command.h"
#include "ctl/values.h"

namespace data_import::ctl {

namespace {

enum Column : std::size_t { external, state, service, created, first_day, last_day };

std::optional<std::string> check(std::size_t column, const command_line::Check& right,
                                 std::string_view text) {
    if (const auto wrong = right(text)) return std::string(account_columns[column]) + " " + *wrong;
    return std::nullopt;
}

std::optional<std::string> check_unless_empty(std::size_t column, const command_line::Check& right,
                                              std::string_view text) {
    return text.empty() ? std::nullopt : check(column, right, text);
}

std::optional<std::string> check_period_columns(const store::LoadedAccount& account) {
    if (auto wrong = check_unless_empty(first_day, check_date, account.statement_first_day)) return wrong;
    if (auto wrong = check_unless_empty(last_day, check_date, account.statement_last_day)) return wrong;
    if (account.statement_first_day.empty() != account.statement_last_day.empty()) {
        return "statement_from and statement_to must both be given, or neither";
    }
    // dates of one fixed form sort as their texts do
    if (account.statement_last_day < account.statement_first_day)
        return "statement_to is before statement_from";
    return std::nullopt;
}

std::optional<std::string> check_only_imported(const store::LoadedAccount& account) {
    const std::array<std::string_view, account_columns.size()> values = {"",
                                                                         "",
                                                                         account.service_account_number,
                                                                         account.account_created_at,
                                                                         account.statement_first_day,
                                                                         account.statement_last_day};
    for (std::size_t column = service; column <= last_day; ++column) {
        if (!values[column].empty()) {
            return std::string(account_columns[column]) + " must be empty, because the state is " +
                   std::string(account.state);
        }
    }
    return std::nullopt;
}

std::optional<std::string> check_account(const store::LoadedAccount& account) {
    if (auto wrong = check(external, check_external_account_number, account.external_account_number))
        return wrong;
    if (auto wrong = check(state, check_account_state, account.state)) return wrong;
    if (account.state != "imported") return check_only_imported(account);
    if (auto wrong =
            check_unless_empty(service, check_service_account_number, account.service_account_number)) {
        return wrong;
    }
    if (auto wrong = check_unless_empty(created, check_instant, account.account_created_at)) return wrong;
    return check_period_columns(account);
}

}  // namespace

AccountRows::AccountRows(const util::CsvRecord& header)
    : columns_(header, {account_columns.begin(), account_columns.end()}) {}

std::optional<std::string> AccountRows::read(const util::CsvRecord& record,
                                             store::LoadedAccount& account) const {
    if (auto wrong = columns_.check(record)) return wrong;
    account.line = record.line();
    account.external_account_number = columns_.field(record, external);
    account.state = columns_.field(record, state);
    account.service_account_number = columns_.field(record, service);
    account.account_created_at = columns_.field(record, created);
    account.statement_first_day = columns_.field(record, first_day);
    account.statement_last_day = columns_.field(record, last_day);
    return check_account(account);
}

std::optional<std::string> AccountRows::append(const util::CsvRecord& record, std::string& rows) const {
    store::LoadedAccount account;
    if (auto wrong = read(record, account)) return wrong;
    append_copy_row(rows, account);
    return std::nullopt;
}

}  // namespace data_import::ctl
