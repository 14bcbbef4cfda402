// The platform's software in a soak run: sessions that take what is new and copy it into tables of their own,
// which hold the same as the database in the end.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "../support/database.h"
#include "../support/stack.h"
#include "import.h"

namespace data_import::soak {

/// The login of all sessions, a member of data-import-platform and of nothing else.
inline constexpr const char* platform_login = "soak-platform";

/// One program of the platform.
struct Consumer {
    std::string name;
    std::vector<std::string> suppliers;  ///< none: all of them
    int sessions = 1;
    bool comes_late = false;  ///< is added in the middle of the run
};

/// Figures and faults of all sessions.
struct ConsumerFindings {
    std::map<std::string, long>
        counts;  ///< of accounts and records taken, by consumer, and of ends of transactions
    std::vector<std::string> shared;          ///< accounts that two open transactions had at once
    std::vector<std::string> differences;     ///< records that a consumer lacks, or has too many
    std::vector<std::string> wrong_counters;  ///< of accounts that wait, after nothing waits
};

/// The consumers of a run, a thread for each session.
class Consumers {
public:
    /// Makes the login and the tables of copies, adds the consumers that do not come late, and starts.
    /// Without sessions it does nothing.
    Consumers(const tests::Stack& stack, const Book& book, int sessions, std::uint64_t seed);
    ~Consumers();
    Consumers(const Consumers&) = delete;
    Consumers& operator=(const Consumers&) = delete;

    /// Adds those that come late. Repeats that while the database is away.
    void add_late_ones();
    /// Takes until nothing is left, and compares. No import and no fault may happen meanwhile.
    [[nodiscard]] ConsumerFindings finish();

private:
    class Session;

    void start(const Consumer& consumer);
    void add(const Consumer& consumer);
    void compare(const Consumer& consumer, ConsumerFindings& findings);
    [[nodiscard]] bool is_anything_left();

    const tests::Stack& stack_;
    const std::uint64_t seed_;
    std::vector<Consumer> consumers_;
    std::vector<std::unique_ptr<Session>> sessions_;
    std::vector<std::thread> threads_;
    std::atomic<bool> draining_ = false;
    std::atomic<bool> ending_ = false;
};

}  // namespace data_import::soak
