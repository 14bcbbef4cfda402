// Tells whether two kinds of requests differ in the time they take.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace data_import::tests {

using Durations = std::vector<std::chrono::nanoseconds>;

/// The time that a call takes.
[[nodiscard]] std::chrono::nanoseconds time_of(const std::function<void()>& call);

/// Fails the test if `left` or `right` is the faster one in more than three quarters of the pairs left[i] and
/// right[i]. Both must have the same size. Prints the quartiles of both, in microseconds, with `title`. The
/// absolute times are not judged.
void check_indistinguishable(const std::string& title, const Durations& left, const Durations& right);

}  // namespace data_import::tests
