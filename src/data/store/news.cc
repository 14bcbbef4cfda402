#include "data/store/news.h"

#include "data/database/array_text.h"

namespace data_import::store {

namespace {

/// Reads the columns kind, record_id, imported_at and canonical_content, which begin at column `first`.
NewRecord record_in(const database::StreamedRow& row, std::size_t first) {
    return {row.text(first), row.text(first + 1), database::to_rfc3339(row.text(first + 2)),
            row.text(first + 3)};
}

/// Returns one member of all elements as a PostgreSQL array.
template <typename Taken>
std::string array_of(std::span<const Taken> all, std::string Taken::*member) {
    database::ArrayText array;
    for (const Taken& one : all) array.add(one.*member);
    return array.take();
}

}  // namespace

std::vector<TakenAccount> take_accounts(database::Database& database, const std::string& consumer,
                                        std::size_t most, database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "take_accounts",
         .sql = "SELECT import_supplier, external_account_number, service_account_number, since, event "
                "FROM platform.take_accounts($1, $2::integer)",
         .parameters = {consumer, std::to_string(most)},
         .retryable = false},
        deadline);
    return rows.each([](const database::Row& row) {
        return TakenAccount{row.text(0), row.text(1), row.optional_text(2), row.text(3), row.text(4)};
    });
}

void read_new_records(database::Database& database, std::span<const TakenAccount> accounts,
                      const std::function<void(std::size_t, const NewRecord&)>& each,
                      database::Deadline deadline) {
    database.stream(
        {.sql = "SELECT taken.place - 1, record.kind, record.record_id, record.imported_at, "
                "record.canonical_content "
                "FROM unnest($1::text[], $2::text[], $3::timestamptz[]) WITH ORDINALITY "
                "AS taken (supplier, number, since, place) "
                "JOIN platform.record ON record.import_supplier = taken.supplier "
                "AND record.external_account_number = taken.number AND record.imported_at >= taken.since "
                "ORDER BY taken.place, record.kind, record.record_id",
         .parameters = {array_of(accounts, &TakenAccount::import_supplier),
                        array_of(accounts, &TakenAccount::external_account_number),
                        array_of(accounts, &TakenAccount::since)}},
        database::ValueFormat::text,
        [&](const database::StreamedRow& row) {
            each(std::stoul(std::string(row.text(0))), record_in(row, 1));
        },
        deadline);
}

std::vector<TakenParticipant> take_market_participants(database::Database& database,
                                                       const std::string& consumer, std::size_t most,
                                                       database::Deadline deadline) {
    const database::Rows rows =
        database.execute({.name = "take_market_participants",
                          .sql = "SELECT market_participant_code, since "
                                 "FROM platform.take_market_participants($1, $2::integer)",
                          .parameters = {consumer, std::to_string(most)},
                          .retryable = false},
                         deadline);
    return rows.each([](const database::Row& row) { return TakenParticipant{row.text(0), row.text(1)}; });
}

void read_new_records(database::Database& database, std::span<const TakenParticipant> participants,
                      const std::function<void(const NewRecord&)>& each, database::Deadline deadline) {
    database.stream(
        {.sql =
             "WITH taken AS (SELECT * FROM unnest($1::bigint[], $2::timestamptz[]) AS taken (code, since)) "
             "SELECT kind, record_id, imported_at, canonical_content FROM platform.record "
             "WHERE kind IN ('market_participants', 'price_sheets') AND record_id IN ("
             "SELECT record_id FROM platform.market_participant AS stored JOIN taken USING (code) "
             "WHERE stored.imported_at >= since UNION ALL "
             "SELECT record_id FROM platform.price_sheet AS stored "
             "JOIN taken ON taken.code = stored.market_participant_code WHERE stored.imported_at >= since) "
             "ORDER BY kind, record_id",
         .parameters = {array_of(participants, &TakenParticipant::code),
                        array_of(participants, &TakenParticipant::since)}},
        database::ValueFormat::text, [&](const database::StreamedRow& row) { each(record_in(row, 0)); },
        deadline);
}

}  // namespace data_import::store
