#include "client/input.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "client/csv_lines.h"
#include "client/import_request.h"
#include "payload/imports.h"
#include "util/failure.h"

namespace data_import::client {

namespace {

constexpr int never = -1;  // as a descriptor that tells to stop
constexpr std::size_t buffer_bytes = std::size_t{1} << 17;

[[noreturn]] void fail(const std::string& name, int error = errno) {
    util::fail("cannot read " + name, error);
}

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

/// Does not open the file: a pipe would lose its writer when it is closed again.
std::optional<std::uint64_t> file_bytes(const std::string& name) {
    const bool standard_input = name == "-";
    struct stat status {};
    const int result = standard_input ? ::fstat(STDIN_FILENO, &status) : ::stat(name.c_str(), &status);
    if (result != 0 || (!standard_input && ::access(name.c_str(), R_OK) != 0)) fail(name);
    if (S_ISDIR(status.st_mode)) fail(name, EISDIR);
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    const off_t offset = standard_input ? std::max<off_t>(::lseek(STDIN_FILENO, 0, SEEK_CUR), 0) : 0;
    return static_cast<std::uint64_t>(std::max<off_t>(status.st_size - offset, 0));
}

std::string_view without_packing(std::string_view name) {
    for (const std::string_view ending : {".gz", ".zst"}) {
        if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
    }
    return name;
}

bool is_to_load(std::string_view name) {
    const std::string_view plain = without_packing(name);
    return !name.starts_with('.') &&
           (plain.ends_with(".ndjson") || plain.ends_with(".jsonl") || plain.ends_with(".csv"));
}

std::vector<std::string> files_in(const std::string& directory) {
    std::vector<std::string> files;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error)) {
        if (!entry->is_directory() && is_to_load(entry->path().filename().string()))
            files.push_back(entry->path().string());
    }
    if (error) fail(directory, error.value());
    if (files.empty()) {
        throw std::runtime_error("the directory " + directory +
                                 " has no file to load: .ndjson, .jsonl or .csv, also with .gz or .zst");
    }
    std::ranges::sort(files);
    return files;
}

/// Not for secrets: it tells whether a file is still the one that it was.
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

/// Its lines would be sent twice, and those that may not be repeated carried out twice.
void refuse_same_twice(const std::vector<std::string>& names) {
    std::map<std::pair<dev_t, ino_t>, std::string> seen;
    for (const std::string& name : names) {
        struct stat status {};
        if (name == "-" || ::stat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
        const auto [first, is_new] = seen.try_emplace({status.st_dev, status.st_ino}, name);
        if (!is_new) throw std::runtime_error(first->second + " and " + name + " are the same file");
    }
}

std::unique_ptr<Lines> open_lines(const std::string& name, std::size_t file, int stop) {
    Source source(open_input(name), name == "-" ? "standard input" : name, stop);
    if (is_csv(name)) return std::make_unique<CsvLines>(std::move(source), file);
    return std::make_unique<LineReader>(std::move(source), file);
}

}  // namespace

std::optional<std::string> fault_of(const Line& line) {
    if (line.too_long) {
        return "longer than " + std::to_string(max_line_bytes >> 20U) +
               " MiB; such a line is not copied to the rejects file";
    }
    return line.fault.empty() ? std::nullopt : std::optional(line.fault);
}

std::vector<std::string> files_of(const std::vector<std::string>& names) {
    std::vector<std::string> files;
    for (const std::string& name : names) {
        if (name != "-" && std::filesystem::is_directory(name))
            std::ranges::move(files_in(name), std::back_inserter(files));
        else
            files.push_back(name);
    }
    refuse_same_twice(files);
    return files;
}

bool is_csv(std::string_view name) {
    return without_packing(name).ends_with(".csv");
}

std::optional<std::uint64_t> total_bytes(const std::vector<std::string>& names) {
    std::uint64_t total = 0;
    bool known = true;
    for (const std::string& name : names) {
        const auto bytes = file_bytes(name);
        known = known && bytes.has_value();
        total += bytes.value_or(0);
    }
    return known ? std::optional(total) : std::nullopt;
}

void check_heads(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (is_csv(name) && file_bytes(name)) static_cast<void>(open_lines(name, 0, never));
    }
}

std::optional<std::string> common_head(const std::vector<std::string>& names) {
    std::optional<std::string> common;
    for (const std::string& name : names) {
        if (is_csv(name) && !file_bytes(name)) continue;  // a pipe can be opened only once
        const std::string head = is_csv(name) ? open_lines(name, 0, never)->head() : std::string();
        if (common && *common != head) refuse_common_head(names.front(), name);
        common = head;
    }
    return common;
}

void refuse_common_head(const std::string& first, const std::string& second) {
    throw std::runtime_error("the file of rejects cannot have lines of " + first + " and of " + second +
                             ": load files of other formats or with other headers by a command of their own");
}

std::string_view import_of(const Line& line) {
    try {
        const payload::Import* const import = payload::find_import(parse_line(line.request_text()).address());
        return import == nullptr ? std::string_view() : import->path;
    } catch (const MalformedLine&) {
        return {};
    }
}

std::map<std::string_view, std::uint64_t> bytes_by_import(const std::vector<std::string>& names) {
    std::map<std::string_view, std::uint64_t> bytes;
    for (const std::string& name : names) {
        const auto size = name == "-" ? std::nullopt : file_bytes(name);
        if (!size) continue;
        const auto line = open_lines(name, 0, never)->next();
        if (line) bytes[import_of(*line)] += *size;
    }
    return bytes;
}

LineReader::LineReader(Source source, std::size_t file)
    : source_(std::move(source)), file_(file), buffer_(buffer_bytes) {}

std::optional<Line> LineReader::next() {
    Line line;
    line.file = file_;
    while (read_line(line)) {
        line.number = ++number_;
        if (line.too_long || !is_blank(line.text)) {
            if (source_.is_packed())
                line.bytes = source_.bytes_taken() - std::exchange(told_, source_.bytes_taken());
            return line;
        }
        line.text.clear();
        line.bytes = 0;
    }
    return std::nullopt;
}

/// Reads up to the next newline, or to the end of the file. False when there is nothing more.
bool LineReader::read_line(Line& line) {
    while (begin_ < end_ || fill()) {
        const char* const from = buffer_.data() + begin_;
        const auto* newline = static_cast<const char*>(std::memchr(from, '\n', end_ - begin_));
        const std::size_t length =
            newline != nullptr ? static_cast<std::size_t>(newline - from) : end_ - begin_;
        append(line, {from, length});
        begin_ += length;
        if (newline == nullptr) continue;
        ++begin_;
        ++line.bytes;
        return true;
    }
    // A line cut by a stop is not a line: it would be sent in half.
    return line.bytes > 0 && source_.has_ended();
}

void LineReader::append(Line& line, std::string_view piece) const {
    line.bytes += piece.size();
    if (line.too_long || line.text.size() + piece.size() > max_line_bytes) {
        line.too_long = true;
        line.text = {};
    } else {
        line.text.append(piece);
    }
}

/// False at the end of the file and when stopped.
bool LineReader::fill() {
    begin_ = 0;
    end_ = source_.read(buffer_);
    return end_ > 0;
}

Input::Input(std::vector<std::string> names, int stop) : names_(std::move(names)), stop_(stop) {}

std::optional<Line> Input::next() {
    for (; file_ < names_.size(); ++file_, lines_.reset()) {
        if (!lines_) {
            lines_ = open_lines(names_[file_], file_, stop_);
            chain_ = chained(chain_, lines_->head());
        }
        auto line = lines_->next();
        if (!line) continue;
        line->sequence = sequence_++;
        chain_ = chained(chain_, line->text);
        line->chain = chain_;
        return line;
    }
    return std::nullopt;
}

}  // namespace data_import::client
