// Failures of commands.
#pragma once

#include <stdexcept>

namespace data_import::console {

/// Refused or failed. `what()` is one line that says why and what to do. Exit status 1.
class Failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Nobody reads standard output any more, and there is nothing else to do.
class UnreadOutput : public std::runtime_error {
public:
    UnreadOutput() : runtime_error("nobody reads standard output any more") {}
};

}  // namespace data_import::console
