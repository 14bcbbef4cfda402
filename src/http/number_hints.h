// Hints about an account number that no account has (contract, section 3.1).
#pragma once

#include <chrono>
#include <string>

#include "database/database.h"
#include "http/refusal_log.h"

namespace data_import::http {

/// For one worker. Its look-ups are few in a second, whatever is refused, so that refusals stay cheap.
class NumberHints {
public:
    using Time = std::chrono::steady_clock::time_point;

    static constexpr double most_at_once = 300;
    static constexpr double most_in_second = 50;

    explicit NumberHints(database::Database& database) : database_(database) {}

    /// Sentences about a number that no account of the supplier has: the character of it that nobody sees,
    /// and the only account with a similar number. Empty if there is nothing to say. No failure of the
    /// database comes out of it.
    [[nodiscard]] std::string about(const NamedAccount& account, database::Deadline deadline,
                                    Time now = std::chrono::steady_clock::now());

private:
    [[nodiscard]] bool take_look_up(Time now);
    [[nodiscard]] std::string question(const NamedAccount& account, database::Deadline deadline);

    database::Database& database_;
    double room_ = most_at_once;
    Time filled_at_ = {};
};

}  // namespace data_import::http
