#include "store/import_log.h"

#include <algorithm>

#include "store/timestamp.h"
#include "util/array_text.h"

namespace data_import::store {

namespace {

constexpr const char* select_refusals = R"(
    SELECT import_supplier, endpoint, status, code, item_code, attr, sum(count)::bigint AS count,
           (array_agg(sample_request_id ORDER BY last_at DESC))[1], max(last_at) AS last_at
    FROM data_import.refused_request
    WHERE ($1::text IS NULL OR import_supplier = $1)
      AND ($2::timestamptz IS NULL OR day >= ($2::timestamptz AT TIME ZONE 'UTC')::date)
    GROUP BY import_supplier, endpoint, status, code, item_code, attr
    HAVING $2::timestamptz IS NULL OR max(last_at) >= $2::timestamptz
    ORDER BY last_at DESC, count DESC, endpoint, item_code, attr
    LIMIT $3)";

/// As PostgreSQL writes a uuid, without the dashes that request ids do not have.
std::string request_id_of(std::string_view uuid) {
    std::string digits(uuid);
    std::erase(digits, '-');
    return digits;
}

LoggedRefusal read_refusal(const database::Rows& rows, std::size_t row) {
    return {.kind = {.import_supplier = std::string(rows.text(row, 0)),
                     .endpoint = std::string(rows.text(row, 1)),
                     .status = static_cast<int>(rows.integer(row, 2)),
                     .code = std::string(rows.text(row, 3)),
                     .item_code = std::string(rows.text(row, 4)),
                     .attr = std::string(rows.text(row, 5))},
            .count = rows.integer(row, 6),
            .sample_request_id = request_id_of(rows.text(row, 7)),
            .last_at = to_rfc3339(rows.text(row, 8))};
}

}  // namespace

database::Call add_refusals(const std::map<RefusalKind, RefusalCount>& refusals) {
    util::ArrayText suppliers, endpoints, statuses, codes, item_codes, attrs, counts, request_ids, last_at;
    for (const auto& [kind, count] : refusals) {
        suppliers.add(kind.import_supplier);
        endpoints.add(kind.endpoint);
        statuses.add(std::to_string(kind.status));
        codes.add(kind.code);
        item_codes.add(kind.item_code);
        attrs.add(kind.attr);
        counts.add(std::to_string(count.count));
        request_ids.add(count.sample_request_id);
        last_at.add(util::to_text(count.last_at));
    }
    return {
        .name = "add_refusals",
        .sql = "SELECT data_import.refused_requests_add($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        .parameters = {suppliers.take(), endpoints.take(), statuses.take(), codes.take(), item_codes.take(),
                       attrs.take(), counts.take(), request_ids.take(), last_at.take()},
        .repeatable = false};
}

std::vector<LoggedRefusal> list_refusals(database::Database& database, const RefusalFilter& filter,
                                         database::Deadline deadline) {
    const database::Rows rows =
        database.execute({.name = "list_refusals",
                          .sql = select_refusals,
                          .parameters = {filter.import_supplier, filter.since, std::to_string(filter.most)}},
                         deadline);
    std::vector<LoggedRefusal> refusals;
    for (std::size_t row = 0; row < rows.size(); ++row) refusals.push_back(read_refusal(rows, row));
    return refusals;
}

}  // namespace data_import::store
