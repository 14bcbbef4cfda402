// Numbers of accounts in a file, one in a line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ctl/input_file.h"

namespace data_import::ctl {

/// Reads a file of any length. LF or CRLF ends a line; empty ones are passed over. Nothing is checked; of a
/// line that is far too long only the beginning is kept.
class NumberLines {
public:
    /// As InputFile says.
    explicit NumberLines(const std::string& file) : file_(file) {}

    /// False at the end of the file.
    bool next();
    [[nodiscard]] const std::string& number() const { return number_; }
    [[nodiscard]] std::uint64_t line() const { return line_; }  ///< from 1
    [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }
    [[nodiscard]] std::optional<std::uint64_t> size() const { return file_.size(); }

private:
    bool read_line();
    bool fill();

    InputFile file_;
    std::string buffer_;
    std::size_t begin_ = 0;  ///< of what is not taken yet
    std::string number_;
    std::uint64_t line_ = 0;
    std::uint64_t bytes_read_ = 0;
};

}  // namespace data_import::ctl
