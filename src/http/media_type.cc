#include "http/media_type.h"

#include <string>

#include "util/text.h"

namespace data_import::http {

namespace {

bool of_type(std::string_view content_type, std::string_view type) {
    return util::lowered(util::trimmed(content_type.substr(0, content_type.find(';')))) == type;
}

}  // namespace

bool is_json(std::string_view content_type) {
    return of_type(content_type, "application/json");
}

bool is_ndjson(std::string_view content_type) {
    return of_type(content_type, "application/x-ndjson");
}

bool is_gzip(std::string_view content_encoding) {
    const std::string text = util::lowered(util::trimmed(content_encoding));
    return text == "gzip" || text == "x-gzip";
}

bool is_as_it_is(std::string_view content_encoding) {
    const std::string text = util::lowered(util::trimmed(content_encoding));
    return text.empty() || text == "identity";
}

}  // namespace data_import::http
