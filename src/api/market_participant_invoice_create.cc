#include "api/endpoints.h"
#include "api/validated_import.h"

namespace data_import::api {

namespace {

schema::Object invoice();
store::Figures figures(const json::Value& invoice);
extern const std::string_view example;

}  // namespace

http::Endpoint market_participant_invoice_create() {
    return validated_import({.path = "/v1/data-import/market-participant-invoice/create/",
                             .summary = "Add an invoice of a market participant to an imported account.",
                             .example = example,
                             .field = "market_participant_invoice",
                             .document = invoice(),
                             .kind = store::DocumentKind::market_participant_invoice,
                             .figures = figures});
}

namespace {

using schema::alphanumeric;
using schema::array;
using schema::boolean;
using schema::country_code;
using schema::datetime;
using schema::decimal;
using schema::digits;
using schema::integer;
using schema::nullable;
using schema::object;
using schema::scalar;
using schema::text;

schema::Object address() {
    return object()
        .need("name", text(1, 255))
        .may("street", text(1, 255))
        .may("city", text(1, 255))
        .may("postcode", text(1, 16))
        .may("tax_number", text(1, 64))
        .may("tax_number_type", text(1, 8))
        .may("country_code", country_code());
}

schema::Object line_item() {
    return object()
        .need("position", integer(0, 1'000'000))
        .need("article", text(1, 64))
        .need("article_type", text(1, 32))
        .need("quantity", decimal(18, 9))
        .need("quantity_unit", text(1, 16))
        .may("quantity_interval", nullable(scalar()))
        .may("quantity_interval_type", nullable(scalar()))
        .may("quantity_correction_factor", nullable(scalar()))
        .need("period_start_at", datetime())
        .need("period_end_at", datetime())
        .may("service_conducted_at", nullable(datetime()))
        .need("amount_net", integer())
        .may("amount_adjustment", nullable(integer()))
        .need("price", decimal(18, 9))
        .may("price_interval", nullable(scalar()))
        .need("tax_rate", decimal(8, 4))
        .need("tax_rate_type", text(1, 8))
        .may("external_id", text(1, 128))
        .rule({"period_start_at", "period_end_at"}, check_document_period);
}

schema::Object tax_amount() {
    return object()
        .need("tax_rate", decimal(8, 4))
        .need("tax_rate_type", text(1, 8))
        .may("amount_paid_in_advance", nullable(scalar()))
        .may("tax_amount_paid_in_advance", nullable(scalar()))
        .need("tax_amount_assessment_basis", integer())
        .need("tax_amount", integer());
}

schema::Object invoice() {
    const auto code = text(1, 64);
    const auto participant = integer(0, 9'999'999'999'999);
    return object()
        .need("invoice_type", code)
        .may("invoice_sub_type", text(1, 128))
        .need("invoice_document_type", code)
        .need("invoice_number", code)
        .need("status", code)
        .need("issued_at", datetime())
        .need("due_at", datetime())
        .need("malo_number", digits(11))
        .may("melo_number", nullable(alphanumeric(33)))
        .may("period_start_at", datetime())
        .may("period_end_at", datetime())
        .may("balancing_period_start_at", nullable(datetime()))
        .may("supply_period_end_at", nullable(datetime()))
        .may("service_conducted_at", nullable(datetime()))
        .need("amount_total", integer())
        .need("amount_due", integer())
        .may("amount_discount", nullable(integer()))
        .may("is_reverse_charge", boolean())
        .may("is_duplicate", boolean())
        .may("was_prepaid", boolean())
        .may("reference_invoice_number", nullable(text(1, 128)))
        .may("reference_invoice_issued_at", nullable(datetime()))
        .may("reference_document", nullable(text(1, 128)))
        .may("interchange_reference", text(1, 128))
        .need("external_id", text(1, 128))
        .need("sender_id", participant)
        .need("recipient_id", participant)
        .need("sender_address", address())
        .need("recipient_address", address())
        .need("line_items", array(line_item()).min(1).max(10000))
        .need("tax_amounts", array(tax_amount()).max(100))
        .may("paid_in_advance_amounts", array(object()).max(0))  // the shape of an item is not documented
        .rule({"period_start_at", "period_end_at"}, check_document_period);
}

store::Figures figures(const json::Value& invoice) {
    store::Figures figures;
    figures["amount_total"].add(invoice.at("amount_total").text());
    figures["line_items"].add(std::to_string(invoice.at("line_items").size()));
    return figures;
}

const std::string_view example = R"({
  "import_supplier": "ACME",
  "external_account_number": "4711",
  "market_participant_invoice": {
    "invoice_type": "INVOICE",
    "invoice_sub_type": "MONTHLY",
    "invoice_document_type": "NETWORK_USAGE",
    "invoice_number": "R-2024-000042",
    "status": "CLOSED",
    "issued_at": "2024-02-05T09:00:00+01:00",
    "due_at": "2024-02-19T00:00:00+01:00",
    "malo_number": "50812345678",
    "melo_number": null,
    "period_start_at": "2024-01-01T00:00:00+01:00",
    "period_end_at": "2024-02-01T00:00:00+01:00",
    "balancing_period_start_at": null,
    "supply_period_end_at": null,
    "service_conducted_at": null,
    "amount_total": 2499,
    "amount_due": 2499,
    "amount_discount": null,
    "is_reverse_charge": false,
    "is_duplicate": false,
    "was_prepaid": false,
    "reference_invoice_number": null,
    "reference_invoice_issued_at": null,
    "reference_document": null,
    "interchange_reference": "I-2024-0007",
    "external_id": "INV-42",
    "sender_id": 9900000000001,
    "recipient_id": 9900000000002,
    "sender_address": {
      "name": "Example Grid",
      "street": "Grid Street 1",
      "city": "Berlin",
      "postcode": "10115",
      "tax_number": "DE000000001",
      "tax_number_type": "VA",
      "country_code": "DE"
    },
    "recipient_address": {
      "name": "Example Supply",
      "street": "Supply Street 2",
      "city": "Bonn",
      "postcode": "53111",
      "tax_number": "205/0000/0002",
      "tax_number_type": "FC",
      "country_code": "DE"
    },
    "line_items": [
      {
        "position": 1,
        "article": "1-07-1",
        "article_type": "ARTICLE_ID",
        "quantity": "245.123000000",
        "quantity_unit": "KWH",
        "quantity_interval": null,
        "quantity_interval_type": null,
        "quantity_correction_factor": null,
        "period_start_at": "2024-01-01T00:00:00+01:00",
        "period_end_at": "2024-02-01T00:00:00+01:00",
        "service_conducted_at": null,
        "amount_net": 2100,
        "amount_adjustment": null,
        "price": "0.085671000",
        "price_interval": null,
        "tax_rate": "19.0000",
        "tax_rate_type": "S",
        "external_id": "INV-42-1"
      }
    ],
    "tax_amounts": [
      {
        "tax_rate": "19.0000",
        "tax_rate_type": "S",
        "amount_paid_in_advance": null,
        "tax_amount_paid_in_advance": null,
        "tax_amount_assessment_basis": 2100,
        "tax_amount": 399
      }
    ],
    "paid_in_advance_amounts": []
  }
})";

}  // namespace

}  // namespace data_import::api
