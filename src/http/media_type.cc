#include "http/media_type.h"

#include <string>

#include "util/text.h"

namespace data_import::http {

bool is_json(std::string_view content_type) {
    const std::string text = util::lowered(content_type);
    const std::size_t semicolon = text.find(';');
    if (util::trimmed(std::string_view(text).substr(0, semicolon)) != "application/json") return false;
    if (semicolon == std::string::npos) return true;
    const std::string_view parameter = util::trimmed(std::string_view(text).substr(semicolon + 1));
    return parameter.empty() || parameter == "charset=utf-8" || parameter == "charset=\"utf-8\"";
}

bool is_as_it_is(std::string_view content_encoding) {
    const std::string text = util::lowered(util::trimmed(content_encoding));
    return text.empty() || text == "identity";
}

}  // namespace data_import::http
