#include "http/router.h"

#include "util/joined.h"
#include "util/text.h"

namespace data_import::http {

bool is_value(std::string_view segment) {
    return segment.starts_with('{');
}

namespace {

/// Takes the part before the next slash, and the slash.
std::string_view take_segment(std::string_view& path) {
    const std::size_t slash = path.find('/');
    const std::string_view segment = path.substr(0, slash);
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    return segment;
}

bool matches(std::string_view pattern, std::string_view path) {
    const std::string_view fixed = pattern.substr(0, pattern.find('{'));
    if (!path.starts_with(fixed)) return false;
    if (fixed == pattern) return path == pattern;
    if (pattern.ends_with('/') != path.ends_with('/')) return false;
    while (!pattern.empty() && !path.empty()) {
        const std::string_view wanted = take_segment(pattern);
        const std::string_view segment = take_segment(path);
        if (is_value(wanted) ? segment.empty() : segment != wanted) return false;
    }
    return pattern.empty() && path.empty();
}

std::vector<std::string> values(std::string_view pattern, std::string_view path) {
    std::vector<std::string> decoded;
    while (!pattern.empty()) {
        const std::string_view wanted = take_segment(pattern);
        const std::string_view segment = take_segment(path);
        if (!is_value(wanted)) continue;
        std::optional<std::string> value = util::percent_decode(segment);
        if (!value)
            throw Problem{Code::bad_request, "The path is not valid: its percent-encoding is no UTF-8 text."};
        decoded.push_back(std::move(*value));
    }
    return decoded;
}

std::string allowed_methods(const std::vector<const Endpoint*>& endpoints) {
    return util::joined(endpoints, [](const Endpoint* endpoint) {
        return std::string(endpoint->method) + (endpoint->method == "GET" ? ", HEAD" : "");
    });
}

}  // namespace

Route Router::find(std::string_view method, std::string_view path) const {
    const std::vector<const Endpoint*> candidates = at_path(path);
    if (candidates.empty()) {
        if (!at_path(std::string(path) + '/').empty()) {
            throw Problem{Code::not_found, "There is nothing at this address: paths end with a slash."};
        }
        throw Problem{Code::not_found};
    }
    const std::string_view wanted = method == "HEAD" ? "GET" : method;
    for (const Endpoint* endpoint : candidates) {
        if (endpoint->method == wanted) return {endpoint, values(endpoint->path, path)};
    }
    const std::string allowed = allowed_methods(candidates);
    throw Problem{
        Code::method_not_allowed, "This address takes " + allowed + " only.", {}, {{"Allow", allowed}}};
}

std::vector<const Endpoint*> Router::at_path(std::string_view path) const {
    std::vector<const Endpoint*> found;
    for (const Endpoint& endpoint : *endpoints_) {
        if (matches(endpoint.path, path)) found.push_back(&endpoint);
    }
    return found;
}

}  // namespace data_import::http
