// Lines that were refused, and replaced by lines of a file of rejects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/client/input.h"

namespace data_import::client {

/// Returns the list of refused lines that a run leaves next to a file of rejects in a directory: a
/// line_mark() each.
[[nodiscard]] std::string refused_list_of(const std::string& rejects);
/// Returns whether a file of this name, without a directory, is such a list.
[[nodiscard]] bool is_refused_list(std::string_view name);

/// Returns 16 hexadecimal digits that tell a line from others.
[[nodiscard]] std::string line_mark(std::string_view line);

/// Files of a run with a list next to them are rejects. Their lines replace the lines in the lists, however
/// they were corrected; a later file of rejects replaces an earlier one.
class ReplacedLines {
public:
    /// Reads the lists of refused lines that lie beside these files. Throws std::runtime_error if one cannot
    /// be read.
    explicit ReplacedLines(const std::vector<std::string>& files);

    /// Returns whether a file of rejects has replaced this line, or at least one of its records.
    [[nodiscard]] bool contains(const InputLine& line) const;
    [[nodiscard]] bool is_of_rejects(std::size_t file) const { return is_rejects_[file]; }

private:
    std::vector<bool> is_rejects_;
    std::unordered_map<std::string, std::size_t> last_;  ///< by mark: the last file that has it in its list
};

}  // namespace data_import::client
