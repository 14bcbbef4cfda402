// The lines of a journal as text: a mark, numbers or JSON after it, and a check sum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace data_import::client {

/// The subject of a journal: the same files, read in the same way, to the same service for the same
/// organisation, with the same files for rejects.
struct JournalSubject {
    struct File {
        std::string name;
        std::uint64_t size = 0;
        std::int64_t modified = 0;  ///< in nanoseconds

        [[nodiscard]] bool operator==(const File&) const = default;
    };

    std::string target;
    std::vector<File> files;
    std::string rejects = {};  ///< names, empty for none
    std::string report = {};
    /// Options for reading files, as the command line has them; nothing in journals of 1.0.
    std::optional<std::vector<std::string>> reading = std::nullopt;
    std::string organisation = {};  ///< empty if it is not known
};

/// A release that does not know the form of a journal refuses it, and does not load everything again.
inline constexpr std::string_view head_mark = "data-import-load journal 4 ";
inline constexpr std::string_view head_mark_1_0 = "data-import-load journal 3 ";  ///< this form is read, too
[[nodiscard]] bool is_head(std::string_view text);

inline constexpr std::string_view settled_mark = "settled ";  ///< one range
inline constexpr std::string_view settled_ranges_mark =
    "settled-ranges ";  ///< number of ranges, and the ranges
inline constexpr std::string_view begun_mark = "begun ";
inline constexpr std::string_view taken_back_mark = "left ";

/// Writes a line of the file.
[[nodiscard]] std::string with_sum(std::string_view text);

/// Returns the text of a line, given without its end; nothing if it is not whole.
[[nodiscard]] std::optional<std::string_view> without_sum(std::string_view line);

/// Writes a line of the file with numbers after its mark.
[[nodiscard]] std::string entry_of(std::string_view mark, const std::vector<std::uint64_t>& numbers);

/// Reads the numbers after the mark; none if they are no numbers, or fewer than `least`.
[[nodiscard]] std::vector<std::uint64_t> numbers_of(std::string_view entry, std::string_view mark,
                                                    std::size_t least);

/// Writes the first line of a journal, without its sum.
[[nodiscard]] std::string head_of(const std::string& id, const JournalSubject& subject);

/// Reads a text of head_of(): the id and the subject. Throws json::SyntaxError if there is no JSON after the
/// mark.
[[nodiscard]] std::pair<std::string, JournalSubject> head_in(std::string_view text);

}  // namespace data_import::client
