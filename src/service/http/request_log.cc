#include "service/http/request_log.h"

#include <algorithm>
#include <utility>

#include "service/http/header_fields.h"
#include "service/http/refusal_log.h"

namespace data_import::http {

namespace {

/// Returns `HEAD` for a HEAD, otherwise the method of the endpoint.
std::string_view method_of(const Request& request, const Endpoint& endpoint) {
    return request.method == "HEAD" ? std::string_view("HEAD") : endpoint.method;
}

}  // namespace

void RequestLog::stop() {
    took = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - began_);
}

void RequestLog::note_refusal(const Endpoint* endpoint, const Context& context, const Problem& problem) {
    code = codes::row_of(problem.code).name;
    refusal = {.import_supplier = std::string(supplier_of_refusal(endpoint, context))};
    if (auto account = shown_account(endpoint, context)) refusal.account = std::move(*account);
    for (store::RefusedPlace& place : refused_places(endpoint, problem, 1)) {
        refusal.item_code = std::move(place.code);
        refusal.attr = std::move(place.attr);
    }
}

void RequestLog::write(const Context& context, const Endpoint* endpoint, int status,
                       bool also_when_good) const {
    if (is_counted_only) return;
    const Request& request = context.request;
    const bool failed = status >= 500 || (reason != "-" && reason != client_gone);
    const bool good = !failed && code == "-" && reason == "-";
    if (good && !also_when_good) return;
    std::string what =
        context.is_line() ? "line " + std::to_string(context.line) + " of a bulk request" : "request";
    if (context.is_dry) what += ", dry run";
    std::vector<util::LogField> fields{
        {"request_id", request.request_id},
        {"method", endpoint == nullptr ? "-" : method_of(request, *endpoint)},
        {"endpoint", endpoint == nullptr ? std::string_view("-") : endpoint->path},
        {"status", status},
        {"code", code},
        {"api_key", context.access ? std::string_view(context.access->id) : "-"},
        {"bytes", request.body.size()},
        {"microseconds", took.count()},
        {"reason", reason}};
    if (code != "-") add_refusal(fields);
    if (is_client_request_id(request.client_request_id))
        fields.emplace_back("client_request_id", request.client_request_id);
    if (const auto trace = traceparent_in(request.traceparent); !trace.empty())
        fields.emplace_back("traceparent", trace);
    util::log(failed ? util::Severity::error : util::Severity::info, what, fields);
}

void RequestLog::add_refusal(std::vector<util::LogField>& fields) const {
    for (const auto& [name, value] :
         {std::pair("import_supplier", &refusal.import_supplier), std::pair("account", &refusal.account),
          std::pair("item_code", &refusal.item_code), std::pair("attr", &refusal.attr)}) {
        if (!value->empty()) fields.emplace_back(name, *value);
    }
}

void log_beyond_share(const RequestsByKey& refused) {
    for (const auto& [api_key, requests] : refused) {
        util::log(util::Severity::notice, "requests were refused beyond their organisation's share",
                  {{"api_key", api_key}, {"requests", requests}});
    }
}

bool LinesOnStrangers::has_line(Time now) {
    const bool has_room = lines_.take_one(now);
    if (!has_room) ++counted_;
    return has_room;
}

std::size_t LinesOnStrangers::take_counted(Time now) {
    if (counted_ == 0 || now - told_at_ < interval) return 0;
    told_at_ = now;
    return std::exchange(counted_, 0);
}

void log_strangers(std::size_t counted) {
    if (counted == 0) return;
    util::log(util::Severity::notice, "more requests without a valid token were refused",
              {{"requests", counted}});
}

}  // namespace data_import::http
