// PostgreSQL's settings for the form of values, the effect of statements and their time limits. Each session
// sets them, because servers, databases, roles and an operator's shell may have other values. Private to
// database/.
#pragma once

#include <string>

#include "data/database/database.h"

namespace data_import::database {

/// Returns SQL text that gives a session its settings and its role. `role` is a quoted literal; if it is
/// empty, the session keeps its role. The text can replace any earlier settings of the session, and works on
/// every supported version of PostgreSQL.
[[nodiscard]] std::string session_settings(const Options& options, const std::string& role);

/// Makes libpq ignore the variables of the environment that change settings of sessions: PGOPTIONS,
/// PGDATESTYLE, PGTZ, PGGEQO and PGCLIENTENCODING. Has to be called before other threads begin.
void ignore_settings_of_environment();

}  // namespace data_import::database
