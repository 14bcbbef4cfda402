#include "service/fastcgi/heads.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <utility>

#include "base/util/crypto.h"
#include "base/util/whole_number.h"

namespace data_import::fastcgi {

namespace {

constexpr std::size_t usual_number = 32;

bool is_request_id(std::string_view text) {
    return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string request_id(const Parameters& parameters) {
    const std::string given = parameters.text("DATA_IMPORT_REQUEST_ID");
    return is_request_id(given) ? given : util::to_hex(util::random_bytes(16));
}

void refuse_line_breaks(std::string_view text) {
    using namespace std::string_view_literals;
    if (text.find_first_of("\r\n\0"sv) == std::string_view::npos) return;
    throw std::logic_error("a header field of an answer holds a line break");
}

/// Returns the reason phrase of a status; `Other` for a status that is not in the list. It is never empty,
/// because nginx passes the status line on unchanged, and HTTP/1.1 requires a blank after the number.
std::string_view reason_phrase(int status) {
    static const std::map<int, std::string_view> phrases{
        {200, "OK"},
        {201, "Created"},
        {204, "No Content"},
        {207, "Multi-Status"},
        {304, "Not Modified"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {406, "Not Acceptable"},
        {408, "Request Timeout"},
        {409, "Conflict"},
        {413, "Content Too Large"},
        {414, "URI Too Long"},
        {415, "Unsupported Media Type"},
        {422, "Unprocessable Content"},
        {429, "Too Many Requests"},
        {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"},
        {502, "Bad Gateway"},
        {503, "Service Unavailable"},
        {504, "Gateway Timeout"},
    };
    const auto found = phrases.find(status);
    return found == phrases.end() ? "Other" : found->second;
}

}  // namespace

Parameters::Parameters(char** environment) {
    entries_.reserve(usual_number);
    for (; *environment != nullptr; ++environment) {
        const std::string_view entry(*environment);
        const std::size_t equals = entry.find('=');
        if (equals != std::string_view::npos)
            entries_.push_back({entry.substr(0, equals), entry.substr(equals + 1)});
    }
}

std::string Parameters::text(std::string_view name) const {
    const auto found = std::ranges::find(entries_, name, &Entry::name);
    return found == entries_.end() ? std::string() : std::string(found->value);
}

std::optional<std::string> Parameters::single(std::string_view name) const {
    const auto first = std::ranges::find(entries_, name, &Entry::name);
    if (first == entries_.end()) return std::nullopt;
    const auto second = std::ranges::find(first + 1, entries_.end(), name, &Entry::name);
    return second == entries_.end() ? std::string(first->value) : std::string();
}

std::string Parameters::joined(std::string_view name) const {
    std::string list;
    bool is_first = true;
    for (const Entry& entry : entries_) {
        if (entry.name != name) continue;
        if (!std::exchange(is_first, false)) list += ", ";
        list += entry.value;
    }
    return list;
}

http::Request read_head(const Parameters& parameters) {
    http::Request request;
    const std::string target = parameters.text("REQUEST_URI");
    const std::size_t mark = target.find('?');
    request.method = parameters.text("REQUEST_METHOD");
    request.path = target.substr(0, mark);
    request.query = mark == std::string::npos ? std::string() : target.substr(mark + 1);
    request.content_type = parameters.text("CONTENT_TYPE");
    request.content_encoding = parameters.joined("HTTP_CONTENT_ENCODING");
    request.authorization = parameters.single("HTTP_AUTHORIZATION");
    request.idempotency_key = parameters.single("HTTP_IDEMPOTENCY_KEY");
    request.accept = parameters.joined("HTTP_ACCEPT");
    request.request_id = request_id(parameters);
    request.remote_address = parameters.text("REMOTE_ADDR");
    request.client_request_id = parameters.single("HTTP_X_REQUEST_ID").value_or("");
    request.traceparent = parameters.single("HTTP_TRACEPARENT").value_or("");
    request.accept_encoding = parameters.joined("HTTP_ACCEPT_ENCODING");
    request.if_none_match = parameters.joined("HTTP_IF_NONE_MATCH");
    request.is_unsized = !parameters.text("HTTP_TRANSFER_ENCODING").empty();
    request.is_sent_again = parameters.text("DATA_IMPORT_SENT_AGAIN") == "1";
    request.waited =
        queue_wait(parameters.text("DATA_IMPORT_HANDED_OVER_AT"), std::chrono::system_clock::now());
    return request;
}

http::Person read_person(const Parameters& parameters) {
    return {.name = parameters.single("DATA_IMPORT_OPERATOR").value_or(""),
            .host = parameters.single("HTTP_HOST").value_or(""),
            .origin = parameters.single("HTTP_ORIGIN").value_or(""),
            .fetch_site = parameters.joined("HTTP_SEC_FETCH_SITE")};
}

std::optional<std::size_t> content_length(const Parameters& parameters) {
    const std::string text = parameters.text("CONTENT_LENGTH");
    return text.empty() ? 0 : util::whole_number<std::size_t>(text);
}

std::optional<std::chrono::microseconds> queue_wait(std::string_view handed_over_at,
                                                    std::chrono::system_clock::time_point now) {
    using namespace std::chrono;
    constexpr std::size_t decimals = 3;
    constexpr std::size_t most_digits = 12;  // digits of the seconds; more could overflow
    const std::size_t point = handed_over_at.find('.');
    if (point > most_digits || handed_over_at.size() != point + 1 + decimals) return std::nullopt;
    const auto whole = util::whole_number<std::uint64_t>(handed_over_at.substr(0, point));
    const auto fraction = util::whole_number<std::uint64_t>(handed_over_at.substr(point + 1));
    if (!whole || !fraction) return std::nullopt;
    const milliseconds handed_over = seconds{*whole} + milliseconds{*fraction};
    const auto waited = duration_cast<microseconds>(now.time_since_epoch()) - handed_over;
    return std::clamp<microseconds>(waited, microseconds::zero(), longest_queue_wait);
}

void append_header(std::string& head, std::string_view name, std::string_view value) {
    refuse_line_breaks(name);
    refuse_line_breaks(value);
    head.append(name).append(": ").append(value).append("\r\n");
}

std::string format_head(int status, std::string_view content_type, const http::Headers& headers) {
    std::string head;
    append_header(head, "Status", std::to_string(status) + " " + std::string(reason_phrase(status)));
    if (!content_type.empty()) append_header(head, "Content-Type", content_type);
    for (const auto& [name, value] : headers) append_header(head, name, value);
    return head;
}

}  // namespace data_import::fastcgi
