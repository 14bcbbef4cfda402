#include "base/util/nearest_word.h"

#include <algorithm>
#include <map>

#include "base/util/text.h"

namespace data_import::util {

namespace {

// Longer words are not compared: they are no typing mistakes, and the work grows with the product of the
// lengths.
constexpr std::size_t longest_word = 128;

/// Returns the number of edits from one word to the other (optimal string alignment distance).
std::size_t difference(std::string_view one, std::string_view other) {
    std::vector<std::size_t> before_last(other.size() + 1);
    std::vector<std::size_t> last(other.size() + 1);
    std::vector<std::size_t> row(other.size() + 1);
    for (std::size_t column = 0; column <= other.size(); ++column) row[column] = column;
    for (std::size_t line = 1; line <= one.size(); ++line) {
        before_last.swap(last);
        last.swap(row);
        row[0] = line;
        for (std::size_t column = 1; column <= other.size(); ++column) {
            const std::size_t change = one[line - 1] == other[column - 1] ? 0 : 1;
            row[column] = std::min({last[column] + 1, row[column - 1] + 1, last[column - 1] + change});
            const bool is_swapped = line > 1 && column > 1 && one[line - 1] == other[column - 2] &&
                                    one[line - 2] == other[column - 1];
            if (is_swapped) row[column] = std::min(row[column], before_last[column - 2] + 1);
        }
    }
    return row[other.size()];
}

std::vector<std::string> segments_of(std::string_view path) {
    std::vector<std::string> segments;
    for (;;) {
        const std::size_t end = path.find('/');
        segments.emplace_back(path.substr(0, end));
        if (end == std::string_view::npos) return segments;
        path.remove_prefix(end + 1);
    }
}

/// Returns `known`, with each segment in braces replaced by the segment of `path` at this place. Returns an
/// empty text unless exactly one segment of the result differs from `path`, and only by a typing mistake.
std::string filled(const std::string& known, const std::vector<std::string>& path) {
    const std::vector<std::string> segments = segments_of(known);
    if (segments.size() != path.size()) return {};
    std::string text;
    std::size_t others = 0;
    for (std::size_t place = 0; place < path.size(); ++place) {
        const std::string& segment = segments[place].starts_with('{') ? path[place] : segments[place];
        if (segment != path[place] && (++others > 1 || !nearest_word(path[place], {segment}))) return {};
        text += (place > 0 ? "/" : "") + segment;
    }
    return others == 1 ? text : std::string();
}

}  // namespace

std::optional<std::string> nearest_word(std::string_view word, const std::vector<std::string>& known) {
    if (word.size() > longest_word) return std::nullopt;
    const std::string wanted = lowered(word);
    const std::string* nearest = nullptr;
    std::size_t least = longest_word;
    for (const std::string& candidate : known) {
        if (candidate.size() > longest_word) continue;
        const std::size_t edits = difference(wanted, lowered(candidate));
        if (3 * edits > std::max(word.size(), candidate.size()) || edits >= least) continue;
        least = edits;
        nearest = &candidate;
    }
    return nearest == nullptr ? std::nullopt : std::optional(*nearest);
}

std::optional<std::string> nearest_path(std::string_view path, const std::vector<std::string>& known) {
    if (path.size() > longest_word) return std::nullopt;
    const std::vector<std::string> segments = segments_of(path);
    std::map<std::string, std::string> meant;
    std::vector<std::string> near;
    for (const std::string& one : known) {
        const std::string text = filled(one, segments);
        if (!text.empty() && meant.emplace(text, one).second) near.push_back(text);
    }
    const auto nearest = nearest_word(path, near);
    return nearest ? std::optional(meant.at(*nearest)) : std::nullopt;
}

}  // namespace data_import::util
