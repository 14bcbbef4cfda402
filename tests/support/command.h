// Commands that tests run, and what they said.
#pragma once

#include <string>

namespace data_import::tests {

struct CommandResult {
    int status = -1;  ///< exit status; 128 + signal when one ended it
    std::string output;
    std::string errors;
};

/// Runs a line of bash with nothing on its standard input.
[[nodiscard]] CommandResult run_command(const std::string& line);

/// The same for commands that have to succeed: gives the standard output, without the line end; throws
/// std::runtime_error with what the command said otherwise.
std::string must_run(const std::string& line);

/// A word that bash takes as it is.
[[nodiscard]] std::string shell_word(const std::string& word);

}  // namespace data_import::tests
