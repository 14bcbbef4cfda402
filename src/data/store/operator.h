// The author of a change, as the history of changes stores it.
#pragma once

#include <string>

namespace data_import::store {

struct Operator {
    std::string system_user;
    std::string host;  ///< host that the person works on
};

}  // namespace data_import::store
