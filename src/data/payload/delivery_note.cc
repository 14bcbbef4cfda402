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
using schema::object;
using schema::text;

}  // namespace

schema::Object delivery_note() {
    const auto amount = object()
                            .need("period_start_at", datetime(), about::period_start_at)
                            .need("period_end_at", datetime(), about::period_end_at)
                            .need("product_identifier", code(64), about::product_identifier)
                            .need("product_identifier_type", code(16), about::product_identifier_type)
                            .need("quantity", decimal(18, 9), about::quantity)
                            .need("quantity_unit", code(16), about::quantity_unit)
                            .need("line_item_identifier", code(64), about::line_item_identifier)
                            .as_of_1_0(
                                "period_start_at period_end_at product_identifier product_identifier_type "
                                "quantity quantity_unit line_item_identifier")
                            .rule({"period_start_at", "period_end_at"}, check_document_period);
    return object()
        .need("malo_number", digits(11), about::malo_number)
        .need("amounts", array(amount).min(1).max(10000).columns("amount"),
              "The delivered amounts, one for each period and product.")
        .may("preceding_reference", text(1, 128), about::preceding_reference)
        .need("cancelled", boolean(), about::cancelled)
        .need("validation_status", boolean(), "Whether the delivery note is valid.")
        .may("last_validation_at", datetime(), "When the delivery note was validated last.")
        .need("edifact_reference_number", text(1, 128), about::edifact_reference_number)
        .as_of_1_0(
            "malo_number amounts preceding_reference? cancelled validation_status last_validation_at? "
            "edifact_reference_number");
}

}  // namespace data_import::payload
