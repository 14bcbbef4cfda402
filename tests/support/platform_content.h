// Contents of platform.record.
#pragma once

#include <string>

namespace data_import::tests {

/// The canonical text (contract, section 12.5) of a content, made of nothing but its JSON.
[[nodiscard]] std::string canonical_content(const std::string& content);

}  // namespace data_import::tests
