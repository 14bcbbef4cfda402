#include "data/json/writer.h"
#include "data/store/failures.h"
#include "service/api/local_endpoints.h"

namespace data_import::api {

namespace {

constexpr std::size_t most_groups = 200;
constexpr std::string_view text = "text";

database::Call plan(const http::Context& context) {
    const auto wanted = context.query.values.find(text);
    return store::find_failure_groups(
        context.segments.empty() ? std::nullopt : std::optional(context.segments.at(0)),
        wanted == context.query.values.end() ? std::string_view() : wanted->second, most_groups);
}

http::Reply reply(const http::Context&, const database::Rows& rows) {
    json::Writer writer;
    writer.begin_object().key("most").integer(most_groups).key("reasons").begin_array();
    for (const store::FailureGroup& group : store::read_failure_groups(rows)) {
        writer.begin_object().key("import_supplier").string(group.import_supplier);
        writer.key("reason").string(group.reason).key("accounts").integer(group.accounts);
        writer.key("sample")
            .string(group.sample)
            .key("example")
            .string(group.example)
            .key("failed_at")
            .string(group.failed_at)
            .end_object();
    }
    return {.body = writer.end_array().end_object().take()};
}

http::Endpoint reasons(std::string_view path, std::string_view summary) {
    return for_operators(
        path, summary, plan, reply,
        {{.name = text, .description = "Only reasons with this text in them.", .is_text = true}});
}

}  // namespace

http::Endpoint operator_failure_reasons() {
    return reasons("local:/operator/failure-reasons/", "Tell why accounts of all suppliers have failed.");
}

http::Endpoint operator_failure_reasons_of_supplier() {
    return reasons("local:/operator/failure-reasons/{import_supplier}/",
                   "Tell why accounts of one supplier have failed.");
}

}  // namespace data_import::api
