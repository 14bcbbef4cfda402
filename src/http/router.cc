#include "http/router.h"

#include <algorithm>

#include "util/joined.h"
#include "util/limits.h"
#include "util/nearest_word.h"
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

/// A character of a value may be written as 12: four bytes of UTF-8 as `%F0%9F%98%80`.
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

/// Without the empty ones.
std::vector<std::string_view> segments_of(std::string_view path) {
    std::vector<std::string_view> segments;
    while (!path.empty()) {
        const std::string_view segment = take_segment(path);
        if (!segment.empty()) segments.push_back(segment);
    }
    return segments;
}

/// The first value of the pattern that is empty in the path, where nothing else is wrong with that.
std::string_view empty_value(std::string_view pattern, std::string_view path) {
    std::string_view found;
    while (!pattern.empty() && !path.empty()) {
        const std::string_view wanted = take_segment(pattern);
        const std::string_view segment = take_segment(path);
        if (!is_value(wanted) && segment != wanted) return {};
        if (is_value(wanted) && segment.empty() && found.empty()) found = wanted;
    }
    return pattern.empty() && path.empty() ? found : std::string_view();
}

/// The slips that keep a path from being the pattern: slashes, capitals or an empty value, and nothing else.
/// `segments` are those of the path.
std::vector<std::string> slips(std::string_view pattern, std::string_view path,
                               const std::vector<std::string_view>& segments) {
    if (const std::string_view value = empty_value(pattern, path); !value.empty())
        return {std::string(value) + " is empty in it"};
    const std::vector<std::string_view> wanted = segments_of(pattern);
    if (wanted.size() != segments.size()) return {};
    bool has_capitals = false;
    for (std::size_t place = 0; place < wanted.size(); ++place) {
        if (is_value(wanted[place]) || segments[place] == wanted[place]) continue;
        if (util::lowered(segments[place]) != wanted[place]) return {};
        has_capitals = true;
    }
    std::vector<std::string> found;
    if (path.find("//") != std::string_view::npos) found.emplace_back("it has two slashes in a row");
    if (has_capitals) found.emplace_back("it has capital letters");
    if (pattern.ends_with('/') && !path.ends_with('/')) found.emplace_back("its last slash is missing");
    if (!pattern.ends_with('/') && path.ends_with('/')) found.emplace_back("it ends with a slash");
    return found;
}

/// The detail of a 404; empty where no address is near. What the client sent is not repeated.
std::string near_miss(const std::vector<Endpoint>& endpoints, std::string_view path) {
    const std::vector<std::string_view> segments = segments_of(path);
    for (const Endpoint& endpoint : endpoints) {
        if (!endpoint.is_public || !endpoint.path.starts_with('/')) continue;
        const std::vector<std::string> found = slips(endpoint.path, path, segments);
        if (found.empty()) continue;
        return "There is nothing at this path: " + util::joined(found) + ". The address is " +
               std::string(endpoint.path);
    }
    if (path.starts_with("/v1/v1/")) return "There is nothing at this path: it begins with /v1 twice.";
    std::vector<std::string> paths;
    for (const Endpoint& endpoint : endpoints) {
        if (endpoint.is_public && endpoint.path.starts_with('/')) paths.emplace_back(endpoint.path);
    }
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
