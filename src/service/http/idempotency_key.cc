#include "service/http/idempotency_key.h"

#include <cstddef>

#include "base/util/crypto.h"
#include "base/util/text.h"
#include "service/http/problem.h"
#include "service/http/query.h"

namespace data_import::http {

namespace {

constexpr std::size_t longest_key = 255;

[[noreturn]] void refuse(Code code, std::string detail) {
    throw validation_error({{.attr = "Idempotency-Key", .code = code, .detail = std::move(detail)}});
}

bool is_printable(char character) {
    return character >= ' ' && character <= '~';
}

[[noreturn]] void refuse_character(char character, std::size_t offset) {
    const std::string place = " at character " + std::to_string(offset + 1);
    if (character == ' ') {
        refuse(Code::invalid,
               "The key has a blank" + place + ": leave it out, or put the whole key in quotation marks.");
    }
    if (character == '\t') refuse(Code::invalid, "The key has a tab" + place + ": a key must not have one.");
    refuse(Code::invalid, "The key has a character outside printable ASCII" + place + ".");
}

[[noreturn]] void refuse_behind_the_end(std::string_view rest) {
    if (util::is_blank(rest))
        refuse(Code::invalid, "The key has a blank after its closing quotation mark: leave it out.");
    refuse(Code::invalid,
           "The key has characters after its closing quotation mark: leave them out, or write \\\" for a "
           "quotation mark inside the key.");
}

/// Returns the text between the quotation marks of a structured-field string (RFC 8941, 3.3.3). In the
/// sentence about a wrong character, character 1 is the first quotation mark.
std::string unquoted(std::string_view text) {
    std::string key;
    for (std::size_t at = 1; at < text.size(); ++at) {
        if (text[at] == '"') {
            if (at + 1 == text.size()) return key;
            refuse_behind_the_end(text.substr(at + 1));
        }
        if (!is_printable(text[at])) refuse_character(text[at], at);
        if (text[at] == '\\' && (++at == text.size() || (text[at] != '"' && text[at] != '\\'))) {
            refuse(Code::invalid,
                   "In quotation marks a backslash is allowed only before a quotation mark or a backslash.");
        }
        key += text[at];
    }
    refuse(Code::invalid, "The key begins with a quotation mark and has no closing quotation mark.");
}

std::string bare(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == ' ' || !is_printable(text[at])) refuse_character(text[at], at);
    }
    return std::string(text);
}

/// Returns the parameters of a query whose values are not the default, as `name=value&`, in the order of the
/// declaration. Returns an invalid query as it was sent; its request will be refused.
std::string meaning_of(std::string_view text, const std::vector<QueryParameter>& parameters) {
    const std::string as_sent = "?" + std::string(text);
    try {
        const Query query = read_query(decode_query(text), parameters);
        if (!query.violations.empty()) return as_sent;
        std::string meaning;
        for (const QueryParameter& parameter : parameters) {
            const auto value = query.values.find(parameter.name);
            if (value != query.values.end() && value->second != default_of(parameter))
                meaning += std::string(parameter.name) + '=' + util::percent_encode(value->second) + '&';
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
    std::string key = header.starts_with('"') ? unquoted(header) : bare(header);
    if (key.empty()) refuse(Code::blank, "The header must have one key of 1 to 255 characters.");
    if (util::is_blank(key)) refuse(Code::blank, "The key has only blanks.");
    if (key.size() > longest_key) refuse(Code::max_length, "The key may have at most 255 characters.");
    return key;
}

// The parts are separated by line ends. No part has a line end of its own except the last one, whose length
// is fixed, so that different requests cannot make the same text.
std::string content_of(const Request& request, const std::vector<QueryParameter>& parameters) {
    const util::Sha256 body = util::sha256(request.body);
    const std::string whole = request.method + '\n' + request.path + '\n' +
                              meaning_of(request.query, parameters) + '\n' +
                              std::string(util::bytes_of(body));
    return std::string(util::bytes_of(util::sha256(whole)));
}

}  // namespace data_import::http
