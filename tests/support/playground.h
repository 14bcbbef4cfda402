// A stack that only the fault tests use, so that they may damage it, and what these tests need in it: a
// supplier, a token, and an account that takes notes.
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
    /// Waits until the service keeps no share for organisations of earlier tests, so that one organisation
    /// can use all workers.
    void forget_demands() const;
    /// Sets other settings, and waits until the old workers are gone and the new ones run. `import_workers`
    /// is the number of import workers by these settings.
    void configure(std::vector<std::string> settings, std::size_t import_workers);
    [[nodiscard]] const std::string& account() const { return account_; }

    /// Posts one note with the text `body` for account(). Returns an answer with status 0 if the connection
    /// fails.
    [[nodiscard]] Answer post_note(const std::string& body);
    [[nodiscard]] int status_of(const std::string& path);

    [[nodiscard]] Load::Options load(int clients, bool repeat) const;
    /// Throws CppUnit's failure unless the account has exactly one note for each acknowledged body, and, if
    /// `nothing_else` is set, no other notes.
    void check_stored(const Load& load, bool nothing_else);

    [[nodiscard]] AdminSession database() const { return AdminSession(stack_->value("DATABASE_URL")); }
    [[nodiscard]] pid_t master() const { return stack_->pid("MASTER_PID"); }
    /// The worker processes by pid. The import pool comes first, because it is forked first; when single
    /// workers are replaced, that order is lost.
    [[nodiscard]] std::vector<pid_t> workers() const;
    /// The workers of one pool. A worker that replaces another one may stand at a different place of the
    /// list.
    [[nodiscard]] std::vector<pid_t> workers_of(const std::string& pool) const;
    /// Whether there are `count` running workers, none of them in `before`.
    [[nodiscard]] bool replaced(const std::vector<pid_t>& before, std::size_t count) const;

    static constexpr std::size_t import_workers = 6;  ///< number of import workers that prepare() sets
    static constexpr std::size_t other_workers = 8;   ///< total of workers in the other pools, in every test
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

/// Returns the playground, which the fault tests use one after another. Each test begins with prepare(),
/// which repairs what the test before has left. The first call makes the playground; the end of the program
/// takes it down.
[[nodiscard]] Playground& playground();

}  // namespace data_import::tests
