#include "request.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>

namespace data_import::bench {

namespace {

constexpr std::string_view host = "127.0.0.1";

std::string head(std::string_view method, std::string_view path, std::string_view token) {
    std::string text =
        std::string(method) + ' ' + std::string(path) + " HTTP/1.1\r\nHost: " + std::string(host);
    if (!token.empty()) text += "\r\nAuthorization: Token " + std::string(token);
    return text;
}

std::vector<std::size_t> places_of(const std::string& text, const std::string& mark) {
    std::vector<std::size_t> places;
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + mark.size()))
        places.push_back(at);
    return places;
}

std::string digits(std::uint64_t number, std::size_t width) {
    std::string text(width, '0');
    for (std::size_t at = width; at-- > 0; number /= 10) text[at] = static_cast<char>('0' + number % 10);
    return text;
}

SharedRequest request_of(std::string bytes, std::size_t head_bytes) {
    auto request = std::make_shared<Request>();
    request->account_places = places_of(bytes, account_mark);
    request->serial_places = places_of(bytes, serial_mark);
    request->head_bytes = head_bytes;
    request->bytes = std::move(bytes);
    return request;
}

/// Returns the next serial, which differs from all serials of this run and of all others. The first serial of
/// a run is the time of the first call, in microseconds since 1970, plus 1. Each further serial is greater
/// by 1.
///
/// No later run repeats a serial, because a run sends fewer than a million requests in a second: its serials
/// stay behind the clock.
std::uint64_t next_serial() {
    using namespace std::chrono;
    static auto serial = static_cast<std::uint64_t>(
        duration_cast<microseconds>(system_clock::now().time_since_epoch()).count());
    return ++serial;
}

/// Returns the key of member `number` of a JSON object. A key has 4 characters, so that an object of limited
/// length can have many members. The keys of the numbers 0, 1, 2 and so on are in no alphabetical order.
std::string short_key(std::uint64_t number) {
    constexpr std::string_view letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    constexpr std::uint64_t step = 7'654'321;  // coprime to `keys`, so that all keys come before one repeats
    constexpr std::uint64_t keys = 63ULL * 63 * 63 * 63;
    std::string key(4, ' ');
    std::uint64_t rest = number * step % keys;
    for (char& letter : key) {
        letter = letters[rest % letters.size()];
        rest /= letters.size();
    }
    return key;
}

std::string item_head(std::string_view supplier, std::string_view account) {
    return R"({"import_supplier":")" + std::string(supplier) + R"(","external_account_number":"EXT-)" +
           std::string(account) + '"';
}

}  // namespace

void Request::fill_in(std::string& copy, std::size_t accounts) const {
    static std::mt19937_64 random(std::random_device{}());
    const std::string account = digits(random() % accounts + 1, account_digits);
    const std::string serial = digits(next_serial(), serial_digits);
    for (const std::size_t place : account_places) account.copy(copy.data() + place, account.size());
    for (const std::size_t place : serial_places) serial.copy(copy.data() + place, serial.size());
}

SharedRequest post(std::string_view path, std::string_view token, std::string_view body,
                   std::string_view content_type) {
    std::string bytes = head("POST", path, token) + "\r\nContent-Type: " + std::string(content_type) +
                        "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n";
    const std::size_t head_bytes = bytes.size();
    return request_of(bytes.append(body), head_bytes);
}

SharedRequest get(std::string_view path, std::string_view token) {
    std::string bytes = head("GET", path, token) + "\r\n\r\n";
    const std::size_t head_bytes = bytes.size();
    return request_of(std::move(bytes), head_bytes);
}

std::string notes(std::string_view supplier, std::string_view account, std::size_t count, std::size_t bytes) {
    constexpr std::string_view created_at = R"(","created_at":"2020-01-01T12:00:00Z","is_pinned":false})";
    const std::size_t fixed =
        serial_digits + created_at.size() + std::string_view(R"({"body":"Vorgang -1234 ,)").size();
    const std::string filler(bytes / count > fixed ? bytes / count - fixed : 0, 'x');
    std::string text = item_head(supplier, account) + R"(,"notes":[)";
    for (std::size_t number = 1; number <= count; ++number) {
        text += R"({"body":"Vorgang )" + serial_mark + '-' + std::to_string(number) + ' ' + filler;
        text.append(created_at).append(number < count ? "," : "]}");
    }
    return text;
}

std::string bulk_lines(std::string_view supplier, std::size_t count, std::size_t first,
                       std::size_t accounts) {
    std::string text;
    for (std::size_t line = 0; line < count; ++line) {
        const std::string account = digits(first + line % accounts + 1, account_digits);
        std::string body = notes(supplier, account, 5, 1000);
        // gives each line notes of its own, because the service would store equal notes only once
        body.replace(body.find("Vorgang"), 7, "V" + digits(line, 6));
        text += R"({"path":"/v1/data-import/notes/create/","body":)" + body + "}\n";
    }
    return text;
}

std::string payment(std::string_view supplier, std::string_view vendor) {
    return item_head(supplier, account_mark) + R"(,"vendor":")" + std::string(vendor) + R"(","reference":")" +
           serial_mark + R"(","type":"CARD"})";
}

std::string distinct_keys(std::string_view supplier, std::size_t bytes) {
    std::string text = item_head(supplier, digits(1, account_digits)) + R"(,"notes":[{)";
    for (std::uint64_t number = 0; text.size() + 20 < bytes; ++number)
        text += '"' + short_key(number) + R"(":1,)";
    text.back() = '}';
    return text + "]}";
}

std::string graphql_variables(std::size_t count) {
    std::string text =
        R"({"query":"mutation { obtainToken(input: {APIKey: \"dik_none\"}) { token } }","variables":{)";
    for (std::size_t number = 1; number <= count; ++number)
        text += "\"v" + digits(number, 7) + (number < count ? "\":1," : "\":1");
    return text + "}}";
}

std::string obtain_token(std::string_view api_key) {
    return R"({"query":"mutation { obtainToken(input: {APIKey: \")" + std::string(api_key) +
           R"(\"}) { token } }"})";
}

}  // namespace data_import::bench
