#include <algorithm>

#include "base/util/crypto.h"
#include "data/database/call.h"
#include "data/database/rows.h"
#include "data/json/writer.h"
#include "data/payload/declarations.h"
#include "data/payload/imports.h"
#include "data/store/market_participants.h"
#include "data/store/row.h"
#include "service/api/endpoints.h"

namespace data_import::api {

namespace {

using schema::object;

schema::Schema answer() {
    return object()
        .need("price_sheets_imported", schema::integer(0), "Number of new price sheets.")
        .need("price_sheets_already_imported", schema::integer(0),
              "Number of price sheets that existed already.");
}

database::Call plan(const http::Context& context) {
    static const schema::Object declared = payload::price_sheet();
    std::vector<store::PriceSheet> sheets;
    for (const json::Value sheet : context.body().at("price_sheets").items())
        sheets.push_back(
            {util::uuid_digest(payload::content_of_price_sheet(sheet)), store::row_of(declared, sheet).text});
    return store::import_price_sheets(
        {.request_id = context.request.request_id, .api_key_id = context.access->id},
        context.access->organisation, sheets);
}

schema::Violation violation_of(store::PriceSheetRefusal refusal, std::size_t place,
                               const json::Value& sheet) {
    const std::string attr = "price_sheets." + std::to_string(place) + ".";
    if (refusal == store::PriceSheetRefusal::unknown_participant) {
        return schema::violation_of(attr + "market_participant_code", Code::does_not_exist,
                                    "There is no market participant with this code: import it first.",
                                    sheet.at("market_participant_code"));
    }
    return schema::violation_of(attr + "external_id", Code::duplicate,
                                std::string(payload::price_sheet_differs), sheet.at("external_id"));
}

void require_no_refusal(const json::Value& sheets, const std::vector<store::RefusedPriceSheet>& refused) {
    if (refused.empty()) return;
    std::vector<schema::Violation> violations;
    std::size_t place = 0;
    auto next = refused.begin();
    for (const json::Value sheet : sheets.items()) {
        for (; next != refused.end() && next->place == place; ++next)
            violations.push_back(violation_of(next->refusal, place, sheet));
        ++place;
    }
    std::ranges::stable_sort(violations, {}, &schema::Violation::position);
    if (violations.size() > schema::max_violations) violations.resize(schema::max_violations);
    throw http::validation_error(std::move(violations));
}

http::Reply reply(const http::Context& context, const database::Rows& rows) {
    const store::PriceSheetsImported read = store::read_imported_price_sheets(rows);
    require_no_refusal(context.body().at("price_sheets"), read.refused);
    json::Writer writer;
    writer.begin_object().key("price_sheets_imported").integer(static_cast<std::int64_t>(read.imported));
    writer.key("price_sheets_already_imported").integer(static_cast<std::int64_t>(read.already_imported));
    return {.status = 201, .body = writer.end_object().take(), .stored = read.imported};
}

}  // namespace

http::Endpoint market_participant_fees_import() {
    const payload::DeclaredImport& declared = payload::import_of("price_sheets");
    return {
        .method = "POST",
        .path = declared.path,
        .summary =
            "Add price sheets of market participants' fees, all or none. Price sheets that exist already "
            "are not added again.",
        .tag = http::Tag::market_participants,
        .stores = declared.stores,
        .identity =
            "Two price sheets of an organisation are the same if market participant and `external_id` are "
            "the same. One that exists with other content is refused.",
        .body = declared.body,
        .answers = {{.status = 201,
                     .description =
                         "All price sheets are stored. The body counts the new ones and those that existed "
                         "already.",
                     .body = answer()}},
        .rule_codes = {Code::does_not_exist, Code::duplicate},
        .plan = plan,
        .reply = reply};
}

}  // namespace data_import::api
