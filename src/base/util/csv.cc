#include "base/util/csv.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/util/text.h"

namespace data_import::util {

namespace {

constexpr std::size_t buffer_size = 256 * 1024;
constexpr std::size_t most_fields = 1000;
constexpr int end_of_file = -1;
constexpr std::string_view separators = ",;\t";

/// Returns the separator that a line `sep=;` or `"sep=;"` names. `line` comes without its line end.
std::optional<char> named_separator(std::string_view line) {
    if (line.starts_with('"') && line.ends_with('"') && line.size() > 1)
        line = line.substr(1, line.size() - 2);
    constexpr std::string_view name = "sep=";
    if (line.size() <= name.size() || lowered(line.substr(0, name.size())) != name) return std::nullopt;
    const char separator = line[name.size()];
    const bool is_alone = line.find_first_not_of(separator, name.size() + 1) == std::string_view::npos;
    const bool is_usable = separators.find(separator) != std::string_view::npos || separator == '|';
    return is_alone && is_usable ? std::optional(separator) : std::nullopt;
}

/// Returns whether bytes, which need not be UTF-8, are only blanks.
bool has_blanks_only(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

constexpr std::string_view blanks = " \t\r\n";

}  // namespace

std::string_view CsvRecord::field(std::size_t position) const {
    const std::size_t begin = position == 0 ? 0 : ends_.at(position - 1);
    return std::string_view(text_).substr(begin, ends_.at(position) - begin);
}

bool CsvRecord::is_blank() const {
    return error_.empty() && has_blanks_only(text_);
}

/// A line ahead of the reading position, without its line end. It is looked at before it is taken.
struct CsvReader::FirstLine {
    std::string_view text;
    char separator;  ///< the most frequent separator outside quotes
    bool ends_with_cr_alone;
};

CsvReader::CsvReader(Source source, std::size_t longest_record)
    : source_(std::move(source)), longest_record_(longest_record), buffer_(buffer_size) {}

bool CsvReader::fill() {
    position_ = 0;
    filled_ = 0;
    return append();
}

/// Reads more bytes after those of the buffer. Returns false at the end of the file, and if the buffer is
/// full.
bool CsvReader::append() {
    if (ended_ || filled_ == buffer_.size()) return false;
    const std::size_t count = source_(buffer_.data() + filled_, buffer_.size() - filled_);
    filled_ += count;
    bytes_read_ += count;
    ended_ = count == 0;
    return !ended_;
}

int CsvReader::peek() {
    if (position_ == filled_ && !fill()) return end_of_file;
    return static_cast<unsigned char>(buffer_[position_]);
}

int CsvReader::look(std::size_t ahead) {
    while (position_ + ahead >= filled_) {
        if (!append()) return end_of_file;
    }
    return static_cast<unsigned char>(buffer_[position_ + ahead]);
}

int CsvReader::take() {
    const int byte = peek();
    if (byte == end_of_file) return byte;
    ++position_;
    if (raw_ != nullptr) raw_->push_back(static_cast<char>(byte));
    const bool ends_line = byte == '\n' ? !(cr_ends_line_ && last_ == '\r') : byte == '\r' && cr_ends_line_;
    if (ends_line) ++line_;
    last_ = byte;
    return byte;
}

CsvReader::FirstLine CsvReader::look_at_line() {
    std::array<std::size_t, separators.size()> counts{};
    std::size_t length = 0;
    bool in_quotes = false;
    int byte = look(0);
    for (; byte != end_of_file; byte = look(++length)) {
        if (byte == '"') in_quotes = !in_quotes;
        if (in_quotes) continue;
        if (byte == '\n' || byte == '\r') break;
        const std::size_t place = separators.find(static_cast<char>(byte));
        if (place != std::string_view::npos) ++counts[place];
    }
    const auto most = std::ranges::max_element(counts) - counts.begin();
    const bool is_cr_alone = byte == '\r' && look(length + 1) != '\n';
    return {.text = {buffer_.data() + position_, length},
            .separator = separators[static_cast<std::size_t>(most)],
            .ends_with_cr_alone = is_cr_alone};
}

/// Skips the lines above the header: blank lines, `sep=;` and `#TYPE`. Finds out which character separates
/// fields, and whether lines end with CR alone.
void CsvReader::begin() {
    began_ = true;
    std::optional<char> named;
    for (bool is_first = true; look(0) != end_of_file; is_first = false) {
        const FirstLine line = look_at_line();
        if (is_first) cr_ends_line_ = line.ends_with_cr_alone;
        const auto separator = named ? std::nullopt : named_separator(line.text);
        const bool is_above = separator || line.text.starts_with("#TYPE") || has_blanks_only(line.text);
        if (!is_above) {
            separator_ = named.value_or(line.separator);
            return;
        }
        if (separator) named = separator;
        skip_line();
    }
}

bool CsvReader::next(CsvRecord& record) {
    if (raw_ != nullptr) raw_->clear();
    if (!began_) begin();
    for (;;) {
        record.text_.clear();
        record.ends_.clear();
        record.error_ = {};
        record.line_ = line_;
        if (peek() == end_of_file) return false;
        read_record(record);
        if (!record.is_blank()) return true;
        if (raw_ != nullptr) raw_->clear();
    }
}

void CsvReader::read_record(CsvRecord& record) {
    is_cut_ = false;
    while (read_field(record) == FieldEnd::separator) {
    }
    if (is_cut_ && record.error_.empty() && !record.is_blank())
        record.error_ = "the last record has no line end: is the file complete? If it is, add one";
}

CsvReader::FieldEnd CsvReader::read_field(CsvRecord& record) {
    if (peek() != '"') return read_plain_field(record);
    take();
    return read_quoted_field(record);
}

CsvReader::FieldEnd CsvReader::read_plain_field(CsvRecord& record) {
    for (;;) {
        const int byte = peek();
        if (byte == separator_ || byte == '\n' || byte == '\r' || byte == end_of_file)
            return end_field(record);
        if (byte == '"')
            return break_record(record, "a quotation mark stands inside a field that is not quoted");
        if (record.text_.size() == longest_record_) return break_record(record, "the record is too long");
        record.text_.push_back(static_cast<char>(take()));
    }
}

CsvReader::FieldEnd CsvReader::read_quoted_field(CsvRecord& record) {
    for (;;) {
        const int byte = take();
        if (byte == end_of_file) return break_file(record, "a quoted field is not closed");
        if (byte == '"') {
            if (peek() != '"') return end_field(record);
            take();
        }
        if (record.text_.size() == longest_record_)
            return break_file(record, "a quoted field is too long or not closed");
        record.text_.push_back(static_cast<char>(byte));
    }
}

CsvReader::FieldEnd CsvReader::end_field(CsvRecord& record) {
    if (record.ends_.size() == most_fields) return break_record(record, "the record has too many fields");
    record.ends_.push_back(record.text_.size());
    const int byte = take();
    if (byte == separator_) return FieldEnd::separator;
    is_cut_ = byte == end_of_file;
    if (byte == '\n' || byte == end_of_file) return FieldEnd::record;
    if (byte != '\r') return break_record(record, "text stands behind a closing quotation mark");
    const int next = peek();
    if (next == '\n') take();
    if (next == '\n' || next == end_of_file || cr_ends_line_) return FieldEnd::record;
    return break_record(record, "a carriage return stands without a line feed");
}

CsvReader::FieldEnd CsvReader::break_record(CsvRecord& record, std::string_view error) {
    record.error_ = error;
    skip_line();
    return FieldEnd::broken;
}

CsvReader::FieldEnd CsvReader::break_file(CsvRecord& record, std::string_view error) {
    record.error_ = error;
    end_reading();
    return FieldEnd::broken;
}

/// Ends reading, because it is unknown where the next record begins.
void CsvReader::end_reading() {
    position_ = filled_;
    ended_ = true;
    is_lost_ = true;
}

void CsvReader::skip_line() {
    // bounded, because the rest of the record is kept in memory
    constexpr std::uint64_t most_skipped = std::uint64_t{64} << 20U;
    std::uint64_t skipped = 0;
    for (int byte = take(); byte != '\n' && byte != end_of_file; byte = take()) {
        if (++skipped == most_skipped) return end_reading();
        if (byte != '\r' || !cr_ends_line_) continue;
        if (peek() == '\n') take();
        return;
    }
}

std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char byte : text) (quoted += byte == '"' ? "\"" : "") += byte;
    return quoted + '"';
}

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
