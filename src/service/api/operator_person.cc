// Endpoints for a person who has signed in to the page of operators. They answer the person's rights, and the
// audit history and the API keys that the person may see.
#include <algorithm>

#include "data/json/writer.h"
#include "data/store/access_events.h"
#include "data/store/api_keys.h"
#include "service/api/act.h"
#include "service/api/local_endpoints.h"

namespace data_import::api {

namespace {

constexpr std::size_t most_events = 200;
// The number of events that are read: more than `most_events`, because events that the person has no right to
// see are left out afterwards.
constexpr std::size_t most_read = 2000;

void write_suppliers(json::Writer& writer, const std::optional<std::vector<std::string>>& suppliers) {
    if (!suppliers) return static_cast<void>(writer.null());
    writer.begin_array();
    for (const std::string& code : *suppliers) writer.string(code);
    writer.end_array();
}

void answer_person(const http::Context& context, const store::OperatorRights& rights,
                   http::Responder& responder, std::size_t most_in_a_minute) {
    json::Writer writer;
    writer.begin_object().key("name").string(context.request.person->name).key("role").string(rights.role);
    write_suppliers(writer.key("import_suppliers"), rights.import_suppliers);
    writer.key("acts").begin_array();
    for (const Act& act : all_acts()) {
        if (rights.has_role(act.role)) writer.string(act.name);
    }
    writer.end_array().key("acts_a_minute").integer(static_cast<std::int64_t>(most_in_a_minute));
    responder.send({.body = writer.end_object().take()});
}

bool may_see_event(const store::OperatorRights& rights, const store::AccessEvent& event) {
    if (!rights.import_suppliers) return true;
    return event.import_supplier && rights.has_supplier(*event.import_supplier);
}

void write_event(json::Writer& writer, const store::AccessEvent& event) {
    writer.begin_object().key("id");
    event.id == 0 ? writer.null() : writer.integer(event.id);
    writer.key("at").string(event.at).key("action").string(event.action);
    writer.key("by").string(event.by.system_user).key("host").string(event.by.host);
    writer.key("import_supplier").string_or_null(event.import_supplier);
    writer.key("external_account_number").string_or_null(event.account);
    writer.key("details").string_or_null(event.details);
    writer.key("api_key_id").string_or_null(event.api_key_id).end_object();
}

void answer_audit(const http::Context& context, database::Database& database,
                  const store::OperatorRights& rights, http::Responder& responder) {
    auto events = store::list_access_events(database, std::nullopt, most_read, context.deadline);
    std::ranges::reverse(events);
    std::erase_if(events, [&](const store::AccessEvent& event) { return !may_see_event(rights, event); });
    if (events.size() > most_events) events.resize(most_events);
    json::Writer writer;
    writer.begin_object().key("events").begin_array();
    for (const store::AccessEvent& event : events) write_event(writer, event);
    responder.send({.body = writer.end_array().end_object().take()});
}

void write_key(json::Writer& writer, const store::ApiKey& key) {
    writer.begin_object().key("id").string(key.id).key("organisation").string(key.organisation);
    write_suppliers(writer.key("import_suppliers"), key.suppliers);
    writer.key("created_at").string(key.created_at).key("created_by").string(key.created_by);
    writer.key("revoked_at").string_or_null(key.revoked_at);
    writer.key("last_used_on").string_or_null(key.last_used_on).end_object();
}

void answer_keys(const http::Context& context, database::Database& database,
                 const store::OperatorRights& rights, http::Responder& responder) {
    json::Writer writer;
    writer.begin_object().key("keys").begin_array();
    for (const store::ApiKey& key : store::list_api_keys(database, context.deadline)) {
        if (may_see(rights, key)) write_key(writer, key);
    }
    responder.send({.body = writer.end_array().end_object().take()});
}

using Answer = std::function<void(const http::Context&, database::Database&, const store::OperatorRights&,
                                  http::Responder&)>;

/// Returns an endpoint for persons in the list of operators. Any other person gets 403.
http::Endpoint for_known(std::string_view path, std::string_view summary, Answer answer) {
    return for_operators(
        path, summary,
        [answer = std::move(answer)](const http::Context& context, database::Database& database,
                                     http::Responder& responder) {
            try {
                const auto rights = need_operator(context, database);
                answer(context, database, rights, responder);
            } catch (const ActRefused& refused) {
                responder.send(reply_of(refused));
            }
        });
}

}  // namespace

std::vector<http::Endpoint> acting_endpoints(std::size_t most_in_a_minute) {
    std::vector<http::Endpoint> endpoints{
        for_known("local:/operator/acts/", "Return who has signed in, and what the person may do.",
                  [most_in_a_minute](const http::Context& context, database::Database&,
                                     const store::OperatorRights& rights, http::Responder& responder) {
                      answer_person(context, rights, responder, most_in_a_minute);
                  }),
        for_known("local:/operator/acts/audit/", "Return the last entries of the audit history.",
                  answer_audit),
        for_known("local:/operator/acts/keys/", "Return the API keys.", answer_keys)};
    for (const Act& act : all_acts()) endpoints.push_back(endpoint_of(act, most_in_a_minute));
    return endpoints;
}

}  // namespace data_import::api
