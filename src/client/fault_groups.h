// The reasons why lines were refused, grouped so that a few kinds of mistakes are a few entries.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "client/delivery.h"
#include "client/input.h"

namespace data_import::client {

/// One thing that is wrong with a line.
struct Fault {
    int status = 0;
    std::string code;  ///< code of the item of `errors`, or of the answer if it has none
    std::string attr;  ///< empty where it is about no place
    std::string detail;
    std::uint64_t line =
        0;  ///< in its file: of the record that it is about, where a request is made of several
};

/// All faults that an outcome tells of a line that was not accepted, at least one.
[[nodiscard]] std::vector<Fault> faults_of(const Line& line, const Outcome& outcome);

/// `transactions.N.line_items.N.end_date` of `transactions.3.line_items.0.end_date`.
[[nodiscard]] std::string place_of(std::string_view attr);

/// Faults of one status, code and place.
struct FaultGroup {
    static constexpr std::size_t most_examples = 3;
    struct Example {
        std::size_t file = 0;
        std::uint64_t line = 0;

        [[nodiscard]] auto operator<=>(const Example&) const = default;
    };

    std::uint64_t count = 0;
    std::vector<Example> examples;  ///< the first ones
    std::string attr;               ///< attr of the first one
    std::string detail;
};

class FaultGroups {
public:
    using Key = std::tuple<int, std::string, std::string>;  ///< status, code, place
    static constexpr std::size_t most_groups = 500;         ///< all behind are of the place `...`

    void add(std::size_t file, const Fault& fault);
    [[nodiscard]] const std::map<Key, FaultGroup>& groups() const { return groups_; }
    /// The keys, the most frequent first.
    [[nodiscard]] std::vector<Key> by_count() const;

private:
    std::map<Key, FaultGroup> groups_;
};

}  // namespace data_import::client
