// Candidates for the word that is being typed, for the completion of bash.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "base/command_line/program.h"

namespace data_import::command_line {

/// The first word of a command line that asks for candidates.
inline constexpr std::string_view complete_option = "--complete";

struct Candidates {
    bool are_files = false;  ///< the shell knows them
    std::vector<std::string> words;
};

/// Candidates for the last of the words after the program's name; it may be empty.
[[nodiscard]] Candidates candidates(const Program& program, const std::vector<std::string>& words);

/// Answers `--complete [WORD ...]`, as src/base/texts/completion.bash asks: a line `files`, or a line `words`
/// and one for each candidate. False, and nothing is printed, where the words ask for something else.
[[nodiscard]] bool complete(const Program& program, const std::vector<std::string>& words,
                            std::ostream& output);

}  // namespace data_import::command_line
