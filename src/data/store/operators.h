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
    std::optional<std::vector<std::string>> import_suppliers = {};  ///< codes; nothing: all

    /// Returns whether the role is this one, or one with more rights.
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

/// Gives a person these rights in place of the present ones.
void add_operator(database::Database& database, const NamedOperator& person, database::Deadline deadline);
/// Returns false if there is none of that name.
bool remove_operator(database::Database& database, const std::string& name, database::Deadline deadline);
/// Lists persons by name.
[[nodiscard]] std::vector<NamedOperator> list_operators(database::Database& database,
                                                        database::Deadline deadline);

/// An act that a person asks for.
struct ActRequest {
    std::string operator_name;
    std::optional<std::string> key = {};      ///< a UUID; nothing if nothing is to be kept
    std::optional<std::string> content = {};  ///< SHA-256 of the request; nothing if only rights are asked
    std::size_t most_in_a_minute = 0;
};

/// The place of a request among the person's acts.
enum class ActVerdict {
    unknown,    ///< there is no such operator
    busy,       ///< another act of the person has not ended
    done,       ///< it was done before, and answered so
    reused,     ///< its key belongs to another request
    throttled,  ///< the person has done so many within a minute
    fresh       ///< it is to be carried out
};
struct ActBeginning {
    ActVerdict verdict{};
    OperatorRights rights = {};
    int status = 0;           ///< of the answer, if it was done before
    std::string answer = {};  ///< ... and its body
};

/// Begins an act in its transaction. Other acts of the person, and changes of the rights, wait for the
/// end.
[[nodiscard]] ActBeginning begin_act(database::Database& database, const ActRequest& request,
                                     database::Deadline deadline);
/// Keeps the answer for repeats.
void end_act(database::Database& database, const ActRequest& request, int status, const std::string& answer,
             database::Deadline deadline);

}  // namespace data_import::store
