#include "store/readiness.h"

#include "store/diagnosis.h"
#include "store/schema_version.h"
#include "store/setup.h"

namespace data_import::store {

namespace {

using std::chrono::seconds;

// A request for /healthz waits as long meanwhile.
constexpr seconds reading{1};
constexpr seconds writing{2};
constexpr seconds good_for{3};
constexpr seconds bad_for{1};

const database::Call check_readiness{.name = "check_readiness",
                                     .sql = "SELECT data_import.check_readiness()"};

void require(const database::Rows& rows) {
    if (!rows.boolean(0, 0)) throw database::Unavailable("25006: the database is read-only");
}

/// Throws SchemaMissing where the service's role lacks a right that every request needs.
void require_rights(database::Database& database, database::Deadline deadline) {
    for (const MissingRight& missing : find_missing_rights(database, deadline)) {
        if (missing.role == service_role)
            throw database::SchemaMissing("42501: role " + missing.role + " lacks " + missing.right);
    }
}

/// Every failure means that the database is not ready.
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

// If sessions have run out, the open ones still serve requests.
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
    return checked_ && Clock::now() - *checked_ < (failure_.empty() ? good_for : bad_for);
}

/// A good result stays until the next check, and an early check does not prolong it.
void Readiness::note(const std::string& failure) {
    if (is_known() && failure.empty()) return;
    failure_ = failure;
    checked_ = Clock::now();
}

std::int64_t Readiness::check(database::Database& database) {
    if (is_known() && !failure_.empty()) throw database::Unavailable(failure_);
    try {
        const std::int64_t version = as_unavailable([&] {
            return read_schema_version(database.execute(find_schema_version(), Clock::now() + reading));
        });
        if (!is_known()) {
            check_writing(database, Clock::now() + writing);
            // the rights of a newer schema are those that its program needs
            if (version <= schema_version)
                as_unavailable([&] { require_rights(database, Clock::now() + reading); });
        }
        note("");
        return version;
    } catch (const database::SchemaMissing&) {
        checked_.reset();
        throw;
    } catch (const database::Unavailable& unavailable) {
        note(unavailable.what());
        throw;
    }
}

}  // namespace data_import::store
