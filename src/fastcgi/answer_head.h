// The head of an answer, as nginx reads it.
#pragma once

#include <string>
#include <string_view>

#include "http/request.h"

namespace data_import::fastcgi {

/// Adds one field. Throws std::logic_error where name or value holds a line break or a zero byte.
void append_header(std::string& head, std::string_view name, std::string_view value);

/// Status and fields, without the empty line behind them. Throws as append_header does.
[[nodiscard]] std::string format_head(int status, std::string_view content_type,
                                      const http::Headers& headers);

}  // namespace data_import::fastcgi
