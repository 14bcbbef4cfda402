// Finds erasures of suppliers that do not end.
#include <chrono>

#include "base/util/joined.h"
#include "base/util/readable.h"
#include "data/store/erasure.h"
#include "tools/doctor/doctor.h"

namespace data_import::doctor {

namespace {

constexpr std::chrono::seconds patience{5};
constexpr std::size_t most_named = 3;

database::Deadline soon() {
    return std::chrono::steady_clock::now() + patience;
}

std::string begun_text(const store::OverdueErasure& overdue) {
    if (!overdue.erasure)
        return "its accounts should be erased since " + *overdue.due_since + ", and are not";
    return "its erasure began at " + overdue.erasure->began_at + " and is not done";
}

/// Returns the warning about an erasure that has not ended. Accounts on hold may be the reason: they are no
/// fault, but may have been forgotten.
Finding judged(Context& context, const store::OverdueErasure& overdue) {
    const std::string& code = overdue.import_supplier;
    const auto behind = store::list_untaken_news(context.database(), code, soon());
    const auto left = store::find_accounts_left(context.database(), code, most_named, soon());
    const std::string subject = "erasure of " + code;
    if (!overdue.erasure && !behind.empty())
        return warning(subject,
                       begun_text(overdue) + ", because consumers have not taken everything: " +
                           util::joined(behind, [](const auto& one) { return one.consumer; }),
                       own_command(context, "consumer list"));
    if (left.on_hold > 0 && left.on_hold == left.all)
        return warning(subject,
                       begun_text(overdue) + ": " + util::grouped(left.on_hold) + " on hold are left (" +
                           util::joined(left.first_on_hold) + ")",
                       own_command(context, "account show", {code, left.first_on_hold.front()}));
    return warning(subject, begun_text(overdue), own_command(context, "supplier erase", {code}));
}

}  // namespace

/// Returns nothing if the database cannot be asked, because another check reports that.
Findings check_erasures(Context& context) {
    try {
        Findings findings;
        for (const store::OverdueErasure& overdue : store::list_overdue_erasures(context.database(), soon()))
            findings.push_back(judged(context, overdue));
        return findings;
    } catch (const std::runtime_error&) {
        return {};
    }
}

}  // namespace data_import::doctor
