// Runs work that may hang in a process of its own, which is ended when its time is over. Changes to the
// process (its user, its memory) end with it.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "tools/console/failure.h"

namespace data_import::console {

/// The work did not end in its time.
class TimeOver : public Failure {
public:
    using Failure::Failure;
};

/// Returns what `work` answers. Throws TimeOver, and Failure with the text of its exception or with the end
/// of its process. To be called while no thread runs.
[[nodiscard]] std::string run_bounded(const std::function<std::string()>& work,
                                      std::chrono::milliseconds limit);

/// Everything that a program wrote, standard output and standard error together, and its exit status.
struct ProgramResult {
    int status = 0;  ///< 127: it cannot be started; 128 + number: a signal ended it
    std::string output;
};

/// Runs a program found in the search path and the directories of system programs, with nothing on its
/// standard input. Throws TimeOver; then the program has been killed.
[[nodiscard]] ProgramResult run_program(const std::vector<std::string>& words,
                                        std::chrono::milliseconds limit);

}  // namespace data_import::console
