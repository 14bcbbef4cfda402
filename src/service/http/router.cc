#include "service/http/router.h"

#include <algorithm>

#include "base/util/joined.h"
#include "base/util/limits.h"
#include "base/util/nearest_word.h"
#include "base/util/path_slips.h"
#include "base/util/text.h"

namespace data_import::http {

bool is_value(std::string_view segment) {
    return segment.starts_with('{');
}

namespace {

using util::take_segment;

/// The most bytes of a value in a path, as it was sent. One character of the value may be four bytes of
/// UTF-8, which are sent as 12 bytes, such as `%F0%9F%98%80`.
constexpr std::size_t longest_value = 12 * util::limits::external_account_number;

std::size_t longest_form(const Endpoint& endpoint) {
    const auto values = static_cast<std::size_t>(std::ranges::count(endpoint.path, '{'));
    return endpoint.path.size() + values * longest_value;
}

void refuse_long_path(const std::vector<Endpoint>& endpoints, std::string_view path) {
    if (path.size() <= longest_value) return;
    if (std::ranges::any_of(endpoints, [&](const Endpoint& one) { return path.size() <= longest_form(one); }))
        return;
    throw Problem{Code::not_found, "There is nothing at this path: it is longer than every address."};
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

/// Returns the detail of a 404 that names the path which was perhaps meant; empty if no endpoint has a
/// similar path.
std::string near_miss(const std::vector<Endpoint>& endpoints, std::string_view path) {
    std::vector<std::string> paths;
    for (const Endpoint& endpoint : endpoints) {
        if (endpoint.is_public && endpoint.path.starts_with('/')) paths.emplace_back(endpoint.path);
    }
    if (std::string slip = util::slip_in_path(paths, path); !slip.empty()) return slip;
    const auto meant = util::nearest_path(path, paths);
    return meant ? "There is nothing at this path. Did you mean " + *meant + "?" : std::string();
}

std::string allowed_methods(const std::vector<const Endpoint*>& endpoints) {
    return util::joined(endpoints, [](const Endpoint* endpoint) {
        return std::string(endpoint->method) + (endpoint->method == "GET" ? ", HEAD" : "");
    });
}

}  // namespace

Route find_route(const std::vector<Endpoint>& endpoints, std::string_view method, std::string_view path) {
    refuse_long_path(endpoints, path);
    std::vector<const Endpoint*> candidates;
    for (const Endpoint& endpoint : endpoints) {
        if (matches(endpoint.path, path)) candidates.push_back(&endpoint);
    }
    if (candidates.empty()) throw Problem{Code::not_found, near_miss(endpoints, path)};
    const std::string_view wanted = method == "HEAD" ? "GET" : method;
    for (const Endpoint* endpoint : candidates) {
        if (endpoint->method == wanted) return {endpoint, values(endpoint->path, path)};
    }
    const std::string allowed = allowed_methods(candidates);
    throw Problem{
        Code::method_not_allowed, "This address takes " + allowed + " only.", {}, {{"Allow", allowed}}};
}

}  // namespace data_import::http
