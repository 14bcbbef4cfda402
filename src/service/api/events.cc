#include "base/util/limits.h"
#include "data/json/writer.h"
#include "data/payload/about.h"
#include "data/payload/account_scoped.h"
#include "data/payload/paths.h"
#include "data/store/accounts.h"
#include "service/api/endpoints.h"
#include "service/api/event_cursor.h"
#include "service/api/progress_answer.h"

namespace data_import::api {

namespace {

constexpr std::string_view after = "after";
constexpr std::string_view limit = "limit";
constexpr std::string_view of_accounts = "data_import.account.";
constexpr std::string_view status_changed = "data_import.import_supplier.status_changed";

/// Returns the type of the event that tells of an account's new state, such as `data_import.account.started`.
std::string type_of(std::string_view state) {
    const std::string_view word = state == "in_progress" ? "started"
                                  : state == "imported"  ? "completed"
                                                         : state;
    return std::string(of_accounts).append(word);
}

[[noreturn]] void refuse_cursor(Code code, std::string detail) {
    throw http::validation_error({{.attr = std::string(after), .code = code, .detail = std::move(detail)}});
}

[[noreturn]] void refuse_unknown_cursor() {
    refuse_cursor(
        Code::invalid,
        "This parameter must be `next` of an earlier answer for this import supplier, as it was given.");
}

database::Call plan(const http::Context& context) {
    const std::string& import_supplier = context.segments.at(0);
    std::optional<store::EventPlace> place;
    const auto& values = context.query.values;
    if (const auto cursor = values.find(after); cursor != values.end()) {
        place = parse_cursor(import_supplier, cursor->second);
        if (!place) refuse_unknown_cursor();
    }
    return store::find_events(import_supplier, place, context.query.number(limit));
}

void write_event(json::Writer& writer, const std::string& source, const store::Event& event) {
    writer.begin_object().key("specversion").string("1.0");
    writer.key("id").string(std::to_string(event.place.place) + '-' + std::to_string(event.place.position));
    writer.key("source").string(source).key("type");
    writer.string(event.is_of_account ? type_of(event.state) : std::string(status_changed));
    writer.key("subject").string(event.subject).key("time").string(event.at);
    writer.key("data").begin_object();
    if (event.is_of_account) {
        writer.key("service_account_number").string_or_null(event.service_account_number);
        writer.key("reason").string_or_null(event.reason);
    } else {
        writer.key("status").string(event.state);
    }
    writer.end_object().end_object();
}

http::Reply reply(const http::Context& context, const database::Rows& rows) {
    const std::string& import_supplier = context.segments.at(0);
    const store::EventPage page = store::read_events(rows);
    if (page.verdict == store::EventPage::Verdict::unknown) refuse_unknown_cursor();
    if (page.verdict == store::EventPage::Verdict::expired) {
        refuse_cursor(Code::expired_cursor,
                      "The events after this cursor are no longer kept: begin again without this parameter.");
    }
    const std::string source = payload::paths::of_supplier(payload::paths::events, import_supplier);
    json::Writer writer;
    writer.begin_object().key("events").begin_array();
    for (const store::Event& event : page.events) write_event(writer, source, event);
    writer.end_array().key("next").string(to_cursor(import_supplier, page.next)).end_object();
    return {.body = writer.take()};
}

schema::Object event(const schema::Schema& subject, const schema::Schema& data) {
    return schema::object()
        .need("specversion", schema::choice({"1.0"}), "Version of CloudEvents.")
        .need("id", schema::text(1, 64), "Identifies the event, together with `source`.")
        .need("source", schema::text(1, 1024), "Address of the events of the supplier.")
        .need("subject", subject,
              "The external account number. If the supplier's status changed, the supplier's code.")
        .need("time", schema::datetime(), "When it happened.")
        .need("data", data, "What happened.");
}

schema::Schema answer() {
    const auto of_account =
        event(payload::external_account_number(),
              schema::object()
                  .need("service_account_number", schema::nullable(payload::service_account_number()),
                        "The account's number on the platform; null until it is created.")
                  .need("reason", schema::nullable(schema::text(1, util::limits::reason)),
                        "Why the attempt failed; null if none failed."));
    const auto of_supplier =
        event(payload::supplier_code(),
              schema::object().need("status", supplier_status(), payload::about::status_of_supplier));
    std::vector<std::pair<std::string, schema::Object>> types;
    for (const std::string_view state : store::account_states) types.emplace_back(type_of(state), of_account);
    types.emplace_back(status_changed, of_supplier);
    return schema::object()
        .need("events", schema::array(schema::variant("type", types, "Kind of the event.")).max(1000),
              "The events in the order of their commits.")
        .need("next", schema::text(1, 128), "The cursor for the parameter `after` of the next request.");
}

}  // namespace

http::Endpoint events() {
    return {.method = "GET",
            .path = payload::paths::events,
            .summary = "Return the events of a supplier and of its accounts.",
            .tag = http::Tag::migration_progress,
            .supplier = http::SupplierIn::first_segment,
            .query = {{.name = after,
                       .description = "`next` of the answer before, to get the events after it. Without this "
                                      "parameter, the answer begins with the oldest event that is kept.",
                       .is_text = true},
                      {.name = limit,
                       .description = "The largest number of events in the answer.",
                       .range = http::QueryRange{1, 1000, 100}}},
            .answers = {{200,
                         "Events in the order of their commits, as CloudEvents 1.0. `next` is the cursor for "
                         "the next request: send it at once, or after some seconds if there were no events. "
                         "Every event comes exactly once. `source` and `id` together identify an event "
                         "forever. Events are kept for 30 days unless the operator has set another time.",
                         answer()}},
            .rule_codes = {Code::expired_cursor},
            .plan = plan,
            .reply = reply};
}

}  // namespace data_import::api
