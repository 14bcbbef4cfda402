#include "api/endpoints.h"
#include "api/validated_import.h"
#include "payload/paths.h"

namespace data_import::api {

namespace {

constexpr std::string_view example = R"({
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

http::Endpoint market_participant_invoice_create() {
    return validated_import({.path = payload::paths::market_participant_invoice,
                             .summary = "Add an invoice of a market participant to an imported account.",
                             .example = example});
}

}  // namespace data_import::api
