// Where rows come from that belong to no account.
#pragma once

#include <string_view>

namespace data_import::store {

/// The request that brings them.
struct Provenance {
    std::string_view request_id;  ///< 32 hexadecimal digits
    std::string_view api_key_id;
};

}  // namespace data_import::store
