#include "data/store/readiness.h"

#include <utility>

#include "data/store/diagnosis.h"
#include "data/store/schema_version.h"
#include "data/store/setup.h"

namespace data_import::store {

namespace {

using std::chrono::seconds;

// The longest time that each part of a check may take while a request for /healthz waits.
constexpr seconds reading{1};
constexpr seconds writing{2};
// The time for which a good and a bad outcome are remembered.
constexpr seconds good_for{3};
constexpr seconds bad_for{1};

const database::Call check_readiness{.name = "check_readiness",
                                     .sql = "SELECT data_import.check_readiness()"};

void require(const database::Rows& rows) {
    if (!rows.boolean(0, 0)) throw database::Unavailable("25006: the database is read-only");
}

void require_rights(database::Database& database, database::Deadline deadline) {
    const std::vector<std::string> missing = find_missing_rights(database, deadline);
    if (missing.empty()) return;
    throw database::SchemaMissing("42501: role " + std::string(service_role) + " lacks " + missing.front());
}

template <typename Work>
auto as_unavailable(const Work& work) {
    try {
        return work();
    } catch (const database::Unavailable&) {
        throw;
    } catch (const database::Refused& refused) {
        throw database::Unavailable(refused.sqlstate() + ": " + refused.what());
    } catch (const std::runtime_error& failure) {
        throw database::Unavailable(failure.what());
    }
}

}  // namespace

// If PostgreSQL refuses a new session, because it has no session left, tries the write in an open session,
// because open sessions still serve requests.
void check_writing(database::Database& database, database::Deadline deadline) {
    as_unavailable([&] {
        try {
            require(database.execute_afresh(check_readiness, deadline));
        } catch (const database::NoSessionLeft&) {
            require(database.execute(check_readiness, deadline));
        }
    });
}

bool Readiness::is_known() const {
    return checked_ && Clock::now() - *checked_ < (failure_ ? bad_for : good_for);
}

void Readiness::keep(std::exception_ptr failure) {
    failure_ = std::move(failure);
    checked_ = Clock::now();
}

std::int64_t Readiness::check(database::Database& database) {
    const bool is_new = !is_known();
    if (!is_new && failure_) std::rethrow_exception(failure_);
    try {
        const std::int64_t version = as_unavailable([&] {
            return read_schema_version(database.execute(find_schema_version(), Clock::now() + reading));
        });
        if (is_new) {
            check_writing(database, Clock::now() + writing);
            // Checks the rights only of this version's schema: other versions need other rights, and an older
            // schema is refused anyway.
            if (version == schema_version)
                as_unavailable([&] { require_rights(database, Clock::now() + reading); });
            keep(nullptr);
        }
        return version;
    } catch (const database::Unavailable&) {
        keep(std::current_exception());
        throw;
    }
}

}  // namespace data_import::store
