#include "timing.h"

#include <cppunit/TestAssert.h>

#include <algorithm>
#include <iostream>
#include <sstream>

namespace data_import::tests {

namespace {

std::string quartiles(Durations durations) {
    std::sort(durations.begin(), durations.end());
    std::ostringstream text;
    for (std::size_t quarter = 1; quarter < 4; ++quarter) {
        text << (quarter > 1 ? " / " : "") << durations[durations.size() * quarter / 4].count() / 1000;
    }
    return text.str();
}

}  // namespace

std::chrono::nanoseconds time_of(const std::function<void()>& call) {
    const auto began = std::chrono::steady_clock::now();
    call();
    return std::chrono::steady_clock::now() - began;
}

void check_indistinguishable(const std::string& title, const Durations& left, const Durations& right) {
    CPPUNIT_ASSERT_EQUAL(left.size(), right.size());
    std::size_t faster = 0;
    for (std::size_t pair = 0; pair < left.size(); ++pair) faster += left[pair] < right[pair] ? 1 : 0;
    std::ostringstream text;
    text << title << ": quartiles " << quartiles(left) << " and " << quartiles(right)
         << " microseconds, the first is faster in " << faster << " of " << left.size() << " pairs";
    std::cout << text.str() << std::endl;
    CPPUNIT_ASSERT_MESSAGE(text.str(), faster * 4 <= left.size() * 3 && faster * 4 >= left.size());
}

}  // namespace data_import::tests
