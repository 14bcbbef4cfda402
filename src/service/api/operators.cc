#include "service/api/local_endpoints.h"

#include <utility>

namespace data_import::api {

http::Endpoint for_operators(std::string_view path, std::string_view summary, http::Plan plan,
                             http::ReplyOf reply, std::vector<http::QueryParameter> query) {
    return {.method = "GET",
            .path = path,
            .summary = summary,
            .needs_token = false,
            .is_public = false,
            .query = std::move(query),
            .plan = std::move(plan),
            .reply = std::move(reply)};
}

http::Endpoint for_operators(std::string_view path, std::string_view summary, http::Run run,
                             std::vector<http::QueryParameter> query) {
    http::Endpoint endpoint = for_operators(path, summary, {}, {}, std::move(query));
    endpoint.run = std::move(run);
    return endpoint;
}

std::vector<http::Endpoint> operator_endpoints(bool see_records) {
    return {operator_suppliers(),
            operator_supplier(),
            operator_throughput(),
            operator_throughput_by_supplier(),
            operator_refusals(),
            operator_refusal_examples(),
            operator_control_totals(),
            operator_failed_accounts(),
            operator_failure_reasons(),
            operator_failure_reasons_of_supplier(),
            operator_accounts_in_progress(),
            operator_account(see_records),
            operator_records(see_records),
            operator_accounts_without(),
            operator_request(),
            operator_request_of_account(),
            operator_search(),
            operator_doctor(),
            operator_explanations(),
            operator_report(),
            operator_vendors(),
            operator_consumers(),
            operator_booked()};
}

}  // namespace data_import::api
