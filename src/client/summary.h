// What a run has come to.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "client/delivery.h"
#include "client/input.h"
#include "client/options.h"

namespace data_import::client {

struct Totals {
    std::uint64_t lines = 0;  ///< taken up, the sum of the next five
    std::uint64_t accepted = 0;
    std::uint64_t refused = 0;
    std::uint64_t malformed = 0;
    std::uint64_t undelivered = 0;
    std::uint64_t stopped = 0;
    std::uint64_t repeats = 0;
    std::uint64_t bytes = 0;

    [[nodiscard]] std::uint64_t failed() const { return refused + malformed + undelivered; }
};

/// Counts outcomes. Safe to use from any thread.
class Summary {
public:
    explicit Summary(std::vector<std::string> files) : files_(std::move(files)) {}

    void add(const Line& line, const Outcome& outcome);
    /// Why the run ended early.
    void set_stopped(const std::string& reason);

    [[nodiscard]] Totals totals() const;
    /// True if nothing failed and nothing was left out.
    [[nodiscard]] bool all_accepted() const;

    /// For people, over several lines; control characters in what the service said are replaced.
    [[nodiscard]] std::string to_text(std::chrono::duration<double> elapsed) const;
    /// For people: why the run stopped early and how to resume it; empty if it did not.
    [[nodiscard]] std::string stop_text() const;
    /// For programs: one JSON object and a newline.
    [[nodiscard]] std::string to_json(std::chrono::duration<double> elapsed) const;

private:
    /// Lines that fared alike, and the first of them as an example.
    struct Problem {
        std::uint64_t count = 0;
        std::size_t file = 0;
        std::uint64_t line = 0;
        ErrorItem example;
    };

    void add_problem(const Line& line, const Outcome& outcome);
    [[nodiscard]] std::string problems_text() const;

    const std::vector<std::string> files_;
    mutable std::mutex mutex_;
    Totals totals_;
    std::map<int, std::uint64_t> statuses_;
    std::map<std::string, std::uint64_t> records_;
    std::map<std::pair<int, std::string>, Problem> problems_;
    bool has_unrepeatable_ = false;
    std::string stop_reason_;
};

/// A number with commas between its thousands.
[[nodiscard]] std::string grouped(std::uint64_t number);

}  // namespace data_import::client
