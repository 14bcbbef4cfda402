#include <map>

#include "data/payload/declarations.h"
#include "data/schema/content.h"

namespace data_import::payload {

namespace {

using schema::array;
using schema::code;
using schema::object;

constexpr std::int64_t max_participant_code = 9'999'999'999'999;

schema::Schema article_price() {
    // A bound may have 28 digits, 9 of them after the point. That is enough for any quantity in any unit. No
    // smaller limit is set for bounds.
    const auto bound = schema::decimal(28, 9);
    return object()
        .need("article_id", code(64), "Number of the article.")
        .need("price_cents", schema::decimal(16, 4),
              "In hundredths of the currency's main unit (1250.0000 is 12.50): the price of the article.")
        .may("interval_zone",
             object()
                 .may("lower_bound", bound, "In the article's unit: the lower bound of the quantity.")
                 .may("upper_bound", bound, "In the article's unit: the upper bound of the quantity.")
                 .as_of_1_0("lower_bound? upper_bound?"),
             "Quantities to which the price applies; all if left out.")
        .as_of_1_0("article_id price_cents interval_zone?");
}

schema::Schema participant_code() {
    return schema::integer(1, max_participant_code);
}

schema::Schema external_id() {
    return code(128);
}

/// Declares the fields by which a price sheet is known within an organisation.
schema::Object price_sheet_identity() {
    return object()
        .need("market_participant_code", participant_code(), "")
        .need("external_id", external_id(), "");
}

}  // namespace

schema::Object price_sheet() {
    return object()
        .need("market_participant_code", participant_code(),
              "Code number of a market participant that has been imported.")
        .need("price_sheet_type", code(32), "Code of the kind of price sheet.")
        .need("document_number", code(128), "Number of the PRICAT message.")
        .may("preceding_document_number", code(128), "Number of the preceding PRICAT message.")
        .need("active_from", schema::datetime(), "When the prices become valid.")
        .need("external_id", external_id(),
              "Identifier of the price sheet in the sender's system. A price sheet with the same identifier "
              "is stored once for each participant.")
        .need("article_prices", array(article_price()).max(10000), "The prices.")
        .may("is_price_sheet_unused", schema::boolean(),
             "Whether the price sheet is not used; false if left out.")
        .as_of_1_0(
            "market_participant_code price_sheet_type document_number preceding_document_number? "
            "active_from external_id article_prices",
            {"is_price_sheet_unused"});
}

// The text is the same whether is_price_sheet_unused is false or left out, because both mean the same.
std::string content_of_price_sheet(const json::Value& sheet) {
    static const schema::Schema content = price_sheet();
    const auto is_unused = sheet.find("is_price_sheet_unused");
    return schema::content_text(content, sheet) + (is_unused && is_unused->boolean() ? "unused" : "used");
}

std::vector<std::size_t> differing_price_sheets(const json::Value& sheets) {
    static const schema::Schema identity = price_sheet_identity();
    std::vector<std::size_t> places;
    std::map<std::string, std::string> contents;
    std::size_t place = 0;
    for (const json::Value sheet : sheets.items()) {
        const std::string content = content_of_price_sheet(sheet);
        const auto first = contents.emplace(schema::content_text(identity, sheet), content).first;
        if (first->second != content) places.push_back(place);
        ++place;
    }
    return places;
}

schema::Object price_sheets() {
    return object().need("price_sheets", array(price_sheet()).min(1).max(1000),
                         "The price sheets, in any order. Either all are stored, or none.");
}

}  // namespace data_import::payload
