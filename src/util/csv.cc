#include "util/csv.h"

#include <utility>

namespace data_import::util {

namespace {

constexpr std::size_t buffer_size = 256 * 1024;
constexpr std::size_t most_fields = 1000;
constexpr int end_of_file = -1;

}  // namespace

std::string_view CsvRecord::field(std::size_t position) const {
    const std::size_t begin = position == 0 ? 0 : ends_.at(position - 1);
    return std::string_view(text_).substr(begin, ends_.at(position) - begin);
}

CsvReader::CsvReader(Source source, std::size_t longest_record)
    : source_(std::move(source)), longest_record_(longest_record), buffer_(buffer_size) {}

bool CsvReader::fill() {
    if (ended_) return false;
    position_ = 0;
    filled_ = source_(buffer_.data(), buffer_.size());
    bytes_read_ += filled_;
    ended_ = filled_ == 0;
    return !ended_;
}

int CsvReader::peek() {
    if (position_ == filled_ && !fill()) return end_of_file;
    return static_cast<unsigned char>(buffer_[position_]);
}

int CsvReader::take() {
    const int byte = peek();
    if (byte == end_of_file) return byte;
    ++position_;
    if (raw_ != nullptr) raw_->push_back(static_cast<char>(byte));
    if (byte == '\n') ++line_;
    return byte;
}

bool CsvReader::next(CsvRecord& record) {
    record.text_.clear();
    record.ends_.clear();
    record.error_ = {};
    if (raw_ != nullptr) raw_->clear();
    record.line_ = line_;
    if (peek() == end_of_file) return false;
    while (read_field(record) == FieldEnd::comma) {
    }
    return true;
}

CsvReader::FieldEnd CsvReader::read_field(CsvRecord& record) {
    if (peek() != '"') return read_plain_field(record);
    take();
    return read_quoted_field(record);
}

CsvReader::FieldEnd CsvReader::read_plain_field(CsvRecord& record) {
    for (;;) {
        const int byte = peek();
        if (byte == ',' || byte == '\n' || byte == '\r' || byte == end_of_file) return end_field(record);
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
    if (byte == ',') return FieldEnd::comma;
    if (byte == '\n' || byte == end_of_file) return FieldEnd::record;
    if (byte != '\r') return break_record(record, "text stands behind a closing quotation mark");
    if (peek() != '\n') return break_record(record, "a carriage return stands without a line feed");
    take();
    return FieldEnd::record;
}

CsvReader::FieldEnd CsvReader::break_record(CsvRecord& record, std::string_view error) {
    record.error_ = error;
    skip_line();
    return FieldEnd::broken;
}

CsvReader::FieldEnd CsvReader::break_file(CsvRecord& record, std::string_view error) {
    record.error_ = error;
    // where the next record begins cannot be told, so nothing behind this is read
    position_ = filled_;
    ended_ = true;
    is_lost_ = true;
    return FieldEnd::broken;
}

void CsvReader::skip_line() {
    int byte = 0;
    do {
        byte = take();
    } while (byte != '\n' && byte != end_of_file);
}

std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char byte : text) (quoted += byte == '"' ? "\"" : "") += byte;
    return quoted + '"';
}

}  // namespace data_import::util
