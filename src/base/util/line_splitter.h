// The lines of a text that comes in pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace data_import::util {

/// Splits a text into lines. A line ends with an LF; the last one may end with the text. The splitter gets
/// the text in pieces, and keeps only one line in memory. Of a line with more than `longest` bytes (a
/// parameter of the constructor), the splitter keeps only the beginning.
class LineSplitter {
public:
    struct Line {
        std::string text = {};     ///< the line without its LF
        std::uint64_t bytes = 0;   ///< bytes of the text, its LF included
        bool is_blank = true;      ///< the line has only blanks, tabs and carriage returns, or nothing
        bool is_too_long = false;  ///< the line has more than `longest` bytes; `text` is its beginning
        bool is_cut = false;       ///< no LF follows: the text ends with this line
    };

    /// `next_piece` returns the next piece of the text, or an empty text at the end. The piece has to stay
    /// valid until the next call. A line keeps at most `longest` bytes.
    LineSplitter(std::function<std::string_view()> next_piece, std::size_t longest)
        : next_piece_(std::move(next_piece)), longest_(longest) {}

    /// Reads the next line. Returns false at the end of the text. Bytes after the last LF make a line, too.
    [[nodiscard]] bool next(Line& line);

private:
    [[nodiscard]] bool has_more();
    void take(Line& line, std::string_view piece) const;

    std::function<std::string_view()> next_piece_;
    std::size_t longest_;
    std::string_view rest_;  ///< part of the last piece that no line has taken yet
};

}  // namespace data_import::util
