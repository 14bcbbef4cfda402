#include "api/endpoints.h"
#include "api/validated_import.h"

namespace data_import::api {

namespace {

schema::Object delivery_note();
store::Figures figures(const json::Value& note);
extern const std::string_view example;

}  // namespace

http::Endpoint delivery_note_create() {
    return validated_import({.path = "/v1/data-import/delivery-note/create/",
                             .summary = "Add a delivery note to an imported account.",
                             .example = example,
                             .field = "delivery_note",
                             .document = delivery_note(),
                             .kind = store::DocumentKind::delivery_note,
                             .figures = figures});
}

namespace {

using schema::array;
using schema::boolean;
using schema::datetime;
using schema::decimal;
using schema::digits;
using schema::object;
using schema::text;

schema::Object delivery_note() {
    const auto amount = object()
                            .need("period_start_at", datetime())
                            .need("period_end_at", datetime())
                            .need("product_identifier", text(1, 64))
                            .need("product_identifier_type", text(1, 16))
                            .need("quantity", decimal(18, 9))
                            .need("quantity_unit", text(1, 16))
                            .need("line_item_identifier", text(1, 64))
                            .rule({"period_start_at", "period_end_at"}, check_document_period);
    return object()
        .need("malo_number", digits(11))
        .need("amounts", array(amount).min(1).max(10000).columns("amount"))
        .may("preceding_reference", text(1, 128))
        .need("cancelled", boolean())
        .need("validation_status", boolean())
        .may("last_validation_at", datetime())
        .need("edifact_reference_number", text(1, 128));
}

store::Figures figures(const json::Value& note) {
    const json::Value amounts = note.at("amounts");
    store::Figures figures;
    figures["amounts"].add(std::to_string(amounts.size()));
    for (const json::Value amount : amounts.items()) add_quantity(figures, amount);
    return figures;
}

const std::string_view example = R"({
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

}  // namespace data_import::api
