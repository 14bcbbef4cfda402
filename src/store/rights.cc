#include "store/rights.h"

#include <regex>
#include <sstream>

#include "database/array_text.h"
#include "store/setup.h"

namespace data_import::store {

namespace {

/// The rights that GRANT statements, the elements of $1, name: one row for each role, object, and privilege,
/// which has one column behind it if it is for single columns. A function named without its parameters stands
/// for all functions of this name. A role that is missing has none. Without
/// MATERIALIZED all of them are computed again for each right that is there: 1.3 s instead of 0.02.
constexpr const char* granted = R"(
WITH statement AS (
    SELECT regexp_match(text, '^GRANT (.+) ON (FUNCTION |SCHEMA |)(.+) TO (.+)$') AS part FROM unnest($1::text[]) AS text
), named AS (
    SELECT role, privilege, lower(part[2]) AS kind, object
    FROM statement, regexp_split_to_table(part[1], ',\s*(?![^(]*\))') AS privilege,
        regexp_split_to_table(part[3], ',\s*(?![^(]*\))') AS object, regexp_split_to_table(part[4], ',\s*') AS role
), granted AS MATERIALIZED (
    SELECT to_regrole(role) AS role, kind, object, functions,
        CASE WHEN columns[2] IS NULL THEN privilege ELSE columns[1] || ' (' || a_column || ')' END AS privilege,
        columns[1] AS privilege_of_column, a_column
    FROM named,
        regexp_match(privilege, '^(\w+)(?: \((.+)\))?$') AS columns
        LEFT JOIN LATERAL regexp_split_to_table(columns[2], ',\s*') AS a_column ON true
        LEFT JOIN LATERAL (
            SELECT array_agg(oid) FROM pg_catalog.pg_proc
            WHERE kind = 'function ' AND pronamespace = 'data_import'::regnamespace
              AND CASE WHEN object LIKE '%(%' THEN oid = to_regprocedure(object)
                       ELSE 'data_import.' || proname = object END) AS known (functions) ON true
    WHERE to_regrole(role) IS NOT NULL
))";

std::string missing_rights() {
    return std::string(granted) + R"(
SELECT 'role ' || rolname || ' lacks ' || privilege || ' on ' || kind || object
FROM granted JOIN pg_catalog.pg_roles ON pg_roles.oid = role
WHERE NOT coalesce(CASE
    WHEN kind = 'schema ' THEN has_schema_privilege(role, object, privilege)
    WHEN kind = 'function ' THEN (
        SELECT bool_and(has_function_privilege(role, oid, privilege)) FROM unnest(functions) AS oid)
    WHEN a_column IS NOT NULL THEN has_column_privilege(role, to_regclass(object), a_column, privilege_of_column)
    ELSE has_table_privilege(role, to_regclass(object), privilege) END, false)
ORDER BY 1)";
}

/// Only direct grants: an administrator may have made the role a member of another one.
std::string excessive_rights() {
    return std::string(granted) + R"(
, present AS (
    SELECT '' AS kind, 'data_import.' || relname AS object, NULL::oid AS function, privilege_type AS privilege, grantee
    FROM pg_catalog.pg_class, aclexplode(relacl) WHERE relnamespace = 'data_import'::regnamespace
    UNION ALL
    SELECT '', 'data_import.' || relname, NULL, privilege_type || ' (' || attname || ')', grantee
    FROM pg_catalog.pg_class JOIN pg_catalog.pg_attribute ON attrelid = pg_class.oid, aclexplode(attacl)
    WHERE relnamespace = 'data_import'::regnamespace
    UNION ALL
    SELECT 'function ', 'data_import.' || proname, pg_proc.oid, privilege_type, grantee
    FROM pg_catalog.pg_proc, aclexplode(coalesce(proacl, acldefault('f', proowner)))
    WHERE pronamespace = 'data_import'::regnamespace
    UNION ALL
    SELECT 'schema ', nspname, NULL, privilege_type, grantee
    FROM pg_catalog.pg_namespace, aclexplode(nspacl) WHERE nspname = 'data_import'
)
SELECT DISTINCT CASE WHEN grantee = 0 THEN 'everybody' ELSE 'role ' || rolname END || ' has ' || privilege
    || ' on ' || kind || object
FROM present LEFT JOIN pg_catalog.pg_roles ON pg_roles.oid = grantee
WHERE grantee = 0 OR (rolname = $2 AND NOT EXISTS (
    SELECT FROM granted WHERE role = grantee AND granted.kind = present.kind AND granted.privilege = present.privilege
    AND CASE WHEN function IS NULL THEN granted.object = present.object ELSE function = ANY (functions) END))
ORDER BY 1)";
}

/// The statements of $1 that grant rights on functions, each with the parameters of the function: a name
/// alone stands for all functions of this name, and PostgreSQL takes it for one function only.
std::string function_grants() {
    return std::string(granted) + R"(
SELECT 'GRANT ' || privilege || ' ON FUNCTION ' || oid::regprocedure || ' TO ' || role::regrole
FROM granted, unnest(functions) AS oid ORDER BY 1)";
}

std::string array_of(const std::vector<std::string>& texts) {
    database::ArrayText array;
    for (const std::string& text : texts) array.add(text);
    return array.take();
}

}  // namespace

std::vector<std::string> grants_of(const std::vector<Migration>& migrations) {
    static const std::regex line_end("\\s*\n\\s*");
    std::vector<std::string> grants;
    for (const Migration& migration : migrations) {
        const std::string text = "\n" + migration.sql;
        constexpr std::string_view begin = "\nGRANT ";
        for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
            const std::string statement = text.substr(at + 1, text.find(';', at) - at - 1);
            grants.push_back(std::regex_replace(statement, line_end, " "));
        }
    }
    return grants;
}

RightsDiagnosis diagnose_rights(database::Database& database, const std::vector<Migration>& migrations,
                                database::Deadline deadline) {
    const std::string grants = array_of(grants_of(migrations));
    const auto find = [&](const char* name, std::string sql, std::vector<std::string> more) {
        database::Call call{.name = name, .sql = std::move(sql), .parameters = {grants}};
        for (std::string& parameter : more) call.parameters.emplace_back(std::move(parameter));
        return database.execute(call, deadline).texts();
    };
    return {.missing = find("find_ungranted_rights", missing_rights(), {}),
            .excessive = find("find_excessive_rights", excessive_rights(), {std::string(service_role)})};
}

bool restore_rights(database::Database& database, const std::vector<Migration>& migrations,
                    database::Deadline deadline) {
    const RightsDiagnosis found = diagnose_rights(database, migrations, deadline);
    if (found.missing.empty() && found.excessive.empty()) return false;
    std::string script;
    if (!found.excessive.empty()) {
        for (const char* all :
             {"SCHEMA data_import", "ALL TABLES IN SCHEMA data_import", "ALL SEQUENCES IN SCHEMA data_import",
              "ALL ROUTINES IN SCHEMA data_import"}) {
            script +=
                std::string("REVOKE ALL ON ") + all + " FROM PUBLIC, \"" + std::string(service_role) + "\";";
        }
    }
    for (const std::string& grant : grants_of(migrations)) {
        if (grant.find(" ON FUNCTION ") == std::string::npos) script += grant + ";";
    }
    const database::Call functions{.name = "find_function_grants",
                                   .sql = function_grants(),
                                   .parameters = {array_of(grants_of(migrations))}};
    for (const std::string& grant : database.execute(functions, deadline).texts()) script += grant + ";";
    database.transaction([&] { database.execute_script(script, deadline); }, deadline);
    return true;
}

}  // namespace data_import::store
