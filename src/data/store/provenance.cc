#include "data/store/provenance.h"

#include "data/json/writer.h"

namespace data_import::store {

std::string columns_of(const Provenance& provenance) {
    std::string columns = text_column("request_id", provenance.request_id);
    (columns += R"("api_key_id":)") += provenance.api_key_id;
    return columns += R"(,"imported_at":"now",)";
}

std::string text_column(std::string_view name, std::string_view value) {
    std::string column;
    json::append_string(column, name);
    json::append_string(column += ':', value);
    return column += ',';
}

void append_row(std::string& rows, std::string_view columns, std::string_view row) {
    if (!rows.empty()) rows += ',';
    ((rows += '{') += columns) += row.substr(1);
}

}  // namespace data_import::store
