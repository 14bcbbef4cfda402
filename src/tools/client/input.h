// Reads the files to load, one after another, line by line. Only one line at a time is in memory.
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

/// The greatest number of bytes of a line, without the line end. It is enough for the service's largest body
/// and a path.
inline constexpr std::size_t max_line_bytes = util::limits::body + (std::size_t{1} << 20U);

/// A value in a line that may be mistyped, or mean something else than it was read as.
struct LineWarning {
    std::uint64_t line = 0;  ///< line of the record in its file
    std::string_view code;   ///< name of the kind of warning, for programs
    std::string attr;
    std::string detail;
};

/// Code of a warning: in a CSV file with decimal commas, a number such as 1.234 was read as 1234, but its
/// point may have been meant as a decimal point.
inline constexpr std::string_view ambiguous_number = "ambiguous_number";

/// The text of one request: a line, or the records of a CSV file that go together.
struct InputLine {
    std::string text;      ///< text as read, without the last newline; empty if the line is too long
    std::size_t file = 0;  ///< number of the file, from 0
    /// Line number in the file, from 1. For a request that is made of several CSV records, the line number of
    /// the first record.
    std::uint64_t number = 0;
    std::uint64_t bytes = 0;     ///< bytes of the text in its file, with its newline
    bool too_long = false;       ///< the line is longer than max_line_bytes, and its text was skipped
    std::uint64_t sequence = 0;  ///< number of the line in all files together, from 0
    /// Digest of this line, of all lines before it in this file and in earlier files, and of Head::text of
    /// these files.
    std::uint64_t chain = 0;

    std::string_view import = {};  ///< path of the line's endpoint; empty if the path is not known
    std::string request = {};      ///< request made of CSV records; empty if `text` is the request
    std::string fault = {};        ///< why the text is no request; empty if it could be read
    bool is_cut = false;           ///< the file ends in this line, without a line end
    bool ends_file = false;        ///< this is no line: `fault` says why the file cannot be read any further
    std::size_t csv_records = 0;   ///< number of CSV records in the request; 0 for a line of NDJSON
    std::vector<LineWarning> warnings = {};

    struct Record {
        std::uint64_t line;
        std::size_t end;  ///< position in `text` after the record
    };
    std::vector<Record> records = {};  ///< CSV records that are items of a list; else empty

    [[nodiscard]] std::string_view request_text() const { return request.empty() ? text : request; }
    /// Returns the text of one record; the whole text if there are no records.
    [[nodiscard]] std::string_view text_of_record(std::size_t record) const {
        if (records.empty()) return text;
        const std::size_t begin = record == 0 ? 0 : records[record - 1].end;
        return std::string_view(text).substr(begin, records[record].end - begin);
    }
};

/// The header of a CSV file, with the lines above it and its newline; empty for NDJSON.
struct Head {
    std::string text = {};
    char separator = '\0';  ///< separator of the fields; 0 for NDJSON

    /// Returns the position of the header in `text`. Lines such as `sep=;` may stand above it.
    [[nodiscard]] std::size_t header() const;
    /// Returns `text` with the names of further columns, which say why a line was rejected (rejection_names),
    /// in front of the header's own columns. For NDJSON, returns `text` unchanged.
    [[nodiscard]] std::string with_rejection() const;
};

/// Reads the request of a line. Throws MalformedLine if the line is too long, is no request, or has a
/// `fault`, which is then the text of the exception.
[[nodiscard]] ImportRequest parse_line(const InputLine& line);

/// Returns why `text`, a part of the source, is not UTF-8; empty if it is. The sentence calls the text by
/// `name`, such as `line`.
[[nodiscard]] std::string encoding_fault(std::string_view text, const std::string& name,
                                         const util::TextSource& source);

/// Thrown if a file, or the rest of it, cannot be read because of one of its lines.
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

/// Reads the lines of one file.
class Lines {
public:
    virtual ~Lines() = default;
    /// Returns the next line; nothing at the end and when stopped. Throws UnreadableFile, or another
    /// std::runtime_error, if the file, or the rest of it, cannot be read.
    [[nodiscard]] virtual std::optional<InputLine> next() = 0;
    [[nodiscard]] virtual const Head& head() const = 0;
};

/// Reads a file of NDJSON. Skips lines that are only white space.
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
    /// Sum of InputLine::bytes of the lines that were returned so far. Kept only for a packed or UTF-16 file,
    /// where the length of a line's text is not its number of bytes in the file.
    std::uint64_t told_ = 0;
    util::LineSplitter splitter_;
};

/// Reads a CSV file as requests (data-import-csv(5)). The header shows which import the records are for. If
/// the import takes several records, consecutive records of one account make one request.
class CsvLines : public Lines {
public:
    /// Reads the header. Throws UnreadableFile if no import has these columns.
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
    /// Text of the record as it was read. In a file of rejects, the columns in front that say why a line was
    /// rejected (rejection_names) are removed.
    std::string raw_;
    const payload::DeclaredImport* import_ = nullptr;
    std::optional<schema::Table> table_;
    util::CsvHeader header_;
    /// Number of columns that say why a line was rejected (rejection_names). They stand in front of all other
    /// columns. 0 if the file is no file of rejects.
    std::size_t rejection_columns_ = 0;
    CsvCells cells_;
    enum class InnerHeader { none, same, other };
    /// Says whether the record is a header. `same`: it is the file's own header once more. `other`: it has
    /// other columns than the file's header.
    InnerHeader inner_header_ = InnerHeader::none;
    bool has_record_ = false;  ///< record_ has been read, and is not taken yet
    std::uint64_t told_ = 0;
};

/// Reads the lines of all files, one file after the other.
class Input {
public:
    /// `names` are paths of files, or `-` for standard input. `stop` is a descriptor: when it becomes
    /// readable, reading ends (util::TextSource).
    Input(std::vector<std::string> names, int stop, CsvReading reading = {});

    /// Returns the next line, as Lines::next() does.
    [[nodiscard]] std::optional<InputLine> next();
    /// Returns the next line. For a file that cannot be read any further, returns an InputLine with
    /// `ends_file` and the fault, and goes on with the next file.
    [[nodiscard]] std::optional<InputLine> next_or_fault();
    /// Returns the head of the file from which the line returned last was read. Must not be called if that
    /// line has `ends_file`, because its file is then closed.
    [[nodiscard]] const Head& head() const { return lines_->head(); }
    /// Returns the numbers of the files that have been read to their end and have no line.
    [[nodiscard]] const std::vector<std::size_t>& empty_files() const { return empty_files_; }

private:
    std::vector<std::string> names_;
    int stop_;
    CsvReading reading_;
    std::size_t file_ = 0;
    std::unique_ptr<Lines> lines_;
    bool has_lines_ = false;  ///< the present file has had a line
    std::vector<std::size_t> empty_files_;
    std::uint64_t sequence_ = 0;
    std::uint64_t chain_ = 0;
};

struct LineCount {
    std::uint64_t lines = 0;
    std::uint64_t csv_records = 0;
};

/// Counts the lines of the files for which `is_passed_over` returns false. Returns nothing if a file cannot
/// be read a second time, or if the count takes more than a few seconds.
[[nodiscard]] std::optional<LineCount> count_lines(
    const Options& options, const std::function<bool(const InputLine&)>& is_passed_over);

/// Returns whether the file is CSV: its name ends with .csv or its first line looks like a header, and its
/// text does not begin as JSON.
[[nodiscard]] bool is_csv(util::TextSource& source, const CsvReading& reading);

/// Looks at the beginning of each regular file. Throws std::runtime_error if files have a format that cannot
/// be read, or a header that no import has. The text of the exception has a line for each of these files.
void check_heads(const std::vector<std::string>& names, const CsvReading& reading = {});

/// Returns the head (Head::text) that all regular files share; empty for NDJSON. Returns nothing if no file
/// is regular, because the heads of other files are known only once these are read. Skips files that cannot
/// be read. Throws std::runtime_error if files have different heads, because their lines cannot stand in one
/// file of rejects.
[[nodiscard]] std::optional<std::string> common_head(const std::vector<std::string>& names,
                                                     const CsvReading& reading = {});

/// Throws std::runtime_error, which says that the lines of these two files cannot stand in one file of
/// rejects.
[[noreturn]] void refuse_common_head(const std::string& first, const std::string& second);

/// Returns, for each import, the number of bytes of the regular files whose first lines are for it. Leaves
/// out imports that share a file with other imports, because it is not known how much of the file is theirs.
[[nodiscard]] std::map<std::string_view, std::uint64_t> bytes_by_import(const std::vector<std::string>& names,
                                                                        const CsvReading& reading);

/// Returns the path of the import that the line is for; empty if none is known.
[[nodiscard]] std::string_view import_of(const InputLine& line);

/// Returns the number of records of a line that is a request for this import.
[[nodiscard]] std::size_t records_in(const InputLine& line, const payload::DeclaredImport& import);

}  // namespace data_import::client
