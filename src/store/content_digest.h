// The digest that tells whether two imports have the same content.
#pragma once

#include <string>
#include <string_view>

namespace data_import::store {

/// The first 16 bytes of the SHA-256 of a text that repeats have in common (schema/content.h), as 32
/// hexadecimal digits: PostgreSQL reads them as a uuid.
[[nodiscard]] std::string content_digest(std::string_view content);

}  // namespace data_import::store
