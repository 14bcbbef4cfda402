// PostgreSQL's settings that decide how values are written and read, what statements do and how long they may
// take. Servers, databases, roles and an operator's shell have their own values for these; sessions set them.
// Private to database/.
#pragma once

#include <string>

#include "data/database/database.h"

namespace data_import::database {

/// SQL text that sets all of them; `role` is a quoted literal, empty for none. It works in a session that has
/// any other values, and on every version of PostgreSQL that is supported.
[[nodiscard]] std::string session_settings(const Options& options, const std::string& role);

/// Lets libpq ignore the variables of the environment that change settings of sessions: PGOPTIONS,
/// PGDATESTYLE, PGTZ, PGGEQO and PGCLIENTENCODING. To be called before other threads begin.
void ignore_settings_of_environment();

}  // namespace data_import::database
