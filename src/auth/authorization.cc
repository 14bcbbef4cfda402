#include "auth/authorization.h"

#include <strings.h>

namespace data_import::auth {

namespace {

bool is_scheme(std::string_view word, std::string_view scheme) {
    return word.size() == scheme.size() && strncasecmp(word.data(), scheme.data(), word.size()) == 0;
}

}  // namespace

std::optional<std::string_view> token_in(std::string_view header) {
    const std::size_t blank = header.find(' ');
    if (blank == std::string_view::npos) return header;
    const std::string_view scheme = header.substr(0, blank);
    if (!is_scheme(scheme, "token") && !is_scheme(scheme, "bearer")) return std::nullopt;
    const std::size_t start = header.find_first_not_of(' ', blank);
    return start == std::string_view::npos ? std::string_view() : header.substr(start);
}

}  // namespace data_import::auth
