// The stack that faults happen to: its processes, its database, and its restart.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "../support/database.h"
#include "../support/stack.h"
#include "import.h"

namespace data_import::soak {

/// The stack as faults reach it. Every call looks the processes up, because they are replaced all the time.
class Victim {
public:
    /// A condition for pg_stat_activity.
    static constexpr const char* sessions_of_the_service =
        "usename = 'data-import' AND datname = 'data-import'";

    Victim(const std::filesystem::path& run_directory, const Book& book, std::uint64_t seed);

    [[nodiscard]] pid_t master() const;
    [[nodiscard]] pid_t nginx() const;
    [[nodiscard]] pid_t postgresql() const;
    [[nodiscard]] pid_t vendor_simulator() const;
    /// A child of the process, 0 when it has none.
    [[nodiscard]] pid_t some_child(pid_t parent);
    /// A server process of a session of the service, 0 when there is none.
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
    /// Waits one to `most_seconds` seconds, while the fault lasts.
    void let_it_last(long most_seconds = 5);

private:
    tests::Stack stack_;
    const Book& book_;
    Random random_;
};

}  // namespace data_import::soak
