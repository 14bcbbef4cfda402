#include "data/store/upkeep.h"

#include <utility>

#include "base/util/log.h"

namespace data_import::store {

namespace {

constexpr std::chrono::seconds timeout{30};

}  // namespace

Upkeep::Upkeep(std::string subject, database::Call call, Times times)
    : subject_(std::move(subject)), call_(std::move(call)), times_(times) {}

void Upkeep::run(database::Database& database) {
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + times_.pause;
    try {
        bool has_more = call_once(database);
        while (has_more && Clock::now() < now + times_.at_once) has_more = call_once(database);
        if (has_more) next_ = {};
        if (std::exchange(has_failed_, false)) util::log(util::Severity::info, subject_ + " works again", {});
    } catch (const std::exception& failure) {
        note_failure(failure.what());
    }
}

bool Upkeep::call_once(database::Database& database) {
    return database.execute(call_, Clock::now() + timeout).boolean(0, 0);
}

/// Logs a warning for the first failure only, because the database may be away for hours.
void Upkeep::note_failure(const std::string& reason) {
    const bool is_known = std::exchange(has_failed_, true);
    util::log(is_known ? util::Severity::debug : util::Severity::warning, subject_ + " has failed",
              {{"reason", reason}});
}

}  // namespace data_import::store
