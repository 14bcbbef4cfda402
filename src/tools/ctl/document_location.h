// The location of a document (contract, section 1.5).
#pragma once

#include <string>
#include <string_view>

namespace data_import::ctl {

/// Returns the bucket and the location inside it, with one slash between them; without a bucket, the location
/// alone.
[[nodiscard]] std::string full_location(std::string_view bucket, std::string_view location);

}  // namespace data_import::ctl
