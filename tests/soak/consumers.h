// The platform's software in a soak run: sessions that take what is new and copy it into tables of their own.
// At the end these tables must hold the same records as the database.
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

/// The login of all sessions; it is a member of the role data-import-platform only.
inline constexpr const char* platform_login = "soak-platform";

/// One program of the platform.
struct Consumer {
    std::string name;
    std::vector<std::string> suppliers;  ///< empty: all suppliers
    int sessions = 1;
    bool comes_late = false;  ///< true: added in the middle of the run
};

/// The result of Consumers::finish(): counts, and lists of mistakes with a text for each mistake.
struct ConsumerFindings {
    std::map<std::string, long>
        counts;  ///< accounts and records that each consumer took, and transactions by how they ended
    std::vector<std::string> shared;          ///< accounts that two open transactions had taken at once
    std::vector<std::string> differences;     ///< records that a consumer lacks or should not have
    std::vector<std::string> wrong_counters;  ///< counters that show waiting accounts although none waits
};

/// The consumers of a run, a thread for each session.
class Consumers {
public:
    /// Makes the role `platform_login`, adds the run's consumers except those that add_late_ones() adds, and
    /// starts their sessions. The first consumer gets `sessions` sessions, each other consumer gets one. Does
    /// nothing if `sessions` is 0. One consumer takes from only two suppliers of `book`. `seed` decides all
    /// random choices.
    Consumers(const tests::Stack& stack, const Book& book, int sessions, std::uint64_t seed);
    ~Consumers();
    Consumers(const Consumers&) = delete;
    Consumers& operator=(const Consumers&) = delete;

    /// Adds the consumers that come late. Tries again while the database is away.
    void add_late_ones();
    /// Waits until the consumers have taken everything, and compares the records that they have copied with
    /// the records in the database. Call it when no client imports and no fault is caused any more.
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
