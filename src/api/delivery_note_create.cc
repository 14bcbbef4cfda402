#include "api/endpoints.h"
#include "api/validated_import.h"
#include "payload/paths.h"

namespace data_import::api {

namespace {

constexpr std::string_view example = R"({
  "import_supplier": "ACME",
  "external_account_number": "4711",
  "delivery_note": {
    "malo_number": "50812345678",
    "amounts": [
      {
        "period_start_at": "2024-01-01T00:00:00+01:00",
        "period_end_at": "2024-02-01T00:00:00+01:00",
        "product_identifier": "1-1:1.29.0",
        "product_identifier_type": "SRW",
        "quantity": "245.123000000",
        "quantity_unit": "KWH",
        "line_item_identifier": "1"
      }
    ],
    "preceding_reference": "LS-2023-000815",
    "cancelled": false,
    "validation_status": true,
    "last_validation_at": "2024-02-02T08:30:00Z",
    "edifact_reference_number": "LS-2024-000042"
  }
})";

}  // namespace

http::Endpoint delivery_note_create() {
    return validated_import({.path = payload::paths::delivery_note,
                             .summary = "Add a delivery note to an imported account.",
                             .example = example});
}

}  // namespace data_import::api
