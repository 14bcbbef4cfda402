// A text that tells operators about the erasure of a supplier's accounts.
#pragma once

#include <optional>
#include <string>

#include "data/store/erasure.h"
#include "data/store/suppliers.h"

namespace data_import::ctl {

/// Returns a text about the erasure of the supplier's accounts: its time, its extent, and the operator.
/// If `erasure` is nothing, returns the time of the planned erasure; empty if no erasure is planned.
[[nodiscard]] std::string erasure_text(const store::Supplier& supplier,
                                       const std::optional<store::SupplierErasure>& erasure);

}  // namespace data_import::ctl
