#include "tools/client/import_request.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>

#include "base/util/query_text.h"
#include "base/util/text.h"
#include "data/json/extents.h"
#include "data/json/reader.h"
#include "data/payload/imports.h"

namespace data_import::client {

namespace {

constexpr std::size_t max_path_bytes = 8192;
constexpr std::size_t max_path_in_bulk = 1024;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Returns whether the query has the parameter `name`, with a value for which `holds` returns true. A query
/// that cannot be decoded has no parameters.
bool has_parameter(std::string_view path, std::string_view name, bool (*holds)(const std::string& value)) {
    const auto parameters = util::decode_query(util::query_of(path));
    return parameters && std::ranges::any_of(*parameters, [&](const util::NamedValue& parameter) {
               return parameter.name == name && holds(parameter.value);
           });
}

bool is_any(const std::string&) {
    return true;
}

/// Returns whether the service reads the value as something other than true. A request whose
/// check_previously_added has such a value must not be carried out twice.
bool is_not_true(const std::string& value) {
    return value != "1" && util::lowered(value) != "true";
}

/// Returns the text of a JSON string, which is a part of the line. `what` names it in errors.
std::string decoded(std::string_view literal, std::string_view line, const char* what) {
    try {
        return std::string(json::read(std::string(literal)).root().text());
    } catch (const json::SyntaxError& error) {
        const auto place = static_cast<std::size_t>(literal.data() - line.data());
        throw MalformedLine(std::string(what) + ": " + told_of_line(error, place));
    }
}

/// Returns a JSON string without its escapes, so that an account has one name however it is escaped. Any
/// other value is returned as it is.
std::string named(std::string_view value) {
    return json::text_of(value).value_or(std::string(value));
}

void check_path(const std::string& path) {
    const bool visible = std::all_of(path.begin(), path.end(), [](char c) { return c > ' ' && c < '\x7f'; });
    if (!path.starts_with('/')) throw MalformedLine("\"path\" does not begin with a slash");
    if (!visible || path.find('#') != std::string::npos) {
        throw MalformedLine("\"path\" holds characters that must be percent-encoded");
    }
    if (path.size() > max_path_bytes) throw MalformedLine("\"path\" is too long");
    if (!util::decode_query(util::query_of(path)))
        throw MalformedLine("the query of \"path\" is wrong: its percent-encoding is no UTF-8 text");
    if (has_parameter(path, "dry_run", is_any))
        throw MalformedLine("\"path\" has dry_run: use --dry-run on the command line instead");
}

/// The members of a line's JSON object that have been read so far.
struct Members {
    std::string_view line;
    std::optional<std::string> path = {};
    std::optional<std::string_view> body = {};

    void add(const std::string& key, std::string_view value) {
        if (std::ranges::find(rejection_names, key) != std::end(rejection_names)) return;
        if (key == "import_supplier" || key == "external_account_number")
            throw MalformedLine("a line is {\"path\": ..., \"body\": {...}}; this looks like the body alone");
        if (key == "id")
            throw MalformedLine(
                "unknown member \"id\": remove it, because the client numbers the lines itself");
        if (key != "path" && key != "body") throw MalformedLine("unknown member \"" + key + "\"");
        if (key == "path" ? path.has_value() : body.has_value()) {
            throw MalformedLine("member \"" + key + "\" is there twice");
        }
        if (key == "path") {
            if (value.front() != '"') throw MalformedLine("\"path\" is not a string");
            path = decoded(value, line, "\"path\"");
        } else {
            if (value.front() != '{') throw MalformedLine("\"body\" is not an object");
            body = value;
        }
    }
};

Members read_members(std::string_view line, json::ExtentScanner& scanner) {
    Members members{line};
    if (scanner.take('}')) return members;
    do {
        const auto key = scanner.string_literal();
        if (!key || !scanner.take(':')) throw MalformedLine("not JSON: a member's name is expected");
        const auto value = scanner.value();
        if (!value) throw MalformedLine("not JSON: a value is missing or does not end");
        members.add(decoded(*key, line, "a member's name"), *value);
    } while (scanner.take(','));
    if (!scanner.take('}')) throw MalformedLine("not JSON: the object does not end");
    return members;
}

std::size_t items_in(std::string_view array) {
    json::ExtentScanner scanner(array);
    std::size_t count = 0;
    if (!scanner.take('[')) return count;
    while (scanner.value()) {
        ++count;
        if (!scanner.take(',')) break;
    }
    return count;
}

}  // namespace

bool ImportRequest::is_idempotent() const {
    return !has_parameter(path, "check_previously_added", is_not_true);
}

bool ImportRequest::fits_bulk() const {
    const payload::DeclaredImport* const import = payload::find_import(address());
    return import != nullptr && import->in_bulk && path.size() <= max_path_in_bulk && is_idempotent();
}

std::string told_of_line(const json::SyntaxError& error, std::size_t part) {
    if (!error.offset()) return error.what();
    return error.reason() + " at byte " + std::to_string(part + *error.offset() + 1) + " of the line.";
}

bool is_closed_json(std::string_view text) {
    json::ExtentScanner scanner(text);
    return (text.starts_with('{') || text.starts_with('[')) && scanner.value().has_value() &&
           scanner.at_end();
}

std::size_t count_items(std::string_view body, std::string_view name) {
    json::ExtentScanner scanner(body);
    if (!scanner.take('{')) return 0;
    do {
        const auto key = scanner.string_literal();
        if (!key || !scanner.take(':')) break;
        const auto value = scanner.value();
        if (!value) break;
        if (json::is_text(*key, name)) return items_in(*value);
    } while (scanner.take(','));
    return 0;
}

std::string account_of(std::string_view body) {
    json::ExtentScanner scanner(body);
    std::string supplier;
    std::string number;
    if (!scanner.take('{')) return {};
    do {
        const auto key = scanner.string_literal();
        if (!key || !scanner.take(':')) break;
        const auto value = scanner.value();
        if (!value) break;
        if (json::is_text(*key, "import_supplier")) supplier = named(*value);
        if (json::is_text(*key, "external_account_number")) number = named(*value);
    } while (scanner.take(',') && (supplier.empty() || number.empty()));
    return number.empty() ? std::string() : supplier + '\x1f' + number;
}

ImportRequest parse_line(std::string_view line) {
    if (line.starts_with(byte_order_mark)) throw MalformedLine("begins with a byte order mark");
    json::ExtentScanner scanner(line);
    if (scanner.take('['))
        throw MalformedLine(
            "not a JSON object but an array: a line holds one request; jq -c '.[]' makes lines of it");
    if (!scanner.take('{')) throw MalformedLine("not a JSON object");
    if (scanner.at_end())
        throw MalformedLine(
            "the object does not end in this line: a line holds one request; jq -c brings each into one "
            "line");
    Members members = read_members(line, scanner);
    if (scanner.take('{'))
        throw MalformedLine(
            "another object follows the first, but a line holds only one: were the line breaks lost?");
    if (!scanner.at_end()) throw MalformedLine("something follows the object");
    if (!members.path) throw MalformedLine("member \"path\" is missing");
    if (!members.body) throw MalformedLine("member \"body\" is missing");
    check_path(*members.path);
    return {std::move(*members.path), *members.body};
}

}  // namespace data_import::client
