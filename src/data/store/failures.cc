#include "data/store/failures.h"

#include "data/database/array_text.h"

namespace data_import::store {

database::Call find_failure_groups(const std::optional<std::string>& import_supplier, std::string_view text,
                                   std::size_t most) {
    std::optional<std::string> codes;
    if (import_supplier) {
        database::ArrayText array;
        array.add(*import_supplier);
        codes = array.take();
    }
    return {.name = "find_failure_groups",
            .sql =
                "SELECT import_supplier, folded, count(*), "
                "(array_agg(reason ORDER BY since DESC, external_account_number))[1], "
                "(array_agg(external_account_number ORDER BY since DESC, external_account_number))[1], "
                "max(since) FROM data_import.failures($1::text[]) "
                "WHERE strpos(lower(reason), lower($2)) > 0 OR $2 = '' "
                "GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT $3::bigint",
            .parameters = {std::move(codes), std::string(text), std::to_string(most)}};
}

std::vector<FailureGroup> read_failure_groups(const database::Rows& rows) {
    return rows.each([](const database::Row& row) {
        return FailureGroup{.import_supplier = row.text(0),
                            .reason = row.text(1),
                            .accounts = row.integer(2),
                            .sample = row.text(3),
                            .example = row.text(4),
                            .failed_at = row.time(5)};
    });
}

database::Call list_failures_of_group(std::string_view import_supplier, std::string_view reason,
                                      std::size_t most) {
    return {.name = "list_failures_of_group",
            .sql =
                "SELECT external_account_number, since, nullif(reason, '') "
                "FROM data_import.failures(ARRAY[$1]) WHERE folded = $2 "
                "ORDER BY since DESC, external_account_number LIMIT $3::bigint",
            .parameters = {std::string(import_supplier), std::string(reason), std::to_string(most)}};
}

}  // namespace data_import::store
