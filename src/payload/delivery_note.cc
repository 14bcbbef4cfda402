#include "payload/declarations.h"
#include "payload/rules.h"

namespace data_import::payload {

namespace {

using schema::array;
using schema::boolean;
using schema::datetime;
using schema::decimal;
using schema::digits;
using schema::object;
using schema::text;

}  // namespace

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

}  // namespace data_import::payload
