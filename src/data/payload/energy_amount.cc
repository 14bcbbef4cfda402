#include "data/payload/about.h"
#include "data/payload/declarations.h"
#include "data/payload/rules.h"

namespace data_import::payload {

namespace {

using schema::array;
using schema::boolean;
using schema::code;
using schema::datetime;
using schema::decimal;
using schema::digits;
using schema::nullable;
using schema::object;
using schema::text;

}  // namespace

schema::Object energy_amount() {
    const auto short_code = code(32);
    const auto codes = array(short_code).max(100);
    return object()
        .need("malo_number", digits(11), about::malo_number)
        .need("period_start_at", datetime(), about::period_start_at)
        .need("period_end_at", datetime(), about::period_end_at)
        .need("product_identifier", code(64), about::product_identifier)
        .need("product_identifier_type", code(16), about::product_identifier_type)
        .need("quantity", decimal(18, 9), about::quantity)
        .need("quantity_unit", code(16), about::quantity_unit)
        .need("line_item_identifier", code(64), about::line_item_identifier)
        .may("preceding_reference", text(1, 128), about::preceding_reference)
        .need("cancelled", boolean(), about::cancelled)
        .may("cancelled_at", nullable(datetime()), "When the message was cancelled; null if it was not.")
        .may("cancelled_reference", nullable(text(1, 128)),
             "Reference of the message that cancelled this one; null if there is none.")
        .may("qualifier", short_code, "Code that qualifies the quantity.")
        .may("estimate_method", short_code, "Code of the method by which the quantity was estimated.")
        .may("estimate_reason", short_code, "Code of the reason why the quantity was estimated.")
        .may("correction_reason", short_code, "Code of the reason why the quantity was corrected.")
        .may("plausibility_indications", codes, "Codes of findings about the plausibility of the quantity.")
        .may("measurement_classifications", codes, "Codes that classify the measurement.")
        .need("edifact_reference_number", text(1, 128), about::edifact_reference_number)
        .as_of_1_0(
            "malo_number period_start_at period_end_at product_identifier product_identifier_type quantity "
            "quantity_unit line_item_identifier preceding_reference? cancelled cancelled_at?~ "
            "cancelled_reference?~ qualifier? estimate_method? estimate_reason? correction_reason? "
            "plausibility_indications? measurement_classifications? edifact_reference_number")
        .rule({"period_start_at", "period_end_at"}, check_document_period);
}

}  // namespace data_import::payload
