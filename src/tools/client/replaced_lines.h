// Finds the lines to load that are replaced by lines of a file of rejects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/client/input.h"

namespace data_import::client {

/// Returns the name of the list of refused lines that belongs to `rejects`, a file in a directory of rejects.
/// For DIRECTORY/NAME the name is DIRECTORY/.NAME.refused. The list has the line_mark() of each refused line,
/// computed from the text that the line had in the loaded file.
[[nodiscard]] std::string refused_list_of(const std::string& rejects);
/// Returns whether a file is a list of refused lines. `name` is the name of the file without its directory.
[[nodiscard]] bool is_refused_list(std::string_view name);

/// Returns a digest of the line, without its line end: 16 hexadecimal digits.
[[nodiscard]] std::string line_mark(std::string_view line);

/// Finds the lines to load that are replaced by lines of a file of rejects. A file to load is a file of
/// rejects if a list of refused lines stands next to it (refused_list_of()). The file of rejects replaces
/// each line whose line_mark() is in the list. Only lines of ordinary files to load and of earlier files of
/// rejects are replaced.
class ReplacedLines {
public:
    /// Reads the lists of refused lines that stand next to `files`, the files to load. A file need not have
    /// such a list. Throws std::runtime_error if a list cannot be read.
    explicit ReplacedLines(const std::vector<std::string>& files);

    /// Returns whether a file of rejects replaces this line, or at least one of its records.
    [[nodiscard]] bool contains(const InputLine& line) const;
    [[nodiscard]] bool is_of_rejects(std::size_t file) const { return is_rejects_[file]; }

private:
    std::vector<bool> is_rejects_;
    /// Maps the line_mark() of a refused line to a file of rejects: the index, in the files to load, of the
    /// last file of rejects whose list (refused_list_of()) has this mark.
    std::unordered_map<std::string, std::size_t> last_;
};

}  // namespace data_import::client
