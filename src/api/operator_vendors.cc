#include "api/operators.h"
#include "json/writer.h"
#include "store/payment_instructions.h"

namespace data_import::api {

namespace {

http::Reply reply(const http::Context&, const database::Rows& rows) {
    json::Writer writer;
    writer.begin_object().key("circuits").begin_array();
    for (const store::CircuitState& circuit : store::read_vendor_circuits(rows)) {
        writer.begin_object().key("vendor").string(circuit.vendor);
        writer.key("organisation").string(circuit.organisation);
        writer.key("failures").integer(circuit.failures).key("time_outs").integer(circuit.time_outs);
        writer.key("open_until").string_or_null(circuit.open_until);
        writer.key("changed_at").string(circuit.changed_at).end_object();
    }
    return {.body = writer.end_array().end_object().take()};
}

}  // namespace

http::Endpoint operator_vendors() {
    return {
        .method = "GET",
        .path = "local:/operator/vendors/",
        .summary = "List the payment vendors whose last calls have failed, and which of them have a pause.",
        .needs_token = false,
        .is_public = false,
        .plan = [](const http::Context&) { return store::find_vendor_circuits(); },
        .reply = reply};
}

}  // namespace data_import::api
