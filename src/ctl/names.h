// Names from the database, for the completion of bash.
#pragma once

#include "ctl/command.h"

namespace data_import::ctl {

/// Codes of import suppliers for CODE, numbers of the supplier's accounts for EXTERNAL, at most a hundred;
/// nothing for other values, and where the database does not answer within two seconds.
[[nodiscard]] std::vector<std::string> names_for(std::string_view value, const std::string& beginning,
                                                 const Invocation& before);

}  // namespace data_import::ctl
