#include "base/util/line_splitter.h"

#include <algorithm>

namespace data_import::util {

bool LineSplitter::next(Line& line) {
    line = {};
    while (has_more()) {
        const std::size_t end = std::min(rest_.find('\n'), rest_.size());
        take(line, rest_.substr(0, end));
        const bool is_whole = end < rest_.size();
        rest_.remove_prefix(is_whole ? end + 1 : end);
        if (!is_whole) continue;
        ++line.bytes;
        return true;
    }
    line.is_cut = true;
    return line.bytes > 0;
}

bool LineSplitter::has_more() {
    if (rest_.empty()) rest_ = next_piece_();
    return !rest_.empty();
}

void LineSplitter::take(Line& line, std::string_view piece) const {
    const std::size_t kept = std::min(piece.size(), longest_ - line.text.size());
    line.text.append(piece, 0, kept);
    line.bytes += piece.size();
    line.is_too_long = line.is_too_long || kept < piece.size();
    line.is_blank = line.is_blank && piece.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace data_import::util
