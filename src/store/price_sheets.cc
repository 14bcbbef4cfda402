#include "store/price_sheets.h"

#include <stdexcept>

namespace data_import::store {

namespace {

PriceSheetRefusal parse_refusal(std::string_view outcome) {
    if (outcome == "unknown_participant") return PriceSheetRefusal::unknown_participant;
    if (outcome == "other_content") return PriceSheetRefusal::other_content;
    throw std::logic_error("the import of price sheets answered an unknown outcome");
}

}  // namespace

// If a column comes twice, PostgreSQL takes the last.
database::Call import_price_sheets(const Provenance& provenance, std::string_view organisation,
                                   std::span<const PriceSheet> sheets) {
    const std::string common = text_column("organisation", organisation) + columns_of(provenance) +
                               R"("is_price_sheet_unused":false,)";
    std::string rows;
    for (const PriceSheet& sheet : sheets)
        append_row(rows, common + text_column("content_digest", sheet.content_digest), sheet.row);
    return {.name = "import_price_sheets",
            .sql = "SELECT sheet, outcome FROM data_import.price_sheets_import($1)",
            .parameters = {'[' + rows + ']'}};
}

PriceSheetsImported read_imported_price_sheets(const database::Rows& rows) {
    PriceSheetsImported read;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::string_view outcome = rows.text(row, 1);
        if (outcome == "imported") {
            ++read.imported;
        } else if (outcome == "already_imported") {
            ++read.already_imported;
        } else {
            read.refused.push_back({static_cast<std::size_t>(rows.integer(row, 0)), parse_refusal(outcome)});
        }
    }
    return read;
}

}  // namespace data_import::store
