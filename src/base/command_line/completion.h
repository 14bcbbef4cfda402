// Completion in bash: finds candidates for the word that the user is typing.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "base/command_line/program.h"

namespace data_import::command_line {

/// The first word of a command line that asks for candidates.
inline constexpr std::string_view complete_option = "--complete";

struct Candidates {
    bool are_files = false;  ///< file names are wanted, and the shell completes them itself
    std::vector<std::string> words;
};

/// Returns candidates for the last of `words`, which are the words after the program's name. The last word
/// may be empty.
[[nodiscard]] Candidates candidates(const Program& program, const std::vector<std::string>& words);

/// Handles `--complete [WORD ...]`, by which src/base/texts/completion.bash asks for candidates. Prints a
/// line `files`, or a line `words` and then one line for each candidate. Returns false, and prints nothing,
/// if the first of `words` is not `--complete`.
[[nodiscard]] bool complete(const Program& program, const std::vector<std::string>& words,
                            std::ostream& output);

}  // namespace data_import::command_line
