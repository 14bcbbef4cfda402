#include "api/endpoints.h"
#include "api/validated_import.h"

namespace data_import::api {

namespace {

schema::Object energy_amount();
store::Figures figures(const json::Value& amount);
extern const std::string_view example;

}  // namespace

http::Endpoint energy_amount_create() {
    return validated_import({.path = "/v1/data-import/energy-amount/create/",
                             .summary = "Add an energy amount to an imported account.",
                             .example = example,
                             .field = "energy_amount",
                             .document = energy_amount(),
                             .kind = store::DocumentKind::energy_amount,
                             .figures = figures});
}

namespace {

using schema::array;
using schema::boolean;
using schema::datetime;
using schema::decimal;
using schema::digits;
using schema::nullable;
using schema::object;
using schema::text;

schema::Object energy_amount() {
    const auto code = text(1, 32);
    const auto codes = array(code).max(100);
    return object()
        .need("malo_number", digits(11))
        .need("period_start_at", datetime())
        .need("period_end_at", datetime())
        .need("product_identifier", text(1, 64))
        .need("product_identifier_type", text(1, 16))
        .need("quantity", decimal(18, 9))
        .need("quantity_unit", text(1, 16))
        .need("line_item_identifier", text(1, 64))
        .may("preceding_reference", text(1, 128))
        .need("cancelled", boolean())
        .may("cancelled_at", nullable(datetime()))
        .may("cancelled_reference", nullable(text(1, 128)))
        .may("qualifier", code)
        .may("estimate_method", code)
        .may("estimate_reason", code)
        .may("correction_reason", code)
        .may("plausibility_indications", codes)
        .may("measurement_classifications", codes)
        .need("edifact_reference_number", text(1, 128))
        .rule({"period_start_at", "period_end_at"}, check_document_period);
}

store::Figures figures(const json::Value& amount) {
    store::Figures figures;
    add_quantity(figures, amount);
    return figures;
}

const std::string_view example = R"({
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

}  // namespace data_import::api
