// Exceptions that end a command of data-importctl.
#pragma once

#include <stdexcept>

namespace data_import::console {

/// Thrown if a command was refused or has failed: exit status 1. `what()` is one line that says why and what
/// to do.
class Failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Thrown if nobody reads standard output any more. The command may then end, because it has nothing else to
/// do.
class UnreadOutput : public std::runtime_error {
public:
    UnreadOutput() : runtime_error("nobody reads standard output any more") {}
};

}  // namespace data_import::console
