#include "client/csv_reading.h"

#include <algorithm>
#include <utility>

#include "payload/imports.h"
#include "schema/table.h"

namespace data_import::client {

const std::string& CsvReading::field_of(const std::string& column) const {
    const auto mapped = fields.find(column);
    return mapped == fields.end() ? column : mapped->second;
}

std::string CsvReading::to_text() const {
    std::string text;
    const auto add = [&](const std::string& option) { text += (text.empty() ? "" : " ") + option; };
    if (decimal_comma) add("--decimal-comma");
    if (dates) add("--dates " + dates->text());
    for (const auto& [column, field] : fields) add("--map " + column + "=" + field);
    for (const std::string& column : ignored_columns) add("--ignore-column " + column);
    return text;
}

bool is_field_of_an_import(std::string_view name) {
    return std::ranges::any_of(payload::imports(), [&](const payload::Import& import) {
        return schema::Table(import.body).add_column(name);
    });
}

}  // namespace data_import::client
