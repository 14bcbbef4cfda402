// The program data-importctl.
#pragma once

#include <string>
#include <vector>

namespace data_import::ctl {

/// Runs the command that the words (without the program's name) ask for. Returns the exit status: 0 done, 1
/// refused or failed, 2 wrong usage. An error goes to standard error in one line.
[[nodiscard]] int run(const std::vector<std::string>& words);

}  // namespace data_import::ctl
