#include "tools/client/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "base/util/crypto.h"
#include "base/util/failure.h"
#include "base/util/text.h"
#include "base/util/write_all.h"
#include "tools/client/journal_entries.h"
#include "tools/client/kept_file.h"

namespace data_import::client {

namespace {

constexpr std::uint64_t longest = std::uint64_t{256} << 10;
constexpr std::size_t most_bytes = std::size_t{1} << 30;  // no real journal is longer
constexpr std::string_view what_is_doubled =
    "; nothing is imported twice then, except transactions with check_previously_added=false";

/// Returns the name as text that JSON can hold: bytes that are not UTF-8 become %XX.
std::string as_text(std::string_view name) {
    std::string text;
    while (!name.empty()) {
        const std::size_t valid = util::utf8_prefix(name);
        text += name.substr(0, valid);
        name.remove_prefix(valid);
        if (name.empty()) break;
        text += '%' + util::to_hex(name.substr(0, 1));
        name.remove_prefix(1);
    }
    return text;
}

/// Returns the files that a run writes, as the command line has them: `--rejects F --report G`.
std::string kept_files_of(const JournalSubject& subject) {
    std::string text;
    if (!subject.rejects.empty()) text = "--rejects " + subject.rejects;
    if (!subject.report.empty()) text += (text.empty() ? "--report " : " --report ") + subject.report;
    return text.empty() ? "neither --rejects nor --report" : text;
}

/// Returns the options that `others` does not have, with blanks between them.
std::string without(const std::vector<std::string>& options, const std::vector<std::string>& others) {
    std::string text;
    for (const std::string& option : options) {
        if (std::ranges::count(others, option) == 0) text += (text.empty() ? "" : " ") + option;
    }
    return text;
}

/// Returns the options by which an earlier run read its files differently: `with --dates DD.MM.YYYY, without
/// --decimal-comma`.
std::string reading_difference(const std::vector<std::string>& before, const std::vector<std::string>& now) {
    const std::string gone = without(before, now);
    const std::string added = without(now, before);
    std::string text = gone.empty() ? "" : "with " + gone;
    if (!added.empty()) text += (text.empty() ? "without " : ", without ") + added;
    return text;
}

std::uint64_t seconds_of(std::chrono::sys_seconds time) {
    return static_cast<std::uint64_t>(time.time_since_epoch().count());
}

std::string read_all(int file, const std::string& name) {
    std::string text;
    std::array<char, 65536> piece;
    for (;;) {
        const ssize_t count = ::pread(file, piece.data(), piece.size(), static_cast<off_t>(text.size()));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) util::fail("cannot read the journal " + name);
        if (count == 0) return text;
        text.append(piece.data(), static_cast<std::size_t>(count));
        if (!is_head(text)) return text;  // the file is no journal, and may be long
        if (text.size() > most_bytes)
            throw std::runtime_error("the journal " + name + " is longer than " +
                                     std::to_string(most_bytes >> 20U) + " MiB");
    }
}

/// Refuses a file that is not regular: the journal would replace a device or a link, and remove it at the
/// end.
void require_regular(const std::string& name) {
    struct stat status {};
    if (::lstat(name.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return;
    throw std::runtime_error(name +
                             " is not a regular file, and cannot be a journal; choose another place with "
                             "--journal F, or use --no-journal");
}

void sync_directory_of(const std::string& name) {
    const std::filesystem::path directory = std::filesystem::path(name).parent_path();
    const util::FileDescriptor opened(
        ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened || ::fsync(opened.get()) != 0) util::fail("cannot write the journal " + name);
}

}  // namespace

std::string random_id() {
    constexpr std::size_t bytes = 16;
    return util::to_hex(util::random_bytes(bytes));
}

JournalSubject subject_of(const Options& options) {
    JournalSubject subject{.target = options.url,
                           .files = {},
                           .rejects = as_text(options.rejects_file),
                           .report = as_text(options.report_file),
                           .reading = options.csv.to_options()};
    for (std::string& option : *subject.reading) option = as_text(option);
    for (const std::string& name : options.files) {
        struct stat status {};
        if (::stat(name.c_str(), &status) != 0) util::fail("cannot read " + name);
        constexpr std::int64_t nanoseconds = 1'000'000'000;
        subject.files.push_back({as_text(name), static_cast<std::uint64_t>(status.st_size),
                                 status.st_mtim.tv_sec * nanoseconds + status.st_mtim.tv_nsec});
    }
    return subject;
}

Journal::Journal(const std::string& name, const JournalSubject& subject)
    : name_(name), id_(random_id()), subject_(subject) {
    open();
    load(subject);
    before_ = ranges_;
    begun_before_ = begun_;
    for (const auto& [first, range] : before_) {
        settled_before_ += range.last - first + 1;
        refused_before_ += range.refused;
    }
    shorten();
}

/// Opens the journal and takes its lock. While this run waits for the lock, another run may have replaced the
/// file, or removed it; so the opening is repeated until the name leads to the locked file.
void Journal::open() {
    do {
        open_file();
    } while (identity_of(name_) != identity_of(file_.get()));
}

void Journal::open_file() {
    require_regular(name_);
    file_ = util::FileDescriptor(
        ::open(name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, S_IRUSR | S_IWUSR));
    if (!file_) {
        throw std::runtime_error("cannot write the journal " + name_ + ": " +
                                 std::generic_category().message(errno) +
                                 "; choose another place with --journal F, or use --no-journal");
    }
    if (!take_for_this_run(file_.get()))
        throw std::runtime_error("the journal " + name_ + " is in use by another run");
}

void Journal::load(const JournalSubject& subject) {
    const std::string text = read_all(file_.get(), name_);
    std::string_view rest = text;
    std::string_view head;
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        const auto entry = end == std::string_view::npos ? std::nullopt : without_sum(rest.substr(0, end));
        if (!entry) break;  // a crash has cut this entry off: nothing from here on counts
        rest.remove_prefix(end + 1);
        if (head.empty())
            head = *entry;
        else if (!load_entry(*entry))
            break;
    }
    // The head of a journal is never cut off, because shorten() puts it in place as a whole. A file without
    // a head is no journal.
    if (!text.empty() && !is_head(head))
        throw std::runtime_error(
            name_ + " is not a journal of data-import-load; choose another file with --journal F");
    if (!ranges_.empty() || !begun_.empty()) take_up(subject, head);
}

void Journal::take_up(const JournalSubject& subject, std::string_view head) {
    auto [id, before] = head_in(head);
    const auto by_name = [](const JournalSubject::File& left, const JournalSubject::File& right) {
        return left.name == right.name;
    };
    if (before.target != subject.target) refuse_other("with another service, " + before.target);
    if (!std::ranges::equal(before.files, subject.files, by_name)) refuse_other("with other files");
    if (before.rejects != subject.rejects || before.report != subject.report)
        refuse_other("with " + kept_files_of(before));
    if (before.reading && subject.reading && before.reading != subject.reading)
        refuse_other(reading_difference(*before.reading, *subject.reading));
    for (std::size_t file = 0; file < subject.files.size(); ++file) {
        if (before.files[file] != subject.files[file]) changed_files_.push_back(subject.files[file].name);
    }
    id_ = std::move(id);
    subject_.organisation = before.organisation;
    is_taken_up_ = true;
}

void Journal::note_organisation(const std::string& organisation) {
    if (subject_.organisation == organisation) return;
    if (!subject_.organisation.empty())
        refuse_other("with an API key of another organisation, " + subject_.organisation + ", not of " +
                     organisation);
    subject_.organisation = organisation;
    shorten();
}

void Journal::refuse_other(const std::string& difference) const {
    throw std::runtime_error("the journal " + name_ + " belongs to a run " + difference +
                             ": finish that run with its own command, or remove the journal to load "
                             "everything from the beginning" +
                             std::string(what_is_doubled));
}

bool Journal::load_entry(std::string_view entry) {
    if (const auto begun = numbers_of(entry, begun_mark, 3); !begun.empty()) {
        begun_[begun[0]] = {begun[1], std::chrono::sys_seconds(std::chrono::seconds(begun[2]))};
        return true;
    }
    if (const auto taken_back = numbers_of(entry, taken_back_mark, 1); !taken_back.empty()) {
        begun_.erase(taken_back.front());
        return true;
    }
    return load_settled(entry);
}

bool Journal::load_settled(std::string_view entry) {
    auto numbers = numbers_of(entry, settled_mark, 4);
    if (!numbers.empty())
        numbers.insert(numbers.begin(), 1);
    else
        numbers = numbers_of(entry, settled_ranges_mark, 1);
    if (numbers.empty() || numbers.front() > (numbers.size() - 1) / 4) return false;
    const auto end = numbers.begin() + 1 + static_cast<std::ptrdiff_t>(4 * numbers.front());
    for (auto range = numbers.begin() + 1; range != end; range += 4) {
        if (range[0] > range[1]) return false;
        insert(range[0], {range[1], range[2], range[3]});
    }
    sizes_.assign(end, numbers.end());
    return true;
}

void Journal::insert(std::uint64_t first, const Range& range) {
    begun_.erase(begun_.lower_bound(first), begun_.upper_bound(range.last));
    insert(ranges_, first, range);
}

/// Adds a range, and joins it with the ranges that it touches. Lines are settled once, so ranges never
/// overlap.
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
    const auto begun = begun_before_.find(sequence);
    if (begun != begun_before_.end() && chain != begun->second.chain) refuse_changed();
    const auto behind = before_.upper_bound(sequence);
    if (behind == before_.begin()) return false;
    const Range& range = std::prev(behind)->second;
    if (sequence > range.last) return false;
    if (sequence == range.last && chain != range.chain) refuse_changed();
    return true;
}

void Journal::refuse_changed() const {
    throw std::runtime_error("the files differ from those of the journal " + name_ +
                             ": lines that were sent have changed since. Remove the journal to load "
                             "everything from the beginning" +
                             std::string(what_is_doubled));
}

void Journal::check_end(std::uint64_t lines) const {
    const bool has_settled = before_.empty() || before_.rbegin()->second.last < lines;
    const bool has_begun = begun_before_.empty() || begun_before_.rbegin()->first < lines;
    if (has_settled && has_begun) return;
    throw std::runtime_error(
        "the files are shorter than when the journal " + name_ +
        " was written: lines that were sent are no longer there. Remove the journal if that is right" +
        std::string(what_is_doubled));
}

/// Returns one entry for all ranges, because a process may be killed between two entries.
std::string Journal::settled_entry(const Ranges& ranges) const {
    std::vector<std::uint64_t> numbers;
    const bool is_one = ranges.size() == 1;
    if (!is_one) numbers.push_back(ranges.size());
    for (const auto& [first, range] : ranges)
        numbers.insert(numbers.end(), {first, range.last, range.chain, range.refused});
    numbers.insert(numbers.end(), sizes_.begin(), sizes_.end());
    return entry_of(is_one ? settled_mark : settled_ranges_mark, numbers);
}

std::chrono::sys_seconds Journal::begin(std::uint64_t sequence, std::uint64_t chain) {
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    const auto [begun, is_new] = begun_.try_emplace(sequence, Begun{chain, now});
    if (is_new) add(entry_of(begun_mark, {sequence, chain, seconds_of(now)}));
    return begun->second.at;
}

void Journal::take_back(std::uint64_t sequence) {
    if (!begun_before_.contains(sequence) && begun_.erase(sequence) > 0)
        add(entry_of(taken_back_mark, {sequence}));
}

void Journal::settle(const std::vector<SettledLine>& lines, const KeptSizes& sizes) {
    std::vector<SettledLine> ordered = lines;
    std::ranges::sort(ordered, {}, &SettledLine::sequence);
    Ranges added;
    for (const SettledLine& line : ordered)
        insert(added, line.sequence, {line.sequence, line.chain, line.accepted ? 0U : 1U});
    for (const auto& [first, range] : added) insert(first, range);
    sizes_ = sizes;
    add(settled_entry(added));
}

void Journal::add(std::string_view text) {
    util::write_all(file_.get(), text, "cannot write the journal " + name_);
    size_ += text.size();
    is_synced_ = false;
}

void Journal::sync() {
    if (is_synced_) return;
    if (::fdatasync(file_.get()) != 0) util::fail("cannot write the journal " + name_);
    is_synced_ = true;
}

bool Journal::is_long() const {
    return size_ > std::max(longest, 2 * least_size_);
}

/// Writes a new file and renames it to the name of the journal, so that after a crash the journal is either
/// the old file or the whole new one.
void Journal::shorten() {
    std::string text = with_sum(head_of(id_, subject_));
    if (!ranges_.empty()) text += settled_entry(ranges_);
    for (const auto& [sequence, begun] : begun_)
        text += entry_of(begun_mark, {sequence, begun.chain, seconds_of(begun.at)});
    const std::string draft = name_ + ".new";
    util::FileDescriptor file(
        ::open(draft.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_APPEND, S_IRUSR | S_IWUSR));
    if (!file || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) util::fail("cannot write the journal " + draft);
    util::write_all(file.get(), text, "cannot write the journal " + draft);
    if (::fdatasync(file.get()) != 0) util::fail("cannot write the journal " + draft);
    if (::rename(draft.c_str(), name_.c_str()) != 0) util::fail("cannot write the journal " + name_);
    sync_directory_of(name_);
    file_ = std::move(file);
    size_ = least_size_ = text.size();
    is_synced_ = true;
}

void Journal::remove() {
    ::unlink(name_.c_str());
}

}  // namespace data_import::client
