// The kept control totals beside the records.
#include <chrono>

#include "console/failure.h"
#include "database/failures.h"
#include "doctor/doctor.h"
#include "store/control_totals.h"
#include "store/migrations.h"

namespace data_import::doctor {

namespace {

using namespace std::chrono_literals;

constexpr const char* subject = "control totals";
constexpr std::int64_t most_records = 200'000;
constexpr auto patience = 6s;

database::Deadline deadline() {
    return std::chrono::steady_clock::now() + patience;
}

std::string name_of(const store::WrongTotal& one) {
    return one.kind + " " + one.figure + ": " + one.told + " in the totals, " + one.counted +
           " in the records";
}

Finding wrong(const Context& context, const std::string& code,
              const std::vector<store::WrongTotal>& figures) {
    return fault(subject,
                 "those of " + code + " are not what its records say (" + name_of(figures.front()) +
                     (figures.size() == 1 ? "" : ", " + std::to_string(figures.size() - 1) + " more") +
                     "): records were changed by SQL",
                 own_command(context, "recount", {code}, " --yes"));
}

}  // namespace

Findings check_control_totals(Context& context) {
    Findings findings;
    std::size_t compared = 0;
    std::size_t left = 0;
    try {
        const auto database = context.open_database(context.settings().admin_database, "");
        if (!store::has_schema(*database, deadline())) return {};
        const auto until = deadline();
        std::int64_t records = 0;
        for (const store::SupplierRecords& supplier : store::count_records_of_suppliers(*database, until)) {
            records += supplier.records;
            if (records > most_records || std::chrono::steady_clock::now() >= until) {
                ++left;
                continue;
            }
            ++compared;
            const auto figures = store::recount(*database, supplier.import_supplier, until);
            if (!figures.empty()) findings.push_back(wrong(context, supplier.import_supplier, figures));
        }
    } catch (const database::TimedOut&) {
        return findings.empty() ? Findings{unseen(subject, "could not be compared in time",
                                                  own_command(context, "recount CODE"))}
                                : findings;
    } catch (const database::Unavailable&) {
        return {};  // the check of the database tells why
    } catch (const console::Failure&) {
        return {};
    }
    if (!findings.empty()) return findings;
    const std::string rest = left == 0 ? ""
                                       : "; " + std::to_string(left) + " with many records not compared: " +
                                             own_command(context, "recount CODE");
    return {ok(subject, "those of " + std::to_string(compared) +
                            (compared == 1 ? " supplier are" : " suppliers are") + " what the records say" +
                            rest)};
}

}  // namespace data_import::doctor
