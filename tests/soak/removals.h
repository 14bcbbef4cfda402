// Resets and erases accounts in a soak run while clients import into the same accounts.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <thread>

#include "../support/stack.h"
#include "import.h"

namespace data_import::soak {

/// Resets and erases the removable accounts of all suppliers in a thread of its own, and makes the erased
/// accounts again.
class Removals {
public:
    Removals(const tests::Stack& stack, const Book& book, std::uint64_t seed);
    ~Removals() { stop(); }
    Removals(const Removals&) = delete;
    Removals& operator=(const Removals&) = delete;

    void stop();
    /// The numbers of resets and erasures, and of those that broke off. Call it after stop().
    [[nodiscard]] const std::map<std::string, long>& counts() const { return counts_; }

private:
    void work();
    void remove_something();

    const tests::Stack& stack_;
    const Book& book_;
    Random random_;
    std::map<std::string, long> counts_;
    std::atomic<bool> stopping_ = false;
    std::thread thread_;
};

}  // namespace data_import::soak
