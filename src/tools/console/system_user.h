// Finds the user who started the program, and makes the process run as another user.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>

namespace data_import::console {

/// Returns the user who started the program: the one who called sudo, or else the real user.
[[nodiscard]] std::string operator_name();

/// Returns the user and the group that become_user() would give the process; nothing if become_user()
/// would not change them. Throws Failure if there is no such user.
[[nodiscard]] std::optional<std::pair<uid_t, gid_t>> user_to_become(const std::string& name);

/// Gives the process the user and the groups of `name` for good, because PostgreSQL's peer authentication
/// looks at the process's user. Does nothing if the process does not run as root. Throws Failure if there is
/// no such user, or if the system refuses.
void become_user(const std::string& name);

}  // namespace data_import::console
