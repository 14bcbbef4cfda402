// The lines of a long body, one at a time: what stands in memory is one of them, however many there are.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "util/gzip.h"

namespace data_import::http {

/// One line of a text.
struct BodyLine {
    std::size_t number = 0;    ///< from 1; empty lines count, and those of blanks
    std::string text = {};     ///< without its end, LF or CRLF
    bool is_too_long = false;  ///< then the text is cut
    bool is_blank = true;      ///< nothing but blanks, tabs and carriage returns
};

/// Reads the lines of a body that are not blank.
class LineReader {
public:
    /// What is more than this.
    struct Limits {
        std::size_t line;  ///< bytes of a line that are kept
        std::size_t body;  ///< bytes after which no more is unpacked: the body is too long then
    };

    /// `body` has to outlive it.
    LineReader(std::string_view body, bool is_gzip, Limits limits);

    /// Nothing at the end. Throws util::GzipError.
    [[nodiscard]] std::optional<BodyLine> next();
    /// How many bytes have been read, unpacked ones; above the limit where the body is too long.
    [[nodiscard]] std::size_t bytes_read() const { return bytes_read_; }

private:
    [[nodiscard]] bool fill();
    [[nodiscard]] bool take_line(BodyLine& line);

    std::unique_ptr<util::Gunzip> gunzip_;  ///< null for a plain body
    std::span<const char> packed_;          ///< what it has not taken yet
    Limits limits_;
    std::string unpacked_;   ///< the last piece of a packed body
    std::string_view rest_;  ///< of that piece, or of the plain body
    std::size_t bytes_read_ = 0;
    std::size_t lines_ = 0;
};

}  // namespace data_import::http
