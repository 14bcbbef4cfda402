// The order of an account's lines, if one of them could not be delivered.
#pragma once

#include <mutex>
#include <string>
#include <unordered_set>

namespace data_import::client {

/// Accounts with a line that this run has not delivered: their later lines have to wait, too. Safe to use
/// from any thread.
class LeftAccounts {
public:
    /// Empty for a line without an account, for which no line waits.
    void add(const std::string& account) {
        const std::lock_guard lock(mutex_);
        if (!account.empty()) accounts_.insert(account);
    }
    [[nodiscard]] bool contains(const std::string& account) const {
        const std::lock_guard lock(mutex_);
        return accounts_.contains(account);
    }

private:
    mutable std::mutex mutex_;
    std::unordered_set<std::string> accounts_;
};

}  // namespace data_import::client
