#include "data/store/supplier_acts.h"

#include "data/store/access_events.h"

namespace data_import::store {

bool lock_supplier(database::Database& database, const std::string& code, database::Deadline deadline) {
    return database
        .execute({.name = "lock_import_supplier",
                  .sql = "SELECT data_import.lock_import_supplier($1)",
                  .parameters = {code}},
                 deadline)
        .boolean(0, 0);
}

std::optional<std::int64_t> add_supplier(database::Database& database, const Supplier& supplier,
                                         const Operator& by, database::Deadline deadline) {
    if (!create_supplier(database, supplier, deadline)) return std::nullopt;
    return record_action(database,
                         {.action = "supplier_created", .import_supplier = supplier.code, .details = {}}, by,
                         deadline);
}

std::int64_t set_status(database::Database& database, const Supplier& before, const std::string& status,
                        const std::string& remark, const Operator& by, database::Deadline deadline) {
    change_supplier(database, before.code, {.status = status, .name = {}, .document_root = {}},
                    by.system_user, deadline);
    return record_action(database,
                         {.action = "status_set",
                          .import_supplier = before.code,
                          .details = before.status + " -> " + status + remark},
                         by, deadline);
}

std::int64_t plan_end(database::Database& database, const std::string& code,
                      const std::optional<std::string>& planned_end, const Operator& by,
                      database::Deadline deadline) {
    database.execute(
        {.name = "plan_end", .sql = "SELECT data_import.plan_end($1, $2)", .parameters = {code, planned_end}},
        deadline);
    return record_action(
        database,
        {.action = "planned_end_set", .import_supplier = code, .details = planned_end.value_or("none")}, by,
        deadline);
}

std::string acknowledged_text(const Acknowledgement& figures) {
    return std::to_string(figures.failed) + " failed, " + std::to_string(figures.refused) + " refused";
}

std::int64_t acknowledge(database::Database& database, const std::string& code,
                         std::optional<Acknowledgement> figures, const Operator& by,
                         database::Deadline deadline) {
    if (figures) figures->by = by.system_user;
    keep_acknowledgement(database, code, figures, deadline);
    return record_action(
        database,
        {.action = "figures_acknowledged",
         .import_supplier = code,
         .details = figures ? acknowledged_text(*figures) + ": " + figures->reason : "taken back"},
        by, deadline);
}

}  // namespace data_import::store
