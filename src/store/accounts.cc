#include "store/accounts.h"

#include <array>
#include <stdexcept>

#include "store/timestamp.h"

namespace data_import::store {

namespace {

const char* condition(Listed listed) {
    switch (listed) {
        case Listed::pending:
            return " AND state <> 'imported'";
        case Listed::imported:
            return " AND state = 'imported'";
        case Listed::all:
            break;
    }
    return "";
}

char unescaped(char code) {
    switch (code) {
        case 'b':
            return '\b';
        case 'f':
            return '\f';
        case 'n':
            return '\n';
        case 'r':
            return '\r';
        case 't':
            return '\t';
        case 'v':
            return '\v';
        default:
            return code;
    }
}

/// One field of COPY's text format: nothing for NULL; `buffer` holds the text where it had escapes.
std::optional<std::string_view> decode(std::string_view field, std::string& buffer) {
    if (field == "\\N") return std::nullopt;
    if (field.find('\\') == std::string_view::npos) return field;
    buffer.clear();
    for (std::size_t index = 0; index < field.size(); ++index) {
        const bool escaped = field[index] == '\\' && index + 1 < field.size();
        buffer += escaped ? unescaped(field[++index]) : field[index];
    }
    return buffer;
}

std::array<std::string_view, 3> split(std::string_view row) {
    const std::size_t first = row.find('\t');
    const std::size_t second = first == std::string_view::npos ? first : row.find('\t', first + 1);
    if (second == std::string_view::npos) throw std::logic_error("a row of a listing has too few columns");
    return {row.substr(0, first), row.substr(first + 1, second - first - 1), row.substr(second + 1)};
}

}  // namespace

database::Call find_account_status(std::string_view import_supplier,
                                   std::string_view external_account_number) {
    return {.name = "find_account_status",
            .sql =
                "SELECT state, coalesce(service_account_number, '') FROM data_import.account "
                "WHERE account_key = data_import.account_key($1, $2)",
            .parameters = {std::string(import_supplier), std::string(external_account_number)}};
}

std::optional<AccountStatus> read_account_status(const database::Rows& rows) {
    if (rows.size() == 0) return std::nullopt;
    return AccountStatus{std::string(rows.text(0, 0)), std::string(rows.text(0, 1))};
}

// COPY is the fastest way to many rows, but takes no parameters.
void list_accounts(database::Database& database, std::string_view import_supplier, Listed listed,
                   const std::function<void(const ListedAccount&)>& each, database::Deadline deadline) {
    const std::string sql =
        "COPY (SELECT external_account_number, service_account_number, account_created_at "
        "FROM data_import.account WHERE import_supplier = " +
        database.quote_literal(import_supplier) + condition(listed) +
        " ORDER BY external_account_number) TO STDOUT";
    std::array<std::string, 2> buffers;
    std::string created_at;
    const auto sink = [&](std::string_view row) {
        const auto [external, service, created] = split(row);
        ListedAccount account{decode(external, buffers[0]).value(), decode(service, buffers[1]),
                              std::nullopt};
        if (created != "\\N") account.account_created_at = created_at = to_rfc3339(created);
        each(account);
    };
    database.copy_out(sql, sink, deadline);
}

}  // namespace data_import::store
