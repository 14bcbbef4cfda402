// One line of a bulk request: a request to another address (contract, section 11.1).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "http/problem.h"
#include "json/value.h"
#include "schema/schema.h"

namespace data_import::http {

struct BulkLine {
    std::optional<std::string> id = {};           ///< what the client calls the line
    std::string path = {};                        ///< without its query
    std::string query = {};                       ///< without the question mark
    std::string body = {};                        ///< the text as it was sent
    std::optional<json::Document> document = {};  ///< the body, where it had to be read to find its end
    std::optional<Problem> problem = {};          ///< what is wrong with the line itself
};

/// `{"path": ..., "body": ..., "id": ...}`. What is wrong with the body is not said here.
[[nodiscard]] BulkLine read_bulk_line(const std::string& text, schema::UnknownFields unknown);

/// The schema of a line, for the documentation.
[[nodiscard]] const schema::Schema& bulk_line_schema();

/// Said of a line with more than one object.
inline constexpr const char* lost_line_breaks =
    "Behind its first object the line has another one: a line of a bulk request holds one object, and ends "
    "with LF or CRLF. Were the line breaks lost? curl keeps them with --data-binary, and drops them with -d.";
/// Whether the line holds more than one object.
[[nodiscard]] bool has_lost_line_breaks(std::string_view line);

}  // namespace data_import::http
