#include "payload/declarations.h"
#include "payload/rules.h"

namespace data_import::payload {

namespace {

using schema::array;
using schema::boolean;
using schema::datetime;
using schema::decimal;
using schema::digits;
using schema::nullable;
using schema::object;
using schema::text;

}  // namespace

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

}  // namespace data_import::payload
