// Work on the database that workers do at regular intervals, besides requests.
#pragma once

#include <chrono>
#include <string>

#include "data/database/database.h"

namespace data_import::store {

/// A piece of upkeep: a call of the database that a worker repeats. Each call does a part of the work; its
/// first value is true if work is left.
class Upkeep {
public:
    struct Times {
        std::chrono::seconds pause;  ///< time between two runs of the work
        /// The time for which run() repeats the call at once while work is left; 0: it makes one call.
        std::chrono::milliseconds at_once{0};
    };

    /// `subject` names the work in the log: `housekeeping`.
    Upkeep(std::string subject, database::Call call, Times times);

    /// Makes the call if it is due. If work is left after that, the next run() is due immediately. Throws
    /// nothing. Logs the first failure as a warning, and failures that follow it only for debugging.
    void run(database::Database& database);

private:
    using Clock = std::chrono::steady_clock;

    /// Makes one call. Returns true if work is left.
    [[nodiscard]] bool call_once(database::Database& database);
    void note_failure(const std::string& reason);

    std::string subject_;
    database::Call call_;
    Times times_;
    Clock::time_point next_{};
    bool has_failed_ = false;
};

}  // namespace data_import::store
