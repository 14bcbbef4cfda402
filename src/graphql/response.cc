#include "graphql/response.h"

#include <type_traits>

#include "json/writer.h"

namespace data_import::graphql {

namespace {

void write(json::Writer& writer, const std::vector<Location>& locations) {
    if (locations.empty()) return;
    writer.key("locations").begin_array();
    for (const Location& location : locations) {
        writer.begin_object().key("line").integer(location.line).key("column").integer(location.column);
        writer.end_object();
    }
    writer.end_array();
}

void write(json::Writer& writer, const std::vector<PathSegment>& path) {
    if (path.empty()) return;
    writer.key("path").begin_array();
    for (const PathSegment& segment : path) {
        if (const auto* key = std::get_if<std::string>(&segment)) {
            writer.string(*key);
        } else {
            writer.integer(static_cast<std::int64_t>(std::get<std::size_t>(segment)));
        }
    }
    writer.end_array();
}

void write(json::Writer& writer, const Error& error) {
    writer.begin_object().key("message").string(error.message);
    write(writer, error.locations);
    write(writer, error.path);
    if (!error.code.empty())
        writer.key("extensions").begin_object().key("code").string(error.code).end_object();
    writer.end_object();
}

void write(json::Writer& writer, const std::vector<Error>& errors) {
    writer.key("errors").begin_array();
    for (const Error& error : errors) write(writer, error);
    writer.end_array();
}

}  // namespace

Response executed(const std::vector<Error>& errors, std::string_view data) {
    json::Writer writer;
    writer.begin_object();
    if (!errors.empty()) write(writer, errors);
    writer.key("data").raw(data).end_object();
    return {true, writer.take()};
}

Response refused(const std::vector<Error>& errors) {
    json::Writer writer;
    writer.begin_object();
    write(writer, errors);
    writer.end_object();
    return {false, writer.take()};
}

}  // namespace data_import::graphql
