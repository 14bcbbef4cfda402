#include "base/util/query_text.h"

#include <algorithm>
#include <utility>

#include "base/util/text.h"

namespace data_import::util {

namespace {

std::string_view take_until(std::string_view& rest, char separator) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view taken = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return taken;
}

std::optional<std::string> decode(std::string_view encoded) {
    std::string text(encoded);
    std::ranges::replace(text, '+', ' ');
    return percent_decode(text);
}

}  // namespace

std::optional<std::vector<NamedValue>> decode_query(std::string_view query, std::size_t most) {
    std::vector<NamedValue> parameters;
    while (!query.empty() && parameters.size() < most) {
        std::string_view value = take_until(query, '&');
        if (value.empty()) continue;
        auto name = decode(take_until(value, '='));
        auto text = decode(value);
        if (!name || !text) return std::nullopt;
        parameters.push_back({.name = *std::move(name), .value = *std::move(text)});
    }
    return parameters;
}

std::string_view query_of(std::string_view path) {
    const std::size_t mark = path.find('?');
    return mark == std::string_view::npos ? std::string_view() : path.substr(mark + 1);
}

}  // namespace data_import::util
