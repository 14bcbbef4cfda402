// Failures of system calls as exceptions.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

namespace data_import::util {

/// Throws an exception that says `what: reason`; `error` is the errno of the system call.
[[noreturn]] inline void fail(const std::string& what, int error = errno) {
    throw std::system_error(error, std::generic_category(), what);
}

/// Throws an exception of the type `Exception` that says `what: reason`.
template <typename Exception>
[[noreturn]] void fail(const std::string& what, int error = errno) {
    throw Exception(what + ": " + std::generic_category().message(error));
}

}  // namespace data_import::util
