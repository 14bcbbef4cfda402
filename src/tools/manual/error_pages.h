// Writes nginx's error pages from the table of codes, so that clients get the same answers from nginx and
// from the service.
#pragma once

#include <string>

namespace data_import::manual {

/// Returns the text of nginx/errors.conf.
[[nodiscard]] std::string nginx_error_pages();

}  // namespace data_import::manual
