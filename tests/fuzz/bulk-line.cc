// Finds the body in a line of a bulk request as the service does, and by reading the whole line as JSON. The
// results must agree.
#include <optional>
#include <string>

#include "data/json/reader.h"
#include "data/json/writer.h"
#include "input.h"
#include "service/http/bulk_line.h"

using namespace data_import;

namespace {

std::string written(const json::Value& value) {
    json::Writer writer;
    return writer.value(value).take();
}

struct Reading {
    std::optional<json::Document> document;
    std::string refusal;
};

Reading read(const std::string& text) {
    try {
        return {json::read(text), ""};
    } catch (const json::SyntaxError& error) {
        return {std::nullopt, error.what()};
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(tests::input_text(data, size));
    const http::BulkLine line = http::read_bulk_line(text, schema::UnknownFields::refuse);
    if (line.problem) return 0;
    const Reading body = read(line.body);
    const Reading whole = read(text);
    if (line.document) {
        tests::require(body.document && written(line.document->root()) == written(body.document->root()),
                       "a body that has been read is the text of the body");
    }
    if (whole.document) {
        tests::require(
            body.document && written(whole.document->root().at("body")) == written(body.document->root()),
            "the body is the line's member of that name");
        tests::require(line.path.empty() == (whole.document->root().at("path").text().front() == '?'),
                       "the path is the line's, too");
    } else {
        const bool is_deep = whole.refusal.find("levels deep") != std::string::npos;
        tests::require(!body.document || is_deep,
                       "a line of a sound body is sound, unless it is one level too deep");
    }
    return 0;
}
