#include "fastcgi/answer_head.h"

#include <map>
#include <stdexcept>

namespace data_import::fastcgi {

namespace {

void refuse_line_breaks(std::string_view text) {
    using namespace std::string_view_literals;
    if (text.find_first_of("\r\n\0"sv) == std::string_view::npos) return;
    throw std::logic_error("a header field of an answer holds a line break");
}

/// HTTP/1.1 wants a blank behind the status, and nginx sends what it is given.
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
