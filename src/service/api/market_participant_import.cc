#include "data/database/call.h"
#include "data/database/rows.h"
#include "data/json/writer.h"
#include "data/payload/declarations.h"
#include "data/payload/imports.h"
#include "data/store/market_participants.h"
#include "data/store/row.h"
#include "service/api/endpoints.h"

namespace data_import::api {

namespace {

database::Call plan(const http::Context& context) {
    static const schema::Object declared = payload::market_participant();
    return store::import_market_participant(
        {.request_id = context.request.request_id, .api_key_id = context.access->id},
        {.organisation = context.access->organisation,
         .has_contact_details = context.body().find("contact_details").has_value(),
         .row = store::row_of(declared, context.body()).text});
}

void write_if_given(json::Writer& writer, std::string_view name, const std::optional<std::string>& value) {
    if (value) writer.key(name).string(*value);
}

void write_contact(json::Writer& writer, const store::MarketParticipantContact& contact) {
    writer.begin_object().key("category").string(contact.category);
    write_if_given(writer, "name", contact.name);
    write_if_given(writer, "email", contact.email);
    write_if_given(writer, "phone", contact.phone);
    write_if_given(writer, "valid_from", contact.valid_from);
    writer.end_object();
}

std::string to_json(const store::MarketParticipant& stored) {
    json::Writer writer;
    writer.begin_object().key("code").integer(stored.code).key("code_type").string(stored.code_type);
    writer.key("name").string(stored.name).key("role").string(stored.role);
    writer.key("energy").string(stored.energy);
    if (stored.contact_details) {
        writer.key("contact_details").begin_array();
        for (const auto& contact : *stored.contact_details) write_contact(writer, contact);
        writer.end_array();
    }
    return writer.end_object().take();
}

http::Reply reply(const http::Context&, const database::Rows& rows) {
    const auto imported = store::read_imported_market_participant(rows);
    return {.status = imported.created ? 201 : 200,
            .body = to_json(imported.participant),
            .stored = imported.created ? 1U : 0U};
}

}  // namespace

http::Endpoint market_participant_import() {
    const payload::DeclaredImport& declared = payload::import_of("market_participants");
    return {.method = "POST",
            .path = declared.path,
            .summary = "Create a market participant. An existing one is returned and does not change.",
            .tag = http::Tag::market_participants,
            .stores = declared.stores,
            .identity = "Two market participants are the same if their `code` is the same.",
            .body = declared.body,
            .answers = {{.status = 201,
                         .description =
                             "The market participant was created. The body is the stored market participant.",
                         .body = payload::market_participant()},
                        {.status = 200,
                         .description = "A market participant with this code exists and was not changed. The "
                                        "body is the stored market participant. contact_details are left out "
                                        "unless the same organisation has sent them.",
                         .body = payload::market_participant()}},
            .plan = plan,
            .reply = reply};
}

}  // namespace data_import::api
