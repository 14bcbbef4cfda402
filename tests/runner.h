// Shared by tests: skips a test with a reason.
#pragma once

#include <cppunit/TestAssert.h>

#include <string>

namespace data_import::tests {

/// Ends the running test as skipped: it counts neither as passed nor as failed, and the reason is printed.
[[noreturn]] void skip(const std::string& reason);

}  // namespace data_import::tests
