#include "tools/client/csv_reading.h"

#include <algorithm>
#include <utility>

#include "data/payload/imports.h"
#include "data/schema/table.h"

namespace data_import::client {

const std::string& CsvReading::field_of(const std::string& column) const {
    const auto mapped = fields.find(column);
    return mapped == fields.end() ? column : mapped->second;
}

std::vector<std::string> CsvReading::to_options() const {
    std::vector<std::string> options;
    if (decimal_comma) options.emplace_back("--decimal-comma");
    if (dates) options.push_back("--dates " + dates->text());
    for (const auto& [column, field] : fields) options.push_back("--map " + column + "=" + field);
    for (const std::string& column : ignored_columns) options.push_back("--ignore-column " + column);
    return options;
}

bool is_field_of_an_import(std::string_view name) {
    return std::ranges::any_of(payload::imports(), [&](const payload::DeclaredImport& import) {
        return schema::Table(import.body).add_column(name);
    });
}

}  // namespace data_import::client
