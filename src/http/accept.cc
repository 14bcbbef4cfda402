#include "http/accept.h"

#include <strings.h>

#include <algorithm>
#include <charconv>

#include "util/text.h"

namespace data_import::http {

namespace {

bool same(std::string_view left, std::string_view right) {
    return left.size() == right.size() && strncasecmp(left.data(), right.data(), left.size()) == 0;
}

/// Takes the part before the next separator, and the separator. One in quotes separates nothing.
std::string_view take_part(std::string_view& text, char separator) {
    bool quoted = false;
    std::size_t end = 0;
    for (; end < text.size(); ++end) {
        if (quoted && text[end] == '\\') {
            end = std::min(end + 1, text.size() - 1);
        } else if (text[end] == '"') {
            quoted = !quoted;
        } else if (!quoted && text[end] == separator) {
            break;
        }
    }
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return util::trimmed(part);
}

/// `0`, `1`, and up to three decimals between.
std::optional<double> weight_of(std::string_view text) {
    constexpr std::size_t longest = 5;
    const bool is_number = !text.empty() && text.size() <= longest && (text[0] == '0' || text[0] == '1') &&
                           (text.size() == 1 || text[1] == '.');
    if (!is_number) return std::nullopt;
    double weight = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, weight, std::chars_format::fixed);
    if (error != std::errc() || stop != end || weight > 1) return std::nullopt;
    return weight;
}

std::optional<double> weight_in(std::string_view parameters) {
    while (!parameters.empty()) {
        const std::string_view parameter = take_part(parameters, ';');
        const std::size_t equals = parameter.find('=');
        if (equals != std::string_view::npos && same(parameter.substr(0, equals), "q"))
            return weight_of(parameter.substr(equals + 1));
    }
    return 1.0;
}

}  // namespace

std::optional<double> named_weight(std::string_view accept, std::string_view media_type) {
    std::optional<double> best;
    while (!accept.empty()) {
        std::string_view range = take_part(accept, ',');
        if (!same(take_part(range, ';'), media_type)) continue;
        if (const auto weight = weight_in(range)) best = std::max(best.value_or(0), *weight);
    }
    return best;
}

}  // namespace data_import::http
