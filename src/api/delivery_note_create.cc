#include "api/endpoints.h"
#include "api/optional_text.h"
#include "api/validated_import.h"

namespace data_import::api {

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
        .need("amounts", array(amount).min(1).max(10000))
        .may("preceding_reference", text(1, 128))
        .need("cancelled", boolean())
        .need("validation_status", boolean())
        .may("last_validation_at", datetime())
        .need("edifact_reference_number", text(1, 128));
}

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

store::Call import(const store::ImportTarget& target, std::string content_digest, const json::Value& sent) {
    store::DeliveryNote note{.content_digest = std::move(content_digest),
                             .malo_number = sent.at("malo_number").text(),
                             .preceding_reference = optional_text(sent, "preceding_reference"),
                             .cancelled = sent.at("cancelled").boolean(),
                             .validation_status = sent.at("validation_status").boolean(),
                             .last_validation_at = optional_text(sent, "last_validation_at"),
                             .edifact_reference_number = sent.at("edifact_reference_number").text(),
                             .amounts = {}};
    for (const json::Value amount : sent.at("amounts").items()) {
        note.amounts.period_start_at.add(amount.at("period_start_at").text());
        note.amounts.period_end_at.add(amount.at("period_end_at").text());
        note.amounts.product_identifier.add(amount.at("product_identifier").text());
        note.amounts.product_identifier_type.add(amount.at("product_identifier_type").text());
        note.amounts.quantity.add(number_for_database(amount.at("quantity").text()));
        note.amounts.quantity_unit.add(amount.at("quantity_unit").text());
        note.amounts.line_item_identifier.add(amount.at("line_item_identifier").text());
    }
    return store::import_delivery_note(target, std::move(note));
}

}  // namespace

http::Endpoint delivery_note_create() {
    return validated_import({.path = "/v1/data-import/delivery-note/create/",
                             .summary = "Add a delivery note to an imported account.",
                             .example = example,
                             .field = "delivery_note",
                             .document = delivery_note(),
                             .import = import});
}

}  // namespace data_import::api
