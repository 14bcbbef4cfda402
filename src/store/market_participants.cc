#include "store/market_participants.h"

#include <utility>

#include "store/column_text.h"

namespace data_import::store {

namespace {

/// The columns of the statement below.
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

std::string text_of(const database::Rows& rows, std::size_t row, Column column) {
    return std::string(rows.text(row, column));
}

MarketParticipantContact contact_of(const database::Rows& rows, std::size_t row) {
    MarketParticipantContact contact{.category = text_of(rows, row, category),
                                     .name = rows.optional_text(row, contact_name),
                                     .email = rows.optional_text(row, email),
                                     .phone = rows.optional_text(row, phone),
                                     .valid_from = {}};
    if (!rows.is_null(row, valid_from)) contact.valid_from = to_rfc3339(rows.text(row, valid_from));
    return contact;
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
    MarketParticipantImported imported{.created = rows.boolean(0, created),
                                       .participant = {.code = rows.integer(0, code),
                                                       .code_type = text_of(rows, 0, code_type),
                                                       .name = text_of(rows, 0, name),
                                                       .role = text_of(rows, 0, role),
                                                       .energy = text_of(rows, 0, energy),
                                                       .contact_details = {}}};
    if (!rows.boolean(0, shows_contacts)) return imported;
    auto& contacts = imported.participant.contact_details.emplace();
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (!rows.is_null(row, category)) contacts.push_back(contact_of(rows, row));
    }
    return imported;
}

}  // namespace data_import::store
