// Compares stored control totals with the records. Each run compares as many suppliers as its time allows,
// and goes on where the last one has ended.
#include <algorithm>
#include <chrono>

#include "base/util/joined.h"
#include "data/database/failures.h"
#include "data/store/control_totals.h"
#include "data/store/migrations.h"
#include "data/store/setup.h"
#include "tools/console/failure.h"
#include "tools/doctor/doctor.h"

namespace data_import::doctor {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr const char* subject = "control totals";
/// A supplier with more records than this is not compared, because one run has no time for it.
constexpr std::int64_t most_records = 200'000;
constexpr auto patience = 6s;

database::Deadline deadline() {
    return Clock::now() + patience;
}

std::string name_of(const store::WrongTotal& one) {
    return one.kind + " " + one.figure + ": " + one.told + " in the totals, " + one.counted +
           " in the records";
}

Finding wrong(const Context& context, const std::string& code, const std::string& how) {
    return fault(
        subject,
        "those of " + code + " are not what its records say (" + how + "): records were changed by SQL",
        own_command(context, "recount", {code}, " --yes"));
}

std::string described(const std::vector<store::WrongTotal>& figures) {
    return name_of(figures.front()) +
           (figures.size() == 1 ? "" : ", " + std::to_string(figures.size() - 1) + " more");
}

/// Stores the outcome of a comparison. If it cannot be stored, the next run begins with this supplier again.
void keep(database::Database& database, const std::string& code, std::optional<std::size_t> differing) {
    try {
        store::keep_comparison(database, code, differing, deadline());
    } catch (const std::runtime_error&) {
    }
}

/// The findings of this run, and those of earlier runs.
struct Progress {
    Findings faults;
    /// Number of suppliers whose last comparison, in this run or before this run, found their totals right.
    std::size_t compared = 0;
    std::vector<std::string> too_long;  ///< suppliers not compared yet, with over `most_records` records
    std::size_t left = 0;               ///< number of suppliers left for later runs
    /// The time of the oldest comparison from an earlier run that `compared` counts; nothing if there is no
    /// such comparison.
    std::optional<std::string> oldest = {};

    void take_last(const Context& context, const store::ComparedSupplier& supplier) {
        if (supplier.differs) {
            faults.push_back(wrong(context, supplier.import_supplier, "found at " + *supplier.compared_at));
        } else if (supplier.compared_at) {
            ++compared;
            oldest = oldest ? std::min(*oldest, *supplier.compared_at) : *supplier.compared_at;
        } else if (supplier.records > most_records) {
            too_long.push_back(supplier.import_supplier);
        } else {
            ++left;
        }
    }
};

void compare(const Context& context, database::Database& database, const store::ComparedSupplier& supplier,
             database::Deadline until, Progress& progress) {
    try {
        const auto figures = store::recount(database, supplier.import_supplier, until);
        keep(database, supplier.import_supplier, figures.size());
        if (figures.empty())
            ++progress.compared;
        else
            progress.faults.push_back(wrong(context, supplier.import_supplier, described(figures)));
    } catch (const database::TimedOut&) {
        keep(database, supplier.import_supplier, std::nullopt);
        progress.take_last(context, supplier);
    }
}

Progress compare_all(const Context& context, database::Database& database) {
    Progress progress;
    const auto until = deadline();
    for (const store::ComparedSupplier& supplier : store::list_compared_suppliers(database, until)) {
        if (supplier.records > most_records || Clock::now() >= until)
            progress.take_last(context, supplier);
        else
            compare(context, database, supplier, until, progress);
    }
    return progress;
}

/// Returns the commands that compare the control totals of `suppliers` with the records, for an operator to
/// run. Lists the first three commands, then the number of the others.
std::string by_hand(const Context& context, std::vector<std::string> suppliers) {
    constexpr std::size_t most = 3;
    const std::size_t more = suppliers.size() - std::min(suppliers.size(), most);
    suppliers.resize(suppliers.size() - more);
    return util::joined(suppliers,
                        [&](const std::string& code) { return own_command(context, "recount", {code}); }) +
           (more == 0 ? "" : ", and " + std::to_string(more) + " more");
}

Finding judged(const Context& context, const Progress& progress) {
    std::string text = "those of " + std::to_string(progress.compared) +
                       (progress.compared == 1 ? " supplier are" : " suppliers are") +
                       " what the records say";
    if (progress.oldest) text += ", by comparisons from " + *progress.oldest + " on";
    if (progress.left > 0)
        text += "; those of " + std::to_string(progress.left) + " more come in the next runs";
    if (!progress.too_long.empty())
        text += "; a run is too short for others: " + by_hand(context, progress.too_long);
    return ok(subject, text);
}

}  // namespace

Findings check_control_totals(Context& context) {
    try {
        const auto database =
            context.open_database(context.settings().admin_database, std::string(store::owner_role));
        if (!store::has_schema(*database, deadline())) return {};
        const Progress progress = compare_all(context, *database);
        return progress.faults.empty() ? Findings{judged(context, progress)} : progress.faults;
    } catch (const database::TimedOut&) {
        return {unseen(subject, "the suppliers could not be listed in time", own_command(context, "doctor"))};
    } catch (const database::Unavailable&) {
        return {};  // check_database() reports why the database is unavailable
    } catch (const console::Failure&) {
        return {};
    }
}

}  // namespace data_import::doctor
