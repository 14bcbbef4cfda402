// Writes and reads the lines of a journal. A line has a mark, then numbers or JSON, then a check sum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace data_import::client {

/// The subject of a journal: the files and options that the journal is for. A run may resume the journal only
/// if it has the same files and reads them in the same way. The run also has to send them to the same service
/// for the same organisation, and to write the same rejects and report.
struct JournalSubject {
    struct File {
        std::string name;
        std::uint64_t size = 0;
        std::int64_t modified = 0;  ///< time of the last change, in nanoseconds since 1970

        [[nodiscard]] bool operator==(const File&) const = default;
    };

    std::string target;
    std::vector<File> files;
    std::string rejects = {};  ///< name of the file of rejects; empty if there is none
    std::string report = {};
    /// Options for reading files, as the command line has them; nothing in journals of 1.0.
    std::optional<std::vector<std::string>> reading = std::nullopt;
    std::string organisation = {};  ///< organisation of the API key; empty if it is not known
};

/// Beginning of a journal, with the number of its format. A release that does not know the number refuses the
/// journal; if it ignored the journal, it would load everything again.
inline constexpr std::string_view head_mark = "data-import-load journal 4 ";
/// Beginning of a journal of release 1.0, which is read, too.
inline constexpr std::string_view head_mark_1_0 = "data-import-load journal 3 ";
[[nodiscard]] bool is_head(std::string_view text);

/// Mark of an entry with one range of settled lines.
inline constexpr std::string_view settled_mark = "settled ";
/// Mark of an entry with several ranges. The number of ranges follows, and then the ranges.
inline constexpr std::string_view settled_ranges_mark = "settled-ranges ";
inline constexpr std::string_view begun_mark = "begun ";
inline constexpr std::string_view taken_back_mark = "left ";

/// Returns a text as a line of the journal, with its check sum and line end.
[[nodiscard]] std::string with_sum(std::string_view text);

/// Returns the text of a line of the journal, given without its line end; nothing if the check sum is wrong,
/// because the line was cut off.
[[nodiscard]] std::optional<std::string_view> without_sum(std::string_view line);

/// Returns a line of the journal: the mark, the numbers and the check sum.
[[nodiscard]] std::string entry_of(std::string_view mark, const std::vector<std::uint64_t>& numbers);

/// Returns the numbers after the mark; none if the entry has another mark, other text than numbers, or fewer
/// than `least` numbers.
[[nodiscard]] std::vector<std::uint64_t> numbers_of(std::string_view entry, std::string_view mark,
                                                    std::size_t least);

/// Returns the first line of a journal, without its check sum.
[[nodiscard]] std::string head_of(const std::string& id, const JournalSubject& subject);

/// Reads the first line of a journal, as head_of() has made it. Returns the id and the subject of the
/// journal. Throws json::SyntaxError if no JSON follows the mark with which the line begins (head_mark).
[[nodiscard]] std::pair<std::string, JournalSubject> head_in(std::string_view text);

}  // namespace data_import::client
