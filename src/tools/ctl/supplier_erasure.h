// A text that tells operators about the erasure of a supplier's accounts.
#pragma once

#include <optional>
#include <string>

#include "data/store/erasure.h"
#include "data/store/suppliers.h"

namespace data_import::ctl {

/// Returns when the accounts were or will be erased, by whom, and how many; empty if nothing is planned.
[[nodiscard]] std::string erasure_text(const store::Supplier& supplier,
                                       const std::optional<store::SupplierErasure>& erasure);

}  // namespace data_import::ctl
