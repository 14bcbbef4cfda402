#include "tools/manual/page.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "base/util/version.h"

namespace data_import::manual {

namespace {

/// Returns the text in quotes, as one argument of a request of roff.
std::string in_quotes(std::string_view text) {
    return "\"" + escaped(text) + "\"";
}

std::string upper_case(std::string_view text) {
    std::string upper(text);
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    return upper;
}

using Lines = std::vector<std::string>;

constexpr std::string_view indent = "    ";
constexpr std::string_view meaning_mark = ": ";

bool is_example(const Lines& block) {
    return block.front().starts_with(indent);
}

bool is_item(const Lines& block) {
    return block.size() > 1 && block[1].starts_with(meaning_mark);
}

/// Returns whether the block is a further paragraph of the item before it.
bool is_continued(const Lines& block) {
    return block.front().starts_with("  ") && !is_example(block);
}

bool is_heading(const Lines& block) {
    return block.front().starts_with("## ") || block.front().starts_with("### ");
}

/// Splits a text into blocks at its blank lines. A blank line between two lines of examples does not split:
/// the lines before and after it become one block, and the blank line stays in this block.
std::vector<Lines> blocks_of(std::string_view text) {
    std::vector<Lines> blocks;
    bool begins = true;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line); begins = line.empty()) {
        if (line.empty()) continue;
        const bool goes_on =
            begins && !blocks.empty() && is_example(blocks.back()) && line.starts_with(indent);
        if (goes_on) blocks.back().emplace_back();
        if (begins && !goes_on) blocks.emplace_back();
        blocks.back().push_back(line);
    }
    return blocks;
}

/// Joins the lines from `first` on, without their indent.
std::string in_one_line(const Lines& block, std::size_t first = 0) {
    std::string text;
    for (std::size_t line = first; line < block.size(); ++line) {
        const std::string_view words(block[line]);
        text.append(text.empty() ? "" : " ").append(words.substr(words.find_first_not_of(' ')));
    }
    return text;
}

std::string example(const Lines& block) {
    std::string lines;
    for (const std::string& line : block)
        lines += escaped(std::string_view(line).substr(std::min(indent.size(), line.size()))) + "\n";
    return ".RS 4\n.PP\n.nf\n" + lines + ".fi\n.RE\n";
}

std::string item(const Lines& block) {
    return ".TP\n\\fB" + escaped(block.front()) + "\\fR\n" +
           escaped(in_one_line(block, 1).substr(meaning_mark.size())) + "\n";
}

std::string heading(const std::string& line) {
    const std::size_t blank = line.find(' ');
    return (blank == 2 ? ".SH " : ".SS ") + in_quotes(line.substr(blank + 1)) + "\n";
}

/// Returns the body in the language of man(7). The first paragraph below a heading needs no .PP.
std::string body_of(const std::vector<Lines>& blocks) {
    std::string body;
    bool is_below_heading = true;
    for (const Lines& block : blocks) {
        if (is_heading(block)) {
            body += heading(block.front());
        } else if (is_example(block)) {
            body += example(block);
        } else if (is_item(block)) {
            body += item(block);
        } else if (is_continued(block)) {
            body += ".IP\n" + escaped(in_one_line(block)) + "\n";
        } else {
            body += (is_below_heading ? "" : ".PP\n") + escaped(in_one_line(block)) + "\n";
        }
        is_below_heading = is_heading(block);
    }
    return body;
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string result;
    bool at_line_begin = true;
    for (const char character : text) {
        if (at_line_begin && (character == '.' || character == '\'')) result += "\\&";
        at_line_begin = character == '\n';
        switch (character) {
            case '\\':
                result += "\\e";
                break;
            case '-':
                result += "\\-";
                break;
            case '"':
                result += "\\(dq";
                break;
            case '\'':
                result += "\\(aq";
                break;
            case '`':
                result += "\\(ga";
                break;
            case '^':
                result += "\\(ha";
                break;
            case '~':
                result += "\\(ti";
                break;
            default:
                result += character;
        }
    }
    return result;
}

Page::Page(std::string_view text) {
    const std::string title(text.substr(0, text.find('\n')));
    const std::size_t opening = title.find('('), closing = title.find("): ");
    if (!title.starts_with("# ") || opening == std::string::npos || closing == std::string::npos)
        throw std::invalid_argument("a manual page begins with # NAME(SECTION): PURPOSE, not with " + title);
    const std::string name = title.substr(2, opening - 2);
    const std::string section = title.substr(opening + 1, closing - opening - 1);
    file_name_ = name + "." + section;
    heading_ = in_quotes(upper_case(name)) + " " + section;
    source_ = ".SH \"NAME\"\n" + escaped(name) + " \\- " + escaped(title.substr(closing + 3)) + "\n" +
              body_of(blocks_of(text.substr(title.size())));
}

std::string Page::source(std::string_view date) const {
    return ".TH " + heading_ + " \"" + std::string(date) + "\" " +
           in_quotes("data-import " + std::string(util::version)) + " " + in_quotes("data-import") + "\n" +
           source_;
}

}  // namespace data_import::manual
