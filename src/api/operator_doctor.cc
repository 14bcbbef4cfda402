#include "api/operators.h"
#include "json/writer.h"
#include "store/diagnosis.h"

namespace data_import::api {

namespace {

http::Reply reply(const http::Context&, const database::Rows& rows) {
    json::Writer writer;
    writer.begin_object().key("hosts").begin_array();
    for (const store::DoctorRun& run : store::read_doctor_runs(rows)) {
        writer.begin_object().key("host").string(run.by.host).key("system_user").string(run.by.system_user);
        writer.key("at").string(run.at).key("findings").raw(run.findings).end_object();
    }
    return {.body = writer.end_array().end_object().take()};
}

}  // namespace

http::Endpoint operator_doctor() {
    return {.method = "GET",
            .path = "local:/operator/doctor/",
            .summary = "Tell what doctor found last on each host.",
            .needs_token = false,
            .is_public = false,
            .plan = [](const http::Context&) { return store::list_doctor_runs(); },
            .reply = reply};
}

}  // namespace data_import::api
