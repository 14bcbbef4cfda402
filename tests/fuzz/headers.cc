// Reads values of the header fields Accept, Authorization, Content-Type, Content-Encoding and
// Idempotency-Key.
#include <algorithm>
#include <string>

#include "input.h"
#include "service/auth/authenticator.h"
#include "service/http/header_fields.h"
#include "service/http/idempotency_key.h"
#include "service/http/problem.h"

using namespace data_import;

namespace {

template <typename Change>
std::string changed(std::string_view text, Change change) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), change);
    return result;
}

char to_capital(char letter) {
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

bool holds(std::string_view capitals, std::string_view part) {
    return capitals.find(part) != std::string_view::npos;
}

void check_accept(std::string_view header, const std::string& capitals) {
    for (const std::string_view type : {"application/json", "application/graphql-response+json"}) {
        const auto weight = http::named_weight(header, type);
        tests::require(!weight || (*weight >= 0 && *weight <= 1), "a weight is between 0 and 1");
        tests::require(!weight || holds(capitals, changed(type, to_capital)),
                       "a type with a weight is named");
        tests::require(http::named_weight(capitals, type) == weight, "case does not matter to Accept");
        tests::require(http::named_weight(std::string(type) + "," + std::string(header), type) == 1,
                       "a type without a weight has the greatest");
    }
}

void check_content(std::string_view header, const std::string& capitals) {
    const bool is_json = http::has_media_type(header, "application/json");
    tests::require(is_json == http::has_media_type(capitals, "application/json"),
                   "case does not matter to Content-Type");
    tests::require(!is_json || holds(capitals, "APPLICATION/JSON"), "JSON is said to be JSON");
    tests::require(
        is_json == http::has_media_type(std::string(header) + "; charset=latin1", "application/json"),
        "parameters of Content-Type have no effect");
    tests::require(!http::is_as_it_is(header) ||
                       header.find_first_not_of(" \t\r") == std::string_view::npos ||
                       holds(capitals, "IDENTITY"),
                   "a body with another coding is not taken as it is");
}

std::string in_quotes(std::string_view key) {
    std::string text = "\"";
    for (const char character : key) {
        if (character == '"' || character == '\\') text += '\\';
        text += character;
    }
    return text + '"';
}

void check_key(std::string_view header) {
    try {
        const std::string key = http::parse_idempotency_key(header);
        tests::require(!key.empty() && key.size() <= 255, "a key has 1 to 255 characters");
        tests::require(std::ranges::all_of(key, [](char each) { return each >= ' ' && each <= '~'; }),
                       "a key is printable ASCII");
        tests::require(http::parse_idempotency_key(in_quotes(key)) == key, "a key in quotes is the same key");
    } catch (const http::Problem& problem) {
        tests::require(problem.code == Code::validation_error && problem.violations.size() == 1,
                       "a wrong key is one violation");
    }
}

void check_authorization(std::string_view header, const std::string& capitals) {
    const auto token = auth::token_in(header);
    if (!token) return;
    tests::require(header.ends_with(*token), "a token is the end of the header");
    const bool has_blank = header.find(' ') != std::string_view::npos;
    const bool is_scheme = capitals == "TOKEN" || capitals == "BEARER";
    tests::require(has_blank || *token == (is_scheme ? "" : header),
                   "without a scheme the header is the token, and a scheme alone has none");
    for (const std::string scheme : {"Token ", "bearer  "}) {
        const std::string with_scheme = scheme + std::string(*token);
        tests::require(auth::token_in(with_scheme) == token, "a scheme before a token changes nothing");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view header = tests::input_text(data, size);
    const std::string capitals = changed(header, to_capital);
    check_accept(header, capitals);
    check_content(header, capitals);
    check_key(header);
    check_authorization(header, capitals);
    return 0;
}
