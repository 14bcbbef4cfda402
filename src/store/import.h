// What all imports into an account share.
#pragma once

#include <string>
#include <string_view>

namespace data_import::store {

/// The account that a request is for, and where its rows come from.
struct ImportTarget {
    std::string_view import_supplier;
    std::string_view external_account_number;
    std::string_view request_id;  ///< 32 hexadecimal digits
    std::string_view api_key_id;
};

/// Whether the account takes the import (decisions, section 1, steps 5 to 7); nothing was stored unless
/// `done`.
enum class ImportVerdict { done, supplier_not_ongoing, account_not_found };

/// From the text that the import functions answer; throws std::logic_error for another one.
[[nodiscard]] ImportVerdict parse_import_verdict(std::string_view text);

}  // namespace data_import::store
