// Who works on an installation, for the record of what was changed.
#pragma once

#include <string>

namespace data_import::store {

struct Operator {
    std::string system_user;
    std::string host;  ///< on which he works
};

}  // namespace data_import::store
