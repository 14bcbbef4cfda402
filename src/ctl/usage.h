// Usage lines and help, written from the table of commands.
#pragma once

#include <string>
#include <string_view>

#include "ctl/command.h"

namespace data_import::ctl {

inline constexpr std::string_view program_name = "data-importctl";

/// `account stage`, or `doctor` for a command without a verb.
[[nodiscard]] std::string command_name(const Command& command);

/// The right form in one line: of a command, of a group (`data-importctl key create|list`), or of the
/// program.
[[nodiscard]] std::string usage_line(const Command* command, std::string_view group);

/// The help on a command, on the commands of a group, or on all; several lines.
[[nodiscard]] std::string help(const Command* command, std::string_view group);

}  // namespace data_import::ctl
