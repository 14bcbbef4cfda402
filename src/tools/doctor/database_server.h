// Finds where PostgreSQL runs: on this machine, on another machine, or on several hosts. A remedy then has
// commands for this machine, commands for another machine, or commands of Patroni (handbook, "Several
// hosts").
#pragma once

#include <string>

#include "base/config/settings.h"

namespace data_import::doctor {

struct DatabaseServer {
    /// The name of the server's machine. Empty if the server is on this machine, or if `is_of_several` is
    /// true.
    std::string host = {};
    bool is_of_several = false;  ///< the server is one of several hosts, whose settings Patroni manages

    [[nodiscard]] bool is_here() const { return host.empty() && !is_of_several; }
};

/// Returns the server that the connection parameters `conninfo` lead to. Sets `is_of_several` in the result
/// if `conninfo` or the setting `database` names more than one host. Throws std::invalid_argument as
/// check_conninfo does.
[[nodiscard]] DatabaseServer server_of(const config::Settings& settings, const std::string& conninfo);

/// Returns the psql command of PostgreSQL's administrator, as root types it on the database's host.
[[nodiscard]] std::string psql(const std::string& arguments);
[[nodiscard]] std::string patronictl(const std::string& arguments);

/// Returns the server that a text names: a host such as `db1` or `db1:5433`, or the directory of a socket.
[[nodiscard]] DatabaseServer server_at(const std::string& host_and_port);

/// Returns the command that root types on this machine to run `command` on the server's host: by ssh if the
/// host is another machine.
[[nodiscard]] std::string on(const DatabaseServer& server, const std::string& command);
/// Returns a command that runs `command` on the server's host, and then `own` on this machine.
[[nodiscard]] std::string on_and_here(const DatabaseServer& server, const std::string& command,
                                      const std::string& own);

enum class Effect { reload, restart };
/// Returns the command that gives a setting of PostgreSQL another value; if `value` is empty, the setting's
/// default.
[[nodiscard]] std::string change_setting(const DatabaseServer& server, const std::string& name,
                                         const std::string& value, Effect effect);
/// Returns the command that restarts PostgreSQL, so that settings that wait for a restart take effect.
[[nodiscard]] std::string restart_for_settings(const DatabaseServer& server);
/// Returns the command that restarts PostgreSQL, whatever state it is in.
[[nodiscard]] std::string restart_server(const DatabaseServer& server);
[[nodiscard]] std::string start_server(const DatabaseServer& server);

}  // namespace data_import::doctor
