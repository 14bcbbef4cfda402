// Work that may hang, in a process of its own that is ended when its time is over. What the work changes of
// the process (its user, its memory) ends with it.
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

/// Returns what `work` answers. Throws TimeOver, and Failure with what it threw or with how its process
/// ended. To be called where no thread runs.
[[nodiscard]] std::string run_bounded(const std::function<std::string()>& work,
                                      std::chrono::milliseconds limit);

/// Everything that a program wrote, standard output and standard error together, and its exit status.
struct ProgramResult {
    int status = 0;  ///< 127: it cannot be started; 128 + number when a signal ended it
    std::string output;
};

/// Runs a program found in the search path and the directories of system programs, with nothing on its
/// standard input. Throws TimeOver; the program has been killed then.
[[nodiscard]] ProgramResult run_program(const std::vector<std::string>& words,
                                        std::chrono::milliseconds limit);

}  // namespace data_import::console
