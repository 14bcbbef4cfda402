#include "tools/ctl/columns.h"

#include "base/util/joined.h"

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

std::optional<std::string> unless_empty(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

std::string to_text(const ColumnValue& value) {
    return std::visit(Text{}, value);
}

void write(json::Writer& writer, const ColumnValue& value) {
    std::visit(Json{writer}, value);
}

std::string object(std::initializer_list<std::pair<std::string_view, ColumnValue>> members) {
    json::Writer writer;
    writer.begin_object();
    for (const auto& [name, value] : members) write(writer.key(name), value);
    return writer.end_object().take() + "\n";
}

std::string minute_of(const std::string& time) {
    constexpr std::size_t date_length = 10;
    constexpr std::size_t minute_length = 16;
    if (time.empty()) return "";
    std::string text = time.substr(0, minute_length);
    text[date_length] = ' ';
    return text + " UTC";
}

}  // namespace data_import::ctl
