// Resets and erasures of accounts in a soak run, beside imports into the same accounts.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <thread>

#include "../support/stack.h"
#include "import.h"

namespace data_import::soak {

/// One thread, which resets and erases the removable accounts of all suppliers, and makes the erased ones
/// anew.
class Removals {
public:
    Removals(const tests::Stack& stack, const Book& book, std::uint64_t seed);
    ~Removals() { stop(); }
    Removals(const Removals&) = delete;
    Removals& operator=(const Removals&) = delete;

    void stop();
    /// After stop(): resets and erasures, and those that broke off.
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
