// The location of PostgreSQL, seen from here. The remedies depend on it: commands on this machine, on another
// one, or Patroni's if there are several hosts (handbook, "Several hosts").
#pragma once

#include <string>

#include "base/config/settings.h"

namespace data_import::doctor {

struct DatabaseServer {
    std::string host = {};       ///< empty: this machine, or one of several
    bool is_of_several = false;  ///< Patroni makes the settings of all of them

    [[nodiscard]] bool is_here() const { return host.empty() && !is_of_several; }
};

/// Returns the server that connection parameters lead to; the setting `database` names all its hosts. Throws
/// std::invalid_argument as check_conninfo does.
[[nodiscard]] DatabaseServer server_of(const config::Settings& settings, const std::string& conninfo);

/// Returns psql of PostgreSQL's administrator, as root types it on the database's host.
[[nodiscard]] std::string psql(const std::string& arguments);
[[nodiscard]] std::string patronictl(const std::string& arguments);

/// Returns the server at `db1`, `db1:5433` or a directory with its socket.
[[nodiscard]] DatabaseServer server_at(const std::string& host_and_port);

/// Returns a command of root on the server's host.
[[nodiscard]] std::string on(const DatabaseServer& server, const std::string& command);
/// Returns the same, and then a command on this host.
[[nodiscard]] std::string on_and_here(const DatabaseServer& server, const std::string& command,
                                      const std::string& own);

enum class Effect { reload, restart };
/// Returns the command that gives a setting of PostgreSQL another value; for an empty one, its default.
[[nodiscard]] std::string change_setting(const DatabaseServer& server, const std::string& name,
                                         const std::string& value, Effect effect);
/// Returns the command that puts settings into force that wait for a restart.
[[nodiscard]] std::string restart_for_settings(const DatabaseServer& server);
/// Returns a command that works in any state of the server.
[[nodiscard]] std::string restart_server(const DatabaseServer& server);
[[nodiscard]] std::string start_server(const DatabaseServer& server);

}  // namespace data_import::doctor
