#include "http/caller_trace.h"

#include <algorithm>
#include <cstddef>

namespace data_import::http {

namespace {

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

bool is_client_request_id(std::string_view text) {
    return !text.empty() && text.size() <= max_request_id &&
           std::ranges::all_of(text, may_stand_in_request_id);
}

// Section 4.3 of W3C's Trace Context: all zeros and the version ff are invalid, what a later version adds is
// not looked at.
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
