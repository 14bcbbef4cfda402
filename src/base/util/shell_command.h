// Command lines for people to paste into a shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace data_import::util {

/// `recount ACME --yes`: the arguments quoted where the shell needs it (invisible characters as bash reads
/// them, `$'4711\U0000200B'`), and after options and `--` if one of them would be taken for an option.
/// `command` and `options` stand as they are.
[[nodiscard]] std::string shell_command(std::string_view command, const std::vector<std::string>& arguments,
                                        std::string_view options = "");

/// The command with words for people behind it, which a shell ignores. Words behind others follow a
/// semicolon.
[[nodiscard]] std::string with_remark(std::string command, std::string_view words);

}  // namespace data_import::util
