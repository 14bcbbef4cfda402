#include "ctl/account_rows.h"

#include "ctl/command.h"
#include "ctl/values.h"

namespace data_import::ctl {

namespace {

enum Column : std::size_t { external, state, service, created, first_day, last_day };

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::string header_form() {
    std::string form;
    for (const std::string_view name : account_columns) form += (form.empty() ? "" : ",") + std::string(name);
    return form;
}

[[noreturn]] void fail(const std::string& sentence) {
    throw Failure("line 1: " + sentence + "; the header has to be " + header_form());
}

std::size_t find_column(const util::CsvRecord& header, std::string_view name) {
    std::optional<std::size_t> found;
    for (std::size_t position = 0; position < header.size(); ++position) {
        if (header.field(position) != name) continue;
        if (found) fail("column " + std::string(name) + " stands twice in the header");
        found = position;
    }
    if (!found) fail("the header lacks column " + std::string(name));
    return *found;
}

std::optional<std::string> check(std::size_t column, Check right, std::string_view text) {
    if (const auto wrong = right(text)) return std::string(account_columns[column]) + " " + *wrong;
    return std::nullopt;
}

std::optional<std::string> check_unless_empty(std::size_t column, Check right, std::string_view text) {
    return text.empty() ? std::nullopt : check(column, right, text);
}

std::optional<std::string> check_period_columns(const store::LoadedAccount& account) {
    if (auto wrong = check_unless_empty(first_day, check_date, account.statement_first_day)) return wrong;
    if (auto wrong = check_unless_empty(last_day, check_date, account.statement_last_day)) return wrong;
    if (account.statement_first_day.empty() != account.statement_last_day.empty()) {
        return "statement_from and statement_to have to be given both or neither";
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
            return std::string(account_columns[column]) + " has to be empty, because the state is " +
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

AccountRows::AccountRows(const util::CsvRecord& header) {
    if (!header.error().empty()) fail(std::string(header.error()));
    if (header.field(0).starts_with(byte_order_mark)) {
        throw Failure("line 1: the file begins with a byte order mark; save it as UTF-8 without one");
    }
    for (std::size_t column = 0; column < account_columns.size(); ++column) {
        positions_[column] = find_column(header, account_columns[column]);
    }
    if (header.size() != account_columns.size()) fail("the header has a column that is not known");
}

std::optional<std::string> AccountRows::read(const util::CsvRecord& record,
                                             store::LoadedAccount& account) const {
    if (!record.error().empty()) return std::string(record.error());
    if (record.size() != account_columns.size()) {
        return "there are " + std::to_string(record.size()) + " columns where the header has " +
               std::to_string(account_columns.size());
    }
    account.line = record.line();
    account.external_account_number = record.field(positions_[external]);
    account.state = record.field(positions_[state]);
    account.service_account_number = record.field(positions_[service]);
    account.account_created_at = record.field(positions_[created]);
    account.statement_first_day = record.field(positions_[first_day]);
    account.statement_last_day = record.field(positions_[last_day]);
    return check_account(account);
}

}  // namespace data_import::ctl
