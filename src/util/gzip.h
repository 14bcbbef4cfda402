// Reading what gzip has compressed (RFC 1952), piece by piece: whoever reads decides how much is too much.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string_view>

namespace data_import::util {

/// The bytes are no gzip, broken, or end too early. `what()` is a sentence.
class GzipError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// One or several gzip members behind each other, as one text.
class Gunzip {
public:
    /// `compressed` has to outlive it. Throws std::bad_alloc.
    explicit Gunzip(std::string_view compressed);
    ~Gunzip();
    Gunzip(const Gunzip&) = delete;
    Gunzip& operator=(const Gunzip&) = delete;

    /// Fills `buffer` as far as there is text; 0 at the end of the last member. Throws GzipError.
    [[nodiscard]] std::size_t read(std::span<char> buffer);

private:
    z_stream stream_{};
    bool inside_member_ = true;
};

}  // namespace data_import::util
