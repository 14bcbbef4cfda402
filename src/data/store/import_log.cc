#include "data/store/import_log.h"

#include <algorithm>
#include <sstream>

#include "data/database/array_text.h"

namespace data_import::store {

namespace {

/// A statement with only those conditions whose values are given. With conditions like `$1 IS NULL OR ...`,
/// PostgreSQL would use no index.
class Selection {
public:
    Selection(std::string name, std::string select)
        : call_{.name = std::move(name), .sql = std::move(select)} {}

    /// Adds a condition, in which each `?` stands for the value; without a value, adds none.
    void where(std::string_view condition, const std::optional<std::string>& value) {
        ++conditions_;
        if (!value) return;
        call_.name += '_' + std::to_string(conditions_);
        call_.sql += call_.parameters.empty() ? " WHERE " : " AND ";
        call_.parameters.push_back(value);
        append(condition);
    }

    /// Adds more of the statement; each `?` stands for the value.
    void then(std::string_view text, std::string value) {
        call_.parameters.emplace_back(std::move(value));
        append(text);
    }
    void then(std::string_view text) { call_.sql += text; }

    [[nodiscard]] const database::Call& call() const { return call_; }

private:
    void append(std::string_view text) {
        for (const char character : text)
            call_.sql +=
                character == '?' ? '$' + std::to_string(call_.parameters.size()) : std::string(1, character);
    }

    database::Call call_;
    int conditions_ = 0;
};

database::Call select_refusals(const RefusalFilter& filter) {
    Selection selection("list_refusals", R"(
    SELECT import_supplier, endpoint, status, code, item_code, attr, sum(count)::bigint AS count,
           (array_agg(sample_request_id ORDER BY last_at DESC))[1], max(last_at) AS last_at,
           (array_agg(detail ORDER BY last_at DESC))[1]
    FROM data_import.refused_request)");
    selection.where("import_supplier = ?", filter.import_supplier);
    selection.where("day >= (?::timestamptz AT TIME ZONE 'UTC')::date", filter.since);
    selection.where("code <> ?", filter.except);
    selection.then(" GROUP BY import_supplier, endpoint, status, code, item_code, attr");
    if (filter.since) selection.then(" HAVING max(last_at) >= ?::timestamptz", *filter.since);
    selection.then(" ORDER BY last_at DESC, count DESC, endpoint, item_code, attr LIMIT ?",
                   std::to_string(filter.most));
    return selection.call();
}

constexpr const char* select_refusals_of_sample = R"(
    SELECT import_supplier, endpoint, status, code, item_code, attr, 1, sample_request_id, last_at, detail
    FROM data_import.refused_request WHERE sample_request_id = $1
    ORDER BY last_at, item_code, attr)";

constexpr const char* select_refused_lines =
    "SELECT lines FROM data_import.bulk_refusal WHERE request_id = $1";

// Finds accounts of refused requests. For each reason, takes only the first lines of a bulk request, because
// many lines may be refused for the same reason.
constexpr const char* select_examples = R"(
    SELECT DISTINCT request_id, import_supplier, endpoint, code, item_code, number
    FROM (SELECT refusal.request_id, refusal.import_supplier, refusal.endpoint, refusal.code, item.code AS item_code,
                 coalesce(account.external_account_number, refusal.external_account_number) AS number,
                 row_number() OVER (PARTITION BY refusal.request_id, refusal.endpoint, refusal.code, item.code
                                    ORDER BY refusal.line) AS place
          FROM data_import.account_refusal AS refusal
          LEFT JOIN data_import.account ON account.account_key = refusal.account_key
          LEFT JOIN LATERAL unnest(refusal.item_codes) AS item (code) ON true
          WHERE refusal.request_id = ANY ($1::uuid[])) AS kept
    WHERE place <= $2 AND number IS NOT NULL ORDER BY number)";

database::Call select_partly_kept(const std::optional<std::string>& import_supplier,
                                  const std::optional<std::string>& since) {
    Selection selection("list_partly_kept", R"(
    SELECT import_supplier, min(day)::text, sum(refusals)::bigint, sum(kept)::bigint
    FROM data_import.account_refusal_count)");
    selection.where("import_supplier = ?", import_supplier);
    selection.where("day >= (?::timestamptz AT TIME ZONE 'UTC')::date", since);
    selection.then(" GROUP BY import_supplier HAVING sum(kept) < sum(refusals) ORDER BY import_supplier");
    return selection.call();
}

database::Call select_unknown(const std::optional<std::string>& import_supplier,
                              const std::optional<std::string>& since) {
    Selection selection("list_unknown_accounts", R"(
    SELECT import_supplier, external_account_number, count(*), max(at) AS last_at,
           (array_agg(request_id ORDER BY at DESC))[1]
    FROM (SELECT refusal.* FROM data_import.account_refusal AS refusal
          LEFT JOIN data_import.account ON account.account_key = refusal.account_key
          WHERE NOT refusal.was_known AND account.account_key IS NULL) AS refusal)");
    selection.where("import_supplier = ?", import_supplier);
    selection.where("at >= ?", since);
    selection.then(" GROUP BY import_supplier, external_account_number ORDER BY last_at DESC, 1, 2");
    return selection.call();
}

// Each supplier may have an account with this number, so there is a key for each supplier.
constexpr const char* select_keys_of_number = R"(
    SELECT array_agg(data_import.account_key(code, $1)) FROM data_import.import_supplier
    WHERE $2::text IS NULL OR code = $2)";

database::Call select_last_refusals(const LastRefusalFilter& filter, const std::optional<std::string>& keys) {
    Selection selection("list_last_refusals", R"(
    SELECT refusal.import_supplier, coalesce(account.external_account_number, refusal.external_account_number),
           refusal.at, refusal.request_id, refusal.line, refusal.api_key_id, refusal.endpoint, refusal.status,
           refusal.code, refusal.error_count, array_to_string(refusal.item_codes, E'\n'),
           array_to_string(refusal.attrs, E'\n'), array_to_string(refusal.details, E'\n'),
           account.account_key IS NOT NULL
    FROM data_import.account_refusal AS refusal
    LEFT JOIN data_import.account ON account.account_key = refusal.account_key)");
    selection.where("refusal.account_key = ANY (?::uuid[])", keys);
    selection.where("refusal.request_id = ?", filter.request_id);
    selection.where("refusal.import_supplier = ?", filter.import_supplier);
    selection.where("refusal.at >= ?", filter.since);
    selection.then(" ORDER BY refusal.at DESC, refusal.line DESC LIMIT ?", std::to_string(filter.most));
    return selection.call();
}

LoggedRefusal read_refusal(const database::Row& row) {
    return {.kind = {.import_supplier = row.text(0),
                     .endpoint = row.text(1),
                     .status = static_cast<int>(row.integer(2)),
                     .code = row.text(3),
                     .item_code = row.text(4),
                     .attr = row.text(5)},
            .count = row.integer(6),
            .sample_request_id = row.uuid(7),
            .last_at = row.time(8),
            .detail = row.text(9)};
}

std::vector<RefusedPlace> read_places(const database::Row& row, std::size_t codes) {
    std::istringstream codes_of_items(row.text(codes));
    std::istringstream attrs(row.text(codes + 1));
    std::istringstream details(row.text(codes + 2));
    std::vector<RefusedPlace> places;
    RefusedPlace place;
    while (std::getline(codes_of_items, place.code)) {
        place.attr.clear();
        place.detail.clear();
        std::getline(attrs, place.attr);
        std::getline(details, place.detail);
        places.push_back(place);
    }
    return places;
}

/// Reads a kept refusal. If the row has no account number (KeptRefusal::account), the result has `number`,
/// the external account number that the caller asked for, if any.
KeptRefusal read_kept_refusal(const database::Row& row, const std::optional<std::string>& number) {
    std::vector<RefusedPlace> places = read_places(row, 10);
    std::string of_whole = places.empty() ? row.text(12) : std::string();
    return {.account = {row.text(0), row.optional_text(1).value_or(number.value_or(""))},
            .is_known = row.boolean(13),
            .at = row.time(2),
            .refusal = {.request_id = row.uuid(3),
                        .line = row.count(4),
                        .api_key_id = row.text(5),
                        .endpoint = row.text(6),
                        .status = static_cast<int>(row.integer(7)),
                        .code = row.text(8),
                        .error_count = row.count(9),
                        .places = std::move(places),
                        .detail = std::move(of_whole)}};
}

bool is_of_kind(const database::Row& row, const RefusalKind& kind) {
    return row.text(1) == kind.import_supplier && row.text(2) == kind.endpoint && row.text(3) == kind.code &&
           row.optional_text(4).value_or("") == kind.item_code;
}

/// Appends the parameters of note_refused_requests.
void add_counts(std::vector<database::Parameter>& parameters,
                const std::map<RefusalKind, RefusalCount>& refusals) {
    database::ArrayText suppliers, endpoints, statuses, codes, item_codes, attrs, counts, request_ids,
        last_at, details;
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
        details.add(count.detail);
    }
    for (database::ArrayText* array : {&suppliers, &endpoints, &statuses, &codes, &item_codes, &attrs,
                                       &counts, &request_ids, &last_at, &details})
        parameters.emplace_back(array->take());
}

/// Appends the parameters of keep_account_refusals.
void add_last(std::vector<database::Parameter>& parameters, const std::vector<AccountRefusal>& last) {
    database::ArrayText keys, suppliers, request_ids, lines, at, api_keys, endpoints, statuses, codes,
        error_counts, item_codes, attrs, details, numbers;
    for (const AccountRefusal& one : last) {
        database::ArrayText codes_of_items, attrs_of_items, details_of_items;
        for (const RefusedPlace& place : one.refusal.places) {
            codes_of_items.add(place.code);
            attrs_of_items.add(place.attr);
            details_of_items.add(place.detail);
        }
        if (one.refusal.places.empty()) details_of_items.add(one.refusal.detail);
        keys.add(one.account_key);
        suppliers.add(one.import_supplier);
        request_ids.add(one.refusal.request_id);
        lines.add(std::to_string(one.refusal.line));
        at.add(util::to_text(one.at));
        api_keys.add(one.refusal.api_key_id);
        endpoints.add(one.refusal.endpoint);
        statuses.add(std::to_string(one.refusal.status));
        codes.add(one.refusal.code);
        error_counts.add(std::to_string(one.refusal.error_count));
        item_codes.add(codes_of_items.take());
        attrs.add(attrs_of_items.take());
        details.add(details_of_items.take());
        numbers.add(one.shown_number);
    }
    for (database::ArrayText* array :
         {&keys, &suppliers, &request_ids, &lines, &at, &api_keys, &endpoints, &statuses, &codes,
          &error_counts, &item_codes, &attrs, &details, &numbers})
        parameters.emplace_back(array->take());
}

/// Appends the last five parameters of the statement of add_refusals(). Two are the last of
/// data_import.keep_account_refusals: suppliers and their counts. Three are all of
/// data_import.bulk_refusals_add: request ids, API keys, numbers of lines.
void add_other_counts(std::vector<database::Parameter>& parameters, const RefusalCounts& refusals) {
    database::ArrayText suppliers, counts, request_ids, api_keys, lines;
    for (const auto& [supplier, count] : refusals.of_accounts) {
        suppliers.add(supplier);
        counts.add(std::to_string(count));
    }
    for (const auto& [request_id, refused] : refusals.lines) {
        request_ids.add(request_id);
        api_keys.add(refused.api_key_id);
        lines.add(std::to_string(refused.lines));
    }
    for (database::ArrayText* array : {&suppliers, &counts, &request_ids, &api_keys, &lines})
        parameters.emplace_back(array->take());
}

}  // namespace

database::Call add_refusals(const RefusalCounts& counts, const std::vector<AccountRefusal>& last) {
    database::Call call{
        .name = "add_refusals",
        .sql =
            "SELECT data_import.note_refused_requests($1, $2, $3, $4, $5, $6, $7, $8, $9, $10), "
            "data_import.keep_account_refusals($11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, "
            "$22, $23, $24, $25, $26), data_import.bulk_refusals_add($27, $28, $29)",
        .retryable = false};
    add_counts(call.parameters, counts.kinds);
    add_last(call.parameters, last);
    add_other_counts(call.parameters, counts);
    return call;
}

bool read_are_last_kept(const database::Rows& rows) {
    return rows.boolean(0, 1);
}

std::vector<LoggedRefusal> list_refusals(database::Database& database, const RefusalFilter& filter,
                                         database::Deadline deadline) {
    return database.execute(select_refusals(filter), deadline).each(read_refusal);
}

std::vector<RefusalExamples> list_examples(database::Database& database,
                                           const std::vector<LoggedRefusal>& refusals, std::size_t most,
                                           database::Deadline deadline) {
    database::ArrayText ids;
    for (const LoggedRefusal& refusal : refusals) ids.add(refusal.sample_request_id);
    const database::Rows rows = database.execute(
        {.name = "list_examples", .sql = select_examples, .parameters = {ids.take(), std::to_string(most)}},
        deadline);
    std::vector<RefusalExamples> examples;
    for (const LoggedRefusal& refusal : refusals) {
        RefusalExamples of_kind{.kind = refusal.kind, .external_account_numbers = {}};
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (rows[row].uuid(0) == refusal.sample_request_id && is_of_kind(rows[row], refusal.kind) &&
                of_kind.external_account_numbers.size() < most)
                of_kind.external_account_numbers.push_back(rows[row].text(5));
        }
        if (!of_kind.external_account_numbers.empty()) examples.push_back(std::move(of_kind));
    }
    return examples;
}

std::vector<KeptRefusal> list_last_refusals(database::Database& database, const LastRefusalFilter& filter,
                                            database::Deadline deadline) {
    std::optional<std::string> keys;
    if (filter.external_account_number) {
        const database::Rows of_number =
            database.execute({.name = "keys_of_account_number",
                              .sql = select_keys_of_number,
                              .parameters = {filter.external_account_number, filter.import_supplier}},
                             deadline);
        keys = of_number.optional_text(0, 0).value_or("{}");
    }
    return database.execute(select_last_refusals(filter, keys), deadline).each([&](const database::Row& row) {
        return read_kept_refusal(row, filter.external_account_number);
    });
}

std::vector<LoggedRefusal> list_refusals_of_sample(database::Database& database,
                                                   const std::string& request_id,
                                                   database::Deadline deadline) {
    return database
        .execute(
            {.name = "list_refusals_of_sample", .sql = select_refusals_of_sample, .parameters = {request_id}},
            deadline)
        .each(read_refusal);
}

std::vector<KeptPart> list_partly_kept(database::Database& database,
                                       const std::optional<std::string>& import_supplier,
                                       const std::optional<std::string>& since, database::Deadline deadline) {
    return database.execute(select_partly_kept(import_supplier, since), deadline)
        .each([](const database::Row& row) {
            return KeptPart{row.text(0), row.text(1), row.integer(2), row.integer(3)};
        });
}

std::optional<std::int64_t> count_refused_lines(database::Database& database, const std::string& request_id,
                                                database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "count_refused_lines", .sql = select_refused_lines, .parameters = {request_id}}, deadline);
    if (rows.size() == 0) return std::nullopt;
    return rows.integer(0, 0);
}

std::vector<UnknownAccount> list_unknown_accounts(database::Database& database,
                                                  const std::optional<std::string>& import_supplier,
                                                  const std::optional<std::string>& since,
                                                  database::Deadline deadline) {
    return database.execute(select_unknown(import_supplier, since), deadline)
        .each([](const database::Row& row) {
            return UnknownAccount{
                {row.text(0), row.optional_text(1).value_or("")}, row.integer(2), row.time(3), row.uuid(4)};
        });
}

database::Call find_recent_refusals(std::size_t most) {
    return {.name = "find_recent_refusals",
            .sql =
                "SELECT import_supplier, code, sum(refusals)::bigint FROM data_import.refusal_rate "
                "WHERE seconds = 60 AND began_at >= now() - interval '61 minutes' GROUP BY 1, 2 "
                "ORDER BY 3 DESC, 1, 2 LIMIT $1",
            .parameters = {std::to_string(most)}};
}

std::vector<RecentRefusals> read_recent_refusals(const database::Rows& rows) {
    return rows.each([](const database::Row& row) {
        return RecentRefusals{row.text(0), row.text(1), row.integer(2)};
    });
}

}  // namespace data_import::store
