// The stack in which faults are caused: its processes, its database, and its restart.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "../support/database.h"
#include "../support/stack.h"
#include "import.h"

namespace data_import::soak {

/// Gives the functions that cause faults access to the stack: to the ids of its processes, to sessions of its
/// database, and to its restart by bring_up().
///
/// Because faults and restarts replace processes all the time, each call looks up the process ids again.
class Victim {
public:
    /// A condition that selects the service's sessions in pg_stat_activity.
    static constexpr const char* sessions_of_the_service =
        "usename = 'data-import' AND datname = 'data-import'";

    Victim(const std::filesystem::path& run_directory, const Book& book, std::uint64_t seed);

    [[nodiscard]] pid_t master() const;
    [[nodiscard]] pid_t nginx() const;
    [[nodiscard]] pid_t postgresql() const;
    [[nodiscard]] pid_t vendor_simulator() const;
    /// A random child of the process; 0 if it has none.
    [[nodiscard]] pid_t some_child(pid_t parent);
    /// The server process of a random session of the service; 0 if there is none.
    [[nodiscard]] pid_t some_backend();
    [[nodiscard]] tests::AdminSession administrator() const;
    /// Connection parameters of the service itself.
    [[nodiscard]] std::string service_conninfo() const;
    [[nodiscard]] Place some_account();
    [[nodiscard]] Random& random() { return random_; }

    /// Starts missing processes, as an init system would, and waits until the stack is ready. Throws if it is
    /// not ready within two minutes.
    void bring_up() const;
    [[nodiscard]] bool is_ready() const;
    /// Lets the fault last: waits one to `most_seconds` seconds.
    void let_it_last(long most_seconds = 5);

private:
    tests::Stack stack_;
    const Book& book_;
    Random random_;
};

}  // namespace data_import::soak
