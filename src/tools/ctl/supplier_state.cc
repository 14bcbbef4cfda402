#include "tools/ctl/supplier_state.h"

#include <string>

#include "base/util/datetime.h"

namespace data_import::ctl {

namespace {

using store::SupplierProgress;

constexpr std::size_t date_length = 10;

bool is_after_planned_end(const SupplierProgress& supplier, const std::string& time) {
    return supplier.planned_end && time.substr(0, date_length) > *supplier.planned_end;
}

bool has_all_accounts(const store::MigrationProgress& progress) {
    return progress.all_accounts() > 0 && progress.accounts.back() == progress.all_accounts();
}

/// Returns whether somebody has to look at a count: it has reached the supplier's threshold, and is greater
/// than the count that was acknowledged.
bool wants_attention(const SupplierProgress& supplier, std::int64_t count,
                     std::int64_t store::Acknowledgement::*figure) {
    const std::int64_t acknowledged = supplier.acknowledgement ? *supplier.acknowledgement.*figure : 0;
    return count > acknowledged && count >= supplier.attention;
}

bool wants_attention(const SupplierProgress& supplier) {
    // An attempt that has lasted for more microseconds than this needs attention, as on the page of
    // migrations.
    constexpr std::int64_t long_attempt = 3'600'000'000;
    const auto& oldest = supplier.oldest;
    return wants_attention(supplier, supplier.progress.accounts[store::place_of_state("failed")],
                           &store::Acknowledgement::failed) ||
           wants_attention(supplier, supplier.refused_last_hour, &store::Acknowledgement::refused) ||
           (oldest && util::parse_datetime(supplier.progress.as_of).value().microseconds -
                              util::parse_datetime(oldest->since).value().microseconds >
                          long_attempt);
}

std::string_view state_at_end(const SupplierProgress& supplier) {
    const bool is_complete = supplier.progress.status == "Complete";
    if (supplier.is_signed()) return is_complete ? "complete" : "signed";
    if (supplier.signed_at) return "changed_since_signed";
    if (!has_all_accounts(supplier.progress) && supplier.progress.all_accounts() > 0)
        return "complete_with_open_accounts";
    if (supplier.has_differences()) return "totals_differ";
    if (is_complete) return "complete";
    return supplier.differs ? "ready_to_sign" : "totals_not_declared";
}

}  // namespace

bool is_late(const SupplierProgress& supplier) {
    if (supplier.progress.status == "Complete" || !is_after_planned_end(supplier, supplier.progress.as_of))
        return false;
    return !has_all_accounts(supplier.progress) || (supplier.has_differences() && !supplier.is_signed());
}

std::string_view state_of(const SupplierProgress& supplier) {
    const store::MigrationProgress& progress = supplier.progress;
    if (supplier.erasure) return supplier.erasure->ended_at ? "erased" : "being_erased";
    if (progress.status == "Paused") return "paused";
    if (is_late(supplier)) return "late";
    if (progress.status == "Complete" || has_all_accounts(progress)) return state_at_end(supplier);
    if (progress.stands_still_since) return "stands_still";
    if (supplier.signed_at && supplier.has_changed_since_signed) return "changed_since_signed";
    if (wants_attention(supplier)) return "needs_attention";
    if (progress.all_accounts() == 0) return "no_accounts";
    if (progress.estimated_end_at && is_after_planned_end(supplier, *progress.estimated_end_at))
        return "expected_late";
    return !progress.last_import_at && progress.accounts.back() == 0 ? "not_begun" : "running";
}

}  // namespace data_import::ctl
