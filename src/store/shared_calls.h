// Which imports share a call of their function.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "store/import.h"

namespace data_import::store {

/// The calls that carry these out, in their order, as places in `imports`: each of one function, for
/// different accounts or of different contents, and of no more than the function takes. Those for one account
/// keep their order, whatever their functions. Accounts mostly bring the same kinds in the same order: theirs
/// meet in the same calls, even where a kind needs several of them.
[[nodiscard]] std::vector<std::vector<std::size_t>> shared_calls(std::span<const Import* const> imports);

}  // namespace data_import::store
