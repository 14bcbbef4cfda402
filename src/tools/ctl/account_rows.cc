#include "tools/ctl/account_rows.h"

#include <utility>
#include <vector>

#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

enum Column : std::size_t { external, state, service, created, first_day, last_day };

/// The faults of a row, each in words.
using Faults = std::vector<std::string>;

void check(Faults& faults, std::size_t column, const command_line::Check& right, std::string_view text) {
    if (const auto wrong = right(text)) faults.push_back(std::string(account_columns[column]) + " " + *wrong);
}

void check_unless_empty(Faults& faults, std::size_t column, const command_line::Check& right,
                        std::string_view text) {
    if (!text.empty()) check(faults, column, right, text);
}

void check_period_columns(Faults& faults, const store::LoadedAccount& account) {
    const std::size_t before = faults.size();
    check_unless_empty(faults, first_day, check_date, account.statement_first_day);
    check_unless_empty(faults, last_day, check_date, account.statement_last_day);
    if (account.statement_first_day.empty() != account.statement_last_day.empty())
        faults.emplace_back("statement_from and statement_to must both be given, or neither");
    // the dates can be compared as texts, because all have the same form
    else if (faults.size() == before && account.statement_last_day < account.statement_first_day)
        faults.emplace_back("statement_to is before statement_from");
}

void check_only_imported(Faults& faults, const store::LoadedAccount& account) {
    const std::array<std::string_view, account_columns.size()> values = {"",
                                                                         "",
                                                                         account.service_account_number,
                                                                         account.account_created_at,
                                                                         account.statement_first_day,
                                                                         account.statement_last_day};
    for (std::size_t column = service; column <= last_day; ++column) {
        if (!values[column].empty())
            faults.push_back(std::string(account_columns[column]) + " must be empty, because the state is " +
                             std::string(account.state));
    }
}

Faults check_account(const store::LoadedAccount& account) {
    Faults faults;
    check(faults, external, check_external_account_number, account.external_account_number);
    if (check_account_state(account.state)) {
        check(faults, state, check_account_state, account.state);
        return faults;
    }
    if (account.state != "imported") {
        check_only_imported(faults, account);
        return faults;
    }
    check_unless_empty(faults, service, check_service_account_number, account.service_account_number);
    check_unless_empty(faults, created, check_instant, account.account_created_at);
    check_period_columns(faults, account);
    return faults;
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
    std::string faults;
    for (const std::string& fault : check_account(account)) faults += (faults.empty() ? "" : "; ") + fault;
    return faults.empty() ? std::nullopt : std::optional(std::move(faults));
}

std::optional<std::string> AccountRows::append(const util::CsvRecord& record, std::string& rows) const {
    store::LoadedAccount account;
    if (auto wrong = read(record, account)) return wrong;
    append_copy_row(rows, account);
    return std::nullopt;
}

}  // namespace data_import::ctl
