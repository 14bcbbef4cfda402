#include "data/store/operators.h"

#include <algorithm>
#include <stdexcept>

#include "data/database/array_text.h"
#include "data/store/text_lines.h"

namespace data_import::store {

namespace {

database::Parameter array_or_null(const std::optional<std::vector<std::string>>& texts) {
    if (!texts) return std::nullopt;
    database::ArrayText array;
    for (const std::string& text : *texts) array.add(text);
    return array.take();
}

ActVerdict read_verdict(std::string_view word) {
    constexpr std::array<std::string_view, 6> words{"unknown", "busy", "done", "reused", "throttled", "new"};
    const auto found = std::ranges::find(words, word);
    if (found == words.end()) throw std::logic_error("a verdict on an act is unknown");
    return static_cast<ActVerdict>(found - words.begin());
}

/// Waits until the person's current acts have ended. Later acts wait until this transaction has ended, so
/// that they cannot delay the change of rights.
void await_acts(database::Database& database, const std::string& name, database::Deadline deadline) {
    database.execute({.name = "await_acts_of_operator",
                      .sql = "SELECT pg_advisory_xact_lock(data_import.lock_number('operator_act', $1))",
                      .parameters = {name}},
                     deadline);
}

}  // namespace

bool OperatorRights::has_role(std::string_view needed) const {
    return std::ranges::find(operator_roles, role) >= std::ranges::find(operator_roles, needed);
}

bool OperatorRights::has_supplier(std::string_view code) const {
    return !import_suppliers || std::ranges::find(*import_suppliers, code) != import_suppliers->end();
}

void add_operator(database::Database& database, const NamedOperator& person, database::Deadline deadline) {
    await_acts(database, person.name, deadline);
    database.execute({.name = "add_operator",
                      .sql = "INSERT INTO data_import.operator (name, role, import_suppliers, added_by) "
                             "VALUES ($1, $2, $3, $4) ON CONFLICT (name) DO UPDATE SET role = excluded.role, "
                             "import_suppliers = excluded.import_suppliers, added_at = excluded.added_at, "
                             "added_by = excluded.added_by",
                      .parameters = {person.name, person.rights.role,
                                     array_or_null(person.rights.import_suppliers), person.added_by}},
                     deadline);
}

bool remove_operator(database::Database& database, const std::string& name, database::Deadline deadline) {
    await_acts(database, name, deadline);
    return database
               .execute({.name = "remove_operator",
                         .sql = "DELETE FROM data_import.operator WHERE name = $1 RETURNING name",
                         .parameters = {name},
                         .retryable = false},
                        deadline)
               .size() == 1;
}

std::vector<NamedOperator> list_operators(database::Database& database, database::Deadline deadline) {
    return database
        .execute({.name = "list_operators",
                  .sql = "SELECT name, role, array_to_string(import_suppliers, E'\\n'), added_at, added_by "
                         "FROM data_import.operator ORDER BY name COLLATE \"C\""},
                 deadline)
        .each([](const database::Row& row) {
            return NamedOperator{.name = row.text(0),
                                 .rights = {row.text(1), read_lines(row, 2)},
                                 .added_at = row.time(3),
                                 .added_by = row.text(4)};
        });
}

ActBeginning begin_act(database::Database& database, const ActRequest& request, database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "begin_operator_act",
         .sql = "SELECT verdict, role, array_to_string(import_suppliers, E'\\n'), status, answer "
                "FROM data_import.begin_operator_act($1, $2, decode($3, 'hex'), $4)",
         .parameters = {request.operator_name, request.key, request.content,
                        std::to_string(request.most_in_a_minute)}},
        deadline);
    const database::Row row = rows[0];
    ActBeginning beginning{.verdict = read_verdict(row.text(0))};
    if (beginning.verdict == ActVerdict::unknown || beginning.verdict == ActVerdict::busy) return beginning;
    beginning.rights = {row.text(1), read_lines(row, 2)};
    if (beginning.verdict != ActVerdict::done) return beginning;
    beginning.status = static_cast<int>(row.integer(3));
    beginning.answer = row.text(4);
    return beginning;
}

void bound_lock_waits(database::Database& database, database::Deadline deadline) {
    database.execute_script("SET LOCAL lock_timeout = '5s'", deadline);
}

void end_act(database::Database& database, const ActRequest& request, int status, const std::string& answer,
             database::Deadline deadline) {
    database.execute(
        {.name = "end_operator_act",
         .sql = "SELECT data_import.end_operator_act($1, $2, decode($3, 'hex'), $4, $5)",
         .parameters = {request.operator_name, request.key, request.content, std::to_string(status), answer},
         .retryable = false},
        deadline);
}

}  // namespace data_import::store
