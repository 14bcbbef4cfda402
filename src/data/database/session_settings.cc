#include "data/database/session_settings.h"

#include <cstdlib>

namespace data_import::database {

namespace {

struct Setting {
    const char* name;
    const char* value;
};

// default_transaction_read_only keeps its value: administrators use it to stop all writing.
constexpr Setting settings[] = {
    // These settings say how values are written and read.
    {"client_encoding", "UTF8"},
    {"TimeZone", "UTC"},
    {"timezone_abbreviations", "Default"},
    {"DateStyle", "ISO, MDY"},
    {"IntervalStyle", "postgres"},
    {"bytea_output", "hex"},
    {"extra_float_digits", "1"},
    {"xmlbinary", "base64"},
    {"xmloption", "content"},
    {"array_nulls", "on"},
    {"lc_monetary", "C"},
    {"lc_numeric", "C"},
    {"lc_time", "C"},
    {"quote_all_identifiers", "off"},
    // These settings say how statements are read and executed.
    {"standard_conforming_strings", "on"},
    {"backslash_quote", "safe_encoding"},
    {"escape_string_warning", "on"},
    {"transform_null_equals", "off"},
    {"search_path", ""},
    {"default_text_search_config", "pg_catalog.simple"},
    {"row_security", "on"},
    {"check_function_bodies", "on"},
    {"default_transaction_isolation",
     "read committed"},  // A statement after a lock must see rows that were committed before the lock.
    {"default_transaction_deferrable", "off"},
    {"plan_cache_mode", "auto"},
    // PostgreSQL overrates the cost of plans that read a few rows of a catalog. So it would compile these
    // plans, and compiling takes a second.
    {"jit", "off"},
    {"plpgsql.extra_errors", "none"},
    {"plpgsql.extra_warnings", "none"},
    {"plpgsql.print_strict_params", "off"},
    // The service needs warnings, because one of them says that a commit did not wait for its standby.
    {"client_min_messages", "notice"},
    {"exit_on_error", "off"},
    // Switches off all time limits but statement_timeout, so that a statement may wait for a lock as long as
    // it may run.
    {"lock_timeout", "0"},
    {"idle_in_transaction_session_timeout", "0"},
    {"idle_session_timeout", "0"},
    // Statements of an abandoned session end soon, and free their locks and their connection.
    {"client_connection_check_interval", "2s"},
};

// Settings that not every version or build of PostgreSQL has. lz4 halves the cost of compressing long rows,
// above all of delivery notes.
constexpr const char* where_they_exist =
    "; SELECT pg_catalog.set_config(name, wanted.value, false) FROM pg_catalog.pg_settings "
    "JOIN (VALUES ('transaction_timeout', '0'), ('default_toast_compression', 'lz4')) "
    "AS wanted (name, value) USING (name) WHERE enumvals IS NULL OR wanted.value = ANY (enumvals)";

// Replaces the weaker values of synchronous_commit, because a record that was answered as stored has to be on
// disk, and also on the disk of a synchronous standby.
constexpr const char* safe_commits =
    "; SELECT pg_catalog.set_config('synchronous_commit', 'on', false) "
    "WHERE pg_catalog.current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')";

// Settings for calls that look up a few rows (Options::looks_up). `plans_of_lookups` makes their plans use
// indexes, even while tables are empty. `kept_plans` makes PostgreSQL keep the plan of a call, in place of
// planning calls with short arrays anew each time.
//
// On Citus, a plan can be kept only if the call uses functions that name shards in place of distributed
// tables (Options::knows_shards).
constexpr const char* plans_of_lookups =
    "; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off";
constexpr const char* kept_plans = "; SET plan_cache_mode = force_generic_plan";
constexpr const char* kept_plans_without_citus =
    "; SELECT pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', false) WHERE NOT EXISTS "
    "(SELECT FROM pg_catalog.pg_extension WHERE extname = 'citus')";

}  // namespace

// Sets statement_timeout first, because its old value could be too short for the other statements of the
// text.
std::string session_settings(const Options& options, const std::string& role) {
    std::string sql = "SET statement_timeout = " + std::to_string(options.statement_timeout.count());
    for (const auto& [name, value] : settings) ((((sql += "; SET ") += name) += " = '") += value) += '\'';
    (sql += where_they_exist) += safe_commits;
    if (options.looks_up)
        (sql += plans_of_lookups) += options.knows_shards ? kept_plans : kept_plans_without_citus;
    if (!role.empty()) sql += "; SET ROLE " + role;
    return sql;
}

void ignore_settings_of_environment() {
    for (const char* name : {"PGOPTIONS", "PGDATESTYLE", "PGTZ", "PGGEQO", "PGCLIENTENCODING"}) {
        if (std::getenv(name) != nullptr) unsetenv(name);
    }
}

}  // namespace data_import::database
