#include "base/util/csv_columns.h"

#include <algorithm>
#include <utility>

#include "base/util/printable.h"

namespace data_import::util {

namespace {

std::string header_form(const std::vector<std::string_view>& names, std::size_t required) {
    std::string form;
    for (std::size_t column = 0; column < names.size(); ++column) {
        if (column >= required) form += '[';
        (form += column == 0 ? "" : ",") += names[column];
        if (column >= required) form += ']';
    }
    return form;
}

}  // namespace

CsvColumns::CsvColumns(const CsvRecord& header, std::vector<std::string_view> required,
                       std::vector<std::string_view> optional)
    : header_(header) {
    const std::size_t required_count = required.size();
    std::vector<std::string_view> names = std::move(required);
    names.insert(names.end(), optional.begin(), optional.end());
    const auto fail = [&](const std::string& sentence) {
        throw WrongCsvHeader("line " + std::to_string(header.line()) + ": " + sentence +
                             "; the header must be " + header_form(names, required_count));
    };
    if (!header_.error().empty()) fail(header_.error());
    positions_.resize(names.size());
    for (std::size_t position = 0; position < header_.names().size(); ++position) {
        const std::string& name = header_.names()[position];
        const auto column = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
        if (column == names.size()) fail("the header has a column that is not known, " + printable(name));
        if (positions_[column]) fail("column " + name + " stands twice in the header");
        positions_[column] = position;
    }
    for (std::size_t column = 0; column < required_count; ++column) {
        if (!positions_[column]) fail("the header lacks column " + std::string(names[column]));
    }
}

std::optional<std::string> CsvColumns::check(const CsvRecord& record) const {
    if (!record.error().empty()) return std::string(record.error());
    if (header_.check(record).empty()) return std::nullopt;
    return "there are " + std::to_string(record.size()) + " columns where the header has " +
           std::to_string(header_.names().size());
}

std::string_view CsvColumns::field(const CsvRecord& record, std::size_t column) const {
    return positions_[column] ? record.field(*positions_[column]) : std::string_view();
}

}  // namespace data_import::util
