#include "tools/ctl/document_location.h"

namespace data_import::ctl {

std::string full_location(std::string_view bucket, std::string_view location) {
    while (bucket.ends_with('/')) bucket.remove_suffix(1);
    while (location.starts_with('/')) location.remove_prefix(1);
    if (bucket.empty()) return std::string(location);
    return std::string(bucket) + '/' + std::string(location);
}

}  // namespace data_import::ctl
