// The parts of a stack that fault tests may break: a supplier, a token, an account that takes notes.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "database.h"
#include "load.h"
#include "stack.h"

namespace data_import::tests {

class Playground {
public:
    Playground();

    [[nodiscard]] PrivateStack& stack() { return stack_; }
    [[nodiscard]] const std::string& token() const { return token_; }
    /// Restores the state that each test begins with: everything runs, all workers are fresh and have the
    /// first settings, supplier, key and token are there, and the account is an imported one without notes.
    void prepare();
    /// Waits until the demands of earlier tests are forgotten, so that an organisation has the workers to
    /// itself.
    void forget_demands() const;
    /// Sets other settings, with so many import workers; returns when the old workers are gone and the new
    /// ones run.
    void configure(std::vector<std::string> settings, std::size_t import_workers);
    [[nodiscard]] const std::string& account() const { return account_; }

    /// Posts one note for the account; status 0 if the connection fails.
    [[nodiscard]] Answer post_note(const std::string& body);
    [[nodiscard]] int status_of(const std::string& path);

    [[nodiscard]] Load::Options load(int clients, bool repeat) const;
    /// Throws CppUnit's failure unless the account has exactly one note for each acknowledged body, and, if
    /// `nothing_else` is set, no other notes.
    void check_stored(const Load& load, bool nothing_else);

    [[nodiscard]] AdminSession database() const { return AdminSession(stack_->value("DATABASE_URL")); }
    [[nodiscard]] pid_t master() const { return stack_->pid("MASTER_PID"); }
    /// The worker processes, the import pool's first.
    [[nodiscard]] std::vector<pid_t> workers() const;
    /// The workers of one pool, in no particular order: a worker that replaces another one does not get its
    /// place in the list.
    [[nodiscard]] std::vector<pid_t> workers_of(const std::string& pool) const;
    /// Whether there are `count` running workers, none of them in `before`.
    [[nodiscard]] bool replaced(const std::vector<pid_t>& before, std::size_t count) const;

    static constexpr std::size_t import_workers = 6;  ///< with the first settings
    static constexpr std::size_t other_workers = 8;   ///< of the other pools, with any settings
    static constexpr std::size_t worker_count = import_workers + other_workers;

private:
    void mend();
    void make_supplier(AdminSession& session);

    PrivateStack stack_;
    std::string token_;
    std::string account_;
    int accounts_ = 0;
    std::chrono::steady_clock::time_point prepared_;  ///< the begin of the last `prepare`
};

/// Returns the playground that the fault tests share, one after another; each leaves it running with its
/// first settings. It is made at the first call and taken down at the end of the program.
[[nodiscard]] Playground& playground();

}  // namespace data_import::tests
