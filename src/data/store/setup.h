// The objects that an administrator makes once on a PostgreSQL server: roles, database, schema.
#pragma once

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/database.h"

namespace data_import::store {

inline constexpr std::string_view owner_role = "data-import-owner";  ///< owns everything, and cannot log in
inline constexpr std::string_view service_role = "data-import";      ///< the service's role
/// The role with the rights of the platform's own software. The roles with which that software logs in are
/// its members; it cannot log in itself.
inline constexpr std::string_view platform_role = "data-import-platform";
/// A role that may only read the views of schema platform. It cannot log in.
inline constexpr std::string_view reader_role = "data-import-reader";
/// The role of the workers that carry out acts of the page of operators. It can log in.
inline constexpr std::string_view operator_role = "data-import-operator";

/// The schemas whose rights the migrations grant.
inline constexpr std::array<std::string_view, 2> own_schemas{"data_import", "platform"};

/// The set-up cannot go on. `what()` is a sentence that says what to do.
class SetupError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Returns the database that the connection parameters name. Throws SetupError if they name none.
[[nodiscard]] std::string database_name(const std::string& conninfo);
/// Returns these connection parameters with another database.
[[nodiscard]] std::string with_database(const std::string& conninfo, const std::string& name);

/// Returns a name as SQL takes it: `"data-import"`.
[[nodiscard]] std::string quote_identifier(std::string_view name);

/// The result of one part of the set-up.
struct SetupResult {
    std::string subject;  ///< the object that was set up, such as `role data-import`
    bool is_new = false;  ///< true: made now; false: existed before
};

/// Makes the roles and the database that are missing. `server` is a session of an administrator in any
/// database of the server. Throws SetupError if the database exists and cannot be used.
[[nodiscard]] std::vector<SetupResult> set_up_server(database::Database& server, const std::string& name,
                                                     database::Deadline deadline);

/// Makes the role `role`, which older installations lack, and lets it connect to the database `name`.
/// `administrator` is a session of an administrator. Throws SetupError if this session lacks the rights for
/// that. The text of the error has the SQL commands, so that another administrator can run them.
void make_later_role(database::Database& administrator, const std::string& name, std::string_view role,
                     database::Deadline deadline);

/// Makes the objects that are missing inside the database. `database` is a session of an administrator there.
[[nodiscard]] std::vector<SetupResult> set_up_schema(database::Database& database,
                                                     database::Deadline deadline);

/// The state of a server's set-up: its roles, the schema, and whether the service may connect.
struct ServerState {
    std::string version;  ///< version of PostgreSQL
    std::string connected_as;
    bool has_owner_role = false;
    bool has_service_role = false;
    bool has_platform_role = false;
    bool has_reader_role = false;
    bool has_operator_role = false;
    bool has_schema = false;           ///< the database has the schema data_import
    bool service_may_connect = false;  ///< the service's role may log in, connect, and use the schema

    [[nodiscard]] bool has_roles() const {
        return has_owner_role && has_service_role && has_platform_role && has_reader_role &&
               has_operator_role;
    }
};
[[nodiscard]] ServerState inspect_server(database::Database& database, database::Deadline deadline);

}  // namespace data_import::store
