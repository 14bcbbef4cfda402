#include "client/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <thread>

#include "client/kept_file.h"
#include "json/reader.h"
#include "json/writer.h"
#include "util/failure.h"

namespace data_import::client {

namespace {

constexpr std::uint64_t longest = std::uint64_t{256} << 10;
constexpr std::size_t most_bytes = std::size_t{16} << 20;  // a file that has more is no journal
constexpr int most_tries = 20;
constexpr std::chrono::milliseconds pause(100);
constexpr std::string_view head_mark = "data-import-load journal 1 ";
constexpr std::string_view settled_mark = "settled ";

std::string with_sum(std::string_view text) {
    const auto* const bytes = reinterpret_cast<const Bytef*>(text.data());
    char sum[16];
    std::snprintf(sum, sizeof sum, " %08lx\n", crc32(0, bytes, static_cast<uInt>(text.size())));
    return std::string(text) + sum;
}

/// The text of a line that is whole.
std::optional<std::string_view> without_sum(std::string_view line) {
    const std::size_t blank = line.rfind(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    const std::string_view text = line.substr(0, blank);
    const std::string expected = with_sum(text);
    if (std::string_view(expected).substr(0, expected.size() - 1) != line) return std::nullopt;
    return text;
}

std::string head_of(const JournalSubject& subject) {
    json::Writer writer;
    writer.begin_object().key("target").string(subject.target).key("files").begin_array();
    for (const auto& file : subject.files) {
        writer.begin_object().key("name").string(file.name);
        writer.key("size").integer(static_cast<std::int64_t>(file.size));
        writer.key("modified").integer(file.modified).end_object();
    }
    return std::string(head_mark) + writer.end_array().end_object().take();
}

template <typename Number>
Number number_of(const json::Value& value) {
    Number number = 0;
    const std::string_view text = value.text();
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

JournalSubject subject_in(std::string_view head) {
    const json::Document document = json::read(std::string(head.substr(head_mark.size())));
    JournalSubject subject{std::string(document.root().at("target").text()), {}};
    for (const json::Value file : document.root().at("files").items()) {
        subject.files.push_back({std::string(file.at("name").text()),
                                 number_of<std::uint64_t>(file.at("size")),
                                 number_of<std::int64_t>(file.at("modified"))});
    }
    return subject;
}

std::string read_all(int file, const std::string& name) {
    std::string text;
    std::array<char, 65536> piece;
    for (;;) {
        const ssize_t count = ::pread(file, piece.data(), piece.size(), static_cast<off_t>(text.size()));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) util::fail("cannot read the journal " + name);
        if (count == 0 || text.size() > most_bytes) return text;
        text.append(piece.data(), static_cast<std::size_t>(count));
    }
}

bool is_file_of(const std::string& name, int file) {
    struct stat named {};
    struct stat opened {};
    return ::stat(name.c_str(), &named) == 0 && ::fstat(file, &opened) == 0 &&
           named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace

JournalSubject subject_of(const std::string& target, const std::vector<std::string>& files) {
    JournalSubject subject{target, {}};
    for (const std::string& name : files) {
        struct stat status {};
        if (::stat(name.c_str(), &status) != 0) util::fail("cannot read " + name);
        constexpr std::int64_t nanoseconds = 1'000'000'000;
        subject.files.push_back({name, static_cast<std::uint64_t>(status.st_size),
                                 status.st_mtim.tv_sec * nanoseconds + status.st_mtim.tv_nsec});
    }
    return subject;
}

Journal::Journal(const std::string& name, const JournalSubject& subject)
    : name_(name), head_(head_of(subject)) {
    open();
    load(subject);
    before_ = ranges_;
    for (const auto& [first, range] : before_) {
        settled_before_ += range.last - first + 1;
        refused_before_ += range.refused;
    }
    replace();
}

/// The file that has the name while its lock is held: another run may have put a new one in its place, or
/// removed it, while this one waited.
void Journal::open() {
    do {
        open_file();
    } while (!is_file_of(name_, file_.get()));
}

void Journal::open_file() {
    file_ = util::FileDescriptor(
        ::open(name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, S_IRUSR | S_IWUSR));
    if (!file_) {
        throw std::runtime_error("cannot write the journal " + name_ + ": " +
                                 std::generic_category().message(errno) +
                                 "; --journal F names another place, --no-journal does without");
    }
    // a run that was just killed has it until its memory is given back
    for (int tries = 0; ::flock(file_.get(), LOCK_EX | LOCK_NB) != 0; ++tries) {
        if (tries < most_tries) {
            std::this_thread::sleep_for(pause);
            continue;
        }
        throw std::runtime_error("the journal " + name_ + " is in use by another run");
    }
}

void Journal::load(const JournalSubject& subject) {
    const std::string text = read_all(file_.get(), name_);
    std::string_view rest = text;
    bool has_head = false;
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        const auto entry = end == std::string_view::npos ? std::nullopt : without_sum(rest.substr(0, end));
        if (!entry) break;  // cut off, and whatever is behind it was written later
        rest.remove_prefix(end + 1);
        if (!has_head) {
            compare(subject, *entry);
            has_head = true;
        } else if (!load_entry(*entry)) {
            break;
        }
    }
    // the head of a journal is put in place as a whole
    if (!has_head && !text.empty())
        throw std::runtime_error(name_ +
                                 " is no journal of data-import-load; --journal F names another file");
}

void Journal::compare(const JournalSubject& subject, std::string_view head) {
    if (!head.starts_with(head_mark))
        throw std::runtime_error(name_ +
                                 " is no journal of data-import-load; --journal F names another file");
    const JournalSubject before = subject_in(head);
    const auto by_name = [](const JournalSubject::File& left, const JournalSubject::File& right) {
        return left.name == right.name;
    };
    if (before.target != subject.target || !std::ranges::equal(before.files, subject.files, by_name)) {
        throw std::runtime_error("the journal " + name_ +
                                 " is that of a run with other files or to another " + "service (" +
                                 before.target +
                                 "): finish that run by its own command, or remove the "
                                 "journal to load everything from the beginning");
    }
    for (std::size_t file = 0; file < subject.files.size(); ++file) {
        if (before.files[file] != subject.files[file]) changed_files_.push_back(subject.files[file].name);
    }
}

bool Journal::load_entry(std::string_view entry) {
    if (!entry.starts_with(settled_mark)) return false;
    std::array<std::uint64_t, 6> numbers{};
    const char* at = entry.data() + settled_mark.size() - 1;
    const char* const end = entry.data() + entry.size();
    for (std::uint64_t& number : numbers) {
        if (at == end || *at != ' ') return false;
        const auto [rest, error] = std::from_chars(at + 1, end, number);
        if (error != std::errc()) return false;
        at = rest;
    }
    const auto [first, last, chain, refused, rejects, report] = numbers;
    if (at != end || first > last) return false;
    insert(ranges_, first, {last, chain, refused});
    sizes_ = {rejects, report};
    return true;
}

/// Joins it with those that it touches. Lines are settled once, so that ranges never overlap.
void Journal::insert(Ranges& ranges, std::uint64_t first, const Range& range) {
    const auto [here, is_new] = ranges.insert_or_assign(first, range);
    const auto next = std::next(here);
    if (next != ranges.end() && next->first == here->second.last + 1) {
        here->second = {next->second.last, next->second.chain, here->second.refused + next->second.refused};
        ranges.erase(next);
    }
    if (here == ranges.begin()) return;
    const auto previous = std::prev(here);
    if (previous->second.last + 1 != first) return;
    previous->second = {here->second.last, here->second.chain,
                        previous->second.refused + here->second.refused};
    ranges.erase(here);
}

bool Journal::skips(std::uint64_t sequence, std::uint64_t chain) {
    const auto behind = before_.upper_bound(sequence);
    if (behind == before_.begin()) return false;
    const Range& range = std::prev(behind)->second;
    if (sequence > range.last) return false;
    if (sequence == range.last && chain != range.chain) {
        throw std::runtime_error("the files are not those that the journal " + name_ +
                                 " tells of: what was sent of them has changed since. Remove the journal to "
                                 "load everything from the "
                                 "beginning; what has been imported is not imported twice");
    }
    return true;
}

void Journal::check_end(std::uint64_t lines) const {
    if (before_.empty() || before_.rbegin()->second.last < lines) return;
    throw std::runtime_error(
        "the files are shorter than when the journal " + name_ +
        " was written: lines that were sent are no longer there. Remove the journal if that is right");
}

std::string Journal::entry_of(std::uint64_t first, const Range& range) const {
    std::string text(settled_mark);
    for (const std::uint64_t number : {first, range.last, range.chain, range.refused, sizes_.rejects}) {
        text += std::to_string(number) + ' ';
    }
    return with_sum(text + std::to_string(sizes_.report));
}

void Journal::settle(const std::vector<SettledLine>& lines, const KeptSizes& sizes) {
    std::vector<SettledLine> ordered = lines;
    std::ranges::sort(ordered, {}, &SettledLine::sequence);
    Ranges added;
    for (const SettledLine& line : ordered)
        insert(added, line.sequence, {line.sequence, line.chain, line.accepted ? 0U : 1U});
    sizes_ = sizes;
    std::string text;
    for (const auto& [first, range] : added) {
        text += entry_of(first, range);
        insert(ranges_, first, range);
    }
    size_ + text.size() > longest ? replace() : write(text);
}

void Journal::write(std::string_view text) {
    write_all(file_.get(), text, "cannot write the journal " + name_);
    size_ += text.size();
    if (now() == synced_at_) return;
    synced_at_ = now();
    ::fdatasync(file_.get());
}

/// A short journal that says the same, put in its place as a whole.
void Journal::replace() {
    std::string text = with_sum(head_);
    for (const auto& [first, range] : ranges_) text += entry_of(first, range);
    const std::string draft = name_ + ".new";
    util::FileDescriptor file(
        ::open(draft.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_APPEND, S_IRUSR | S_IWUSR));
    if (!file || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) util::fail("cannot write the journal " + draft);
    write_all(file.get(), text, "cannot write the journal " + draft);
    ::fdatasync(file.get());
    if (::rename(draft.c_str(), name_.c_str()) != 0) util::fail("cannot write the journal " + name_);
    file_ = std::move(file);
    size_ = text.size();
}

void Journal::remove() {
    ::unlink(name_.c_str());
}

}  // namespace data_import::client
