// Files that have an account number on each line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "tools/ctl/text_file.h"

namespace data_import::ctl {

/// Reads the account numbers in a file of any length, one in a line. LF, CRLF or CR alone ends a line; empty
/// lines are skipped. The numbers are not checked; a line that is far too long is cut.
class NumberLines {
public:
    /// `file` is the name of a file, or `-` for standard input. Reading ends early when the descriptor `stop`
    /// becomes readable; if `stop` is negative, it never ends early.
    NumberLines(const std::string& file, int stop) : file_(file, stop) {}

    /// Reads the next line that is not empty. Returns false at the end of the file.
    bool next();
    [[nodiscard]] const std::string& number() const { return number_; }
    [[nodiscard]] std::uint64_t line() const { return line_; }  ///< number of the present line, from 1
    /// Returns whether the file ends right after the number, without a line end: the number may be cut off.
    [[nodiscard]] bool is_cut() const { return is_cut_; }
    [[nodiscard]] std::uint64_t bytes_read() const { return file_.bytes_taken(); }
    [[nodiscard]] std::optional<std::uint64_t> size() const { return file_.size(); }

private:
    bool read_line();
    bool fill();

    TextFile file_;
    std::string buffer_;
    std::size_t begin_ = 0;  ///< start of the bytes that are not taken yet
    std::string number_;
    std::uint64_t line_ = 0;
    bool is_cut_ = false;
};

}  // namespace data_import::ctl
