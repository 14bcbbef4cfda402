// A manual page in the language of man(7).
#pragma once

#include <string>
#include <string_view>

namespace data_import::manual {

class Page {
public:
    /// `name` of the page, its section of the manual, and what it is in one line.
    Page(std::string_view name, int section, std::string_view purpose);

    Page& section(std::string_view heading);
    Page& subsection(std::string_view heading);
    /// Blank lines part paragraphs. What is empty adds nothing.
    Page& text(std::string_view words);
    /// A term, and below it what it means.
    Page& item(std::string_view term, std::string_view meaning);
    /// Lines as they are, indented.
    Page& example(std::string_view lines);
    /// Comma-separated `name(section)`.
    Page& see_also(std::string_view pages);

    /// `date`, YYYY-MM-DD, is that of the version.
    [[nodiscard]] std::string source(std::string_view date) const;
    /// `data-importctl.1`
    [[nodiscard]] const std::string& file_name() const { return file_name_; }

private:
    std::string heading_;  ///< name in capitals and section, as .TH takes them
    std::string source_;
    std::string file_name_;
    bool is_behind_example_ = false;
};

/// The text as roff prints it unchanged: no character of it is a command.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace data_import::manual
