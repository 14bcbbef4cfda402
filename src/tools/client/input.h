// The lines of the files to load, read one after another; only one of them is in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/csv.h"
#include "base/util/limits.h"
#include "base/util/line_splitter.h"
#include "base/util/text_source.h"
#include "data/payload/imports.h"
#include "data/schema/table.h"
#include "tools/client/csv_cells.h"
#include "tools/client/csv_reading.h"
#include "tools/client/import_request.h"
#include "tools/client/options.h"

namespace data_import::client {

/// Bytes of a line, its end not counted: the service's largest body and room for the path.
inline constexpr std::size_t max_line_bytes = util::limits::body + (std::size_t{1} << 20U);

/// A place in a line that may not mean what it was read as.
struct LineWarning {
    std::uint64_t line = 0;  ///< in its file, of the record
    std::string_view code;   ///< a word for programs
    std::string attr;
    std::string detail;
};

/// A number of CSV that may have a decimal point where it was read with a decimal comma.
inline constexpr std::string_view ambiguous_number = "ambiguous_number";

/// The text of one request: a line, or the records of a CSV file that go together.
struct InputLine {
    std::string text;            ///< as read, without the last newline; empty if the line is too long
    std::size_t file = 0;        ///< which of the files
    std::uint64_t number = 0;    ///< counted from 1 in its file; of records, that of the first
    std::uint64_t bytes = 0;     ///< its bytes in the file, its newline included
    bool too_long = false;       ///< above max_line_bytes: the text was skipped
    std::uint64_t sequence = 0;  ///< counted from 0 over all files
    std::uint64_t chain = 0;     ///< digest of all lines up to this one

    std::string_view import = {};  ///< path of the import that it is for; empty for none that is known
    std::string request = {};      ///< made of records; empty where the text is the request
    std::string fault = {};        ///< why the records are no request; empty where they are
    bool is_cut = false;           ///< the file ends without a line end after it
    bool ends_file = false;        ///< no line, but the fault of a file that cannot be read any further
    std::size_t csv_records = 0;   ///< the records that go together; 0 for a line of NDJSON
    std::vector<LineWarning> warnings = {};

    struct Record {
        std::uint64_t line;
        std::size_t end;  ///< after it in `text`
    };
    std::vector<Record> records = {};  ///< the items of a list; none for other requests

    [[nodiscard]] std::string_view request_text() const { return request.empty() ? text : request; }
    /// The text of one of the records; the whole text where there are none.
    [[nodiscard]] std::string_view text_of_record(std::size_t record) const {
        if (records.empty()) return text;
        const std::size_t begin = record == 0 ? 0 : records[record - 1].end;
        return std::string_view(text).substr(begin, records[record].end - begin);
    }
};

/// The text above all lines of a file, with its newline; empty for NDJSON.
struct Head {
    std::string text = {};
    char separator = '\0';  ///< of CSV

    /// The place of the header: lines such as `sep=;` may stand above it.
    [[nodiscard]] std::size_t header() const;
    /// The text with the columns of a rejection in front.
    [[nodiscard]] std::string with_rejection() const;
};

/// The request of a line; MalformedLine::what() is the fault of the line as it was read, too.
[[nodiscard]] ImportRequest parse_line(const InputLine& line);

/// Why a text of a source is not UTF-8; empty if it is. `name` is what the text is.
[[nodiscard]] std::string encoding_fault(std::string_view text, const std::string& name,
                                         const util::TextSource& source);

/// A line of a file shows that the file cannot be read, or not any further.
class UnreadableFile : public std::runtime_error {
public:
    UnreadableFile(const std::string& file, std::uint64_t line, const std::string& reason)
        : std::runtime_error(file + " line " + std::to_string(line) + ": " + reason),
          line_(line),
          reason_(reason) {}

    [[nodiscard]] std::uint64_t line() const { return line_; }
    [[nodiscard]] const std::string& reason() const { return reason_; }

private:
    std::uint64_t line_;
    std::string reason_;
};

/// A source of lines.
class Lines {
public:
    virtual ~Lines() = default;
    /// The next line; nothing at the end and when stopped. Throws UnreadableFile, or another
    /// std::runtime_error, if the file cannot be read, or not any further.
    [[nodiscard]] virtual std::optional<InputLine> next() = 0;
    [[nodiscard]] virtual const Head& head() const = 0;
};

/// The lines of one file. Lines of nothing but white space are passed over.
class PlainLines : public Lines {
public:
    PlainLines(util::TextSource source, std::size_t file);
    PlainLines(const PlainLines&) = delete;
    PlainLines& operator=(const PlainLines&) = delete;
    ~PlainLines() override = default;

    [[nodiscard]] std::optional<InputLine> next() override;
    [[nodiscard]] const Head& head() const override { return head_; }

private:
    const Head head_;
    util::TextSource source_;
    std::size_t file_;
    std::vector<char> buffer_;
    std::uint64_t number_ = 0;
    std::uint64_t told_ = 0;  ///< bytes of a file that lines have told of, where the text has others
    util::LineSplitter splitter_;
};

/// A CSV file as requests (data-import-csv(5)). The header tells which import
/// the records are for. Records that follow each other and belong to one
/// account make one request together, where the import takes several.
class CsvLines : public Lines {
public:
    /// Reads the header. Throws UnreadableFile where no import has these columns.
    CsvLines(util::TextSource source, std::size_t file, const CsvReading& reading = {});

    [[nodiscard]] std::optional<InputLine> next() override;
    [[nodiscard]] const Head& head() const override { return head_; }

private:
    [[nodiscard]] bool read_record();
    [[nodiscard]] bool belongs_to(const InputLine& line, const std::string& common) const;
    [[nodiscard]] std::string_view field(std::size_t column) const {
        return record_.field(column + rejection_columns_);
    }
    [[nodiscard]] std::string_view cell(std::size_t column) const {
        return cells_.sent(column, field(column));
    }
    void take_header(const CsvReading& reading);
    void take_record(InputLine& line);
    [[nodiscard]] std::string record_fault() const;
    void look_for_header();

    util::TextSource source_;
    std::size_t file_;
    util::CsvReader reader_;
    util::CsvRecord record_;
    Head head_;
    std::string raw_;  ///< the record as it was read, without columns of a rejection
    const payload::DeclaredImport* import_ = nullptr;
    std::optional<schema::Table> table_;
    util::CsvHeader header_;
    std::size_t rejection_columns_ = 0;  ///< in front, of rejection_names
    CsvCells cells_;
    enum class InnerHeader { none, same, other };
    InnerHeader inner_header_ = InnerHeader::none;  ///< the record is a header once more, or of other columns
    bool has_record_ = false;                       ///< one that is not taken yet
    std::uint64_t told_ = 0;
};

/// The lines of all files, one file after the other.
class Input {
public:
    /// `names` are files, or `-`. `stop` as in util::TextSource.
    Input(std::vector<std::string> names, int stop, CsvReading reading = {});

    /// As Lines::next().
    [[nodiscard]] std::optional<InputLine> next();
    /// The same, but a file that cannot be read any further ends with a line that has the fault, and the next
    /// file follows.
    [[nodiscard]] std::optional<InputLine> next_or_fault();
    /// The head of the file that the last line is from, unless that line ends the file.
    [[nodiscard]] const Head& head() const { return lines_->head(); }
    /// The files without a line, of those that have been read to their end.
    [[nodiscard]] const std::vector<std::size_t>& empty_files() const { return empty_files_; }

private:
    std::vector<std::string> names_;
    int stop_;
    CsvReading reading_;
    std::size_t file_ = 0;
    std::unique_ptr<Lines> lines_;
    bool has_lines_ = false;  ///< the present file
    std::vector<std::size_t> empty_files_;
    std::uint64_t sequence_ = 0;
    std::uint64_t chain_ = 0;
};

struct LineCount {
    std::uint64_t lines = 0;
    std::uint64_t csv_records = 0;
};

/// Counts the lines of the files, without those for which `is_passed_over`. Nothing if they cannot be read
/// once more, or not in a few seconds.
[[nodiscard]] std::optional<LineCount> count_lines(
    const Options& options, const std::function<bool(const InputLine&)>& is_passed_over);

/// The file is CSV and not NDJSON. The beginning of its text tells, or else its name.
[[nodiscard]] bool is_csv(util::TextSource& source, const CsvReading& reading);

/// Throws std::runtime_error for files that are of no format that is read, and for CSV with a header that no
/// import has; it names all of them, each in a line. Only regular files are looked at.
void check_heads(const std::vector<std::string>& names, const CsvReading& reading = {});

/// The text of the head of every file; nothing if no file is regular, so that it is not known before they are
/// read. Files that cannot be read are passed over. Throws std::runtime_error if the heads of files differ,
/// so that lines of several of them cannot stand in one file. Files without a head have lines of NDJSON.
[[nodiscard]] std::optional<std::string> common_head(const std::vector<std::string>& names,
                                                     const CsvReading& reading = {});

/// Throws std::runtime_error that says so of two files.
[[noreturn]] void refuse_common_head(const std::string& first, const std::string& second);

/// The bytes of regular files by the import that their first lines are for; without imports that share a file
/// with others, whose part in it is not known.
[[nodiscard]] std::map<std::string_view, std::uint64_t> bytes_by_import(const std::vector<std::string>& names,
                                                                        const CsvReading& reading);

/// The path of the import that a line is for, as in InputLine.
[[nodiscard]] std::string_view import_of(const InputLine& line);

/// The records of a line that is a request for this import.
[[nodiscard]] std::size_t records_in(const InputLine& line, const payload::DeclaredImport& import);

}  // namespace data_import::client
