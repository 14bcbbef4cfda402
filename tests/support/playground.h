// The parts of a stack that fault tests may break: a supplier, a token, an account that takes notes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "database.h"
#include "load.h"
#include "stack.h"

namespace data_import::tests {

class Playground {
public:
    /// The playground that the fault tests share, one after another; each leaves it running with its first
    /// settings. It is made at the first call and taken down at the end of the program.
    [[nodiscard]] static Playground& shared();
    Playground();

    [[nodiscard]] PrivateStack& stack() { return stack_; }
    [[nodiscard]] const std::string& token() const { return token_; }
    /// The state that each test begins with: everything runs, all workers are fresh and have the first
    /// settings, supplier, key and token are there, and the account is an imported one without notes.
    void prepare();
    /// Other settings, with which there are so many import workers; returns when the workers that had the old
    /// ones are gone and the new ones run.
    void configure(std::vector<std::string> settings, std::size_t import_workers);
    [[nodiscard]] const std::string& account() const { return account_; }

    /// One note for the account; status 0 when the connection fails.
    [[nodiscard]] Answer post_note(const std::string& body);
    [[nodiscard]] int status_of(const std::string& path);

    [[nodiscard]] Load::Options load(int clients, bool repeat) const;
    /// Throws CppUnit's failure unless the account has exactly one note for each acknowledged body, and,
    /// where `nothing_else` is set, no others.
    void check_stored(const Load& load, bool nothing_else);

    [[nodiscard]] AdminSession database() const { return AdminSession(stack_->value("DATABASE_URL")); }
    [[nodiscard]] pid_t master() const { return stack_->pid("MASTER_PID"); }
    /// The worker processes, those of the import pool first.
    [[nodiscard]] std::vector<pid_t> workers() const;
    /// The workers of one pool, in no order: a replacement does not stand in the place of the worker before
    /// it.
    [[nodiscard]] std::vector<pid_t> workers_of(const std::string& pool) const;
    /// All of them are running workers now, none of `before` is left.
    [[nodiscard]] bool replaced(const std::vector<pid_t>& before, std::size_t count) const;

    static constexpr std::size_t import_workers = 6;  ///< with the first settings
    static constexpr std::size_t other_workers = 8;   ///< with all of them
    static constexpr std::size_t worker_count = import_workers + other_workers;

private:
    void mend();
    void make_supplier(AdminSession& session);

    PrivateStack stack_;
    std::string token_;
    std::string account_;
    int accounts_ = 0;
};

}  // namespace data_import::tests
