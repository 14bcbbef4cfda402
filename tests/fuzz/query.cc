// Decodes percent-encoded texts, and reads the parameters of a query.
#include "service/http/query.h"

#include "base/util/text.h"
#include "input.h"
#include "service/http/problem.h"

using namespace data_import;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::vector<http::QueryParameter> parameters = {
        {"check", "A check.", false},
        {"force", "A force.", true},
        {.name = "limit", .description = "A limit.", .range = http::QueryRange{1, 1000, 100}},
        {.name = "after", .description = "A text.", .is_text = true}};
    const std::string_view text = tests::input_text(data, size);
    const auto decoded = util::percent_decode(text);
    if (decoded) {
        tests::require(util::is_utf8(*decoded), "what is decoded is UTF-8");
        tests::require(decoded->find('\0') == std::string::npos, "what is decoded has no U+0000");
        tests::require(decoded->size() <= text.size(), "decoding makes nothing longer");
    }
    try {
        const http::SentQuery sent = http::decode_query(text);
        for (const auto& [name, value] : sent)
            tests::require(util::is_utf8(name) && util::is_utf8(value), "what is decoded is UTF-8");
        const http::Query query = http::read_query(sent, parameters);
        for (const char* name : {"check", "force"})
            tests::require(query.values.at(name) == "true" || query.values.at(name) == "false",
                           "every boolean has a value");
        const std::int64_t limit = query.number("limit");
        tests::require(limit >= 1 && limit <= 1000, "a number is in its range");
    } catch (const http::Problem&) {
    }
    return 0;
}
