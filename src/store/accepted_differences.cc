#include "store/accepted_differences.h"

#include "store/column_text.h"
#include "store/sums.h"

namespace data_import::store {

namespace {

enum Column : std::size_t {
    external_account_number,
    kind,
    declared_records,
    declared_amount,
    declared_fingerprint,
    held_records,
    held_amount,
    held_fingerprint,
    accepted_by,
    accepted_at,
    reason,
    declared_sums
};

}  // namespace

database::Call list_accepted_differences(std::string_view import_supplier, std::size_t most) {
    return {.name = "list_accepted_differences",
            .sql =
                "SELECT external_account_number, kind, declared_records, trim_scale(declared_amount), "
                "declared_fingerprint, held_records, trim_scale(held_amount), held_fingerprint, accepted_by, "
                "accepted_at, reason, declared_sums FROM data_import.accepted_difference WHERE "
                "import_supplier = $1 "
                "ORDER BY external_account_number, kind, accepted_at DESC LIMIT $2",
            .parameters = {std::string(import_supplier), std::to_string(most)}};
}

std::vector<AcceptedDifference> read_accepted_differences(const database::Rows& rows) {
    std::vector<AcceptedDifference> accepted;
    accepted.reserve(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const KindFigures declared{.records = rows.integer(row, declared_records),
                                   .amount = rows.optional_text(row, declared_amount),
                                   .fingerprint = optional_uuid_digits(rows, row, declared_fingerprint),
                                   .sums = optional_sums(rows, row, declared_sums, rows.text(row, kind))};
        const KindFigures held{.records = rows.integer(row, held_records),
                               .amount = rows.optional_text(row, held_amount),
                               .fingerprint = optional_uuid_digits(rows, row, held_fingerprint)};
        accepted.push_back(
            {.difference = {.external_account_number = std::string(rows.text(row, external_account_number)),
                            .kind = std::string(rows.text(row, kind)),
                            .declared = declared,
                            .held = held},
             .acceptance = {.by = std::string(rows.text(row, accepted_by)),
                            .at = to_rfc3339(rows.text(row, accepted_at)),
                            .reason = std::string(rows.text(row, reason))}});
    }
    return accepted;
}

}  // namespace data_import::store
