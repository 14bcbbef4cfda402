// Work on the database that workers do again and again, besides requests.
#pragma once

#include <chrono>
#include <string>

#include "data/database/database.h"

namespace data_import::store {

/// A call whose only value says whether there is more work than it has done.
class Upkeep {
public:
    struct Times {
        std::chrono::seconds pause;  ///< between two calls
        /// The time for which more work is done at once; 0: it waits for the next run.
        std::chrono::milliseconds at_once{0};
    };

    /// `subject` is for the log: `housekeeping`.
    Upkeep(std::string subject, database::Call call, Times times);

    /// Makes the call if it is due. Throws nothing: a failure is logged, once until it works again.
    void run(database::Database& database);

private:
    using Clock = std::chrono::steady_clock;

    /// Makes one call. Returns true if there is more work.
    [[nodiscard]] bool call_once(database::Database& database);
    void note_failure(const std::string& reason);

    std::string subject_;
    database::Call call_;
    Times times_;
    Clock::time_point next_{};
    bool has_failed_ = false;
};

}  // namespace data_import::store
