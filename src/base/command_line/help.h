// Usage lines and help, written from a program's table of commands, arguments and options (program.h).
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "base/command_line/invocation.h"

namespace data_import::command_line {

/// Returns a command's full name: `account stage`, or `doctor` for a command without a verb.
[[nodiscard]] std::string command_name(const Command& command);

/// Returns a command's usage without the program's name: `supplier create CODE --name NAME [--status S]`.
[[nodiscard]] std::string command_form(const Command& command);

/// Returns the example of `command`, ready to paste into a shell. In a program without commands, the only
/// element of Program::commands holds the example.
[[nodiscard]] std::string example(const Program& program, const Command& command);

/// Returns one line: the usage of a command, of a group (`data-importctl key create|list`), or of the
/// program.
[[nodiscard]] std::string usage_line(const Program& program, const Command* command, std::string_view group);

/// Returns the help in several lines: on `command`; if `command` is null, on the commands of `group`; if
/// `group` is empty, too, on all commands.
[[nodiscard]] std::string help(const Program& program, const Command* command, std::string_view group);

/// Prints the help or the version if the command line asks for it. Returns false, and prints nothing, if it
/// asks for a command instead.
[[nodiscard]] bool answer(const Invocation& invocation, std::ostream& output);

}  // namespace data_import::command_line
