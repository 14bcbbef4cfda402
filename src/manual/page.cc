#include "manual/page.h"

#include <algorithm>
#include <cctype>

#include "util/version.h"

namespace data_import::manual {

namespace {

/// One input line as an argument of a request.
std::string in_quotes(std::string_view text) {
    return "\"" + escaped(text) + "\"";
}

std::string upper_case(std::string_view text) {
    std::string upper(text);
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    return upper;
}

/// Blank lines become paragraphs; other line breaks are those of the filling.
std::string paragraphs(std::string_view words) {
    std::string text = escaped(words);
    for (std::size_t at = 0; (at = text.find("\n\n", at)) != std::string::npos;) {
        text.replace(at, 2, "\n.PP\n");
        at += 5;
    }
    return text + "\n";
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

Page::Page(std::string_view name, int section_number, std::string_view purpose)
    : file_name_(std::string(name) + "." + std::to_string(section_number)) {
    heading_ = in_quotes(upper_case(name)) + " " + std::to_string(section_number);
    section("NAME");
    source_ += escaped(name) + " \\- " + escaped(purpose) + "\n";
}

std::string Page::source(std::string_view date) const {
    return ".TH " + heading_ + " \"" + std::string(date) + "\" " +
           in_quotes("data-import " + std::string(util::version)) + " " + in_quotes("data-import") + "\n" + source_;
}

Page& Page::section(std::string_view heading) {
    is_behind_example_ = false;
    source_ += ".SH " + in_quotes(heading) + "\n";
    return *this;
}

Page& Page::subsection(std::string_view heading) {
    is_behind_example_ = false;
    source_ += ".SS " + in_quotes(heading) + "\n";
    return *this;
}

// A paragraph that is begun at the end of an example would stay empty before a heading.
Page& Page::text(std::string_view words) {
    const bool begins_anew = words.starts_with("\n\n");
    words.remove_prefix(std::min(words.find_first_not_of('\n'), words.size()));
    if (words.empty()) return *this;
    if (begins_anew || is_behind_example_) source_ += ".PP\n";
    is_behind_example_ = false;
    source_ += paragraphs(words);
    return *this;
}

Page& Page::item(std::string_view term, std::string_view meaning) {
    is_behind_example_ = false;
    source_ += ".TP\n\\fB" + escaped(term) + "\\fR\n" + paragraphs(meaning);
    return *this;
}

Page& Page::example(std::string_view lines) {
    source_ += ".RS 4\n.PP\n.nf\n" + escaped(lines) + "\n.fi\n.RE\n";
    is_behind_example_ = true;
    return *this;
}

Page& Page::see_also(std::string_view pages) {
    return section("SEE ALSO").text(pages);
}

}  // namespace data_import::manual
