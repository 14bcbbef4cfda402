#include "tools/ctl/supplier_erasure.h"

#include "base/util/readable.h"
#include "tools/ctl/columns.h"

namespace data_import::ctl {

namespace {

using util::counted;

/// Returns when the accounts will be erased: `30 days after it became Complete: 2026-12-28 14:30 UTC, if its
/// consumers have taken everything`.
std::string plan_text(std::int64_t days, const std::optional<std::string>& at) {
    return counted(days, "day") + " after it " + (at ? "became" : "becomes") + " Complete" +
           (at ? ": " + minute_of(*at) + ", if its consumers have taken everything" : "");
}

}  // namespace

std::string erasure_text(const store::Supplier& supplier,
                         const std::optional<store::SupplierErasure>& erasure) {
    if (!erasure)
        return supplier.erase_after_days ? plan_text(*supplier.erase_after_days, supplier.erase_at) : "";
    const std::string extent = counted(erasure->accounts, "account") + " with " +
                               counted(erasure->records, "record") + ", begun by " + erasure->begun_by;
    if (erasure->ended_at) return minute_of(*erasure->ended_at) + ": " + extent;
    return "not done: since " + minute_of(erasure->began_at) + " " + extent;
}

}  // namespace data_import::ctl
