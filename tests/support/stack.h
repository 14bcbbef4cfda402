// A running stack (PostgreSQL, data-importd, nginx) as tests/stack/up describes it in RUN_DIR/env.
#pragma once

#include <sys/types.h>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace data_import::tests {

using namespace std::chrono_literals;

class Stack {
public:
    /// The stack that the test program was started for, as variables of the environment describe it.
    [[nodiscard]] static const Stack& shared();

    /// Reads RUN_DIR/env. Throws std::runtime_error if a variable that every stack has is missing.
    explicit Stack(const std::filesystem::path& run_directory);

    /// A variable of the environment file; throws std::runtime_error if it is not there.
    [[nodiscard]] const std::string& value(const std::string& name) const;
    [[nodiscard]] pid_t pid(const std::string& name) const;

    [[nodiscard]] std::uint16_t port() const;
    [[nodiscard]] const std::filesystem::path& run_directory() const { return run_directory_; }

private:
    explicit Stack(std::map<std::string, std::string> variables);

    std::filesystem::path run_directory_;
    std::map<std::string, std::string> variables_;
};

/// A stack for one test that breaks things, in a fresh directory. The destructor takes the stack down; with
/// KEEP_STACKS in the environment the directory stays, for its logs.
class PrivateStack {
public:
    /// Starts the stack. `settings` are lines of its configuration. `database_url` is the DATABASE_URL of
    /// another stack, of whose database this stack becomes a second host; if empty, this stack has a database
    /// of its own. `limits` and `vendors` are LIMITS and VENDORS of tests/stack/up. By default, nginx limits
    /// nothing.
    ///
    /// Because the doctor waits seconds for vendors that hang, the only vendor by default is one that answers
    /// well.
    explicit PrivateStack(const std::vector<std::string>& settings = {}, const std::string& database_url = "",
                          const std::string& limits = "off", const std::string& vendors = "demonstration");
    ~PrivateStack();
    PrivateStack(const PrivateStack&) = delete;
    PrivateStack& operator=(const PrivateStack&) = delete;

    [[nodiscard]] const Stack& operator*() const { return *stack_; }
    [[nodiscard]] const Stack* operator->() const { return stack_.get(); }

    /// Starts missing processes, and waits until the stack is ready.
    void bring_up();
    /// Sets other settings; the service reads them at once.
    void configure(const std::vector<std::string>& settings);
    /// The log of the service from an offset on; `log_size` is the offset of its end.
    [[nodiscard]] std::string log_from(std::uintmax_t place) const;
    [[nodiscard]] std::uintmax_t log_size() const;

private:
    void write_settings(const std::vector<std::string>& settings) const;
    void take_down(const std::string& options);

    std::filesystem::path directory_;
    std::string command_prefix_;  ///< the variables for tests/stack/up and down
    std::unique_ptr<Stack> stack_;
};

/// The build that this program belongs to.
[[nodiscard]] std::filesystem::path build_directory();

/// A port of the loopback address that nothing listens on.
[[nodiscard]] std::uint16_t free_port();

}  // namespace data_import::tests
