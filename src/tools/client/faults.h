// Faults of lines, and groups of similar faults.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "tools/client/delivery.h"
#include "tools/client/input.h"

namespace data_import::client {

/// A fault of a line.
struct Fault {
    int status = 0;
    /// Code of the item in `errors`, or of the answer if it has no items. For a transaction that is stored
    /// with other content: stored_with_other_content.
    std::string code;
    std::string attr;  ///< path of the faulty value (`notes.3.body`); empty if the fault is about no value
    std::string detail;
    std::uint64_t line = 0;  ///< line of the record in its file
    /// Number of the faulty record; nothing if all records are at fault.
    std::optional<std::size_t> record = {};
};

/// Code of the fault that a transaction is already stored in the account, but with other content.
inline constexpr std::string_view stored_with_other_content = "stored_with_other_content";

/// Lists the faults of a line. A line that was not accepted has at least one fault. An accepted line has one
/// fault for each transaction in it that was already stored with content that differs from the line's.
[[nodiscard]] std::vector<Fault> faults_of(const InputLine& line, const Outcome& outcome);

/// Returns the line number, in the file, of the record that `attr` (`notes.3.body`) is about.
[[nodiscard]] std::uint64_t line_of(const InputLine& line, std::string_view attr);

/// Returns the path with `N` for each index: `transactions.N.line_items.N.end_date` for
/// `transactions.3.line_items.0.end_date`.
[[nodiscard]] std::string place_of(std::string_view attr);

/// Returns a detail in which each word with a digit is replaced by `N`, so that details that differ only in
/// numbers are equal.
[[nodiscard]] std::string reason_of(std::string_view detail);

/// Faults of one status, code, place and reason.
struct FaultGroup {
    static constexpr std::size_t most_examples = 3;
    struct Example {
        std::size_t file = 0;
        std::uint64_t line = 0;

        [[nodiscard]] auto operator<=>(const Example&) const = default;
    };

    std::uint64_t count = 0;
    std::vector<Example> examples;  ///< places of the group's first faults, in the order of the files
    std::string attr;               ///< Fault::attr of a fault at the place `examples[0]`
    std::string detail;
    bool is_alike = true;  ///< all faults of the group have the same `detail`
};

class FaultGroups {
public:
    using Key = std::tuple<int, std::string, std::string, std::string>;  ///< status, code, place, reason
    /// The greatest number of groups. Once there are so many, a fault that would need a new group is counted
    /// under the place `...`.
    static constexpr std::size_t most_groups = 500;
    /// The greatest number of reasons that are counted apart among the faults of one status, code and place.
    /// Faults with further reasons are counted under the reason `...`.
    static constexpr std::size_t most_reasons = 5;

    void add(std::size_t file, const Fault& fault);
    [[nodiscard]] const std::map<Key, FaultGroup>& groups() const { return groups_; }
    /// Returns the groups; the one with most faults comes first.
    [[nodiscard]] std::vector<std::pair<Key, FaultGroup>> by_count() const;

private:
    [[nodiscard]] Key key_of(const Fault& fault) const;

    std::map<Key, FaultGroup> groups_;
};

}  // namespace data_import::client
