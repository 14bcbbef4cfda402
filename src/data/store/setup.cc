#include "data/store/setup.h"

#include "data/database/conninfo.h"
#include "data/store/migrations.h"

namespace data_import::store {

namespace {

database::Parameters parse_parameters(const std::string& conninfo) {
    try {
        return database::parse_conninfo(conninfo);
    } catch (const std::invalid_argument& wrong) {
        throw SetupError(std::string("admin_database: ") + wrong.what());
    }
}

std::string quote_value(const std::string& value) {
    if (value.find_first_of(" '\\") == std::string::npos && !value.empty()) return value;
    std::string quoted = "'";
    for (const char byte : value) {
        if (byte == '\'' || byte == '\\') quoted += '\\';
        quoted += byte;
    }
    return quoted + "'";
}

bool has_role(database::Database& server, std::string_view role, database::Deadline deadline) {
    return server
        .execute({.name = "has_role",
                  .sql = "SELECT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = $1)",
                  .parameters = {std::string(role)}},
                 deadline)
        .boolean(0, 0);
}

SetupResult set_up_role(database::Database& server, std::string_view role, std::string_view attributes,
                        database::Deadline deadline) {
    SetupResult result{"role " + std::string(role), !has_role(server, role, deadline)};
    if (result.is_new) {
        server.execute_script("CREATE ROLE " + quote_identifier(role) + " " + std::string(attributes),
                              deadline);
    }
    return result;
}

void let_log_in(database::Database& server, std::string_view role, database::Deadline deadline) {
    const database::Rows rows =
        server.execute({.name = "may_log_in",
                        .sql = "SELECT rolcanlogin FROM pg_catalog.pg_roles WHERE rolname = $1",
                        .parameters = {std::string(role)}},
                       deadline);
    if (rows.boolean(0, 0)) return;
    server.execute_script("ALTER ROLE " + quote_identifier(role) + " LOGIN", deadline);
}

/// Makes the administrator a member of the owner's role. Otherwise an administrator who is no superuser could
/// not make objects that belong to the owner.
void join_owner(database::Database& server, database::Deadline deadline) {
    const database::Rows rows = server.execute({.name = "is_member_of_owner",
                                                .sql = "SELECT pg_has_role(current_user, $1, 'MEMBER')",
                                                .parameters = {std::string(owner_role)}},
                                               deadline);
    if (rows.boolean(0, 0)) return;
    server.execute_script("GRANT " + quote_identifier(owner_role) + " TO CURRENT_USER", deadline);
}

SetupResult set_up_database(database::Database& server, const std::string& name,
                            database::Deadline deadline) {
    const database::Rows rows =
        server.execute({.name = "find_database",
                        .sql = "SELECT pg_encoding_to_char(encoding) FROM pg_catalog.pg_database "
                               "WHERE datname = $1",
                        .parameters = {name}},
                       deadline);
    SetupResult result{"database " + name, rows.size() == 0};
    if (result.is_new) {
        server.execute_script("CREATE DATABASE " + quote_identifier(name) + " OWNER " +
                                  quote_identifier(owner_role) +
                                  " TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'",
                              deadline);
    } else if (rows.text(0, 0) != "UTF8") {
        throw SetupError("database " + name + " has encoding " + std::string(rows.text(0, 0)) +
                         ", and UTF8 is needed; name another database in admin_database and database");
    }
    return result;
}

}  // namespace

std::string quote_identifier(std::string_view name) {
    std::string quoted = "\"";
    for (const char byte : name) {
        if (byte == '"') quoted += '"';
        quoted += byte;
    }
    return quoted + "\"";
}

std::string database_name(const std::string& conninfo) {
    const auto parameters = parse_parameters(conninfo);
    const auto found = parameters.find("dbname");
    if (found == parameters.end() || found->second.empty()) {
        throw SetupError("admin_database names no database; add dbname=data-import to it");
    }
    return found->second;
}

std::string with_database(const std::string& conninfo, const std::string& name) {
    auto parameters = parse_parameters(conninfo);
    parameters["dbname"] = name;
    std::string text;
    for (const auto& [key, value] : parameters)
        text += (text.empty() ? "" : " ") + key + "=" + quote_value(value);
    return text;
}

std::vector<SetupResult> set_up_server(database::Database& server, const std::string& name,
                                       database::Deadline deadline) {
    std::vector<SetupResult> results;
    results.push_back(set_up_role(server, owner_role, "NOLOGIN", deadline));
    for (const std::string_view role : {service_role, operator_role}) {
        results.push_back(set_up_role(server, role, "LOGIN", deadline));
        let_log_in(server, role, deadline);
    }
    for (const std::string_view role : {platform_role, reader_role})
        results.push_back(set_up_role(server, role, "NOLOGIN", deadline));
    join_owner(server, deadline);
    results.push_back(set_up_database(server, name, deadline));
    const std::string database = quote_identifier(name);
    server.execute_script("REVOKE ALL ON DATABASE " + database + " FROM PUBLIC; GRANT CONNECT ON DATABASE " +
                              database + " TO " + quote_identifier(service_role) + ", " +
                              quote_identifier(platform_role) + ", " + quote_identifier(reader_role) + ", " +
                              quote_identifier(operator_role) + "; GRANT TEMPORARY ON DATABASE " + database +
                              " TO " + quote_identifier(operator_role) +
                              "; GRANT CONNECT, CREATE, TEMPORARY ON DATABASE " + database + " TO " +
                              quote_identifier(owner_role),
                          deadline);
    return results;
}

void make_later_role(database::Database& administrator, const std::string& name, std::string_view role,
                     database::Deadline deadline) {
    const std::string quoted = quote_identifier(role);
    const std::string commands = "CREATE ROLE " + quoted + (role == operator_role ? " LOGIN" : "") +
                                 "; GRANT CONNECT" + (role == operator_role ? ", TEMPORARY" : "") +
                                 " ON DATABASE " + quote_identifier(name) + " TO " + quoted;
    try {
        administrator.transaction([&] { administrator.execute_script(commands, deadline); }, deadline);
    } catch (const database::SchemaMissing&) {  // The exception means here that a right is missing.
        throw SetupError("the server has no role " + std::string(role) +
                         ", and the user of admin_database may not make it; let an administrator of "
                         "PostgreSQL run " +
                         commands + " and repeat this command");
    }
}

std::vector<SetupResult> set_up_schema(database::Database& database, database::Deadline deadline) {
    const SetupResult result{"schema data_import", !has_schema(database, deadline)};
    const std::string owner = quote_identifier(owner_role);
    if (result.is_new) database.execute_script("CREATE SCHEMA data_import AUTHORIZATION " + owner, deadline);
    database.execute_script(
        "ALTER DEFAULT PRIVILEGES FOR ROLE " + owner + " REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC", deadline);
    return {result};
}

ServerState inspect_server(database::Database& database, database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "inspect_server",
         .sql = "SELECT current_setting('server_version'), current_user, "
                "EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = $1), "
                "EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = $2), "
                "EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = 'data_import'), "
                "EXISTS (SELECT FROM pg_catalog.pg_roles, pg_catalog.pg_namespace "
                "WHERE rolname = $2 AND nspname = 'data_import' AND rolcanlogin "
                "AND has_database_privilege(pg_roles.oid, current_database(), 'CONNECT') "
                "AND has_schema_privilege(pg_roles.oid, pg_namespace.oid, 'USAGE')), "
                "EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = $3), "
                "EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = $4), "
                "EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = $5)",
         .parameters = {std::string(owner_role), std::string(service_role), std::string(platform_role),
                        std::string(reader_role), std::string(operator_role)}},
        deadline);
    return {.version = std::string(rows.text(0, 0)),
            .connected_as = std::string(rows.text(0, 1)),
            .has_owner_role = rows.boolean(0, 2),
            .has_service_role = rows.boolean(0, 3),
            .has_platform_role = rows.boolean(0, 6),
            .has_reader_role = rows.boolean(0, 7),
            .has_operator_role = rows.boolean(0, 8),
            .has_schema = rows.boolean(0, 4),
            .service_may_connect = rows.boolean(0, 5)};
}

}  // namespace data_import::store
