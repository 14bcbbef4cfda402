// Names the files of a report, and describes a signed report by the digests of its files.
#include "base/util/crypto.h"
#include "base/util/datetime.h"
#include "base/util/text.h"
#include "data/report/report.h"

namespace data_import::report {

namespace {

std::string sha256_of(const std::string& content) {
    return util::to_hex(util::bytes_of(util::sha256(content)));
}

}  // namespace

std::string file_stem(const std::string& import_supplier, bool is_draft) {
    constexpr std::int64_t second = 1'000'000;
    std::string time;
    for (const char character : util::to_text({util::now().microseconds / second * second})) {
        if (character != '-' && character != ':') time += character;
    }
    return util::percent_encode(import_supplier) + (is_draft ? "-draft-" : "-") + time;
}

store::SignedReport signed_report(const Report& report, const std::string& html, const std::string& json) {
    return {.id = report.id,
            .import_supplier = report.supplier.code,
            .as_of = report.totals.as_of,
            .signed_by = report.signer.value(),
            .by = report.by.value(),
            .html_sha256 = sha256_of(html),
            .json_sha256 = sha256_of(json)};
}

}  // namespace data_import::report
