// Finds the lines that an earlier run refused, and that lines of a file of rejects now replace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/client/input.h"

namespace data_import::client {

/// Returns the name of the list of refused lines that a run leaves next to a file of rejects in a directory:
/// `.NAME.refused`. The list has the line_mark() of each line.
[[nodiscard]] std::string refused_list_of(const std::string& rejects);
/// Returns whether a file of this name, without its directory, is a list of refused lines.
[[nodiscard]] bool is_refused_list(std::string_view name);

/// Returns a digest of the line, without its line end: 16 hexadecimal digits.
[[nodiscard]] std::string line_mark(std::string_view line);

/// Finds the lines that an earlier run refused, and that lines of a file of rejects now replace. A file to
/// load is a file of rejects if a list of refused lines is next to it. The lines of the file, corrected or
/// not, replace the lines in the list. A later file of rejects also replaces lines of an earlier one.
class ReplacedLines {
public:
    /// Reads the lists of refused lines that lie next to these files. Throws std::runtime_error if one cannot
    /// be read.
    explicit ReplacedLines(const std::vector<std::string>& files);

    /// Returns whether a file of rejects replaces this line, or at least one of its records.
    [[nodiscard]] bool contains(const InputLine& line) const;
    [[nodiscard]] bool is_of_rejects(std::size_t file) const { return is_rejects_[file]; }

private:
    std::vector<bool> is_rejects_;
    /// For each mark (line_mark()), the number of the last file whose list has it.
    std::unordered_map<std::string, std::size_t> last_;
};

}  // namespace data_import::client
