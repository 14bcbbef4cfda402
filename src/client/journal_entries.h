// The lines of a journal as text: a mark, numbers or JSON behind it, and a check sum.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace data_import::client {

/// The subject of a journal: the same files to the same service, with the same files for rejects.
struct JournalSubject {
    struct File {
        std::string name;
        std::uint64_t size = 0;
        std::int64_t modified = 0;  ///< nanoseconds

        [[nodiscard]] bool operator==(const File&) const = default;
    };

    std::string target;
    std::vector<File> files;
    std::string rejects = {};  ///< names, empty for none
    std::string report = {};
};

/// The first line of a journal.
struct JournalHead {
    std::string id;
    JournalSubject subject;
};

inline constexpr std::string_view head_mark = "data-import-load journal 2 ";
inline constexpr std::string_view settled_mark = "settled";
inline constexpr std::string_view begun_mark = "begun";
inline constexpr std::string_view taken_back_mark = "left";

/// A line of the file.
[[nodiscard]] std::string with_sum(std::string_view text);

/// The text of a line, given without its end; nothing where it is not whole.
[[nodiscard]] std::optional<std::string_view> without_sum(std::string_view line);

/// The text of a first line.
[[nodiscard]] std::string head_of(const JournalHead& head);

/// Reads a text that head_of has made; throws json::SyntaxError if there is no JSON behind the mark.
[[nodiscard]] JournalHead head_in(std::string_view text);

/// A line of the file.
[[nodiscard]] std::string entry_of(std::string_view mark, std::initializer_list<std::uint64_t> numbers);

/// The numbers behind the mark; nothing if these are not exactly `count` numbers.
template <std::size_t count>
[[nodiscard]] std::optional<std::array<std::uint64_t, count>> numbers_of(std::string_view entry,
                                                                         std::string_view mark) {
    if (!entry.starts_with(mark)) return std::nullopt;
    std::array<std::uint64_t, count> numbers{};
    const char* at = entry.data() + mark.size();
    const char* const end = entry.data() + entry.size();
    for (std::uint64_t& number : numbers) {
        if (at == end || *at != ' ') return std::nullopt;
        const auto [rest, error] = std::from_chars(at + 1, end, number);
        if (error != std::errc()) return std::nullopt;
        at = rest;
    }
    return at == end ? std::optional(numbers) : std::nullopt;
}

}  // namespace data_import::client
