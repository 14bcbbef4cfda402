#include "tools/client/input.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/util/joined.h"
#include "base/util/limits.h"
#include "base/util/text.h"
#include "data/json/writer.h"

namespace data_import::client {

namespace {

constexpr std::size_t longest_request = std::size_t{1} << 20;  // most bytes of a request of several records

/// The result of comparing a header with one import: `unknown` columns, which the import does not have, and
/// `missing` columns, which the import needs.
struct Match {
    const payload::DeclaredImport* import = nullptr;
    schema::Table table;
    std::vector<std::string> unknown = {};
    std::vector<std::string> missing = {};

    [[nodiscard]] std::size_t faults() const { return unknown.size() + missing.size(); }
};

Match match(const payload::DeclaredImport& import, const std::vector<std::string>& columns,
            const CsvReading& reading) {
    Match match{&import, schema::Table(import.body)};
    for (const std::string& column : columns) {
        const bool is_ignored = reading.ignored_columns.contains(column);
        const bool is_known = match.table.add_column(is_ignored ? "" : reading.field_of(column));
        if (!is_ignored && !is_known) match.unknown.push_back(reading.field_of(column));
    }
    match.missing = match.table.missing();
    return match;
}

Match best_match(const std::vector<std::string>& columns, const CsvReading& reading) {
    std::optional<Match> best;
    for (const payload::DeclaredImport& import : payload::imports()) {
        Match candidate = match(import, columns, reading);
        if (!best || candidate.faults() < best->faults()) best = std::move(candidate);
    }
    return std::move(*best);
}

/// Returns `notes.0.` for `notes.0.body`; empty for a column without such a prefix.
std::string prefix_of(const std::string& column) {
    for (const payload::DeclaredImport& import : payload::imports()) {
        const std::string prefix = std::string(import.field) + (import.is_list ? ".0." : ".");
        if (!import.field.empty() && column.starts_with(prefix)) return prefix;
    }
    return {};
}

/// Returns the field of each column. Leaves out the columns that the command line says to ignore.
std::vector<std::string> fields_of(const std::vector<std::string>& columns, const CsvReading& reading) {
    std::vector<std::string> fields;
    for (const std::string& column : columns) {
        if (!reading.ignored_columns.contains(column)) fields.push_back(reading.field_of(column));
    }
    return fields;
}

/// Returns why no import has these columns, with advice. Empty if all of them fit `best`, the import with the
/// fewest faults.
std::string header_fault(const std::vector<std::string>& names, const CsvReading& reading,
                         const Match& best) {
    if (best.faults() == 0) return {};
    const std::vector<std::string> columns = fields_of(names, reading);
    if (columns.size() == 1)
        return "the header is one column, " + columns.front() +
               ": fields are parted by a comma, semicolon or tab, or by the character that a "
               "first line such as sep=| names";
    for (auto column = columns.begin(); column != columns.end(); ++column) {
        if (std::find(columns.begin(), column, *column) != column)
            return "the column " + *column + " is there twice";
    }
    if (std::ranges::none_of(columns, is_field_of_an_import))
        return "this line is no header: none of its columns is a field of an import. The first line names "
               "the fields, such as import_supplier,external_account_number,body. If your columns have other "
               "names, use --map COLUMN=FIELD";
    std::string fault = "no import has these columns. Nearest is " + std::string(best.import->path);
    if (!best.unknown.empty()) fault += "; it has no field " + util::joined(best.unknown);
    if (!best.missing.empty()) fault += "; it needs " + util::joined(best.missing);
    for (const std::string& column : best.unknown) {
        if (const std::string prefix = prefix_of(column); !prefix.empty())
            return fault + "; columns have no prefix " + prefix;
    }
    if (best.unknown.empty()) return fault + "; --map COLUMN=FIELD names the field of a column";
    return fault + "; --ignore-column " + best.unknown.front() + " leaves a column out, and --map " +
           best.unknown.front() + "=FIELD names its field";
}

/// Returns a request as a line of NDJSON, in no more memory than it needs.
std::string request_of(std::string_view path, std::string_view body) {
    constexpr std::string_view begin = R"({"path":")";
    constexpr std::string_view middle = R"(","body":)";
    std::string request;
    request.reserve(begin.size() + path.size() + middle.size() + body.size() + 1);
    return request.append(begin).append(path).append(middle).append(body).append(1, '}');
}

/// Returns whether the text may be a column of some import, such as `line_items.0.net_amount`: the part
/// before its first dot is the name of a field.
bool is_name_of_a_column(std::string_view text) {
    static const std::set<std::string, std::less<>> names = [] {
        std::set<std::string, std::less<>> all(std::begin(rejection_names), std::end(rejection_names));
        for (const payload::DeclaredImport& import : payload::imports())
            all.merge(schema::field_names(import.body));
        return all;
    }();
    return names.contains(text.substr(0, text.find('.')));
}

/// Returns a cell of a header in the middle of a file, without the byte order mark that may stand before it.
std::string column_name(std::string_view cell) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (cell.starts_with(mark)) cell.remove_prefix(mark.size());
    return util::lowered(util::trimmed(cell));
}

/// Returns the position in the record after its first `count` fields.
std::size_t behind_fields(std::string_view record, std::size_t count, char separator) {
    bool is_quoted = false;
    std::size_t at = 0;
    for (; at < record.size() && count > 0; ++at) {
        if (record[at] == '"') is_quoted = !is_quoted;
        if (record[at] == separator && !is_quoted) --count;
    }
    return at;
}

}  // namespace

std::size_t Head::header() const {
    const std::size_t end = text.find_last_not_of("\r\n");
    return text.find_last_of("\r\n", end) + 1;
}

std::string Head::with_rejection() const {
    std::string columns;
    for (const std::string_view name : rejection_names) (columns += name) += separator;
    return separator == '\0' ? text : std::string(text).insert(header(), columns);
}

CsvLines::CsvLines(util::TextSource source, std::size_t file, const CsvReading& reading)
    : source_(std::move(source)),
      file_(file),
      reader_(
          [this](char* buffer, std::size_t size) {
              return source_.read({buffer, size});
          },
          util::limits::csv_record) {
    reader_.keep_raw(raw_);
    if (!reader_.next(record_)) return;  // An empty file has nothing to load.
    head_ = {raw_.ends_with('\n') ? raw_ : raw_ + '\n', reader_.separator()};
    header_ = util::CsvHeader(record_);
    if (!header_.error().empty())
        throw UnreadableFile(source_.name(), record_.line(), "the header: " + header_.error());
    take_header(reading);
    has_record_ = read_record();
}

/// Finds the import whose fields have the names of the header's columns. Throws UnreadableFile if the columns
/// fit no import.
///
/// First removes the columns that a file of rejects has in front, which say why a line was rejected
/// (rejection_names).
void CsvLines::take_header(const CsvReading& reading) {
    std::vector<std::string> names = header_.names();
    if (names.size() > std::size(rejection_names) &&
        std::equal(std::begin(rejection_names), std::end(rejection_names), names.begin())) {
        rejection_columns_ = std::size(rejection_names);
        names.erase(names.begin(), names.begin() + std::ssize(rejection_names));
        const std::size_t header = head_.header();
        head_.text.erase(header, behind_fields(std::string_view(head_.text).substr(header),
                                               rejection_columns_, head_.separator));
    }
    Match found = best_match(names, reading);
    if (const std::string fault = header_fault(names, reading, found); !fault.empty())
        throw UnreadableFile(source_.name(), record_.line(), fault);
    import_ = found.import;
    table_ = std::move(found.table);
    cells_ = CsvCells(reading, std::move(names), table_->kinds());
}

std::optional<InputLine> CsvLines::next() {
    if (!has_record_) return std::nullopt;
    if (reader_.is_lost()) {
        throw UnreadableFile(source_.name(), record_.line(),
                             std::string(record_.error()) + "; nothing after it was read");
    }
    if (inner_header_ == InnerHeader::other) {
        throw UnreadableFile(source_.name(), record_.line(),
                             "another header begins here, and what follows has other columns: put it into a "
                             "file of its own; nothing after it was read");
    }
    InputLine line;
    line.file = file_;
    line.number = record_.line();
    line.fault = record_fault();
    if (!line.fault.empty()) {
        take_record(line);
    } else {
        json::Writer writer;
        const auto cells = [this](std::size_t column) { return cell(column); };
        const std::string common = table_->common_cells(cells);
        table_->begin(writer, cells);
        do {
            table_->add(writer, cells);
            take_record(line);
        } while (has_record_ && belongs_to(line, common));
        table_->end(writer);
        line.request = request_of(import_->path, writer.text());
    }
    if (table_->most_records() == 1) line.records.clear();
    if (line.text.ends_with('\n')) line.text.pop_back();
    line.text.shrink_to_fit();  // many lines wait in memory to be sent
    line.bytes = source_.bytes_taken() - std::exchange(told_, source_.bytes_taken());
    return line;
}

/// Reads the next record. Returns false at the end. If a stop ended the reading, leaves out a last record
/// without a line end, because it could be half a record.
bool CsvLines::read_record() {
    if (!reader_.next(record_)) return false;
    raw_.erase(0, behind_fields(raw_, rejection_columns_, head_.separator));
    const bool is_whole = !reader_.is_lost() && (raw_.ends_with('\n') || raw_.ends_with('\r'));
    if (source_.was_stopped() && !is_whole) return false;
    look_for_header();
    if (header_.check(record_).empty()) cells_.read([this](std::size_t column) { return field(column); });
    return true;
}

/// Finds out whether the record is a header. A file that was joined from several files may have one in its
/// middle. A header is a record in which every cell is the name of a column.
void CsvLines::look_for_header() {
    constexpr std::size_t fewest_names = 2;
    const std::vector<std::string>& own = header_.names();
    inner_header_ = InnerHeader::none;
    if (!record_.error().empty()) return;
    std::vector<std::string> names;
    for (std::size_t column = 0; column < record_.size(); ++column) {
        names.push_back(column_name(record_.field(column)));
        const bool is_name = names.back().empty() || std::ranges::find(own, names.back()) != own.end() ||
                             is_name_of_a_column(names.back());
        if (!is_name) return;
    }
    while (!names.empty() && names.back().empty()) names.pop_back();
    if (names.size() >= fewest_names) inner_header_ = names == own ? InnerHeader::same : InnerHeader::other;
}

std::string CsvLines::record_fault() const {
    if (!record_.error().empty()) return std::string(record_.error());
    if (inner_header_ == InnerHeader::same) return "the header stands here once more: delete this line";
    std::string fault = encoding_fault(raw_, "record", source_);
    if (fault.empty()) fault = header_.check(record_);
    return fault.empty() ? cells_.fault() : fault;
}

void CsvLines::take_record(InputLine& line) {
    line.text += raw_;
    if (!raw_.ends_with('\n')) line.text += '\n';
    line.records.push_back({record_.line(), line.text.size()});
    ++line.csv_records;
    if (line.fault.empty()) {
        for (const CsvCells::Warning& warning : cells_.warnings())
            line.warnings.push_back({record_.line(), ambiguous_number, warning.column, warning.text});
    }
    has_record_ = read_record();
}

bool CsvLines::belongs_to(const InputLine& line, const std::string& common) const {
    return line.records.size() < table_->most_records() &&
           line.text.size() + raw_.size() <= longest_request && record_fault().empty() &&
           table_->common_cells([this](std::size_t column) { return cell(column); }) == common;
}

}  // namespace data_import::client
