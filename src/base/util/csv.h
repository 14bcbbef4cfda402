// A reader of CSV as spreadsheets and databases write it. It reads record by record, so that the file may
// have any size.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace data_import::util {

/// One record. The reader fills the same object again and again, so that reading needs no allocation.
class CsvRecord {
public:
    /// Returns the line of the file on which the record begins; the first line is 1.
    [[nodiscard]] std::size_t line() const { return line_; }
    /// Returns what is wrong with the quotes or the line end of the record; empty if nothing is. A wrong
    /// record has no usable fields.
    [[nodiscard]] std::string_view error() const { return error_; }
    [[nodiscard]] std::size_t size() const { return ends_.size(); }
    [[nodiscard]] std::string_view field(std::size_t position) const;
    /// Returns whether the record has only separators and blanks.
    [[nodiscard]] bool is_blank() const;

private:
    friend class CsvReader;

    std::size_t line_ = 0;
    std::string text_;               ///< all fields, one after the other
    std::vector<std::size_t> ends_;  ///< end of each field in `text_`
    std::string_view error_;
};

/// Reads CSV by RFC 4180 with its usual extensions. The separator is a comma, a semicolon or a tab: the most
/// frequent one in the header, which is the first record. A line `sep=;` above the header may name the
/// separator instead. A line above the header that begins with `#TYPE` is passed over. Records end with LF or
/// CRLF; also with CR, if the first line ends with CR alone. Quoted fields may hold separators, doubled
/// quotes and line ends. Blank records are passed over. Bytes above 127 pass through unchecked.
class CsvReader {
public:
    /// Puts at most `size` bytes into `buffer` and returns how many; 0 at the end. Its exceptions pass
    /// through.
    using Source = std::function<std::size_t(char* buffer, std::size_t size)>;

    /// Most bytes of all fields of a record together. A longer record is wrong. If the excess byte stands in
    /// a quoted field, reading ends, because most likely the quote is never closed.
    static constexpr std::size_t default_longest_record = 65536;

    explicit CsvReader(Source source, std::size_t longest_record = default_longest_record);

    /// Makes next() put the bytes of each record into `raw`, with the line end. For the first record, which
    /// is the header, `raw` begins with the lines above the header: blank lines, `sep=;` and `#TYPE`. `raw`
    /// has to outlive the reader.
    void keep_raw(std::string& raw) { raw_ = &raw; }

    /// Reads the next record that is not blank. Returns false at the end. After a wrong record, reading goes
    /// on with the next line if that is possible. A last record without a line end is wrong, because it may
    /// be cut.
    [[nodiscard]] bool next(CsvRecord& record);

    /// Returns whether reading has ended early: a quoted field of the last record is not closed, or is too
    /// long.
    [[nodiscard]] bool is_lost() const { return is_lost_; }
    /// Returns whether the last record has no line end.
    [[nodiscard]] bool is_cut() const { return is_cut_; }

    /// Returns the character between fields.
    [[nodiscard]] char separator() const { return separator_; }

    /// Returns the bytes taken from the source so far.
    [[nodiscard]] std::size_t bytes_read() const { return bytes_read_; }

private:
    enum class FieldEnd { separator, record, broken };
    struct FirstLine;

    void begin();
    [[nodiscard]] FirstLine look_at_line();
    [[nodiscard]] int look(std::size_t ahead);
    [[nodiscard]] bool fill();
    [[nodiscard]] bool append();
    [[nodiscard]] int peek();
    int take();
    void read_record(CsvRecord& record);
    FieldEnd read_field(CsvRecord& record);
    FieldEnd read_plain_field(CsvRecord& record);
    FieldEnd read_quoted_field(CsvRecord& record);
    FieldEnd end_field(CsvRecord& record);
    FieldEnd break_record(CsvRecord& record, std::string_view error);
    FieldEnd break_file(CsvRecord& record, std::string_view error);
    void end_reading();
    void skip_line();

    Source source_;
    std::size_t longest_record_;
    std::string* raw_ = nullptr;
    std::vector<char> buffer_;
    std::size_t position_ = 0;
    std::size_t filled_ = 0;
    std::size_t bytes_read_ = 0;
    std::size_t line_ = 1;
    int last_ = 0;  ///< the byte that take() has returned last
    char separator_ = ',';
    bool cr_ends_line_ = false;
    bool began_ = false;
    bool ended_ = false;
    bool is_lost_ = false;
    bool is_cut_ = false;
};

/// Writes a field, in quotes if it needs them.
[[nodiscard]] std::string csv_field(std::string_view text);

/// The header of a file. Names are in lower case, without blanks around them. The last columns may lack
/// names, because spreadsheets leave separators at the end of the line.
class CsvHeader {
public:
    CsvHeader() = default;
    explicit CsvHeader(const CsvRecord& header);

    /// Returns what is wrong with the header; empty if nothing is. A wrong header has no usable names.
    [[nodiscard]] const std::string& error() const { return error_; }
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

    /// Returns why a record does not fit the header; empty if it fits. A right record has a field for each
    /// name; further fields are blank, and stand in columns without a name.
    [[nodiscard]] std::string check(const CsvRecord& record) const;

private:
    std::vector<std::string> names_;
    std::string error_;
    std::size_t width_ = 0;  ///< number of columns, including those without a name
};

}  // namespace data_import::util
