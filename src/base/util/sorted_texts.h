// Sorts texts in the order of their bytes, even if they do not fit into memory: sorted runs wait in a
// temporary file, and are merged at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/file_descriptor.h"

namespace data_import::util {

/// Takes texts by add(), until sort() is called. After that, next() returns them.
class SortedTexts {
public:
    /// Most bytes of a text.
    static constexpr std::size_t longest = 2048;

    /// Takes at most `memory` bytes for texts, and some ten per cent more for their order. The file
    /// takes at most `memory` / 4 KiB runs, each of at most `memory` bytes.
    explicit SortedTexts(std::size_t memory);

    /// Throws std::system_error if the file cannot be made or takes no more, std::length_error for a text
    /// that is too long, and std::runtime_error if the file has reached its bound.
    void add(std::string_view text);
    void sort();
    /// Returns the next text, valid until the next call; nothing at the end. Throws std::system_error.
    [[nodiscard]] std::optional<std::string_view> next();

    /// Returns the size of the temporary file.
    [[nodiscard]] std::uint64_t file_bytes() const { return file_bytes_; }

private:
    /// The unread part of a sorted run in the file, and a buffer with its beginning.
    struct Run {
        std::uint64_t from = 0;
        std::uint64_t to = 0;
        std::string buffer = {};
        std::size_t at = 0;

        [[nodiscard]] std::string_view text() const;
    };

    [[nodiscard]] std::string_view text_at(std::uint32_t place) const;
    void sort_memory();
    void write_run();
    void write(std::string_view bytes);
    [[nodiscard]] bool advance(Run& run);
    void fill(Run& run);
    [[nodiscard]] std::optional<std::string_view> next_of_memory();

    std::size_t memory_;
    std::string texts_;  ///< the texts in memory, each after its length
    std::vector<std::uint32_t> places_;
    std::size_t given_ = 0;  ///< number of texts in memory that were returned
    FileDescriptor file_;
    std::uint64_t file_bytes_ = 0;
    std::vector<Run> runs_;
    std::vector<Run*> heap_;  ///< unfinished runs; the top one has the next text in the order
    bool top_is_given_ = false;
};

}  // namespace data_import::util
