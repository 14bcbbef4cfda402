// One line of a bulk request: a request to another address (extensions, section 3).
#pragma once

#include <optional>
#include <string>

#include "http/problem.h"
#include "schema/schema.h"

namespace data_import::http {

struct BulkLine {
    std::optional<std::string> id = {};   ///< what the client calls the line
    std::string path = {};                ///< without its query
    std::string query = {};               ///< without the question mark
    std::string body = {};                ///< the text as it was sent
    std::optional<Problem> problem = {};  ///< what is wrong with the line itself
};

/// `{"path": ..., "body": ..., "id": ...}`. The body is not looked at beyond where it ends.
[[nodiscard]] BulkLine read_bulk_line(const std::string& text, schema::UnknownFields unknown);

/// What a line is, for the documentation.
[[nodiscard]] const schema::Schema& bulk_line_schema();

}  // namespace data_import::http
