// nginx's own error pages, written from the table of codes: a client does not see the difference.
#pragma once

#include <string>

namespace data_import::manual {

/// Returns the text of nginx/errors.conf.
[[nodiscard]] std::string nginx_error_pages();

}  // namespace data_import::manual
