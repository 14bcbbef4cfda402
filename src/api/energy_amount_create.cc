#include "api/endpoints.h"
#include "api/validated_import.h"
#include "payload/paths.h"

namespace data_import::api {

namespace {

constexpr std::string_view example = R"({
  "import_supplier": "ACME",
  "external_account_number": "4711",
  "energy_amount": {
    "malo_number": "50812345678",
    "period_start_at": "2024-01-01T00:00:00+01:00",
    "period_end_at": "2024-02-01T00:00:00+01:00",
    "product_identifier": "1-1:1.29.0",
    "product_identifier_type": "SRW",
    "quantity": "245.123000000",
    "quantity_unit": "KWH",
    "line_item_identifier": "1",
    "preceding_reference": "EM-2023-000815",
    "cancelled": false,
    "cancelled_at": null,
    "cancelled_reference": null,
    "qualifier": "220",
    "estimate_method": "Z85",
    "estimate_reason": "Z74",
    "correction_reason": "Z78",
    "plausibility_indications": ["Z83"],
    "measurement_classifications": ["Z30"],
    "edifact_reference_number": "EM-2024-000042"
  }
})";

}  // namespace

http::Endpoint energy_amount_create() {
    return validated_import({.path = payload::paths::energy_amount,
                             .summary = "Add an energy amount to an imported account.",
                             .example = example});
}

}  // namespace data_import::api
