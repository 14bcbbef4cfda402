// The readiness of the database for this program: migrated, and able to do the imports' work.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>

#include "data/database/database.h"

namespace data_import::store {

/// Checks that the database takes writes, by a write in a new session; if PostgreSQL has no session left, in
/// an open one. Throws Unavailable with the reason, or SchemaMissing, which is derived from it.
///
/// The session is new, because new sessions may fail although the workers' open ones work: for example, if
/// the server's libraries were replaced while it ran. The check writes, because only a write shows that a
/// disk is full.
void check_writing(database::Database& database, database::Deadline deadline);

/// Remembers the readiness for one process. Load balancers ask every second, so writing in a new session is
/// tried only every few seconds, and the last outcome counts meanwhile.
class Readiness {
public:
    /// Returns the version of the schema. Throws database::Unavailable if the database cannot be reached or
    /// does not take writes. Throws database::SchemaMissing if the schema is missing, or if the service's
    /// role lacks a right that every import needs.
    [[nodiscard]] std::int64_t check(database::Database& database);

private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] bool is_known() const;
    void keep(std::exception_ptr failure);

    std::optional<Clock::time_point> checked_;
    std::exception_ptr failure_;  ///< failure of the last check; null: it was good
};

}  // namespace data_import::store
