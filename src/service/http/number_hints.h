// Sentences that tell a client what may be wrong with an unknown account number (contract, section 3.1).
#pragma once

#include <chrono>
#include <string>

#include "base/util/token_bucket.h"
#include "data/database/database.h"
#include "service/http/refusal_log.h"

namespace data_import::http {

/// Tells clients of one worker what may be wrong with an unknown account number. The search for similar
/// account numbers takes at most a twentieth of the worker's time, so that refusals stay cheap.
class NumberHints {
public:
    explicit NumberHints(database::Database& database) : database_(database) {}

    /// Returns sentences for the client about an account number that no account of the supplier has; empty if
    /// there is nothing to say. The sentences name an invisible character in the number, and a similar
    /// account number if exactly one account has one. Failures of the database are not thrown.
    [[nodiscard]] std::string about(const NamedAccount& account, database::Deadline deadline);

private:
    static constexpr double seconds_at_once = 0.5;
    static constexpr double part_of_time = 0.05;

    [[nodiscard]] std::string question(const NamedAccount& account, database::Deadline deadline);

    database::Database& database_;
    util::TokenBucket seconds_{seconds_at_once, part_of_time};
};

}  // namespace data_import::http
