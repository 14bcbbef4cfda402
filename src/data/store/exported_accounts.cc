#include "data/store/exported_accounts.h"

#include "data/database/array_text.h"
#include "data/database/rows.h"

namespace data_import::store {

namespace {

enum Column : std::size_t { number, state, service_number, created_at, first_day, last_day };

database::Call select_accounts(std::string_view import_supplier, std::span<const std::string> numbers) {
    database::Call call{
        .sql =
            "SELECT account.external_account_number, account.state, account.service_account_number, "
            "account.account_created_at, period.first_day, period.last_day FROM data_import.account "
            "LEFT JOIN LATERAL (SELECT first_day, last_day FROM data_import.statement_period "
            "WHERE statement_period.account_key = account.account_key "
            "ORDER BY closed_at DESC NULLS FIRST, first_day DESC LIMIT 1) AS period ON account.state = "
            "'imported' WHERE account.import_supplier = $1",
        .parameters = {std::string(import_supplier)}};
    if (!numbers.empty()) {
        database::ArrayText listed;
        for (const std::string& one : numbers) listed.add(one);
        call.sql += " AND account.external_account_number = ANY ($2::text[])";
        call.parameters.emplace_back(listed.take());
    }
    call.sql += " ORDER BY account.external_account_number";
    return call;
}

ExportedAccount account_in(const database::StreamedRow& row) {
    ExportedAccount account{.external_account_number = row.text(number), .state = row.text(state)};
    if (account.state != "imported") return account;
    account.service_account_number = row.optional(service_number);
    if (const auto time = row.optional(created_at)) account.account_created_at = database::to_rfc3339(*time);
    account.statement_first_day = row.optional(first_day);
    account.statement_last_day = row.optional(last_day);
    return account;
}

}  // namespace

void list_exported_accounts(database::Database& database, std::string_view import_supplier,
                            std::span<const std::string> external_account_numbers,
                            const std::function<void(const ExportedAccount&)>& each,
                            database::Deadline deadline) {
    database.stream(
        select_accounts(import_supplier, external_account_numbers), database::ValueFormat::text,
        [&](const database::StreamedRow& row) { each(account_in(row)); }, deadline);
}

}  // namespace data_import::store
