#include "store/missing_records.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "records/kinds.h"

namespace data_import::store {

namespace {

/// The statements of one kind, which live as long as the program.
struct Statements {
    std::string list_name;
    std::string list;
    std::string count_name;
    std::string count;
};

Statements statements_of(const records::Kind& kind) {
    const std::string table(kind.table);
    const std::string chosen = " FROM data_import.account LEFT JOIN data_import." + table +
                               " AS record ON record.account_key = account.account_key "
                               "WHERE account.import_supplier = $1 AND account.state = 'imported' "
                               "AND record.account_key IS NULL";
    return {.list_name = "list_accounts_without_" + table,
            .list = "SELECT account.external_account_number" + chosen +
                    " ORDER BY account.external_account_number LIMIT $2",
            .count_name = "count_accounts_without_" + table,
            .count = "SELECT count(*)" + chosen};
}

const Statements& statements_of(std::string_view kind) {
    static const auto all = [] {
        std::map<std::string_view, Statements> made;
        for (const records::Kind& one : records::kinds()) made.emplace(one.name, statements_of(one));
        return made;
    }();
    return all.at(kind);
}

}  // namespace

database::Call list_accounts_without(std::string_view import_supplier, std::string_view kind,
                                     std::size_t most) {
    const Statements& statements = statements_of(kind);
    return {.name = statements.list_name.c_str(),
            .sql = statements.list.c_str(),
            .parameters = {std::string(import_supplier), std::to_string(most)}};
}

std::vector<std::string> read_accounts_without(const database::Rows& rows) {
    std::vector<std::string> numbers;
    for (std::size_t row = 0; row < rows.size(); ++row) numbers.emplace_back(rows.text(row, 0));
    return numbers;
}

database::Call count_accounts_without(std::string_view import_supplier, std::string_view kind) {
    const Statements& statements = statements_of(kind);
    return {.name = statements.count_name.c_str(),
            .sql = statements.count.c_str(),
            .parameters = {std::string(import_supplier)}};
}

std::int64_t read_count(const database::Rows& rows) {
    return rows.integer(0, 0);
}

}  // namespace data_import::store
