#include "api/validated_import.h"

#include <string>

#include "api/account_scoped.h"
#include "api/rules.h"
#include "json/writer.h"
#include "schema/render.h"
#include "store/content_digest.h"
#include "util/decimal.h"

namespace data_import::api {

namespace {

void write_for_database(json::Writer& writer, const json::Value& value) {
    switch (value.type()) {
        case json::Type::number:
            writer.raw(number_for_database(value.text()));
            return;
        case json::Type::array:
            writer.begin_array();
            for (const json::Value item : value.items()) write_for_database(writer, item);
            writer.end_array();
            return;
        case json::Type::object:
            writer.begin_object();
            for (const auto& [name, member] : value.members()) write_for_database(writer.key(name), member);
            writer.end_object();
            return;
        case json::Type::null:
        case json::Type::boolean:
        case json::Type::string:
            writer.value(value);
    }
}

http::Reply reply(const schema::Schema& payload, const http::Context& context, const store::Rows& rows) {
    require_done(store::read_imported_document(rows));
    json::Writer writer;
    schema::write_validated(writer, payload, context.body());
    return {.status = 201, .body = writer.take()};
}

}  // namespace

http::Endpoint validated_import(const ValidatedImport& declared) {
    const schema::Object payload = account_scoped().need(declared.field, declared.document);
    return {.method = "POST",
            .path = declared.path,
            .summary = declared.summary,
            .supplier = http::SupplierIn::body,
            .body = payload,
            .example = declared.example,
            .answers = {{.status = 201,
                         .description = "The account has it, from this request or an earlier one of the same "
                                        "content. The body is that of the request, as validated.",
                         .body = payload}},
            .rule_codes = {Code::period_end_before_start},
            .plan =
                [declared](const http::Context& context) {
                    const json::Value document = context.body().at(declared.field);
                    return declared.import(
                        import_target(context),
                        store::content_digest(schema::canonical(declared.document, document)), document);
                },
            .reply = [payload](const http::Context& context,
                               const store::Rows& rows) { return reply(payload, context, rows); }};
}

std::string json_for_database(const json::Value& document) {
    json::Writer writer;
    write_for_database(writer, document);
    return writer.take();
}

// PostgreSQL refuses exponents that zero may have here (0e9999999999), so they are taken out. A number that
// is too small to be written without one can only stand where any scalar may, which is stored as text.
std::string number_for_database(std::string_view literal) {
    if (literal.find_first_of("eE") == std::string_view::npos) return std::string(literal);
    const auto decimal = util::parse_json_number(literal);
    return decimal ? decimal->to_text() : std::string(literal);
}

void check_document_period(const json::Value& object, schema::Report& report) {
    check_period(object, "period_start_at", "period_end_at", report);
}

}  // namespace data_import::api
