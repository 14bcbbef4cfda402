// The rights of persons who act in the browser, and the refusals of those who lack them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/api/act.h"

namespace data_import::api {

/// Returns the name by which nginx has let the person in; empty if nginx passes no name on.
[[nodiscard]] const std::string& name_of_person(const http::Context& context);

/// Begins an act in its transaction, as store::begin_act() does. Returns the verdict `unknown` for a name
/// that no person can have.
[[nodiscard]] store::ActBeginning begin(database::Database& database, const store::ActRequest& request,
                                        database::Deadline deadline);

/// Returns a sentence with the command by which an administrator gives the person the role `role` on these
/// suppliers. `import_suppliers` is nothing for a person who may act on all suppliers. The command has to
/// name all rights of the person, because it replaces those that the person has.
[[nodiscard]] std::string ask_for(const std::string& name, std::string_view role,
                                  const std::optional<std::vector<std::string>>& import_suppliers);

/// Refuses with 403.
[[noreturn]] void forbid(std::string detail);
/// Refuses a person who is not in the list of operators.
[[noreturn]] void forbid_unknown(const std::string& name);

}  // namespace data_import::api
