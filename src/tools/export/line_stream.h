// Lines on their way to a file or a pipe: compressed in pieces, counted, and digested.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/util/crypto.h"

namespace data_import::exports {

enum class Compression { none, gzip, zstd };

/// Returns the ending of a file's name for this compression: `.gz`, `.zst` or an empty text.
[[nodiscard]] std::string_view ending_of(Compression compression);

/// Writes lines. Keeps at most a piece of some 1 MiB and one line in memory. Each piece is compressed by
/// itself, as a gzip member or a frame of Zstandard, so that the same lines always give the same file.
class LineStream {
public:
    /// Does not close the descriptor. The texts of errors use `name` for the descriptor.
    LineStream(int descriptor, Compression compression, std::string name);

    /// Adds a text of whole lines, with their ends. Throws console::Failure if they cannot be written, and
    /// console::UnreadOutput if nobody reads them any more.
    void add(std::string_view lines);
    /// Writes the lines that are still in memory. Throws as add() does.
    void flush();

    [[nodiscard]] std::uint64_t lines() const { return lines_; }
    /// Returns the number of written bytes.
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    /// Returns the digest of the written bytes, in hexadecimal digits. Nothing may be added after this call.
    [[nodiscard]] std::string take_sha256();

private:
    int descriptor_;
    Compression compression_;
    std::string name_;
    std::string piece_;
    std::uint64_t lines_ = 0;
    std::uint64_t bytes_ = 0;
    util::Sha256Sum sha256_;
};

}  // namespace data_import::exports
