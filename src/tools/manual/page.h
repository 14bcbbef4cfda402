// Turns a source text, which is easy to write and to read, into a manual page in the language of man(7).
#pragma once

#include <string>
#include <string_view>

namespace data_import::manual {

/// A manual page, made from a source text. The text begins with `# NAME(SECTION): PURPOSE`. Blocks follow,
/// with a blank line between two of them. A block has one of these forms:
///
///     ## HEADING
///     ### SUBHEADING
///     a paragraph of any number of lines
///         lines as they are, indented by four blanks
///     a term
///     : and its meaning, in any number of lines
class Page {
public:
    /// Throws std::invalid_argument if the first line of the text is not `# NAME(SECTION): PURPOSE`.
    explicit Page(std::string_view text);

    /// Returns the page in the language of man(7). `date`, YYYY-MM-DD, is the date of the version.
    [[nodiscard]] std::string source(std::string_view date) const;
    /// Returns the name of the page's file: `data-importctl.1`.
    [[nodiscard]] const std::string& file_name() const { return file_name_; }

private:
    std::string heading_;  ///< name in capitals and section, as .TH takes them
    std::string source_;
    std::string file_name_;
};

/// Escapes a text, so that roff prints it unchanged, and takes none of its characters as a command.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace data_import::manual
