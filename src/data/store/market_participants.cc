#include "data/store/market_participants.h"

#include <stdexcept>
#include <utility>

namespace data_import::store {

namespace {

/// The columns of import_market_participant()'s answer.
enum Column : std::size_t {
    created,
    code,
    code_type,
    name,
    role,
    energy,
    shows_contacts,
    category,
    contact_name,
    email,
    phone,
    valid_from
};

MarketParticipantContact contact_of(const database::Row& row) {
    return {.category = row.text(category),
            .name = row.optional_text(contact_name),
            .email = row.optional_text(email),
            .phone = row.optional_text(phone),
            .valid_from = row.optional_time(valid_from)};
}

PriceSheetRefusal parse_refusal(std::string_view outcome) {
    if (outcome == "unknown_participant") return PriceSheetRefusal::unknown_participant;
    if (outcome == "other_content") return PriceSheetRefusal::other_content;
    throw std::logic_error("the import of price sheets answered an unknown outcome");
}

}  // namespace

database::Call import_market_participant(const Provenance& provenance, const SentMarketParticipant& sent) {
    std::string columns = text_column("organisation", sent.organisation) + columns_of(provenance);
    columns +=
        sent.has_contact_details ? R"("has_contact_details":true,)" : R"("has_contact_details":false,)";
    std::string row;
    append_row(row, columns, sent.row);
    return {.name = "import_market_participant",
            .sql =
                "SELECT created, (participant).code, (participant).code_type, (participant).name, "
                "(participant).role, (participant).energy, shows_contacts, (contact).category, "
                "(contact).name, (contact).email, (contact).phone, (contact).valid_from "
                "FROM data_import.market_participant_import($1)",
            .parameters = {std::move(row)}};
}

MarketParticipantImported read_imported_market_participant(const database::Rows& rows) {
    const database::Row first = rows[0];
    MarketParticipantImported imported{.created = first.boolean(created),
                                       .participant = {.code = first.integer(code),
                                                       .code_type = first.text(code_type),
                                                       .name = first.text(name),
                                                       .role = first.text(role),
                                                       .energy = first.text(energy),
                                                       .contact_details = {}}};
    if (!rows.boolean(0, shows_contacts)) return imported;
    auto& contacts = imported.participant.contact_details.emplace();
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (!rows.is_null(row, category)) contacts.push_back(contact_of(rows[row]));
    }
    return imported;
}

// The common members come first, because PostgreSQL takes the last of two members with the same name. So a
// sheet's own is_price_sheet_unused replaces the common one.
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
