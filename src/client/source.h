// The bytes of one file, unpacked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "util/file_descriptor.h"

namespace data_import::client {

/// Opens a file, or standard input for `-`. Throws std::runtime_error that names the file and the reason.
[[nodiscard]] util::FileDescriptor open_input(const std::string& name);

/// What begins like gzip or Zstandard is unpacked, several members or frames behind each other as one text;
/// all else is given as it is. Reading ends early when a stop is asked for.
class Source {
public:
    /// `name` stands in errors. `stop` is a descriptor, not owned, that becomes readable, or negative for
    /// never.
    Source(util::FileDescriptor input, std::string name, int stop);
    ~Source();
    Source(Source&&) noexcept;
    Source& operator=(Source&&) noexcept;

    /// Fills at least one byte of `buffer`; 0 at the end, and when stopped. Throws std::runtime_error where
    /// the file cannot be read or unpacked, or needs more than 16 MiB for that.
    [[nodiscard]] std::size_t read(std::span<char> buffer);

    /// The end of the file has been seen.
    [[nodiscard]] bool has_ended() const { return ended_; }
    /// Reading ended because a stop was asked for.
    [[nodiscard]] bool was_stopped() const { return was_stopped_; }
    [[nodiscard]] bool is_packed() const { return unpacker_ != nullptr; }
    /// How much of the file itself has been read.
    [[nodiscard]] std::uint64_t bytes_taken() const { return taken_; }
    [[nodiscard]] const std::string& name() const { return name_; }

private:
    class Unpacker;
    class Gzip;
    class Zstandard;

    [[nodiscard]] bool fill();
    void choose_unpacker();
    [[nodiscard]] bool wait_for_input();

    util::FileDescriptor input_;
    std::string name_;
    int stop_;
    std::vector<char> buffer_;
    std::span<const char> rest_;  ///< of what was read from the file
    std::uint64_t taken_ = 0;
    bool began_ = false;
    bool ended_ = false;
    bool was_stopped_ = false;
    std::unique_ptr<Unpacker> unpacker_;  ///< null for what is not packed
};

}  // namespace data_import::client
