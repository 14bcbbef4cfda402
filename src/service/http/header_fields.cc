#include "service/http/header_fields.h"

#include <strings.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string>

#include "base/util/text.h"

namespace data_import::http {

namespace {

bool same(std::string_view left, std::string_view right) {
    return left.size() == right.size() && strncasecmp(left.data(), right.data(), left.size()) == 0;
}

/// Returns the part of `text` before the next separator. Removes the part and the separator from `text`. A
/// separator in quotation marks does not count.
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

/// Reads a number from 0 to 1 with at most three decimals. Returns nothing for any other text.
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

constexpr std::size_t max_request_id = 128;
constexpr std::size_t traceparent_length = 55;

bool is_hexadecimal(std::string_view text) {
    return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_zero(std::string_view text) {
    return text.find_first_not_of('0') == std::string_view::npos;
}

bool may_stand_in_request_id(char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') ||
           std::string_view("-_.:/+=@").find(character) != std::string_view::npos;
}

}  // namespace

bool has_media_type(std::string_view content_type, std::string_view type) {
    return util::lowered(util::trimmed(content_type.substr(0, content_type.find(';')))) == type;
}

bool is_gzip(std::string_view content_encoding) {
    const std::string text = util::lowered(util::trimmed(content_encoding));
    return text == "gzip" || text == "x-gzip";
}

bool is_as_it_is(std::string_view content_encoding) {
    const std::string text = util::lowered(util::trimmed(content_encoding));
    return text.empty() || text == "identity";
}

std::optional<double> named_weight(std::string_view accept, std::string_view media_type) {
    std::optional<double> best;
    while (!accept.empty()) {
        std::string_view range = take_part(accept, ',');
        if (!same(take_part(range, ';'), media_type)) continue;
        if (const auto weight = weight_in(range)) best = std::max(best.value_or(0), *weight);
    }
    return best;
}

bool takes_gzip(std::string_view accept_encoding) {
    for (const char* name : {"gzip", "x-gzip", "*"}) {
        if (const auto weight = named_weight(accept_encoding, name)) return *weight > 0;
    }
    return false;
}

bool names_etag(std::string_view if_none_match, std::string_view etag) {
    if (util::trimmed(if_none_match) == "*") return true;
    std::size_t begin = if_none_match.find('"');
    while (begin != std::string_view::npos) {
        const std::size_t end = if_none_match.find('"', begin + 1);
        if (end == std::string_view::npos) return false;
        if (if_none_match.substr(begin, end + 1 - begin) == etag) return true;
        begin = if_none_match.find('"', end + 1);
    }
    return false;
}

bool is_client_request_id(std::string_view text) {
    return !text.empty() && text.size() <= max_request_id &&
           std::ranges::all_of(text, may_stand_in_request_id);
}

// All zeros and the version ff are invalid, and additions of later versions are ignored (W3C Trace Context,
// section 4.3).
std::string_view traceparent_in(std::string_view text) {
    if (text.size() < traceparent_length) return {};
    const std::string_view version = text.substr(0, 2);
    const std::string_view trace = text.substr(3, 32);
    const std::string_view parent = text.substr(36, 16);
    const std::string_view flags = text.substr(53, 2);
    if (text[2] != '-' || text[35] != '-' || text[52] != '-') return {};
    for (const std::string_view part : {version, trace, parent, flags})
        if (!is_hexadecimal(part)) return {};
    if (version == "ff" || is_zero(trace) || is_zero(parent)) return {};
    const std::string_view more = text.substr(traceparent_length);
    const bool may_follow = more.empty() || (version != "00" && more.front() == '-');
    return may_follow ? text.substr(0, traceparent_length) : std::string_view();
}

}  // namespace data_import::http
