#include "http/idempotency_key.h"

#include <algorithm>
#include <optional>

#include "http/problem.h"
#include "util/crypto.h"

namespace data_import::http {

namespace {

constexpr std::size_t longest_key = 255;

[[noreturn]] void refuse(Code code, std::string detail) {
    throw validation_error({{.attr = "Idempotency-Key", .code = code, .detail = std::move(detail)}});
}

bool is_printable(char character, char least) {
    return character >= least && character <= '~';
}

/// What stands between the quotation marks; nothing when it is no structured-field string (RFC 8941, 3.3.3).
std::optional<std::string> unquoted(std::string_view text) {
    if (text.size() < 2 || text.back() != '"') return std::nullopt;
    text = text.substr(1, text.size() - 2);
    std::string key;
    for (auto character = text.begin(); character != text.end(); ++character) {
        if (*character == '"' || !is_printable(*character, ' ')) return std::nullopt;
        if (*character == '\\' && (++character == text.end() || (*character != '"' && *character != '\\')))
            return std::nullopt;
        key += *character;
    }
    return key;
}

std::optional<std::string> bare(std::string_view text) {
    const bool is_key =
        std::ranges::all_of(text, [](char character) { return is_printable(character, '!'); });
    return is_key ? std::optional<std::string>(text) : std::nullopt;
}

}  // namespace

bool takes_idempotency_key(const Endpoint& endpoint) {
    return endpoint.method == "POST" && endpoint.needs_token && !endpoint.takes_lines;
}

std::string parse_idempotency_key(std::string_view header) {
    const std::optional<std::string> key = header.starts_with('"') ? unquoted(header) : bare(header);
    if (!key) {
        refuse(Code::invalid,
               "The header has to be one key of printable ASCII characters, as it is or in quotation marks.");
    }
    if (key->empty()) refuse(Code::blank, "The header has to hold one key of 1 to 255 characters.");
    if (key->size() > longest_key) refuse(Code::max_length, "The key may have at most 255 characters.");
    return *key;
}

// Line ends keep the parts apart: none of them holds one but the last, whose length is fixed.
std::string content_of(const Request& request) {
    const util::Sha256 body = util::sha256(request.body);
    const std::string whole = request.method + '\n' + request.path + '\n' + request.query + '\n' +
                              std::string(util::bytes_of(body));
    return std::string(util::bytes_of(util::sha256(whole)));
}

}  // namespace data_import::http
