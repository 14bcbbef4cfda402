// The readiness of the database for this program: migrated, and able to do the imports' work.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>

#include "data/database/database.h"

namespace data_import::store {

/// Calls a function that writes, in a session of its own: the workers' sessions may go on although new ones
/// fail (a server whose libraries were replaced under it), and only a write shows a full disk. Throws
/// Unavailable, which tells the reason, SchemaMissing among them.
void check_writing(database::Database& database, database::Deadline deadline);

/// One process's knowledge of the readiness. Balancers ask every second, so it opens sessions of its own only
/// every few seconds, and gives the outcome of the last check meanwhile.
class Readiness {
public:
    /// The version of the schema. Throws Unavailable as `check_writing` does, and SchemaMissing where the
    /// service's role lacks a right without which no import works.
    [[nodiscard]] std::int64_t check(database::Database& database);

private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] bool is_known() const;
    void keep(std::exception_ptr failure);

    std::optional<Clock::time_point> checked_;
    std::exception_ptr failure_;  ///< failure of the last check; null for none
};

}  // namespace data_import::store
