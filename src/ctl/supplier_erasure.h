// The erasure of a supplier's accounts in words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "store/erasure.h"
#include "store/suppliers.h"

namespace data_import::ctl {

/// `1 account`, `20,000 accounts`.
[[nodiscard]] std::string counted(std::int64_t number, std::string_view noun);

/// When the accounts are or were erased, by whom, and how many; empty if nothing is planned.
[[nodiscard]] std::string erasure_text(const store::Supplier& supplier,
                                       const std::optional<store::SupplierErasure>& erasure);

}  // namespace data_import::ctl
