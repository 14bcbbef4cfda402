#include "service/api/routes.h"

#include "service/api/endpoints.h"
#include "service/http/dry_run.h"

namespace data_import::api {

std::vector<http::Endpoint> endpoints(const Options& options) {
    std::vector<http::Endpoint> all = {
        notes_create(),
        delivery_note_create(),
        energy_amount_create(),
        transactions_create(),
        historical_statements_create(),
        market_participant_invoice_create(),
        payment_instruction_create(options),
        account_transfer_status(),
        account_listing(store::Listed::all, options),
        account_listing(store::Listed::pending, options),
        account_listing(store::Listed::imported, options),
        failed_listing(options),
        events(),
        account_control_totals(options),
        import_suppliers(),
        progress(),
        throughput(),
        refusals(),
        control_totals(),
        control_totals_declare(),
        market_participant_import(),
        market_participant_fees_import(),
        bulk(),
        graphql(options),
        token(options),
        healthz(),
        readyz(options),
        errors_json(),
    };
    for (http::Endpoint& endpoint : all) {
        if (http::takes_dry_run(endpoint)) endpoint.query.push_back(http::dry_run_parameter());
    }
    all.push_back(openapi_json(all));
    return all;
}

}  // namespace data_import::api
