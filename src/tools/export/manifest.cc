#include "tools/export/manifest.h"

#include "base/util/version.h"
#include "data/json/writer.h"
#include "data/records/kinds.h"

namespace data_import::exports {

namespace {

void write_texts(json::Writer& writer, const std::vector<std::string>& texts) {
    if (texts.empty()) return static_cast<void>(writer.null());
    writer.begin_array();
    for (const std::string& text : texts) writer.string(text);
    writer.end_array();
}

void write_file(json::Writer& writer, const WrittenFile& file) {
    writer.begin_object().key("name").string(file.name);
    writer.key("lines").integer(static_cast<std::int64_t>(file.lines));
    writer.key("bytes").integer(static_cast<std::int64_t>(file.bytes));
    writer.key("sha256").string(file.sha256).end_object();
}

/// Writes totals in the form in which suppliers declare theirs.
void write_totals(json::Writer& writer, const Extent& extent) {
    writer.key("totals").begin_object();
    writer.key("accounts").integer(static_cast<std::int64_t>(extent.accounts));
    writer.key("kinds").begin_object();
    for (std::size_t kind = 0; kind < extent.kinds.size(); ++kind) {
        if (extent.kinds[kind].records == 0) continue;
        writer.key(records::kinds()[kind].name)
            .begin_object()
            .key("records")
            .integer(extent.kinds[kind].records);
        records::write_sums(writer.key("sums"), extent.kinds[kind].sums);
        writer.end_object();
    }
    writer.end_object().end_object();
}

}  // namespace

std::int64_t Extent::records() const {
    std::int64_t sum = 0;
    for (const records::KindTotals& kind : kinds) sum += kind.records;
    for (const auto& [kind, number] : without_account) sum += number;
    return sum;
}

std::string manifest_of(const Request& request, const Extent& extent, const std::vector<WrittenFile>& files) {
    json::Writer writer;
    writer.begin_object().key("import_supplier").string(request.import_supplier);
    writer.key("as_of").string(extent.as_of);
    writer.key("version").string(util::version);
    writer.key("format").string(request.is_csv ? "csv" : "ndjson");
    write_texts(writer.key("external_account_numbers"), request.numbers);
    write_texts(writer.key("kinds"), request.kinds);
    writer.key("since").string_or_null(request.since);
    write_totals(writer, extent);
    writer.key("records_without_account").begin_object();
    for (const auto& [kind, number] : extent.without_account) writer.key(kind).integer(number);
    writer.end_object();
    writer.key("files").begin_array();
    for (const WrittenFile& file : files) write_file(writer, file);
    return writer.end_array().end_object().take() + '\n';
}

}  // namespace data_import::exports
