// A synchronous standby of a stack's own PostgreSQL, for tests in which the standby is slow, lost or
// promoted.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "database.h"
#include "stack.h"

namespace data_import::tests {

/// A standby of the stack's own cluster. Commits of the cluster wait for the standby. The constructor throws
/// std::runtime_error if the new server does not become a standby.
class Standby {
public:
    explicit Standby(const Stack& primary);
    ~Standby();
    Standby(const Standby&) = delete;
    Standby& operator=(const Standby&) = delete;

    [[nodiscard]] pid_t receiver() const;

    /// Connection parameters that name both hosts, the standby first, for a database and user.
    [[nodiscard]] std::string both_hosts(const std::string& database, const std::string& user) const;
    [[nodiscard]] std::string name() const { return cluster_.string() + ':' + port; }
    /// Stops the standby. Commits of the primary wait until it is started again.
    void stop();
    /// Starts the standby. Returns when commits wait for the standby and it has received all of them.
    void start();
    /// Makes the standby the primary, which takes writes.
    void promote() const;

private:
    static constexpr const char* port = "5433";  // the port of a socket in the stack's own directory

    [[nodiscard]] std::string data() const { return (cluster_ / "standby").string(); }
    /// Returns shell text that runs `command`, a program of PostgreSQL with its arguments. The program is
    /// taken from the directory of the primary's programs, so that it has the primary's version. If root runs
    /// the tests, the program runs as the user postgres.
    [[nodiscard]] std::string server_command(const std::string& command) const;
    void as_server(const std::string& command) const;

    std::filesystem::path programs_;
    AdminSession primary_;
    std::filesystem::path cluster_;
    bool runs_ = false;
};

}  // namespace data_import::tests
