#include "data/schema/shown.h"

#include "base/util/invisible.h"
#include "base/util/text.h"
#include "data/schema/schema.h"

namespace data_import::schema {

namespace {

std::string cut(std::string_view text) {
    const std::string_view first = util::first_code_points(text, most_shown);
    return std::string(first) + (first.size() < text.size() ? "..." : "");
}

}  // namespace

std::string shown(std::string_view text) {
    return '"' + util::with_invisible_named(cut(text)) + '"';
}

std::string shown(const json::Value& value) {
    switch (value.type()) {
        case json::Type::string:
            return shown(value.text());
        case json::Type::number:
            return cut(value.text());
        case json::Type::boolean:
            return value.boolean() ? "true" : "false";
        default:
            return "";
    }
}

std::string Violation::told() const {
    return sent.empty() ? detail : detail + " It is " + sent + ".";
}

Violation violation_of(std::string attr, Code code, std::string detail, const json::Value& value) {
    return {std::move(attr), code, std::move(detail), value.position(), shown(value)};
}

}  // namespace data_import::schema
