#include "client/import_request.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "json/extents.h"
#include "json/reader.h"
#include "payload/imports.h"
#include "util/text.h"

namespace data_import::client {

namespace {

constexpr std::size_t max_path_bytes = 8192;
constexpr std::size_t max_path_in_bulk = 1024;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::string percent_decoded(std::string_view text) {
    return util::percent_decode(text).value_or(std::string(text));
}

/// Whether the query has this parameter, and with a value for which `holds`.
bool has_parameter(std::string_view path, std::string_view name, bool (*holds)(const std::string& value)) {
    std::size_t at = path.find('?');
    while (at != std::string_view::npos) {
        const std::size_t end = std::min(path.find('&', at + 1), path.size());
        const std::string_view parameter = path.substr(at + 1, end - at - 1);
        const std::size_t equals = std::min(parameter.find('='), parameter.size());
        const std::string_view value = parameter.substr(std::min(equals + 1, parameter.size()));
        if (percent_decoded(parameter.substr(0, equals)) == name && holds(percent_decoded(value)))
            return true;
        at = end == path.size() ? std::string_view::npos : end;
    }
    return false;
}

bool is_any(const std::string&) {
    return true;
}

/// What the service does not take as true is safer not carried out twice. Case does not matter to it.
bool is_not_true(const std::string& value) {
    return value != "1" && util::lowered(value) != "true";
}

std::string decoded(std::string_view literal, const char* what) {
    try {
        return std::string(json::read(std::string(literal)).root().text());
    } catch (const json::SyntaxError& error) {
        throw MalformedLine(std::string(what) + ": " + error.what());
    }
}

void check_path(const std::string& path) {
    const bool visible = std::all_of(path.begin(), path.end(), [](char c) { return c > ' ' && c < '\x7f'; });
    if (!path.starts_with('/')) throw MalformedLine("\"path\" does not begin with a slash");
    if (!visible || path.find('#') != std::string::npos) {
        throw MalformedLine("\"path\" holds characters that have to be percent-encoded");
    }
    if (path.size() > max_path_bytes) throw MalformedLine("\"path\" is too long");
    if (has_parameter(path, "dry_run", is_any))
        throw MalformedLine("\"path\" has dry_run, which belongs on the command line as --dry-run");
}

/// What the line has said so far.
struct Members {
    std::optional<std::string> path;
    std::optional<std::string_view> body;

    void add(const std::string& key, std::string_view value) {
        if (key != "path" && key != "body") throw MalformedLine("unknown member \"" + key + "\"");
        if (key == "path" ? path.has_value() : body.has_value()) {
            throw MalformedLine("member \"" + key + "\" stands there twice");
        }
        if (key == "path") {
            if (value.front() != '"') throw MalformedLine("\"path\" is not a string");
            path = decoded(value, "\"path\"");
        } else {
            if (value.front() != '{') throw MalformedLine("\"body\" is not an object");
            body = value;
        }
    }
};

Members read_members(json::ExtentScanner& scanner) {
    Members members;
    if (scanner.take('}')) return members;
    do {
        const auto key = scanner.string_literal();
        if (!key || !scanner.take(':')) throw MalformedLine("not JSON: a member's name is expected");
        const auto value = scanner.value();
        if (!value) throw MalformedLine("not JSON: a value is missing or does not end");
        members.add(decoded(*key, "a member's name"), *value);
    } while (scanner.take(','));
    if (!scanner.take('}')) throw MalformedLine("not JSON: the object does not end");
    return members;
}

}  // namespace

bool ImportRequest::is_idempotent() const {
    return !has_parameter(path, "check_previously_added", is_not_true);
}

bool ImportRequest::fits_bulk() const {
    const payload::Import* const import = payload::find_import(address());
    return import != nullptr && import->in_bulk && path.size() <= max_path_in_bulk && is_idempotent();
}

bool is_closed_json(std::string_view text) {
    json::ExtentScanner scanner(text);
    return (text.starts_with('{') || text.starts_with('[')) && scanner.value().has_value() &&
           scanner.at_end();
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
        if (*key == "\"import_supplier\"") supplier = *value;
        if (*key == "\"external_account_number\"") number = *value;
    } while (scanner.take(',') && (supplier.empty() || number.empty()));
    return number.empty() ? std::string() : supplier + number;
}

ImportRequest parse_line(std::string_view line) {
    if (line.starts_with(byte_order_mark)) throw MalformedLine("begins with a byte order mark");
    json::ExtentScanner scanner(line);
    if (!scanner.take('{')) throw MalformedLine("not a JSON object");
    Members members = read_members(scanner);
    if (!scanner.at_end()) throw MalformedLine("something follows the object");
    if (!members.path) throw MalformedLine("member \"path\" is missing");
    if (!members.body) throw MalformedLine("member \"body\" is missing");
    check_path(*members.path);
    return {std::move(*members.path), *members.body};
}

}  // namespace data_import::client
