// Reads CSV by RFC 4180, record by record, whatever the size of the file.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace data_import::util {

/// One record; reused from record to record, so that reading needs no allocation.
class CsvRecord {
public:
    /// The line of the file on which the record begins; the first line is 1.
    [[nodiscard]] std::size_t line() const { return line_; }
    /// What is wrong with the record's quoting or ends; empty for a right one. A wrong record has no usable
    /// fields.
    [[nodiscard]] std::string_view error() const { return error_; }
    [[nodiscard]] std::size_t size() const { return ends_.size(); }
    [[nodiscard]] std::string_view field(std::size_t position) const;
    /// A line with nothing on it.
    [[nodiscard]] bool is_empty() const { return error_.empty() && ends_.size() == 1 && text_.empty(); }

private:
    friend class CsvReader;

    std::size_t line_ = 0;
    std::string text_;               ///< all fields, one after the other
    std::vector<std::size_t> ends_;  ///< where each field ends in `text_`
    std::string_view error_;
};

/// Fields are separated by commas and records by LF or CRLF; quoted fields may hold commas, doubled quotes
/// and line ends. Bytes above 127 pass through unchecked.
class CsvReader {
public:
    /// Puts at most `size` bytes into `buffer` and answers how many; 0 at the end. What it throws passes
    /// through.
    using Source = std::function<std::size_t(char* buffer, std::size_t size)>;

    /// The bytes of a record's fields; longer ones (most likely a quote that is never closed) end the
    /// reading.
    static constexpr std::size_t default_longest_record = 65536;

    explicit CsvReader(Source source, std::size_t longest_record = default_longest_record);

    /// From now on `raw` gets each record as it stands in the file, its end included; it has to live longer.
    void keep_raw(std::string& raw) { raw_ = &raw; }

    /// The next record; false at the end. After a wrong record reading goes on with the next line where that
    /// is possible.
    [[nodiscard]] bool next(CsvRecord& record);

    /// The last record is one behind which nothing is read: a quoted field of it does not end where one can.
    [[nodiscard]] bool is_lost() const { return is_lost_; }

    /// The bytes taken from the source so far.
    [[nodiscard]] std::size_t bytes_read() const { return bytes_read_; }

private:
    enum class FieldEnd { comma, record, broken };

    [[nodiscard]] bool fill();
    [[nodiscard]] int peek();
    int take();
    FieldEnd read_field(CsvRecord& record);
    FieldEnd read_plain_field(CsvRecord& record);
    FieldEnd read_quoted_field(CsvRecord& record);
    FieldEnd end_field(CsvRecord& record);
    FieldEnd break_record(CsvRecord& record, std::string_view error);
    FieldEnd break_file(CsvRecord& record, std::string_view error);
    void skip_line();

    Source source_;
    std::size_t longest_record_;
    std::string* raw_ = nullptr;
    std::vector<char> buffer_;
    std::size_t position_ = 0;
    std::size_t filled_ = 0;
    std::size_t bytes_read_ = 0;
    std::size_t line_ = 1;
    bool ended_ = false;
    bool is_lost_ = false;
};

/// A field to be written, in quotes where it needs them.
[[nodiscard]] std::string csv_field(std::string_view text);

}  // namespace data_import::util
