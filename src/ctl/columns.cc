#include "ctl/columns.h"

#include "util/joined.h"

namespace data_import::ctl {

namespace {

struct Text {
    std::string operator()(const std::optional<std::string>& text) const { return text.value_or(""); }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(bool truth) const { return truth ? "yes" : "no"; }
    std::string operator()(const std::optional<std::vector<std::string>>& texts) const {
        return texts ? util::joined(*texts) : "";
    }
};

struct Json {
    json::Writer& writer;

    void operator()(const std::optional<std::string>& text) const { writer.string_or_null(text); }
    void operator()(std::int64_t number) const { writer.integer(number); }
    void operator()(bool truth) const { writer.boolean(truth); }
    void operator()(const std::optional<std::vector<std::string>>& texts) const {
        if (!texts) {
            writer.null();
            return;
        }
        writer.begin_array();
        for (const std::string& text : *texts) writer.string(text);
        writer.end_array();
    }
};

}  // namespace

std::string to_text(const Value& value) {
    return std::visit(Text{}, value);
}

void write(json::Writer& writer, const Value& value) {
    std::visit(Json{writer}, value);
}

}  // namespace data_import::ctl
