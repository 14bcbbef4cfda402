#include "data/store/consumers.h"

#include "data/database/array_text.h"
#include "data/store/text_lines.h"

namespace data_import::store {

namespace {

database::Parameter array_of(const std::optional<std::vector<std::string>>& codes) {
    if (!codes) return std::nullopt;
    database::ArrayText array;
    for (const std::string& code : *codes) array.add(code);
    return array.take();
}

/// Reads a consumer from the first columns of a row.
Consumer read_consumer(const database::Row& row) {
    return {.name = row.text(0),
            .begins = row.text(1),
            .suppliers = read_lines(row, 2),
            .added_at = row.time(3),
            .added_by = row.text(4),
            .is_ready = row.boolean(5)};
}

ConsumerProgress read_progress_of_one(const database::Row& row) {
    return {.consumer = read_consumer(row),
            .import_supplier = row.optional_text(6),
            .waiting = row.integer(7),
            .oldest_waiting_since = row.optional_time(8),
            .oldest_waiting_seconds = row.integer(9),
            .accounts_taken = row.integer(10),
            .records_taken = row.integer(11),
            .taken_at = row.optional_time(12)};
}

}  // namespace

database::Call find_consumer_progress() {
    return {.name = "find_consumer_progress",
            .sql =
                "SELECT consumer, begins, array_to_string(suppliers, E'\\n'), added_at, added_by, is_ready, "
                "supplier, waiting, oldest_waiting_since, "
                "coalesce(greatest(extract(epoch FROM now() - oldest_waiting_since), 0), 0)::bigint, "
                "accounts_taken, records_taken, taken_at FROM data_import.consumer_progress()"};
}

std::vector<ConsumerProgress> read_consumer_progress(const database::Rows& rows) {
    return rows.each(read_progress_of_one);
}

database::Call deliver_news() {
    return {.name = "deliver_news", .sql = "SELECT data_import.deliver_news()"};
}

std::optional<Consumer> find_consumer(database::Database& database, const std::string& name,
                                      database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "find_consumer",
         .sql = "SELECT name, begins, array_to_string(suppliers, E'\\n'), added_at, added_by, "
                "is_ready FROM data_import.consumer WHERE name = $1",
         .parameters = {name}},
        deadline);
    return rows.size() == 0 ? std::nullopt : std::optional(read_consumer(rows[0]));
}

bool add_consumer(database::Database& database, const Consumer& consumer, database::Deadline deadline) {
    const database::Call call{
        .name = "add_consumer",
        .sql = "SELECT data_import.consumer_add($1, $2, $3::text[], $4)",
        .parameters = {consumer.name, consumer.begins, array_of(consumer.suppliers), consumer.added_by},
        .retryable = false};
    return database.execute(call, deadline).boolean(0, 0);
}

std::vector<std::string> running_imports(database::Database& database, database::Deadline deadline) {
    return database
        .execute({.name = "running_imports", .sql = "SELECT unnest(data_import.running_imports())"}, deadline)
        .texts();
}

FilledAccounts fill_consumer(database::Database& database, const std::string& name, const std::string& after,
                             std::size_t most, database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "fill_consumer",
         .sql = "SELECT accounts, last_key FROM data_import.consumer_fill($1, $2::uuid, $3::integer)",
         .parameters = {name, after, std::to_string(most)}},
        deadline);
    return {.accounts = rows.integer(0, 0), .last_key = rows.optional_text(0, 1).value_or("")};
}

void make_consumer_ready(database::Database& database, const std::string& name, database::Deadline deadline) {
    database.execute(
        {.name = "make_consumer_ready", .sql = "SELECT data_import.consumer_ready($1)", .parameters = {name}},
        deadline);
}

std::vector<std::string> list_waiting_erasures(database::Database& database, const std::string& name,
                                               database::Deadline deadline) {
    return database
        .execute(
            {.name = "list_waiting_erasures",
             .sql =
                 "SELECT code FROM data_import.import_supplier "
                 "WHERE status = 'Complete' AND erase_after_days IS NOT NULL "
                 "AND status_since + make_interval(days => erase_after_days) < now() + interval '1 day' "
                 "AND NOT EXISTS (SELECT 1 FROM data_import.supplier_erasure WHERE import_supplier = code) "
                 "AND ARRAY(SELECT consumer FROM data_import.consumers_behind(code)) = ARRAY[$1]::text[] "
                 "ORDER BY code",
             .parameters = {name}},
            deadline)
        .texts();
}

bool remove_consumer(database::Database& database, const std::string& name, database::Deadline deadline) {
    const database::Call call{.name = "remove_consumer",
                              .sql = "SELECT data_import.consumer_remove($1)",
                              .parameters = {name},
                              .retryable = false};
    return database.execute(call, deadline).boolean(0, 0);
}

}  // namespace data_import::store
