#include "data/store/text_lines.h"

#include <sstream>

namespace data_import::store {

std::optional<std::vector<std::string>> read_lines(const database::Row& row, std::size_t column) {
    if (row.is_null(column)) return std::nullopt;
    std::vector<std::string> names;
    std::istringstream lines(row.text(column));
    for (std::string name; std::getline(lines, name);) names.push_back(name);
    return names;
}

}  // namespace data_import::store
