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

    /// Keeps at most `memory` bytes of texts in memory, and some ten per cent more for the order of the
    /// texts. Each time the texts in memory reach this limit, add() writes them to the temporary file as a
    /// sorted run. The greatest number of runs in the file is `memory` / 4096, but never below 2.
    explicit SortedTexts(std::size_t memory);

    /// Adds a text. Throws std::length_error for a text of more than `longest` bytes, and std::system_error
    /// if the temporary file cannot be made or written. Throws std::runtime_error if the file already has the
    /// greatest number of sorted runs (see the constructor).
    void add(std::string_view text);
    void sort();
    /// Returns the next text, valid until the next call; nothing at the end. Throws std::system_error.
    [[nodiscard]] std::optional<std::string_view> next();

    /// Returns the size of the temporary file.
    [[nodiscard]] std::uint64_t file_bytes() const { return file_bytes_; }

private:
    /// A sorted run: sorted texts that stand one after the other in the temporary file.
    struct Run {
        std::uint64_t from = 0;   ///< place in the file of the first byte that has not been read
        std::uint64_t to = 0;     ///< place in the file behind the last byte of this sorted run
        std::string buffer = {};  ///< the part of this sorted run that is in memory
        std::size_t at = 0;       ///< place in `buffer` of the next text's length; the text follows

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
