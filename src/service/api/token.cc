#include "base/util/datetime.h"
#include "base/util/limits.h"
#include "data/json/writer.h"
#include "data/payload/about.h"
#include "data/payload/account_scoped.h"
#include "data/payload/paths.h"
#include "data/store/suppliers.h"
#include "service/api/endpoints.h"
#include "service/api/progress_answer.h"

namespace data_import::api {

namespace {

database::Call plan(const http::Context& context) {
    return store::find_suppliers(context.access->import_suppliers);
}

http::Reply reply(const std::vector<std::string>& vendors, const http::Context& context,
                  const database::Rows& rows) {
    constexpr std::int64_t microseconds = 1'000'000;
    json::Writer writer;
    writer.begin_object().key("organisation").string(context.access->organisation);
    writer.key("import_suppliers").begin_array();
    for (const store::Supplier& supplier : store::read_suppliers(rows)) {
        writer.begin_object().key("code").string(supplier.code);
        writer.key("name").string(supplier.name).key("status").string(supplier.status).end_object();
    }
    writer.end_array().key("vendors").begin_array();
    for (const std::string& vendor : vendors) writer.string(vendor);
    writer.end_array().key("expires_at");
    writer.string(util::to_text({context.token_expires_at * microseconds})).end_object();
    return {.body = writer.take()};
}

schema::Schema answer() {
    return schema::object()
        .need("organisation", schema::text(1, util::limits::label),
              "The organisation that the API key belongs to.")
        .need("import_suppliers",
              schema::array(
                  schema::object()
                      .need("code", payload::supplier_code(), payload::about::import_supplier)
                      .need("name", schema::text(1, util::limits::label), "Name of the import supplier.")
                      .need("status", supplier_status(), payload::about::status_of_supplier)),
              "The import suppliers that the API key may use.")
        .need("vendors", schema::array(schema::text(1, util::limits::label)),
              "Codes that payment instructions can name as `vendor` here.")
        .need("expires_at", schema::datetime(), "When the token expires.");
}

}  // namespace

http::Endpoint token(const Options& options) {
    return {
        .method = "GET",
        .path = payload::paths::token,
        .summary = "Return the organisation, the suppliers and the end of a token.",
        .tag = http::Tag::tokens,
        .answers = {{200,
                     "The organisation, the import suppliers that its API key may use at present, ordered by "
                     "their code, the payment vendors of this service, and the time when the token expires.",
                     answer()}},
        .plan = plan,
        .reply = [vendors = options.payment.codes](const http::Context& context, const database::Rows& rows) {
            return reply(vendors, context, rows);
        }};
}

}  // namespace data_import::api
