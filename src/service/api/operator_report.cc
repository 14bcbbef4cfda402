#include "base/util/text.h"
#include "data/database/database.h"
#include "data/json/writer.h"
#include "data/proof/account_totals.h"
#include "data/report/report.h"
#include "service/api/local_endpoints.h"

namespace data_import::api {

namespace {

report::ReportRequest request_of(const http::Context& context) {
    return {.import_supplier = context.segments.at(0),
            .reading = report::Reading::never,
            .deadline = context.deadline};
}

void answer_report(const http::Context& context, database::Database& database, http::Responder& responder) {
    std::optional<report::Report> report;
    proof::with_snapshot(database, [&] { report = report::take(database, request_of(context)); });
    if (!report) throw http::Problem{Code::not_found, "There is no import supplier with this code."};
    responder.send({.body = report::to_html(*report),
                    .headers = {{"Content-Disposition", "attachment; filename=\"" +
                                                            util::percent_encode(report->supplier.code) +
                                                            "-draft.html\""}},
                    .content_type = "text/html; charset=utf-8"});
}

void answer_explanations(const http::Context& context, database::Database& database,
                         http::Responder& responder) {
    report::Explanations found;
    proof::with_snapshot(database,
                         [&] { found = report::take_explanations(database, request_of(context)).second; });
    json::Writer writer;
    writer.begin_object().key("figures").begin_array();
    for (const report::DifferingFigure& one : found.figures) {
        writer.begin_object().key("kind").string(one.figure.kind).key("figure").string(one.figure.figure);
        writer.key("explained").boolean(one.is_explained).end_object();
    }
    report::write_accepted(writer.end_array().key("accepted"), found);
    responder.send({.body = writer.end_object().take()});
}

}  // namespace

http::Endpoint operator_report() {
    return for_operators("local:/operator/report/{import_supplier}/",
                         "Draft the report on a migration, without reading its records.", answer_report);
}

http::Endpoint operator_explanations() {
    return for_operators("local:/operator/explanations/{import_supplier}/",
                         "Return which differences of control totals are explained, and how.",
                         answer_explanations);
}

}  // namespace data_import::api
