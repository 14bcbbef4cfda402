#include "base/util/path_slips.h"

#include <cstddef>

#include "base/util/joined.h"
#include "base/util/text.h"

namespace data_import::util {

namespace {

bool is_value(std::string_view segment) {
    return segment.starts_with('{');
}

/// Returns the segments of a path that are not empty.
std::vector<std::string_view> segments_of(std::string_view path) {
    std::vector<std::string_view> segments;
    while (!path.empty()) {
        const std::string_view segment = take_segment(path);
        if (!segment.empty()) segments.push_back(segment);
    }
    return segments;
}

/// Returns the first segment of `pattern` in braces, such as `{code}`, in whose place the path has an empty
/// segment. A segment in braces fits every segment of the path. Returns an empty text if there is no such
/// segment, or if the path differs from the pattern in another way.
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

/// Returns the mistakes that keep a path from matching the pattern: wrong slashes, capitals or an empty
/// value. Empty if anything else differs. `segments` are the segments of the path that are not empty.
std::vector<std::string> slips(std::string_view pattern, std::string_view path,
                               const std::vector<std::string_view>& segments) {
    if (const std::string_view value = empty_value(pattern, path); !value.empty())
        return {std::string(value) + " is empty in it"};
    const std::vector<std::string_view> wanted = segments_of(pattern);
    if (wanted.size() != segments.size()) return {};
    bool has_capitals = false;
    for (std::size_t place = 0; place < wanted.size(); ++place) {
        if (is_value(wanted[place]) || segments[place] == wanted[place]) continue;
        if (lowered(segments[place]) != wanted[place]) return {};
        has_capitals = true;
    }
    std::vector<std::string> found;
    if (path.find("//") != std::string_view::npos) found.emplace_back("it has two slashes in a row");
    if (has_capitals) found.emplace_back("it has capital letters");
    if (pattern.ends_with('/') && !path.ends_with('/')) found.emplace_back("its last slash is missing");
    if (!pattern.ends_with('/') && path.ends_with('/')) found.emplace_back("it ends with a slash");
    return found;
}

}  // namespace

std::string_view take_segment(std::string_view& path) {
    const std::size_t slash = path.find('/');
    const std::string_view segment = path.substr(0, slash);
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    return segment;
}

std::string slip_in_path(const std::vector<std::string>& addresses, std::string_view path) {
    const std::vector<std::string_view> segments = segments_of(path);
    for (const std::string& address : addresses) {
        const std::vector<std::string> found = slips(address, path, segments);
        if (!found.empty())
            return "There is nothing at this path: " + joined(found) + ". The address is " + address;
    }
    if (path.starts_with("/v1/v1/")) return "There is nothing at this path: it begins with /v1 twice.";
    return {};
}

}  // namespace data_import::util
