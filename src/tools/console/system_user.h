// System users: who started the program, and becoming another one.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>

namespace data_import::console {

/// The person who started the program, as well as that can be told: the user who called sudo, or the real
/// user.
[[nodiscard]] std::string operator_name();

/// The user that become_user() would make the process, and its group; nothing if it would change nothing.
/// Throws Failure when there is no such user.
[[nodiscard]] std::optional<std::pair<uid_t, gid_t>> user_to_become(const std::string& name);

/// Becomes a system user for good, with his groups: PostgreSQL's peer authentication goes by the process's
/// user. Does nothing when the process does not run as root. Throws Failure when there is no such user or it
/// does not work.
void become_user(const std::string& name);

}  // namespace data_import::console
