#include "fastcgi/request_head.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "fastcgi/queue_wait.h"
#include "util/crypto.h"
#include "util/whole_number.h"

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

std::optional<std::size_t> content_length(const Parameters& parameters) {
    const std::string text = parameters.text("CONTENT_LENGTH");
    return text.empty() ? 0 : util::whole_number<std::size_t>(text);
}

}  // namespace data_import::fastcgi
