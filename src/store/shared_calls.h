// Which imports share a call of their function.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "store/import.h"

namespace data_import::store {

/// The calls that carry these out, in their order, as places in `imports`: each of one function, for
/// different accounts or of different contents, and of no more than the function takes. Imports for one
/// account keep their order. Accounts mostly bring the same kinds in the same order: then their imports share
/// calls, even if a kind needs several calls.
[[nodiscard]] std::vector<std::vector<std::size_t>> shared_calls(std::span<const Import* const> imports);

}  // namespace data_import::store
