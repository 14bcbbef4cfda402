#include "service/http/bulk_line.h"

#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>

#include "base/util/text.h"
#include "data/json/extents.h"
#include "data/json/reader.h"

namespace data_import::http {

namespace {

constexpr std::size_t piece = 64 * 1024;
constexpr const char* broken_into_lines =
    "The object does not end in this line: a line of a bulk request holds a whole request, without line "
    "breaks.";

struct Body {
    std::string_view text;  ///< the body as it stands in the line
    std::optional<json::Document> document;
};

/// Returns the body of a line as text and parsed; nothing unless the body is an object and the last member of
/// the line. `rest` is the line from the first character of the body on.
///
/// The last brace of `rest` closes the line's object, so all text before this brace is taken for the body.
/// Parsing this text costs less than a search for the end of the body.
std::optional<Body> last_object(std::string_view rest) {
    rest = util::trimmed(rest);
    if (!rest.ends_with('}')) return std::nullopt;
    rest.remove_suffix(1);
    const std::string_view text = util::trimmed(rest);
    if (!text.starts_with('{') || !text.ends_with('}')) return std::nullopt;
    try {
        return Body{text, json::read(std::string(text))};
    } catch (const std::exception&) {  // The endpoint parses the body later, and names the fault.
        return std::nullopt;
    }
}

std::optional<Body> body_of(std::string_view line) {
    json::ExtentScanner scanner(line);
    if (!scanner.take('{')) return std::nullopt;
    do {
        const auto name = scanner.string_literal();
        if (!name || !scanner.take(':')) return std::nullopt;
        const bool is_body = json::is_text(*name, "body");
        if (is_body) {
            if (auto body = last_object(scanner.rest())) return body;
        }
        const auto value = scanner.value();
        if (!value) return std::nullopt;
        if (is_body) return Body{*value, std::nullopt};
    } while (scanner.take(','));
    return std::nullopt;
}

/// Returns the line with `{}` in place of its body.
std::string envelope_of(const std::string& text, const std::optional<Body>& body) {
    if (!body) return text;
    const auto begin = static_cast<std::size_t>(body->text.data() - text.data());
    return text.substr(0, begin) + "{}" + text.substr(begin + body->text.size());
}

bool is_opening_brace(std::string_view line) {
    json::ExtentScanner scanner(line);
    return scanner.take('{') && scanner.at_end();
}

json::Document read_envelope(const std::string& text) {
    try {
        return json::read(text);
    } catch (const json::SyntaxError& error) {
        if (has_lost_line_breaks(text)) throw Problem{Code::parse_error, lost_line_breaks};
        throw Problem{Code::parse_error, is_opening_brace(text) ? broken_into_lines : error.what()};
    }
}

/// Refuses JSON with all requests in one array, which is often sent in place of NDJSON.
void refuse_array(const json::Value& line) {
    if (!line.is(json::Type::array)) return;
    throw validation_error(
        {{.attr = "",
          .code = Code::invalid,
          .detail = "A line of a bulk request must be one object: NDJSON has no array around "
                    "its lines."}});
}

std::optional<std::string> id_of(const json::Value& line) {
    if (!line.is(json::Type::object)) return std::nullopt;
    const auto id = line.find("id");
    if (!id || !id->is(json::Type::string)) return std::nullopt;
    return std::string(id->text());
}

}  // namespace

BodyLines::BodyLines(std::string_view body, bool is_gzip, Limits limits)
    : gunzip_(is_gzip ? std::make_unique<util::Gunzip>() : nullptr),
      packed_(body),
      plain_(is_gzip ? std::string_view() : body),
      body_limit_(limits.body),
      bytes_read_(plain_.size()),
      splitter_([this] { return next_piece(); }, limits.line) {}

std::optional<BodyLine> BodyLines::next() {
    util::LineSplitter::Line line;
    while (splitter_.next(line)) {
        ++lines_;
        if (line.is_blank) continue;
        if (line.text.ends_with('\r')) line.text.pop_back();
        return BodyLine{lines_, std::move(line.text), line.is_too_long};
    }
    return std::nullopt;
}

std::string_view BodyLines::next_piece() {
    if (!gunzip_) return std::exchange(plain_, {});
    if (bytes_read_ > body_limit_) return {};
    unpacked_.resize(piece);
    unpacked_.resize(gunzip_->read(packed_, unpacked_));
    if (unpacked_.size() < piece) gunzip_->require_end();
    bytes_read_ += unpacked_.size();
    return unpacked_;
}

BulkLine read_bulk_line(const std::string& text, schema::UnknownFields unknown) {
    BulkLine line;
    std::optional<Body> body = body_of(text);
    try {
        const json::Document envelope = read_envelope(envelope_of(text, body));
        refuse_array(envelope.root());
        std::vector<schema::Violation> violations =
            schema::check(bulk_line_schema(), envelope.root(), unknown);
        if (std::ranges::none_of(violations, [](const auto& violation) { return violation.attr == "id"; }))
            line.id = id_of(envelope.root());
        if (!violations.empty()) throw validation_error(std::move(violations));
        const std::string_view address = envelope.root().at("path").text();
        const std::size_t path = std::min(address.find('?'), address.size());
        line.path = address.substr(0, path);
        if (path < address.size()) line.query = address.substr(path + 1);
        if (!body) throw Problem{Code::parse_error, "The end of the member body cannot be found."};
        line.body = std::string(body->text);
        line.document = std::move(body->document);
    } catch (const Problem& problem) {
        line.problem = problem;
    }
    return line;
}

bool has_object_line(std::string_view body) {
    while (!body.empty()) {
        const std::size_t end = std::min(body.find('\n'), body.size());
        const std::string_view line = util::trimmed(body.substr(0, end));
        if (line.starts_with('{') && line.ends_with('}')) return true;
        body.remove_prefix(std::min(end + 1, body.size()));
    }
    return false;
}

bool has_lost_line_breaks(std::string_view line) {
    json::ExtentScanner scanner(line);
    const auto first = scanner.value();
    return first && first->starts_with('{') && scanner.take('{');
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
