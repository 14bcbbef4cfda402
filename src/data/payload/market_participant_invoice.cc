#include "data/payload/about.h"
#include "data/payload/declarations.h"
#include "data/payload/rules.h"

namespace data_import::payload {

namespace {

using schema::alphanumeric;
using schema::array;
using schema::boolean;
using schema::code;
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
        .need("name", text(1, 255), "Name of the company or person.")
        .may("street", text(1, 255), "Street and number.")
        .may("city", text(1, 255), "City or place.")
        .may("postcode", text(1, 16), "Postal code.")
        .may("tax_number", text(1, 64), "Tax number, of the kind of `tax_number_type`.")
        .may("tax_number_type", code(8), "Code of the kind of tax number, for example `VA` or `FC`.")
        .may("country_code", country_code(), "Country code of ISO 3166-1.")
        .as_of_1_0("name street? city? postcode? tax_number? tax_number_type? country_code?");
}

schema::Object line_item() {
    return object()
        .need("position", integer(0, 1'000'000), "Number of the line on the invoice.")
        .need("article", code(64), "Number of the article, in the scheme of `article_type`.")
        .need("article_type", code(32), "Scheme of `article`.")
        .need("quantity", decimal(18, 9), about::quantity)
        .need("quantity_unit", code(16), about::quantity_unit)
        .may("quantity_interval", nullable(scalar()), "Interval of the quantity; null if there is none.")
        .may("quantity_interval_type", nullable(scalar()),
             "Unit of `quantity_interval`; null if there is none.")
        .may("quantity_correction_factor", nullable(scalar()),
             "Factor by which the quantity was corrected; null if there is none.")
        .need("period_start_at", datetime(), about::period_start_at)
        .need("period_end_at", datetime(), about::period_end_at)
        .may("service_conducted_at", nullable(datetime()), about::service_conducted_at)
        .need("amount_net", integer(), "In the currency's minor unit (1250): the line without tax.")
        .may("amount_adjustment", nullable(integer()),
             "In the currency's minor unit (1250): discount or surcharge on the line; null if there is none.")
        .need("price", decimal(18, 9),
              "In the currency's main unit (0.085671): the price of one `quantity_unit`, without tax.")
        .may("price_interval", nullable(scalar()), "Interval of the price; null if there is none.")
        .need("tax_rate", decimal(8, 4), about::tax_rate)
        .need("tax_rate_type", code(8), about::tax_rate_type)
        .may("external_id", code(128), "Identifier of the line in the supplier's system.")
        .as_of_1_0(
            "position article article_type quantity quantity_unit quantity_interval?~ "
            "quantity_interval_type?~ quantity_correction_factor?~ period_start_at period_end_at "
            "service_conducted_at?~ amount_net amount_adjustment?~ price price_interval?~ tax_rate "
            "tax_rate_type external_id?")
        .rule({"period_start_at", "period_end_at"}, check_document_period);
}

schema::Object tax_amount() {
    return object()
        .need("tax_rate", decimal(8, 4), about::tax_rate)
        .need("tax_rate_type", code(8), about::tax_rate_type)
        .may("amount_paid_in_advance", nullable(scalar()),
             "In the currency's minor unit (1250): the advance payment; null if there was none.")
        .may("tax_amount_paid_in_advance", nullable(scalar()),
             "In the currency's minor unit (1250): the tax on the advance payment; null if there was none.")
        .need("tax_amount_assessment_basis", integer(),
              "In the currency's minor unit (1250): the amount from which the tax is computed.")
        .need("tax_amount", integer(), "In the currency's minor unit (1250): the tax.")
        .as_of_1_0(
            "tax_rate tax_rate_type amount_paid_in_advance?~ tax_amount_paid_in_advance?~ "
            "tax_amount_assessment_basis tax_amount");
}

}  // namespace

schema::Object market_participant_invoice() {
    const auto short_code = code(64);
    const auto participant = integer(0, 9'999'999'999'999);
    return object()
        .need("invoice_type", short_code, "Code of the kind of invoice.")
        .may("invoice_sub_type", code(128), "Code of the kind within `invoice_type`.")
        .need("invoice_document_type", short_code, "Code of the purpose of the invoice.")
        .need("invoice_number", short_code, "Number of the invoice, assigned by its sender.")
        .need("status", short_code, "State of the invoice, for example `CLOSED`.")
        .need("issued_at", datetime(), "When the invoice was issued.")
        .need("due_at", datetime(), "When the invoice must be paid.")
        .need("malo_number", digits(11), about::malo_number)
        .may("melo_number", nullable(alphanumeric(33)),
             "Number of the metering location (MeLo); null if there is none.")
        .may("period_start_at", datetime(), about::period_start_at)
        .may("period_end_at", datetime(), about::period_end_at)
        .may("balancing_period_start_at", nullable(datetime()),
             "When balancing begins; null if there is none.")
        .may("supply_period_end_at", nullable(datetime()), "When the supply ends; null if it goes on.")
        .may("service_conducted_at", nullable(datetime()), about::service_conducted_at)
        .need("amount_total", integer(),
              "In the currency's minor unit (1250): total of the invoice including tax.")
        .need("amount_due", integer(),
              "In the currency's minor unit (1250): the amount that is still to be paid.")
        .may("amount_discount", nullable(integer()),
             "In the currency's minor unit (1250): discount on the invoice; null if there is none.")
        .may("is_reverse_charge", boolean(), "Whether the recipient owes the tax (reverse charge).")
        .may("is_duplicate", boolean(), "Whether this invoice is a duplicate of an earlier one.")
        .may("was_prepaid", boolean(), "Whether the invoice was paid in advance.")
        .may("reference_invoice_number", nullable(code(128)),
             "Number of the invoice to which this one refers; null if there is none.")
        .may("reference_invoice_issued_at", nullable(datetime()),
             "When that invoice was issued; null if there is none.")
        .may("reference_document", nullable(text(1, 128)),
             "Document to which the invoice refers; null if there is none.")
        .may("interchange_reference", text(1, 128), "Reference of the EDIFACT interchange.")
        .need("external_id", code(128), "Identifier of the invoice in the supplier's system.")
        .need("sender_id", participant, "Code number of the market participant who sends the invoice.")
        .need("recipient_id", participant, "Code number of the market participant who receives the invoice.")
        .need("sender_address", address(), "Address of the sender.")
        .need("recipient_address", address(), "Address of the recipient.")
        .need("line_items", array(line_item()).min(1).max(10000), "The lines of the invoice.")
        .need("tax_amounts", array(tax_amount()).max(100), "The taxes on the invoice, one for each rate.")
        .may("paid_in_advance_amounts", array(object()).max(0),
             "Must be empty.")  // The shape of an item is not documented.
        .as_of_1_0(
            "invoice_type invoice_sub_type? invoice_document_type invoice_number status issued_at due_at "
            "malo_number melo_number?~ period_start_at? period_end_at? balancing_period_start_at?~ "
            "supply_period_end_at?~ service_conducted_at?~ amount_total amount_due amount_discount?~ "
            "is_reverse_charge? is_duplicate? was_prepaid? reference_invoice_number?~ "
            "reference_invoice_issued_at?~ reference_document?~ interchange_reference? external_id "
            "sender_id recipient_id sender_address recipient_address line_items tax_amounts "
            "paid_in_advance_amounts?")
        .rule({"period_start_at", "period_end_at"}, check_document_period);
}

}  // namespace data_import::payload
