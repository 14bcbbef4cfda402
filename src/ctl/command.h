// The commands of data-importctl, each described once: dispatch, usage errors, --help, the manual page and
// completion come from it.
#pragma once

#include "command_line/invocation.h"
#include "console/context.h"
#include "console/failure.h"

namespace data_import::ctl {

using namespace console;
using command_line::Argument;
using command_line::Invocation;
using command_line::Option;

/// A command with its action.
struct Command : command_line::Command {
    /// Throws Failure, or exceptions of the folders below; nothing is half done then.
    void (*run)(Context& context, const Invocation& invocation) = nullptr;
};

/// The commands in the order of the help, those of a group together.
[[nodiscard]] const std::vector<Command>& commands();

/// The program with these commands.
[[nodiscard]] const command_line::Program& program();

}  // namespace data_import::ctl
