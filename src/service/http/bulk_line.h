// Reads the lines of a bulk request. Each line is a request to one of the endpoints that import (contract,
// section 11.1). The lines of a compressed body are unpacked one at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/util/gzip.h"
#include "base/util/line_splitter.h"
#include "data/json/value.h"
#include "data/schema/schema.h"
#include "service/http/problem.h"

namespace data_import::http {

/// One line of the body of a bulk request.
struct BodyLine {
    std::size_t number = 0;    ///< number of the line, from 1; blank lines count, too
    std::string text = {};     ///< text of the line, without its end, LF or CRLF
    bool is_too_long = false;  ///< the line is longer than Limits::line, and `text` is only its beginning
};

/// Reads the lines of a body that are not blank.
class BodyLines {
public:
    /// The limits of a line and of the whole body.
    struct Limits {
        std::size_t line;  ///< bytes of a line that are kept; a longer line is cut
        std::size_t body;  ///< bytes after which the body is too long, and no more is unpacked
    };

    /// Reads the lines of `body`, which has to outlive this object.
    BodyLines(std::string_view body, bool is_gzip, Limits limits);
    BodyLines(const BodyLines&) = delete;
    BodyLines& operator=(const BodyLines&) = delete;
    ~BodyLines() = default;

    /// Reads the next line that is not blank; nothing at the end. Throws util::GzipError.
    [[nodiscard]] std::optional<BodyLine> next();
    /// Returns how many bytes of the unpacked body have been read; above the limit if the body is too long.
    [[nodiscard]] std::size_t bytes_read() const { return bytes_read_; }

private:
    [[nodiscard]] std::string_view next_piece();

    std::unique_ptr<util::Gunzip> gunzip_;  ///< null if the body is not compressed
    std::span<const char> packed_;          ///< the part of the body that `gunzip_` has not taken yet
    std::string_view plain_;                ///< the part of an uncompressed body that is not read yet
    std::size_t body_limit_;
    std::string unpacked_;  ///< the piece of a compressed body that was unpacked last
    std::size_t bytes_read_ = 0;
    std::size_t lines_ = 0;
    util::LineSplitter splitter_;
};

/// The parts of a line, `{"path": ..., "body": ..., "id": ...}`.
struct BulkLine {
    std::optional<std::string> id = {};           ///< the client's name for the line
    std::string path = {};                        ///< path of the line's request, without the query
    std::string query = {};                       ///< query of the line's request, without the question mark
    std::string body = {};                        ///< the body as it was sent
    std::optional<json::Document> document = {};  ///< the body, if it is parsed already
    /// The fault of the line, if it has one. Faults of its body are found later, by its endpoint.
    std::optional<Problem> problem = {};
};

/// Returns whether any line of the body begins with `{` and ends with `}`. A body with such a line is not
/// compressed, and is not UTF-16 or UTF-32.
[[nodiscard]] bool has_object_line(std::string_view body);

/// Reads `{"path": ..., "body": ..., "id": ...}`. Does not check the body against its endpoint's schema.
[[nodiscard]] BulkLine read_bulk_line(const std::string& text, schema::UnknownFields unknown);

/// Returns the schema of a line, which the documentation shows, too.
[[nodiscard]] const schema::Schema& bulk_line_schema();

/// The sentence that answers a line with more than one object.
inline constexpr const char* lost_line_breaks =
    "Behind its first object the line has another one: a line of a bulk request holds one object, and ends "
    "with LF or CRLF. Were the line breaks lost? curl keeps them with --data-binary, and drops them with -d.";
/// Returns whether the line holds more than one object.
[[nodiscard]] bool has_lost_line_breaks(std::string_view line);

}  // namespace data_import::http
