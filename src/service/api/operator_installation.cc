// The findings of doctor on each host, the payment vendors that do not answer, and the consumers.
#include "data/json/writer.h"
#include "data/store/consumers.h"
#include "data/store/diagnosis.h"
#include "data/store/payment_instructions.h"
#include "data/store/shared_json.h"
#include "service/api/local_endpoints.h"

namespace data_import::api {

namespace {

http::Reply reply_doctor(const http::Context&, const database::Rows& rows) {
    json::Writer writer;
    writer.begin_object().key("hosts").begin_array();
    for (const store::DoctorRun& run : store::read_doctor_runs(rows)) {
        writer.begin_object().key("host").string(run.by.host).key("system_user").string(run.by.system_user);
        writer.key("at").string(run.at).key("findings").raw(run.findings).end_object();
    }
    return {.body = writer.end_array().end_object().take()};
}

http::Reply reply_vendors(const http::Context&, const database::Rows& rows) {
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

http::Reply reply_consumers(const http::Context&, const database::Rows& rows) {
    json::Writer writer;
    writer.begin_object().key("consumers").begin_array();
    for (const store::ConsumerProgress& one : store::read_consumer_progress(rows))
        store::write_consumer_progress(writer, one);
    return {.body = writer.end_array().end_object().take()};
}

}  // namespace

http::Endpoint operator_doctor() {
    return for_operators(
        "local:/operator/doctor/", "Return the last findings of doctor on each host.",
        [](const http::Context&) { return store::list_doctor_runs(); }, reply_doctor);
}

http::Endpoint operator_vendors() {
    return for_operators(
        "local:/operator/vendors/",
        "List the payment vendors whose last calls have failed, and which of them are paused.",
        [](const http::Context&) { return store::find_vendor_circuits(); }, reply_vendors);
}

http::Endpoint operator_consumers() {
    return for_operators(
        "local:/operator/consumers/",
        "List the consumers by supplier: what waits for them, and what they have taken.",
        [](const http::Context&) { return store::find_consumer_progress(); }, reply_consumers);
}

}  // namespace data_import::api
