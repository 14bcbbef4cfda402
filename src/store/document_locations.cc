#include "store/document_locations.h"

namespace data_import::store {

DocumentLocations find_document_locations(database::Database& database, const AccountName& account,
                                          database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "find_document_locations",
         .sql = "SELECT location, count(*) OVER () FROM (SELECT DISTINCT location COLLATE \"C\" "
                "AS location FROM data_import.document_location "
                "WHERE account_key = data_import.account_key($1, $2)) AS document "
                "ORDER BY location LIMIT $3",
         .parameters = {account.import_supplier, account.external_account_number,
                        std::to_string(max_document_locations)}},
        deadline);
    DocumentLocations documents;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        documents.count = rows.integer(row, 1);
        documents.locations.emplace_back(rows.text(row, 0));
    }
    return documents;
}

}  // namespace data_import::store
