#include "data/store/rights.h"

#include <algorithm>
#include <regex>
#include <utility>

#include "data/database/array_text.h"
#include "data/store/distribution.h"
#include "data/store/setup.h"

namespace data_import::store {

namespace {

/// Selects the rights that the GRANT statements in the array $1 give on objects of the schemas in $2. Each
/// row is a privilege of a role on an object; a privilege on columns has a row for each column. A function
/// named without its parameters stands for all functions of this name. Roles that do not exist are left out.
///
/// Without MATERIALIZED, PostgreSQL would compute these rows again for each existing right, which takes 1.3 s
/// instead of 0.02 s.
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
            SELECT array_agg(pg_proc.oid)
            FROM pg_catalog.pg_proc JOIN pg_catalog.pg_namespace ON pg_namespace.oid = pronamespace
            WHERE kind = 'function ' AND nspname = ANY ($2::text[])
              AND CASE WHEN object LIKE '%(%' THEN pg_proc.oid = to_regprocedure(object)
                       ELSE nspname || '.' || proname = object END) AS known (functions) ON true
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

/// Returns SQL that selects the excessive rights on existing or future objects of the owner. A right is
/// excessive if PUBLIC, or a role other than the owner, has it although no GRANT statement in $1 gives it.
/// The option to grant a right to further roles is always excessive. The first column is the right in words.
/// The second column is the statement that revokes the right or the option from its holder, and from every
/// role to which the holder has granted the right.
///
/// Rights that a role has only as a member of another role do not count, because an administrator may have
/// made the role a member.
std::string excessive_rights() {
    return std::string(granted) + R"(
, own AS (
    SELECT oid, nspname, nspowner AS owner, nspacl FROM pg_catalog.pg_namespace WHERE nspname = ANY ($2::text[])
), present AS (
    SELECT '' AS kind, CASE relkind WHEN 'S' THEN 'SEQUENCE ' ELSE 'TABLE ' END || pg_class.oid::regclass AS target,
           nspname || '.' || relname AS object, NULL::oid AS function, owner, acl.*
    FROM own JOIN pg_catalog.pg_class ON relnamespace = own.oid AND relowner = owner, aclexplode(relacl) AS acl
    UNION ALL
    SELECT '', 'TABLE ' || pg_class.oid::regclass, nspname || '.' || relname, NULL, owner, grantor, grantee,
           privilege_type || ' (' || quote_ident(attname) || ')', is_grantable
    FROM own JOIN pg_catalog.pg_class ON relnamespace = own.oid AND relowner = owner
    JOIN pg_catalog.pg_attribute ON attrelid = pg_class.oid, aclexplode(attacl)
    UNION ALL
    SELECT 'function ', 'ROUTINE ' || pg_proc.oid::regprocedure, nspname || '.' || proname, pg_proc.oid, owner, acl.*
    FROM own JOIN pg_catalog.pg_proc ON pronamespace = own.oid AND proowner = owner,
        aclexplode(coalesce(proacl, acldefault('f', proowner))) AS acl
    UNION ALL
    SELECT 'schema ', 'SCHEMA ' || quote_ident(nspname), nspname, NULL, owner, acl.* FROM own, aclexplode(nspacl) AS acl
    UNION ALL
    SELECT DISTINCT 'future ', objects, lower(objects) || coalesce(' of schema ' || nspname, ''), NULL::oid, defaclrole, acl.*
    FROM pg_catalog.pg_default_acl LEFT JOIN own ON own.oid = defaclnamespace
    JOIN (VALUES ('r', 'TABLES'), ('S', 'SEQUENCES'), ('f', 'ROUTINES'), ('n', 'SCHEMAS')) AS made (type, objects)
        ON type = defaclobjtype, aclexplode(defaclacl) AS acl
    WHERE defaclrole IN (SELECT owner FROM own) AND (defaclnamespace = 0 OR own.oid IS NOT NULL)
), judged AS (
    SELECT present.*, CASE WHEN grantee = 0 THEN 'PUBLIC' ELSE quote_ident(rolname) END AS role_name,
        CASE WHEN grantee = 0 THEN 'everybody' ELSE 'role ' || rolname END AS holder,
        grantee <> 0 AND EXISTS (
            SELECT FROM granted WHERE role = grantee AND granted.kind = present.kind AND privilege = privilege_type
            AND CASE WHEN function IS NULL THEN granted.object = present.object ELSE function = ANY (functions) END)
            AS is_granted
    FROM present LEFT JOIN pg_catalog.pg_roles ON pg_roles.oid = grantee WHERE grantee <> owner
)
SELECT DISTINCT holder || ' has ' || privilege_type || CASE WHEN is_granted THEN ' WITH GRANT OPTION' ELSE '' END
        || ' on ' || kind || object,
    CASE WHEN kind = 'future ' THEN 'ALTER DEFAULT PRIVILEGES FOR ROLE ' || owner::regrole
        || replace(coalesce(substring(object FROM ' of schema .*'), ''), ' of schema', ' IN SCHEMA') || ' ' ELSE '' END
        || 'REVOKE ' || CASE WHEN is_granted THEN 'GRANT OPTION FOR ' ELSE '' END || privilege_type || ' ON ' || target
        || ' FROM ' || role_name || ' CASCADE'
FROM judged WHERE is_grantable OR NOT is_granted
ORDER BY 1)";
}

/// Returns SQL that selects the statements that grant the missing rights on functions. Each statement names
/// the function's parameters, because PostgreSQL accepts a name without them only if a single function has
/// this name.
///
/// Rights that exist are not granted again, because Citus refuses some of these grants as circular.
std::string function_grants() {
    return std::string(granted) + R"(
SELECT 'GRANT ' || privilege || ' ON FUNCTION ' || oid::regprocedure || ' TO ' || role::regrole
FROM granted, unnest(functions) AS oid WHERE NOT has_function_privilege(role, oid, privilege) ORDER BY 1)";
}

template <typename Texts>
std::string array_of(const Texts& texts) {
    database::ArrayText array;
    for (const auto& text : texts) array.add(text);
    return array.take();
}

database::Call call(const char* name, std::string sql, const std::vector<std::string>& grants) {
    return {.name = name, .sql = std::move(sql), .parameters = {array_of(grants), array_of(own_schemas)}};
}

/// Returns the GRANT statements that give roles the rights that they need in this database. On Citus, roles
/// that read views also need rights on the tables of the views, because nodes check the rights of the role
/// that reads, and not those of the view's owner.
std::vector<std::string> needed_grants(database::Database& database, const Migration& schema,
                                       database::Deadline deadline) {
    std::vector<std::string> grants = grants_of(schema);
    if (!is_distributed(database, deadline)) return grants;
    const database::Rows tables = database.execute(
        {.name = "tables_of_views", .sql = "SELECT data_import.distributed_tables_of_views()"}, deadline);
    for (const std::string& table : tables.texts()) {
        grants.push_back("GRANT SELECT ON data_import." + table + " TO " + quote_identifier(platform_role) +
                         ", " + quote_identifier(reader_role));
    }
    return grants;
}

RightsDiagnosis diagnose(database::Database& database, const std::vector<std::string>& grants,
                         database::Deadline deadline) {
    RightsDiagnosis found;
    found.missing =
        database.execute(call("find_ungranted_rights", missing_rights(), grants), deadline).texts();
    const database::Rows rows =
        database.execute(call("find_excessive_rights", excessive_rights(), grants), deadline);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        found.excessive.emplace_back(rows.text(row, 0));
        found.revocations.emplace_back(rows.text(row, 1));
    }
    found.excessive.erase(std::unique(found.excessive.begin(), found.excessive.end()), found.excessive.end());
    return found;
}

}  // namespace

std::vector<std::string> grants_of(const Migration& schema) {
    static const std::regex line_end("\\s*\n\\s*");
    std::vector<std::string> grants;
    const std::string text = "\n" + schema.sql;
    constexpr std::string_view begin = "\nGRANT ";
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
        const std::string statement = text.substr(at + 1, text.find(';', at) - at - 1);
        grants.push_back(std::regex_replace(statement, line_end, " "));
    }
    return grants;
}

RightsDiagnosis diagnose_rights(database::Database& database, const Migration& schema,
                                database::Deadline deadline) {
    return diagnose(database, needed_grants(database, schema, deadline), deadline);
}

bool restore_rights(database::Database& database, const Migration& schema, database::Deadline deadline) {
    const std::vector<std::string> grants = needed_grants(database, schema, deadline);
    const RightsDiagnosis found = diagnose(database, grants, deadline);
    if (found.missing.empty() && found.excessive.empty()) return false;
    std::string script;
    for (const std::string& revocation : found.revocations) script += revocation + ";";
    for (const std::string& grant : grants) {
        if (grant.find(" ON FUNCTION ") == std::string::npos) script += grant + ";";
    }
    const database::Call functions = call("find_function_grants", function_grants(), grants);
    for (const std::string& grant : database.execute(functions, deadline).texts()) script += grant + ";";
    database.transaction([&] { database.execute_script(script, deadline); }, deadline);
    return true;
}

}  // namespace data_import::store
