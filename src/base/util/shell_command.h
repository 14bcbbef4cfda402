// Command lines for people to paste into a shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace data_import::util {

/// Returns a command for the shell, such as `recount ACME --yes`: `command`, the arguments, `options`.
/// Arguments stand in quotes if the shell needs them; invisible characters are written as bash reads them,
/// `$'4711\U0000200B'`. If an argument begins with a dash, the options and `--` come before the arguments.
/// `command` and `options` stand as they are.
[[nodiscard]] std::string shell_command(std::string_view command, const std::vector<std::string>& arguments,
                                        std::string_view options = "");

/// Appends a remark for people, which the shell ignores, to the command. A second remark follows the first
/// after a semicolon.
[[nodiscard]] std::string with_remark(std::string command, std::string_view words);

}  // namespace data_import::util
