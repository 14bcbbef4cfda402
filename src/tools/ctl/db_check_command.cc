// The command `db check`.
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/joined.h"
#include "data/database/database.h"
#include "data/json/writer.h"
#include "data/store/migrations.h"
#include "data/store/rights.h"
#include "data/store/schema_version.h"
#include "data/store/setup.h"
#include "tools/console/bounded.h"
#include "tools/console/text_table.h"
#include "tools/ctl/command.h"
#include "tools/doctor/doctor.h"

namespace data_import::ctl {

namespace {

struct ServiceSession {
    std::string failure;  ///< the reason why no session can be opened; empty if one can
    /// True if PostgreSQL refused the session to the system user who runs this program. Then the service's
    /// own system user may be able to open the session all the same.
    bool is_for_service_alone = false;
};

/// The findings of a check, with advice unless all is well.
struct Findings {
    store::ServerState server;
    std::string database;
    std::vector<store::AppliedMigration> applied;
    store::MigrationComparison migrations;
    /// Faults of the roles' rights. Empty if the database lacks migrations or has newer ones, because the
    /// rights are not checked then.
    store::RightsDiagnosis rights;
    ServiceSession service_session;
    std::string advice;
};

constexpr std::chrono::seconds patience_with_service{10};
constexpr char mark_of_refused_user = '!';

/// Opens a session as the service does. Returns the failure, with `mark_of_refused_user` in front if the
/// system user was refused; empty if it works.
std::string open_service_session(const Context& context) {
    doctor::become_service();
    try {
        database::Database database({.conninfo = context.settings().database,
                                     .application_name = std::string(program_name),
                                     .statement_timeout = patience_with_service});
        static_cast<void>(store::has_schema(database, Context::soon()));
        return "";
    } catch (const database::Unavailable& away) {
        return (is_user_refused(away.refusal()) ? std::string(1, mark_of_refused_user) : "") + away.what();
    }
}

/// Tries to open a session as the service does, and returns the failure, if any. Has to be called before the
/// database is used, because this process is no longer root after that.
///
/// Root tries it as the service's own user, because PostgreSQL's peer authentication looks at the system
/// user.
ServiceSession try_service_session(const Context& context) {
    try {
        const std::string failure =
            run_bounded([&] { return open_service_session(context); }, patience_with_service);
        if (!failure.starts_with(mark_of_refused_user)) return {failure};
        return {failure.substr(1), true};
    } catch (const Failure& failure) {
        return {failure.what()};
    }
}

std::string advice_on_session(const Context& context, const std::string& reason) {
    const std::string two = doctor::two_databases(context.settings());
    if (two.empty())
        return "the service's session is not possible (" + reason + "); " + std::string(program_name) +
               " doctor says what to do";
    return two + " (" + reason + "); set both to one database in " + context.config_file().string();
}

std::string advice_on(const Context& context, const Findings& findings) {
    const auto& server = findings.server;
    if (!server.has_roles() || !server.has_schema) {
        return "the database is not set up; run " + db_command("setup");
    }
    const auto& pending = findings.migrations.pending;
    if (!pending.empty() && findings.applied.empty()) {
        return "the schema has no tables; run " + db_command("migrate");
    }
    if (!pending.empty()) {
        return std::to_string(pending.size()) + " migrations are missing; run " + db_command("migrate");
    }
    if (!server.service_may_connect) {
        return "role " + std::string(store::service_role) + " may not use the database; run " +
               db_command("setup");
    }
    if (!findings.rights.missing.empty() || !findings.rights.excessive.empty())
        return "the rights of the roles are not those that the migrations grant; run " + db_command("setup");
    const ServiceSession& session = findings.service_session;
    if (!session.failure.empty() && !session.is_for_service_alone)
        return advice_on_session(context, session.failure);
    return "";
}

Findings inspect(Context& context, const store::Migrations& available) {
    Findings findings;
    findings.service_session = try_service_session(context);
    findings.database = store::database_name(context.settings().admin_database);
    const auto administrator = context.open_database(context.settings().admin_database, "");
    findings.server = store::inspect_server(*administrator, Context::soon());
    if (findings.server.has_owner_role && findings.server.has_schema) {
        findings.applied = store::applied_migrations(context.database(), Context::soon());
    }
    findings.migrations = store::compare_migrations(available, findings.applied);
    if (!findings.applied.empty() && findings.migrations.pending.empty() && findings.migrations.newer.empty())
        findings.rights = store::diagnose_rights(context.database(), available.schema, Context::soon());
    findings.advice = advice_on(context, findings);
    return findings;
}

std::string list_versions(const auto& migrations) {
    const std::string list = util::joined(migrations, [](const auto& migration) {
        return std::to_string(migration.version) + " " + migration.name;
    });
    return list.empty() ? "none" : list;
}

std::string session_text(const ServiceSession& session) {
    if (session.failure.empty()) return "works";
    return (session.is_for_service_alone ? "only the service's own user can try it: " : "not possible: ") +
           session.failure;
}

std::string rights_text(const store::RightsDiagnosis& rights) {
    std::vector<std::string> wrong = rights.missing;
    wrong.insert(wrong.end(), rights.excessive.begin(), rights.excessive.end());
    return wrong.empty() ? "as granted" : util::joined(wrong);
}

std::string text_of(const Findings& findings) {
    const auto there = [](bool is_there) { return is_there ? "there" : "missing"; };
    const auto& server = findings.server;
    const auto& newer = findings.migrations.newer;
    return property_list({{"server", "PostgreSQL " + server.version + ", as " + server.connected_as},
                          {"database", findings.database},
                          {"role " + std::string(store::owner_role), there(server.has_owner_role)},
                          {"role " + std::string(store::service_role), there(server.has_service_role)},
                          {"role " + std::string(store::platform_role), there(server.has_platform_role)},
                          {"role " + std::string(store::reader_role), there(server.has_reader_role)},
                          {"role " + std::string(store::operator_role), there(server.has_operator_role)},
                          {"schema data_import", there(server.has_schema)},
                          {"migrations applied", list_versions(findings.applied)},
                          {"migrations pending", list_versions(findings.migrations.pending)},
                          {"newer than this program", newer.empty() ? "none" : store::describe_newer(newer)},
                          {"rights", rights_text(findings.rights)},
                          {"service's session", session_text(findings.service_session)}});
}

void write_versions(json::Writer& writer, std::string_view name, const auto& migrations) {
    writer.key(name).begin_array();
    for (const auto& migration : migrations) writer.integer(migration.version);
    writer.end_array();
}

void write_texts(json::Writer& writer, std::string_view name, const std::vector<std::string>& texts) {
    writer.key(name).begin_array();
    for (const std::string& text : texts) writer.string(text);
    writer.end_array();
}

std::string json_of(const Findings& findings) {
    const auto& server = findings.server;
    json::Writer writer;
    writer.begin_object().key("server_version").string(server.version);
    writer.key("connected_as").string(server.connected_as).key("database").string(findings.database);
    writer.key("owner_role")
        .boolean(server.has_owner_role)
        .key("service_role")
        .boolean(server.has_service_role)
        .key("platform_role")
        .boolean(server.has_platform_role)
        .key("reader_role")
        .boolean(server.has_reader_role)
        .key("operator_role")
        .boolean(server.has_operator_role);
    writer.key("schema").boolean(server.has_schema);
    write_versions(writer, "applied", findings.applied);
    write_versions(writer, "pending", findings.migrations.pending);
    write_versions(writer, "newer", findings.migrations.newer);
    write_texts(writer, "missing_rights", findings.rights.missing);
    write_texts(writer, "excessive_rights", findings.rights.excessive);
    writer.key("service_session").boolean(findings.service_session.failure.empty());
    writer.key("ready").boolean(findings.advice.empty());
    return writer.end_object().take() + "\n";
}

void check_database(Context& context, const Invocation&) {
    const Findings findings = inspect(context, store::own_migrations(context.settings().sql_directory));
    Context::print(context.json() ? json_of(findings) : text_of(findings));
    if (!findings.advice.empty()) throw Failure(findings.advice);
}

}  // namespace

std::vector<Command> database_check_commands() {
    return {command(
        "db check", {}, {}, check_database,
        "Checks whether roles, database and migrations are as this program needs them. The program also "
        "works with the tables of the next version, and names migrations that are newer than itself.")};
}

}  // namespace data_import::ctl
