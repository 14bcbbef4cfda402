// A file that a command reads from beginning to end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace data_import::ctl {

/// Opened once and closed with the object; `-` is standard input.
class InputFile {
public:
    /// Throws Failure with a sentence when the file cannot be opened or is a directory.
    explicit InputFile(const std::string& name);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    /// The next bytes, at most `size`; 0 at the end. Throws Failure.
    std::size_t read(char* buffer, std::size_t size);
    /// The file's size; nothing for a pipe and the like.
    [[nodiscard]] std::optional<std::uint64_t> size() const { return size_; }

private:
    std::string name_;
    int descriptor_;
    std::optional<std::uint64_t> size_;
};

}  // namespace data_import::ctl
