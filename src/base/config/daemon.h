// The command line of data-importd.
#pragma once

#include <string>

#include "base/command_line/invocation.h"

namespace data_import::config {

/// Returns the declaration of data-importd's command line: its forms, its options and their help.
[[nodiscard]] const command_line::Program& daemon();

/// Returns the option that asks for another action than running the service, such as `--check-config`; empty
/// if there is none. Throws command_line::UsageError if there are two.
[[nodiscard]] std::string wanted_action(const command_line::Invocation& invocation);

}  // namespace data_import::config
