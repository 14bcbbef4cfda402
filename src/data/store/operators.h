// Persons who act on the page of operators, and their acts of the last day (sql/schema/35-operators.sql).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/database.h"

namespace data_import::store {

/// The roles, each with the rights of those before it.
inline constexpr std::array<std::string_view, 3> operator_roles{"viewer", "operator", "signer"};

/// The rights of a person.
struct OperatorRights {
    std::string role;                                               ///< one of operator_roles
    std::optional<std::vector<std::string>> import_suppliers = {};  ///< codes; nothing: all suppliers

    /// Returns whether the role is `needed`, or one with more rights.
    [[nodiscard]] bool has_role(std::string_view needed) const;
    [[nodiscard]] bool has_supplier(std::string_view code) const;
};

/// A person whom nginx lets in by this name.
struct NamedOperator {
    std::string name;
    OperatorRights rights;
    std::string added_at = {};  ///< RFC 3339
    std::string added_by = {};  ///< system user
};

/// Adds a person with these rights, or replaces the rights of a known person.
void add_operator(database::Database& database, const NamedOperator& person, database::Deadline deadline);
/// Removes a person. Returns false if no person has this name.
bool remove_operator(database::Database& database, const std::string& name, database::Deadline deadline);
/// Returns all operators, ordered by name.
[[nodiscard]] std::vector<NamedOperator> list_operators(database::Database& database,
                                                        database::Deadline deadline);

/// An act that a person asks for.
struct ActRequest {
    std::string operator_name;
    std::optional<std::string> key = {};  ///< a UUID; nothing if no answer is to be kept
    /// SHA-256 of the request, hexadecimal. Nothing if the caller carries out no act, and calls begin_act()
    /// only to read the person's rights.
    std::optional<std::string> content = {};
    std::size_t most_in_a_minute = 0;
};

/// The result of begin_act() for a request.
enum class ActVerdict {
    unknown,    ///< there is no such operator
    busy,       ///< another act of the person has not ended
    done,       ///< the act was done or refused before, and its answer is kept
    reused,     ///< its key belongs to another request
    throttled,  ///< the person has done ActRequest::most_in_a_minute acts within a minute
    fresh       ///< the act is to be carried out
};
struct ActBeginning {
    ActVerdict verdict{};
    OperatorRights rights = {};
    int status = 0;           ///< status of the kept answer, if the verdict is `done`
    std::string answer = {};  ///< body of the kept answer
};

/// Begins an act in its transaction. Until the transaction ends, other acts of the person and changes of the
/// person's rights wait.
[[nodiscard]] ActBeginning begin_act(database::Database& database, const ActRequest& request,
                                     database::Deadline deadline);
/// From now on, a statement of the act's transaction that waits for a lock for five seconds fails with
/// SQLSTATE 55P03. Without this limit, an act that waits for a long act keeps its worker from the acts of
/// others.
void bound_lock_waits(database::Database& database, database::Deadline deadline);
/// Keeps the answer of an act for repeats of the request.
void end_act(database::Database& database, const ActRequest& request, int status, const std::string& answer,
             database::Deadline deadline);

}  // namespace data_import::store
