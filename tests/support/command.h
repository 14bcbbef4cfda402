// Commands that tests run, and their output.
#pragma once

#include <string>

namespace data_import::tests {

struct CommandResult {
    int status = -1;  ///< exit status; 128 + signal if a signal ended it
    std::string output;
    std::string errors;
};

/// Runs a line of bash with nothing on its standard input.
[[nodiscard]] CommandResult run_command(const std::string& line);

/// Runs a line of bash that has to succeed. Returns its standard output, without the line end. Throws
/// std::runtime_error with the command's output if it fails.
std::string must_run(const std::string& line);

/// Quotes a word for bash.
[[nodiscard]] std::string shell_word(const std::string& word);

}  // namespace data_import::tests
