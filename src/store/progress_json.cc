#include "store/progress_json.h"

namespace data_import::store {

namespace {

void write_arrivals(json::Writer& writer, std::string_view name, const Arrivals& arrivals) {
    writer.key(name).begin_object().key("accounts").integer(arrivals.accounts);
    writer.key("records").integer(arrivals.records).end_object();
}

}  // namespace

void write_progress(json::Writer& writer, const MigrationProgress& progress) {
    writer.key("as_of").string(progress.as_of).key("accounts").begin_object();
    for (std::size_t state = 0; state < account_states.size(); ++state)
        writer.key(account_states[state]).integer(progress.accounts[state]);
    writer.end_object().key("records").begin_object();
    for (const auto& [kind, count] : progress.records) writer.key(kind).integer(count);
    writer.end_object().key("differing_transactions").integer(progress.differing_transactions);
    writer.key("rates").begin_object();
    write_arrivals(writer, "last_minute", progress.last_minute);
    write_arrivals(writer, "last_hour", progress.last_hour);
    if (progress.last_day) write_arrivals(writer, "last_day", *progress.last_day);
    writer.end_object();
    writer.key("last_import_at").string_or_null(progress.last_import_at);
    writer.key("estimated_end_at").string_or_null(progress.estimated_end_at);
}

}  // namespace data_import::store
