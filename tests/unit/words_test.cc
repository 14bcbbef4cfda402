// Tests the words of the sources: comments begin with a subject or a verb, and former names do not come back.
// This test program has to be started in the top folder of the source tree.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "../table.h"

namespace data_import::tests {

namespace {

/// The files and folders that keep to the rules.
const std::vector<std::string> sources = {"Makefile", "debian", "nginx", "sql", "src", "tests"};

/// A comment must not begin with one of these words.
const std::set<std::string> clause_words = {"who", "what", "where", "whoever", "likewise", "those", "of"};

/// Former names, each in two halves, so that this file does not contain them.
const std::vector<std::array<std::string, 2>> former_words = {
    {"Carri", "age"},      {"tra", "vel"},
    {"Cr", "ew"},          {"bury", "_dead"},
    {"keeps", "_house"},   {"length_of", "_life"},
    {"truth", "_of"},      {"prevailing", "_organisation"},
    {"Account", "Held"},   {"Hand", "over"},
    {"In", "Doubt"},       {"in_", "doubt"},
    {"is_", "doubtful"},   {"what_nginx", "_refuses"},
    {"held_", "accounts"}, {"account_", "held"}};
const std::string former_class = std::string("Vis") + "it";

struct Comment {
    std::size_t column;
    bool is_trailing;  ///< code stands before the comment in its line
    std::string text;
};

/// The mark that begins comments in a file; nothing for files that are not checked.
std::optional<std::string> comment_mark(const std::filesystem::path& file) {
    static const std::map<std::string, std::string> marks = {
        {".cc", "//"},  {".h", "//"},   {".mjs", "//"}, {".cjs", "//"},  {".js", "//"},
        {".ts", "//"},  {".tsx", "//"}, {".css", "//"}, {".java", "//"}, {".sql", "--"},
        {".lua", "--"}, {".json", ""},  {".md", ""},    {".txt", ""},    {".html", ""},
        {".svg", ""},   {".png", ""},   {".dict", ""},  {".pyc", ""}};
    const auto mark = marks.find(file.extension().string());
    if (mark == marks.end()) return "#";
    if (mark->second.empty()) return std::nullopt;
    return mark->second;
}

bool is_in_quotes(std::string_view before) {
    bool is_open = false;
    for (std::size_t place = 0; place < before.size(); ++place) {
        if (before[place] == '\\')
            ++place;
        else if (before[place] == '"')
            is_open = !is_open;
    }
    return is_open;
}

/// The place of the mark that begins a comment; npos if there is none.
std::size_t find_comment(std::string_view line, const std::string& mark) {
    const std::size_t code = line.find_first_not_of(" \t");
    if (code == std::string_view::npos) return code;
    const std::string_view content = line.substr(code);
    if (content.starts_with("#!")) return std::string_view::npos;
    if (mark == "//" && (content.starts_with("/*") || content.starts_with("* "))) return code;
    for (std::size_t place = code; (place = line.find(mark, place)) != std::string_view::npos; ++place) {
        if (place == code) return place;
        if ((line[place - 1] == ' ' || line[place - 1] == '\t') && !is_in_quotes(line.substr(0, place)))
            return place;
    }
    return std::string_view::npos;
}

std::optional<Comment> comment_in(std::string_view line, const std::string& mark) {
    const std::size_t place = find_comment(line, mark);
    if (place == std::string_view::npos) return std::nullopt;
    const std::size_t begin = line.find_first_not_of("/*#-!< \t", place);
    const bool is_trailing = line.find_first_not_of(" \t") < place;
    return Comment{place, is_trailing,
                   std::string(begin == std::string_view::npos ? "" : line.substr(begin))};
}

/// Returns whether a comment continues the comment of the line before.
bool continues(const Comment& comment, const std::optional<Comment>& before) {
    return before && !comment.is_trailing && !before->text.empty() &&
           (!before->is_trailing || before->column == comment.column);
}

/// Returns whether a comment begins with one of `clause_words`, such as `what`. A trailing comment may begin
/// with the word `of`, because the comment then completes the name before it: `int size;  ///< of the body`.
bool begins_with_clause(const Comment& comment) {
    std::string word;
    for (const char letter : comment.text) {
        if (std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '_') break;
        word += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    return clause_words.contains(word) && !(comment.is_trailing && comment.text.starts_with("of "));
}

/// Returns the numbers of the lines with a comment that begins with one of `clause_words`; a blank follows
/// each number. `mark` is the sign that begins a comment, such as `//`.
std::string lines_with_clauses(const std::vector<std::string>& lines, const std::string& mark) {
    std::string numbers;
    std::optional<Comment> before;
    for (std::size_t index = 0; index < lines.size(); ++index) {
        std::optional<Comment> comment = comment_in(lines[index], mark);
        if (comment && !continues(*comment, before) && begins_with_clause(*comment))
            numbers += std::to_string(index + 1) + ' ';
        before = std::move(comment);
    }
    return numbers;
}

bool is_word_letter(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

bool has_class(std::string_view line, std::string_view name) {
    for (std::size_t place = 0; (place = line.find(name, place)) != std::string_view::npos; ++place) {
        const std::size_t end = place + name.size();
        if ((place == 0 || !is_word_letter(line[place - 1])) &&
            (end == line.size() || !is_word_letter(line[end])))
            return true;
    }
    return false;
}

bool has_former_word(std::string_view line) {
    return has_class(line, former_class) || std::ranges::any_of(former_words, [&](const auto& halves) {
               return line.find(halves[0] + halves[1]) != std::string_view::npos;
           });
}

std::vector<std::string> lines_of(const std::filesystem::path& file) {
    std::vector<std::string> lines;
    std::ifstream text(file);
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

using Receiver = std::function<void(const std::filesystem::path& file, const std::string& mark)>;

/// Calls `receive` with each file that may have comments.
void each_source(const Receiver& receive) {
    for (const std::string& source : sources) {
        if (!std::filesystem::is_directory(source)) receive(source, "#");
        if (!std::filesystem::is_directory(source)) continue;
        std::filesystem::recursive_directory_iterator entries(source);
        for (; entries != std::filesystem::recursive_directory_iterator(); ++entries) {
            const std::string name = entries->path().filename().string();
            if (name == "node_modules" || name == "corpus") entries.disable_recursion_pending();
            const auto mark = comment_mark(entries->path());
            if (entries->is_regular_file() && mark) receive(entries->path(), *mark);
        }
    }
}

struct Row {
    std::string mark;
    std::vector<std::string> lines;
    std::string found;
};

const std::vector<Row> rows = {
    {"//", {"// What it does.", "int a;  ///< those of others", "///< Likewise"}, "1 2 3 "},
    {"//", {"// It says", "// what it does.", "int a;  // the lines", "        // of the body"}, ""},
    {"//", {"int a;  ///< of the body", "int whatever; // whatever", "say(\" // what\");"}, ""},
    {"//", {"/** Who asks. */", "/**", " * Of a file.", " */", "//", "// where it is"}, "1 3 6 "},
    {"#", {"#!/bin/sh", "# of this file", "run x # who runs", "echo \"$# of them\""}, "2 3 "},
    {"--", {"-- Whoever asks", "SELECT 1 -- Of", "-- and more"}, "1 2 "},
};

}  // namespace

class WordsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(WordsTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(comments_begin_with_a_subject_or_a_verb);
    CPPUNIT_TEST(former_words_stay_away);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows)
            tests::add_row(context, row.lines.front(), [row] {
                CPPUNIT_ASSERT_EQUAL(row.found, lines_with_clauses(row.lines, row.mark));
            });
    }

    void comments_begin_with_a_subject_or_a_verb() {
        std::string wrong;
        each_source([&](const std::filesystem::path& file, const std::string& mark) {
            const std::string numbers = lines_with_clauses(lines_of(file), mark);
            if (!numbers.empty()) wrong += '\n' + file.string() + ": line " + numbers;
        });
        CPPUNIT_ASSERT_MESSAGE(wrong, wrong.empty());
    }

    void former_words_stay_away() {
        std::string wrong;
        each_source([&](const std::filesystem::path& file, const std::string&) {
            const std::vector<std::string> lines = lines_of(file);
            for (std::size_t index = 0; index < lines.size(); ++index) {
                if (has_former_word(lines[index]))
                    wrong += '\n' + file.string() + ':' + std::to_string(index + 1) + ": " + lines[index];
            }
        });
        CPPUNIT_ASSERT_MESSAGE(wrong, wrong.empty());
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(WordsTest);

}  // namespace data_import::tests
