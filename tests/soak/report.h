// The findings of a soak run, for people and for tests/check.
#pragma once

#include "consumers.h"
#include "fault_thread.h"
#include "removals.h"
#include "verdict.h"

namespace data_import::soak {

/// Prints the findings, the figures of the run, and `N passed, N failed, N skipped` as the last line. Returns
/// the exit status, which is 1 if any check failed.
[[nodiscard]] int report(const tests::Stack& stack, const Ledger& ledger, const Verdict& verdict,
                         const FaultThread& faults, const Removals& removals,
                         const ConsumerFindings& consumers);

}  // namespace data_import::soak
