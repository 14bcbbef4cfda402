// The sentences for operators about refusals and failures of the database.
#pragma once

#include <string>

#include "data/database/failures.h"
#include "tools/ctl/command.h"

namespace data_import::ctl {

// Each function returns one sentence for the operator: why the command failed, and what to do.

[[nodiscard]] std::string describe(const database::Refused& refused, const Invocation& invocation,
                                   Context& context);
[[nodiscard]] std::string describe(const database::Unavailable& unavailable, const Invocation& invocation);
[[nodiscard]] std::string describe(const database::OutcomeUnknown& unknown, const Invocation& invocation);

}  // namespace data_import::ctl
