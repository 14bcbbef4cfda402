// The lines of the files to load, read one after another without ever holding more than one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "util/file_descriptor.h"

namespace data_import::client {

/// Bytes of a line, its end not counted: the service's largest body (10 MiB) and room for the path.
inline constexpr std::size_t max_line_bytes = std::size_t{11} << 20;

struct Line {
    std::string text;          ///< as read, without the newline; empty if the line is too long
    std::size_t file = 0;      ///< which of the files
    std::uint64_t number = 0;  ///< counted from 1 in its file
    std::uint64_t bytes = 0;   ///< what the line takes in the file, its newline included
    bool too_long = false;     ///< above max_line_bytes: the text was skipped
};

/// Opens a file, or standard input for `-`. Throws std::runtime_error that names the file and the reason.
[[nodiscard]] util::FileDescriptor open_input(const std::string& name);

/// The bytes that all the files hold together from here on; nothing when one of them is no regular file.
/// Throws std::runtime_error for a file that cannot be read, or is a directory.
[[nodiscard]] std::optional<std::uint64_t> total_bytes(const std::vector<std::string>& names);

/// The lines of one file.
class LineReader {
public:
    /// `file` is the number that lines get, `name` stands in errors. Reading ends early when `stop` (a
    /// descriptor, not owned) becomes readable, or negative for never.
    LineReader(util::FileDescriptor input, std::size_t file, std::string name, int stop);

    /// The next line; nothing at the end of the file or when stopped. Lines without anything but white space
    /// are passed over. Throws std::runtime_error if the file cannot be read.
    [[nodiscard]] std::optional<Line> next();

private:
    [[nodiscard]] bool fill();
    [[nodiscard]] bool wait_for_input() const;
    [[nodiscard]] bool read_line(Line& line);
    void append(Line& line, std::string_view piece) const;

    util::FileDescriptor input_;
    std::size_t file_;
    std::string name_;
    int stop_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    bool ended_ = false;  ///< the end of the file has been seen
    std::uint64_t number_ = 0;
};

}  // namespace data_import::client
