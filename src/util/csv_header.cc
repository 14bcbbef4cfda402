#include "util/csv_header.h"

#include <algorithm>

#include "util/text.h"

namespace data_import::util {

namespace {

constexpr std::string_view blanks = " \t\r\n";

}  // namespace

CsvHeader::CsvHeader(const CsvRecord& header) : error_(header.error()), width_(header.size()) {
    if (!error_.empty()) return;
    for (std::size_t column = 0; column < header.size(); ++column)
        names_.push_back(lowered(trimmed(header.field(column))));
    while (!names_.empty() && names_.back().empty()) names_.pop_back();
    const auto nameless = std::ranges::find(names_, "");
    if (nameless != names_.end())
        error_ = "column " + std::to_string(nameless - names_.begin() + 1) + " has no name";
}

std::string CsvHeader::check(const CsvRecord& record) const {
    if (!record.error().empty()) return std::string(record.error());
    std::size_t size = record.size();
    while (size > names_.size() && size <= width_ &&
           record.field(size - 1).find_first_not_of(blanks) == std::string_view::npos)
        --size;
    if (size == names_.size()) return {};
    return "the record has " + std::to_string(size) + (size == 1 ? " field" : " fields") +
           ", the header has " + std::to_string(names_.size());
}

}  // namespace data_import::util
