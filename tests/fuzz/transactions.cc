// Checks payloads against the schema of transactions, which has the most rules.
#include "base/codes/codes.h"
#include "base/util/text.h"
#include "data/json/reader.h"
#include "data/payload/declarations.h"
#include "input.h"

using namespace data_import;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const schema::Schema payload = payload::transactions();
    try {
        const json::Document document = json::read(std::string(tests::input_text(data, size)));
        const auto violations = schema::check(payload, document.root(), schema::UnknownFields::refuse);
        tests::require(violations.size() <= schema::max_violations, "violations are limited");
        for (const schema::Violation& violation : violations) {
            tests::require(!codes::row_of(violation.code).name.empty() && !violation.detail.empty(),
                           "violations are explained");
            tests::require(util::is_utf8(violation.attr), "attr is UTF-8");
        }
    } catch (const json::SyntaxError&) {
    }
    return 0;
}
