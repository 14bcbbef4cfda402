// Runs work that may hang. The work runs in a child process, which is killed when its time is over. It cannot
// change this process, because a change of user or of memory ends with the child.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "tools/console/failure.h"

namespace data_import::console {

/// Thrown if the work did not end in its time.
class TimeOver : public Failure {
public:
    using Failure::Failure;
};

/// Runs `work` in a child process, and returns the text that `work` returns. Throws TimeOver after `limit`.
/// Throws Failure with the text of an exception of `work`. If the child ended without an answer, throws
/// Failure with its exit status. Must be called while the program has no other thread, because the call
/// forks.
[[nodiscard]] std::string run_bounded(const std::function<std::string()>& work,
                                      std::chrono::milliseconds limit);

/// The exit status of a program, and all that it wrote to standard output and standard error together.
struct ProgramResult {
    int status = 0;  ///< exit status; 127 if the program cannot be started, 128 + number if a signal ended it
    std::string output;
};

/// Runs a program found in the search path and the directories of system programs, with an empty standard
/// input. Throws TimeOver after it has killed the program.
[[nodiscard]] ProgramResult run_program(const std::vector<std::string>& words,
                                        std::chrono::milliseconds limit);

}  // namespace data_import::console
