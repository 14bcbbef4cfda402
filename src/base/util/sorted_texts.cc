#include "base/util/sorted_texts.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <utility>

#include "base/util/temporary_file.h"

namespace data_import::util {

namespace {

constexpr std::size_t length_bytes = 2;
constexpr std::size_t least_buffer = 4096;
static_assert(SortedTexts::longest + length_bytes <= least_buffer);

std::uint16_t length_at(const char* bytes) {
    std::uint16_t length = 0;
    std::memcpy(&length, bytes, length_bytes);
    return length;
}

}  // namespace

SortedTexts::SortedTexts(std::size_t memory) : memory_(std::max(memory, 2 * least_buffer)) {}

void SortedTexts::add(std::string_view text) {
    if (text.size() > longest) throw std::length_error("a text to sort is too long");
    if (texts_.capacity() == 0) texts_.reserve(memory_);
    if (texts_.size() + length_bytes + text.size() > memory_) write_run();
    places_.push_back(static_cast<std::uint32_t>(texts_.size()));
    const auto length = static_cast<std::uint16_t>(text.size());
    char bytes[length_bytes];
    std::memcpy(bytes, &length, length_bytes);
    texts_.append(bytes, length_bytes).append(text);
}

void SortedTexts::sort() {
    if (runs_.empty()) return sort_memory();
    write_run();
    std::string().swap(texts_);  // gives the memory of the texts back
    std::vector<std::uint32_t>().swap(places_);
    const std::size_t buffer = std::max(memory_ / runs_.size(), least_buffer);
    for (Run& run : runs_) {
        run.buffer.reserve(buffer);
        if (advance(run)) heap_.push_back(&run);
    }
    std::ranges::make_heap(heap_, std::greater{}, [](const Run* run) { return run->text(); });
}

std::optional<std::string_view> SortedTexts::next() {
    if (runs_.empty()) return next_of_memory();
    const auto text = [](const Run* run) { return run->text(); };
    if (top_is_given_) {
        std::ranges::pop_heap(heap_, std::greater{}, text);
        advance(*heap_.back()) ? static_cast<void>(std::ranges::push_heap(heap_, std::greater{}, text))
                               : heap_.pop_back();
    }
    top_is_given_ = !heap_.empty();
    return heap_.empty() ? std::nullopt : std::optional(heap_.front()->text());
}

std::optional<std::string_view> SortedTexts::next_of_memory() {
    return given_ == places_.size() ? std::nullopt : std::optional(text_at(places_[given_++]));
}

std::string_view SortedTexts::text_at(std::uint32_t place) const {
    return {texts_.data() + place + length_bytes, length_at(texts_.data() + place)};
}

std::string_view SortedTexts::Run::text() const {
    return {buffer.data() + at + length_bytes, length_at(buffer.data() + at)};
}

void SortedTexts::sort_memory() {
    std::ranges::sort(places_, {}, [this](std::uint32_t place) { return text_at(place); });
}

void SortedTexts::write_run() {
    if (runs_.size() == memory_ / least_buffer) {
        throw std::runtime_error("the temporary file has reached its bound of " +
                                 std::to_string(file_bytes_ >> 30U) + " GiB: take fewer files at once");
    }
    if (!file_) file_ = make_temporary_file();
    sort_memory();
    Run run{.from = file_bytes_};
    std::string piece;
    for (const std::uint32_t place : places_) {
        const std::size_t size = length_bytes + length_at(texts_.data() + place);
        piece.append(texts_, place, size);
        if (piece.size() >= (std::size_t{1} << 18)) {
            write(piece);
            piece.clear();
        }
    }
    write(piece);
    run.to = file_bytes_;
    runs_.push_back(std::move(run));
    texts_.clear();
    places_.clear();
}

void SortedTexts::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file_.get(), bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) fail_to_write_temporary_file();
        if (written <= 0) continue;
        bytes.remove_prefix(static_cast<std::size_t>(written));
        file_bytes_ += static_cast<std::uint64_t>(written);
    }
}

/// Moves to the run's next text; the first call moves to its first text. At the end of the run, frees its
/// buffer and returns false.
bool SortedTexts::advance(Run& run) {
    if (!run.buffer.empty()) run.at += length_bytes + run.text().size();
    const std::size_t left = run.buffer.size() - run.at;
    const bool is_whole = left >= length_bytes && left >= length_bytes + run.text().size();
    if (!is_whole) fill(run);
    if (!run.buffer.empty()) return true;
    std::string().swap(run.buffer);
    return false;
}

/// Moves the unread bytes to the front, and fills the rest of the buffer.
void SortedTexts::fill(Run& run) {
    run.buffer.erase(0, std::exchange(run.at, 0));
    const std::size_t kept = run.buffer.size();
    std::size_t wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(run.buffer.capacity() - kept, run.to - run.from));
    run.buffer.resize(kept + wanted);
    for (char* to = run.buffer.data() + kept; wanted > 0;) {
        const ssize_t length = ::pread(file_.get(), to, wanted, static_cast<off_t>(run.from));
        if (length < 0 && errno == EINTR) continue;
        if (length == 0) errno = EIO;
        if (length <= 0) fail_to_read_temporary_file();
        to += length;
        wanted -= static_cast<std::size_t>(length);
        run.from += static_cast<std::uint64_t>(length);
    }
}

}  // namespace data_import::util
