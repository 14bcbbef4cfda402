// The text of one file: unpacked, as UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/file_descriptor.h"
#include "base/util/text_decoder.h"

namespace data_import::util {

/// Opens a file, or standard input for `-`. Throws std::runtime_error that names the file and the reason.
[[nodiscard]] FileDescriptor open_input(const std::string& name);

/// The text of a file. Unpacks files that begin like gzip or Zstandard, also of several members or frames.
/// Drops a byte order mark, and turns UTF-16 into UTF-8 (TextDecoder). Reading ends early when a stop is
/// asked for.
class TextSource {
public:
    /// `name` stands in errors. `stop` is a descriptor, not owned, that becomes readable when reading has to
    /// stop; negative: reading never stops.
    TextSource(FileDescriptor input, std::string name, int stop);
    ~TextSource();
    TextSource(TextSource&&) noexcept;
    TextSource& operator=(TextSource&&) noexcept;

    /// Fills at least one byte of `buffer`, and returns how many; 0 at the end, and when stopped. Throws
    /// std::runtime_error, which names the file and the reason: the file cannot be read or unpacked,
    /// unpacking needs more than 16 MiB of memory, or the file has a format that is not read.
    [[nodiscard]] std::size_t read(std::span<char> buffer);
    /// Returns the text up to the end of the first line that is not blank, at most some 64 KiB, without
    /// taking it: read() returns it again. To be called before the first read(). Throws as read() does.
    [[nodiscard]] std::string_view look_ahead();

    /// Returns whether the end of the file has been seen.
    [[nodiscard]] bool has_ended() const { return ended_; }
    /// Returns whether reading ended because a stop was asked for.
    [[nodiscard]] bool was_stopped() const { return was_stopped_; }
    /// Returns whether the bytes of the text differ from those of the file.
    [[nodiscard]] bool changes_bytes() const { return unpacker_ != nullptr || decoder_.changes_bytes(); }
    [[nodiscard]] bool is_utf16() const { return decoder_.is_utf16(); }
    /// Returns the number of bytes that have been read from the file. The bytes of a packed file are counted
    /// before they are unpacked.
    [[nodiscard]] std::uint64_t bytes_taken() const { return taken_; }
    [[nodiscard]] const std::string& name() const { return name_; }

private:
    class Unpacker;
    class Gzip;
    class Zstandard;

    [[nodiscard]] std::size_t unpack(std::span<char> buffer);
    [[nodiscard]] bool fill();
    void choose_unpacker();
    [[nodiscard]] bool wait_for_input();

    FileDescriptor input_;
    std::string name_;
    int stop_;
    std::vector<char> buffer_;
    std::span<const char> rest_;  ///< bytes that were read from the file and not passed on
    std::uint64_t taken_ = 0;
    bool began_ = false;
    bool ended_ = false;
    bool was_stopped_ = false;
    std::unique_ptr<Unpacker> unpacker_;  ///< unpacks the file; null for a file that is not packed
    TextDecoder decoder_;
};

}  // namespace data_import::util
