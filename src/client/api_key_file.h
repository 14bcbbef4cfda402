// The API key file of data-import-load.
#pragma once

#include <string>

namespace data_import::client {

/// The API key that a file holds, less the white space around it. Throws std::runtime_error, also where
/// others than owner and group may read the file or others than the owner may change it. It never quotes the
/// content of the file, nor its name: the key itself may have been given in its place.
[[nodiscard]] std::string read_api_key(const std::string& file);

}  // namespace data_import::client
