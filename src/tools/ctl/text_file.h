// A file of text that a command reads from beginning to end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/util/text_source.h"

namespace data_import::ctl {

/// Returns the name of the file for people: `standard input` for `-`.
[[nodiscard]] std::string shown_name(const std::string& name);

/// A text file. Unpacks it and turns it into UTF-8 (util::TextSource). The name `-` is standard input.
class TextFile {
public:
    /// Reading ends early when the descriptor `stop` becomes readable; if `stop` is negative, it never ends
    /// early. Throws Failure, with a sentence, if the file cannot be opened or is a directory.
    explicit TextFile(const std::string& name, int stop = -1);

    /// Reads at most `size` bytes into `buffer`. Returns how many; 0 at the end. Throws Failure.
    [[nodiscard]] std::size_t read(char* buffer, std::size_t size);
    /// Returns the file's size in bytes; nothing if it is not a regular file.
    [[nodiscard]] std::optional<std::uint64_t> size() const { return size_; }
    /// Returns how many bytes of the file were read.
    [[nodiscard]] std::uint64_t bytes_taken() const { return source_.bytes_taken(); }

private:
    std::optional<std::uint64_t> size_;
    util::TextSource source_;
};

}  // namespace data_import::ctl
