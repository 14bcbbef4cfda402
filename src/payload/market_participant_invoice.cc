#include "payload/declarations.h"
#include "payload/rules.h"

namespace data_import::payload {

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

}  // namespace

schema::Object market_participant_invoice() {
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

}  // namespace data_import::payload
