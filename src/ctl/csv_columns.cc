#include "ctl/csv_columns.h"

#include "ctl/command.h"

namespace data_import::ctl {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

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

CsvColumns::CsvColumns(const util::CsvRecord& header, std::vector<std::string_view> required,
                       std::vector<std::string_view> optional)
    : width_(header.size()) {
    const std::size_t required_count = required.size();
    std::vector<std::string_view> names = std::move(required);
    names.insert(names.end(), optional.begin(), optional.end());
    const auto fail = [&](const std::string& sentence) {
        throw Failure("line 1: " + sentence + "; the header has to be " + header_form(names, required_count));
    };
    if (!header.error().empty()) fail(std::string(header.error()));
    if (header.field(0).starts_with(byte_order_mark))
        throw Failure("line 1: the file begins with a byte order mark; save it as UTF-8 without one");
    positions_.resize(names.size());
    std::size_t known = 0;
    for (std::size_t column = 0; column < names.size(); ++column) {
        for (std::size_t position = 0; position < width_; ++position) {
            if (header.field(position) != names[column]) continue;
            if (positions_[column])
                fail("column " + std::string(names[column]) + " stands twice in the header");
            positions_[column] = position;
            ++known;
        }
        if (!positions_[column] && column < required_count)
            fail("the header lacks column " + std::string(names[column]));
    }
    if (known != width_) fail("the header has a column that is not known");
}

std::optional<std::string> CsvColumns::check(const util::CsvRecord& record) const {
    if (!record.error().empty()) return std::string(record.error());
    if (record.size() == width_) return std::nullopt;
    return "there are " + std::to_string(record.size()) + " columns where the header has " +
           std::to_string(width_);
}

std::string_view CsvColumns::field(const util::CsvRecord& record, std::size_t column) const {
    return positions_[column] ? record.field(*positions_[column]) : std::string_view();
}

}  // namespace data_import::ctl
