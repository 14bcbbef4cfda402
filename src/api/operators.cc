#include "api/operators.h"

namespace data_import::api {

std::vector<http::Endpoint> operator_endpoints() {
    return {operator_suppliers(),
            operator_supplier(),
            operator_throughput(),
            operator_throughput_by_supplier(),
            operator_refusals(),
            operator_control_totals(),
            operator_failed_accounts(),
            operator_failure_reasons(),
            operator_failure_reasons_of_supplier(),
            operator_accounts_in_progress(),
            operator_account(),
            operator_accounts_without(),
            operator_request(),
            operator_request_of_account(),
            operator_search(),
            operator_doctor(),
            operator_explanations(),
            operator_report(),
            operator_vendors()};
}

}  // namespace data_import::api
