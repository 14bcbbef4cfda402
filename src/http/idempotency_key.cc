#include "http/idempotency_key.h"

#include <algorithm>
#include <optional>

#include "http/problem.h"
#include "http/query.h"
#include "util/crypto.h"
#include "util/text.h"

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

/// The value of a parameter as one text, however it was spelt; nothing for its default.
std::optional<std::string> value_of(const QueryParameter& parameter, const Query& query) {
    if (parameter.range) {
        const std::int64_t number = query.numbers.at(parameter.name);
        if (number == parameter.range->default_value) return std::nullopt;
        return std::to_string(number);
    }
    if (!parameter.choices.empty()) {
        const std::string_view choice = query.choices.at(parameter.name);
        if (choice == parameter.choices.front()) return std::nullopt;
        return std::string(choice);
    }
    if (parameter.is_text) {
        const auto text = query.texts.find(parameter.name);
        if (text == query.texts.end()) return std::nullopt;
        return util::percent_encode(text->second);
    }
    const bool truth = query.values.at(parameter.name);
    if (truth == parameter.default_value) return std::nullopt;
    return truth ? "true" : "false";
}

/// What a query says, in the order of the declaration. A query that is not valid stays as it was sent: its
/// request is refused.
std::string meaning_of(std::string_view text, const std::vector<QueryParameter>& parameters) {
    const std::string as_sent = "?" + std::string(text);
    try {
        const Query query = read_query(text, parameters, schema::UnknownFields::refuse);
        if (!query.violations.empty()) return as_sent;
        std::string meaning;
        for (const QueryParameter& parameter : parameters) {
            if (const auto value = value_of(parameter, query))
                meaning += std::string(parameter.name) + '=' + *value + '&';
        }
        return meaning;
    } catch (const Problem&) {
        return as_sent;
    }
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
std::string content_of(const Request& request, const std::vector<QueryParameter>& parameters) {
    const util::Sha256 body = util::sha256(request.body);
    const std::string whole = request.method + '\n' + request.path + '\n' +
                              meaning_of(request.query, parameters) + '\n' +
                              std::string(util::bytes_of(body));
    return std::string(util::bytes_of(util::sha256(whole)));
}

}  // namespace data_import::http
