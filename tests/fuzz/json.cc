// Fuzzes the strict JSON reader. If the reader accepts the input, the result is written as text. Then this
// text is read and written twice, and both times the same text must come out.
//
// The second time is a test of its own, because the reader then uses the shapes of objects that it remembers
// from the first time.
#include "data/json/reader.h"
#include "data/json/writer.h"
#include "input.h"

using namespace data_import;

namespace {

std::string written(const json::Document& document) {
    json::Writer writer;
    return writer.value(document.root()).take();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const std::string text = written(json::read(std::string(tests::input_text(data, size))));
        tests::require(written(json::read(text)) == text, "what was read and written stays the same");
        tests::require(written(json::read(text)) == text, "and so it does when its shape is remembered");
    } catch (const json::SyntaxError&) {
    }
    return 0;
}
