#include "http/bulk_line.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "json/extents.h"
#include "json/reader.h"

namespace data_import::http {

namespace {

/// As it stands in the line.
std::optional<std::string_view> body_of(std::string_view line) {
    json::ExtentScanner scanner(line);
    if (!scanner.take('{')) return std::nullopt;
    do {
        const auto name = scanner.string_literal();
        if (!name || !scanner.take(':')) return std::nullopt;
        const auto value = scanner.value();
        if (!value || *name == "\"body\"") return value;
    } while (scanner.take(','));
    return std::nullopt;
}

/// The line with an empty object for a body.
std::string envelope_of(const std::string& text, const std::optional<std::string_view>& body) {
    if (!body) return text;
    const auto begin = static_cast<std::size_t>(body->data() - text.data());
    return text.substr(0, begin) + "{}" + text.substr(begin + body->size());
}

json::Document read_envelope(const std::string& text) {
    try {
        return json::read(text);
    } catch (const json::SyntaxError& error) {
        throw Problem{Code::parse_error, error.what()};
    }
}

std::optional<std::string> id_of(const json::Value& line) {
    if (!line.is(json::Type::object)) return std::nullopt;
    const auto id = line.find("id");
    if (!id || !id->is(json::Type::string)) return std::nullopt;
    return std::string(id->text());
}

}  // namespace

BulkLine read_bulk_line(const std::string& text, schema::UnknownFields unknown) {
    BulkLine line;
    const std::optional<std::string_view> body = body_of(text);
    try {
        const json::Document envelope = read_envelope(envelope_of(text, body));
        std::vector<schema::Violation> violations =
            schema::check(bulk_line_schema(), envelope.root(), unknown);
        if (std::ranges::none_of(violations, [](const auto& violation) { return violation.attr == "id"; }))
            line.id = id_of(envelope.root());
        if (!violations.empty()) throw validation_error(std::move(violations));
        const std::string_view address = envelope.root().at("path").text();
        const std::size_t path = std::min(address.find('?'), address.size());
        line.path = address.substr(0, path);
        if (path < address.size()) line.query = address.substr(path + 1);
        if (!body)
            throw Problem{Code::parse_error,
                          "The name of the member body has to be written without escapes."};
        line.body = std::string(*body);
    } catch (const Problem& problem) {
        line.problem = problem;
    }
    return line;
}

const schema::Schema& bulk_line_schema() {
    static const schema::Schema line =
        schema::object()
            .need("path", schema::text(1, 1024), "Address of the request, with its query.")
            .need("body", schema::anything(), "Body of the request, as it would be sent alone.")
            .may("id", schema::text(1, 128), "A name of your choice, which the result repeats.");
    return line;
}

}  // namespace data_import::http
