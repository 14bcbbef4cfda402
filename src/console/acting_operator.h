// The person at work, for the record of what was changed.
#pragma once

#include "console/context.h"
#include "store/operator.h"

namespace data_import::console {

/// The system user who started the program, on this host.
[[nodiscard]] store::Operator acting_operator(const Context& context);

}  // namespace data_import::console
