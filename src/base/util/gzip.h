// Packs with gzip (RFC 1952), and unpacks piece by piece, so that the caller can stop when the text gets too
// long.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace data_import::util {

/// The bytes are no gzip, broken, or end too early. `what()` is a sentence.
class GzipError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Reads one or several gzip members in a row as one text.
class Gunzip {
public:
    /// Throws std::bad_alloc.
    Gunzip();
    ~Gunzip();
    Gunzip(const Gunzip&) = delete;
    Gunzip& operator=(const Gunzip&) = delete;

    /// Unpacks from `packed` into `text`, until `packed` is used up or `text` is full. Removes from `packed`
    /// what was read, and returns the number of bytes in `text`. Throws GzipError.
    [[nodiscard]] std::size_t read(std::span<const char>& packed, std::span<char> text);
    /// Returns whether the input is complete if it ends here.
    [[nodiscard]] bool may_end() const { return !inside_member_; }
    /// Throws GzipError unless the input may end here.
    void require_end() const;

private:
    z_stream stream_{};
    bool inside_member_ = true;
};

/// Makes one gzip member of a text that comes in pieces.
class Gzip {
public:
    /// `level` is a level of zlib, from Z_BEST_SPEED to Z_BEST_COMPRESSION. Throws std::bad_alloc.
    explicit Gzip(int level);
    ~Gzip();
    Gzip(const Gzip&) = delete;
    Gzip& operator=(const Gzip&) = delete;

    void add(std::string_view text) { write(text, Z_NO_FLUSH); }
    /// Ends the text and returns the gzip member.
    [[nodiscard]] std::string take();

private:
    void write(std::string_view text, int flush);

    z_stream stream_{};
    std::string packed_;
};

/// Returns the text as one gzip member, as short as possible. Throws std::bad_alloc.
[[nodiscard]] std::string gzipped(std::string_view text);

}  // namespace data_import::util
