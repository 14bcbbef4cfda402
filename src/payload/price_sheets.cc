#include "payload/declarations.h"

namespace data_import::payload {

namespace {

using schema::array;
using schema::object;
using schema::text;

constexpr std::int64_t max_participant_code = 9'999'999'999'999;

schema::Schema article_price() {
    // bounds of an interval have no limit of their own: room for any quantity in any unit
    const auto bound = schema::decimal(28, 9);
    return object()
        .need("article_id", text(1, 64))
        .need("price_cents", schema::decimal(16, 4))
        .may("interval_zone", object().may("lower_bound", bound).may("upper_bound", bound));
}

}  // namespace

schema::Object price_sheet_content() {
    return object()
        .need("market_participant_code", schema::integer(1, max_participant_code))
        .need("price_sheet_type", text(1, 32))
        .need("document_number", text(1, 128))
        .may("preceding_document_number", text(1, 128))
        .need("active_from", schema::datetime())
        .need("external_id", text(1, 128))
        .need("article_prices", array(article_price()).max(10000));
}

schema::Object price_sheet() {
    return price_sheet_content().may("is_price_sheet_unused", schema::boolean());
}

schema::Object price_sheets() {
    return object().need("price_sheets", array(price_sheet()).min(1).max(1000));
}

}  // namespace data_import::payload
