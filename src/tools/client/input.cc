#include "tools/client/input.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "base/util/text.h"
#include "tools/client/files_to_load.h"

namespace data_import::client {

namespace {

constexpr int never = -1;  // passed as descriptor of a stop: reading is never stopped
constexpr std::size_t buffer_bytes = std::size_t{1} << 17;

/// Returns the digest of all lines so far, made of the digest `before` this line and the line's text. It
/// shows whether a file is still the same; it does not resist an attacker.
std::uint64_t chained(std::uint64_t before, std::string_view text) {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15U;
    std::uint64_t digest = (before ^ text.size()) * factor;
    std::uint64_t word = 0;
    for (; text.size() >= sizeof word; text.remove_prefix(sizeof word)) {
        std::memcpy(&word, text.data(), sizeof word);
        digest = (digest ^ word) * factor;
        digest ^= digest >> 29U;
    }
    for (const char rest : text) digest = (digest ^ static_cast<unsigned char>(rest)) * factor;
    return digest ^ (digest >> 32U);
}

/// Returns whether the first line of the text has the names of at least two fields that belong to the same
/// import, or is a line that may stand above the header of a CSV file, such as `sep=;`.
bool is_csv_head(std::string_view text, const CsvReading& reading) {
    constexpr std::size_t fewest_names = 2;
    const std::string head = std::string(text.substr(0, text.find_first_of("\r\n"))) + '\n';
    if (head.starts_with("#TYPE") || util::lowered(head).starts_with("sep=")) return true;
    std::string_view rest = head;
    util::CsvReader reader([&](char* buffer, std::size_t size) {
        const std::size_t count = rest.copy(buffer, size);
        rest.remove_prefix(count);
        return count;
    });
    util::CsvRecord record;
    if (!reader.next(record)) return false;
    const std::vector<std::string> names = util::CsvHeader(record).names();
    return std::ranges::any_of(payload::imports(), [&](const payload::DeclaredImport& import) {
        schema::Table table(import.body);
        const auto is_known = [&](const std::string& name) {
            return table.add_column(reading.field_of(name));
        };
        return std::size_t(std::ranges::count_if(names, is_known)) >= fewest_names;
    });
}

std::unique_ptr<Lines> open_lines(const std::string& name, std::size_t file, int stop,
                                  const CsvReading& reading) {
    util::TextSource source(util::open_input(name), name == "-" ? "standard input" : name, stop);
    if (is_csv(source, reading)) return std::make_unique<CsvLines>(std::move(source), file, reading);
    return std::make_unique<PlainLines>(std::move(source), file);
}

/// Opens a regular file; null for a pipe, which can be read only once. Throws as open_lines() does.
std::unique_ptr<Lines> open_regular(const std::string& name, const CsvReading& reading) {
    return name == "-" || !file_bytes(name) ? nullptr : open_lines(name, 0, never, reading);
}

/// Calls `look`, which reads a file, and returns its result. Nothing if the file cannot be read.
template <typename Look>
auto unless_unreadable(Look look) -> std::optional<decltype(look())> {
    try {
        return look();
    } catch (const std::runtime_error&) {
        return std::nullopt;
    }
}

}  // namespace

ImportRequest parse_line(const InputLine& line) {
    if (line.too_long) {
        throw MalformedLine("longer than " + std::to_string(max_line_bytes >> 20U) +
                            " MiB; such a line is not copied to the rejects file");
    }
    if (!line.fault.empty()) throw MalformedLine(line.fault);
    return parse_line(line.request_text());
}

std::string encoding_fault(std::string_view text, const std::string& name, const util::TextSource& source) {
    const std::size_t valid = util::utf8_prefix(text);
    if (valid == text.size()) return {};
    if (source.is_utf16()) return "the " + name + " has half a character of UTF-16";
    return "the " + name + " is not UTF-8 (byte " + std::to_string(valid + 1) +
           ") but probably Windows-1252 or Latin-1: iconv -f WINDOWS-1252 -t UTF-8 converts such a file; "
           "Excel saves UTF-8 as \"CSV UTF-8\"";
}

bool is_csv(util::TextSource& source, const CsvReading& reading) {
    std::string_view text = source.look_ahead();
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (text.starts_with('{') || text.starts_with('[')) return false;
    return without_packing(source.name()).ends_with(".csv") || is_csv_head(text, reading);
}

void check_heads(const std::vector<std::string>& names, const CsvReading& reading) {
    std::string faults;
    for (const std::string& name : names) {
        try {
            static_cast<void>(open_regular(name, reading));
        } catch (const std::runtime_error& error) {
            faults.append(faults.empty() ? "" : "\n").append(error.what());
        }
    }
    if (!faults.empty()) throw std::runtime_error(faults);
}

std::optional<std::string> common_head(const std::vector<std::string>& names, const CsvReading& reading) {
    std::optional<std::string> common;
    for (const std::string& name : names) {
        const auto lines = unless_unreadable([&] { return open_regular(name, reading); });
        if (!lines || !*lines) continue;
        const std::string& head = (*lines)->head().text;
        if (common && *common != head) refuse_common_head(names.front(), name);
        common = head;
    }
    return common;
}

void refuse_common_head(const std::string& first, const std::string& second) {
    throw std::runtime_error("the file of rejects cannot have lines of " + first + " and of " + second +
                             ": give --rejects a directory, as in --rejects rejects/");
}

std::string_view import_of(const InputLine& line) {
    try {
        const payload::DeclaredImport* const import = payload::find_import(parse_line(line).address());
        return import == nullptr ? std::string_view() : import->path;
    } catch (const MalformedLine&) {
        return {};
    }
}

std::size_t records_in(const InputLine& line, const payload::DeclaredImport& import) {
    if (!import.is_list) return 1;
    return line.records.empty() ? count_items(parse_line(line).body, import.field) : line.records.size();
}

namespace {

/// Returns the paths (DeclaredImport::path) to which the first lines of the file `name` are to be sent.
/// Returns no paths if the file is a pipe, because a pipe can be read only once.
std::set<std::string_view> first_imports(const std::string& name, const CsvReading& reading) {
    constexpr int most_lines = 1000;
    std::set<std::string_view> imports;
    const auto lines = open_regular(name, reading);
    for (int number = 0; lines && number < most_lines; ++number) {
        const auto line = lines->next();
        if (!line) break;
        imports.insert(import_of(*line));
    }
    imports.erase(std::string_view());
    return imports;
}

}  // namespace

std::map<std::string_view, std::uint64_t> bytes_by_import(const std::vector<std::string>& names,
                                                          const CsvReading& reading) {
    std::map<std::string_view, std::uint64_t> bytes;
    std::set<std::string_view> mixed;
    for (const std::string& name : names) {
        const auto imports = unless_unreadable([&] { return first_imports(name, reading); });
        if (!imports) continue;
        if (imports->size() > 1) mixed.insert(imports->begin(), imports->end());
        if (imports->size() == 1) bytes[*imports->begin()] += file_bytes(name).value_or(0);
    }
    for (const std::string_view import : mixed) bytes.erase(import);
    return bytes;
}

PlainLines::PlainLines(util::TextSource source, std::size_t file)
    : source_(std::move(source)),
      file_(file),
      buffer_(buffer_bytes),
      splitter_([this] { return std::string_view(buffer_.data(), source_.read(buffer_)); }, max_line_bytes) {}

std::optional<InputLine> PlainLines::next() {
    util::LineSplitter::Line read;
    while (splitter_.next(read)) {
        // If a stop has cut the line, it is left out: otherwise half a line would be sent.
        if (read.is_cut && !source_.has_ended()) return std::nullopt;
        ++number_;
        if (read.is_blank && !read.is_too_long) continue;
        InputLine line;
        if (!read.is_too_long) line.text = std::move(read.text);
        line.file = file_;
        line.number = number_;
        line.bytes = source_.changes_bytes()
                         ? source_.bytes_taken() - std::exchange(told_, source_.bytes_taken())
                         : read.bytes;
        line.too_long = read.is_too_long;
        line.fault = encoding_fault(line.text, "line", source_);
        line.is_cut = read.is_cut;
        return line;
    }
    return std::nullopt;
}

Input::Input(std::vector<std::string> names, int stop, CsvReading reading)
    : names_(std::move(names)), stop_(stop), reading_(std::move(reading)) {}

std::optional<InputLine> Input::next() {
    for (; file_ < names_.size(); ++file_, lines_.reset()) {
        if (!lines_) {
            lines_ = open_lines(names_[file_], file_, stop_, reading_);
            has_lines_ = false;
            chain_ = chained(chain_, lines_->head().text);
        }
        auto line = lines_->next();
        if (!line && !has_lines_) empty_files_.push_back(file_);
        if (!line) continue;
        has_lines_ = true;
        line->sequence = sequence_++;
        chain_ = chained(chain_, line->text);
        line->chain = chain_;
        return line;
    }
    return std::nullopt;
}

std::optional<LineCount> count_lines(const Options& options,
                                     const std::function<bool(const InputLine&)>& is_passed_over) {
    constexpr std::chrono::seconds longest(5);
    constexpr std::uint64_t between_looks = 1000;
    const auto end = std::chrono::steady_clock::now() + longest;
    return unless_unreadable([&]() -> LineCount {
        if (!total_bytes(options.files)) throw std::runtime_error("a pipe cannot be read again");
        Input input(options.files, never, options.csv);
        LineCount count;
        for (std::uint64_t read = 1; const auto line = input.next(); ++read) {
            if (read % between_looks == 0 && std::chrono::steady_clock::now() > end)
                throw std::runtime_error("it takes too long");
            if (is_passed_over(*line)) continue;
            ++count.lines;
            count.csv_records += line->csv_records;
        }
        return count;
    });
}

std::optional<InputLine> Input::next_or_fault() {
    InputLine fault;
    fault.number = 1;
    fault.ends_file = true;
    try {
        return next();
    } catch (const UnreadableFile& error) {
        fault.number = error.line();
        fault.fault = error.reason();
    } catch (const std::runtime_error& error) {
        fault.fault = error.what();
    }
    fault.file = file_++;
    fault.sequence = sequence_++;
    lines_.reset();
    return fault;
}

}  // namespace data_import::client
