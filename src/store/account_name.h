// How operators name an account.
#pragma once

#include <string>

namespace data_import::store {

struct AccountName {
    std::string import_supplier;
    std::string external_account_number;
};

}  // namespace data_import::store
