// The answer as JSON (specification of October 2021, section 7). Private to the folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graphql/error.h"
#include "graphql/execute.h"

namespace data_import::graphql {

/// `data` is JSON; with errors, they stand first.
[[nodiscard]] Response executed(const std::vector<Error>& errors, std::string_view data);

/// Nothing was executed.
[[nodiscard]] Response refused(const std::vector<Error>& errors);

}  // namespace data_import::graphql
