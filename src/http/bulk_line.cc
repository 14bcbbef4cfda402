#include "http/bulk_line.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "json/reader.h"

namespace data_import::http {

namespace {

struct Span {
    std::size_t begin;
    std::size_t end;
};

bool is_white_space(char character) {
    return character == ' ' || character == '\t' || character == '\r' || character == '\n';
}

/// Finds the parts of a text that is JSON; where it is none, the places that it tells mean nothing, but lie
/// in the text.
class Finder {
public:
    explicit Finder(std::string_view text) : text_(text) {}

    /// The value of the member `name` of the outermost object.
    std::optional<Span> member(std::string_view name) {
        skip_white_space();
        if (!take('{')) return std::nullopt;
        while (place_ < text_.size()) {
            skip_white_space();
            const std::size_t key = place_;
            if (!take_string()) return std::nullopt;
            const std::string_view raw = text_.substr(key + 1, place_ - key - 2);
            skip_white_space();
            if (!take(':')) return std::nullopt;
            skip_white_space();
            const std::size_t value = place_;
            take_value();
            if (raw == name) return Span{value, place_};
            skip_white_space();
            if (!take(',')) return std::nullopt;
        }
        return std::nullopt;
    }

private:
    bool take(char wanted) {
        if (place_ >= text_.size() || text_[place_] != wanted) return false;
        ++place_;
        return true;
    }

    void skip_white_space() {
        while (place_ < text_.size() && is_white_space(text_[place_])) ++place_;
    }

    bool take_string() {
        if (!take('"')) return false;
        for (;;) {
            place_ = std::min(text_.find('"', place_), text_.size());
            if (place_ == text_.size()) return false;
            std::size_t backslashes = 0;
            while (text_[place_ - 1 - backslashes] == '\\') ++backslashes;
            ++place_;
            if (backslashes % 2 == 0) return true;
        }
    }

    void take_value() {
        std::size_t depth = 0;
        while (place_ < text_.size()) {
            switch (const char character = text_[place_]) {
                case '"':
                    take_string();
                    break;
                case '{':
                case '[':
                    ++depth;
                    ++place_;
                    break;
                case '}':
                case ']':
                    if (depth == 0) return;
                    --depth;
                    ++place_;
                    break;
                default:
                    if (depth == 0 && (character == ',' || is_white_space(character))) return;
                    ++place_;
                    continue;
            }
            if (depth == 0) return;
        }
    }

    std::string_view text_;
    std::size_t place_ = 0;
};

/// The line with an empty object for a body.
std::string envelope_of(const std::string& text, const std::optional<Span>& body) {
    if (!body) return text;
    return text.substr(0, body->begin) + "{}" + text.substr(body->end);
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
    const std::optional<Span> body = Finder(text).member("body");
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
        line.body = text.substr(body->begin, body->end - body->begin);
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
