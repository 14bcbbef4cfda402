// Tests the handbook in debian/handbook, and the pages made of it, which operators read under /handbook/.
// Links must lead to existing pages, blocks of commands must be marked as such, every alert must have a
// section, and the commands of README.Debian must be in the handbook. tests/package and tests/ha run the
// handbook's commands.
#include <Poco/URI.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "../runner.h"
#include "../support/answer_check.h"
#include "../support/command.h"
#include "../support/http.h"
#include "../support/stack.h"

namespace data_import::tests {

namespace {

const std::filesystem::path folder = "debian/handbook";

std::vector<std::string> lines_of(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    CPPUNIT_ASSERT_MESSAGE(file.string(), !lines.empty());
    return lines;
}

std::vector<std::filesystem::path> chapters() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
    CPPUNIT_ASSERT(files.size() >= 13);
    return files;
}

/// The first group of each match of `form`.
std::set<std::string> matches_of(const std::string& text, const std::string& form) {
    const std::regex pattern(form);
    std::set<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
        found.insert((*match)[1]);
    return found;
}

/// The first group of each match of `form` in the lines of a file, line by line.
std::set<std::string> matches_in(const std::filesystem::path& file, const std::string& form) {
    std::set<std::string> found;
    for (const std::string& line : lines_of(file)) found.merge(matches_of(line, form));
    return found;
}

/// The blocks of commands in a page.
std::vector<std::string> blocks_of(const std::string& page) {
    constexpr std::string_view begin = "<code>";
    std::vector<std::string> found;
    for (std::size_t place = page.find("<pre"); place != std::string::npos;
         place = page.find("<pre", place)) {
        place = page.find(begin, place) + begin.size();
        found.push_back(page.substr(place, page.find("</code>", place) - place));
    }
    return found;
}

/// The anchor of a heading, as in Markdown.
std::string anchor_of(const std::string& heading) {
    std::string anchor;
    for (const char character : heading) {
        if (character == ' ' || character == '-')
            anchor += '-';
        else if (std::isalnum(static_cast<unsigned char>(character)) != 0)
            anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(character)));
    }
    return anchor;
}

std::set<std::string> anchors_of(const std::filesystem::path& file) {
    std::set<std::string> anchors;
    for (const std::string& heading : matches_in(file, "^#+ (.+)$")) anchors.insert(anchor_of(heading));
    return anchors;
}

Answer ask_locally(const std::string& target, const std::string& host = "localhost",
                   const std::string& method = "GET") {
    HttpConnection connection(Poco::URI(Stack::shared().value("METRICS_URL")).getPort());
    return connection.ask({method, target, {{"Host", host}, {"Connection", "close"}}, ""});
}

void need_pages() {
    if (!std::filesystem::exists(build_directory() / "handbook/index.html"))
        skip("the pages of the handbook are not built: npm could not fetch what reads Markdown, or DOCS=no");
}

}  // namespace

class HandbookTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(HandbookTest);
    CPPUNIT_TEST(index_names_every_chapter);
    CPPUNIT_TEST(links_lead_to_existing_pages);
    CPPUNIT_TEST(sections_that_the_doctor_names_are_there);
    CPPUNIT_TEST(commands_are_marked_as_such);
    CPPUNIT_TEST(commands_of_the_first_steps_are_in_the_handbook);
    CPPUNIT_TEST(sections_with_commands_have_names_of_their_own);
    CPPUNIT_TEST(every_alert_has_a_section);
    CPPUNIT_TEST(pages_refer_to_files_that_are_there);
    CPPUNIT_TEST(pages_show_all_commands);
    CPPUNIT_TEST(pages_are_for_this_machine_and_for_reading);
    CPPUNIT_TEST_SUITE_END();

public:
    void index_names_every_chapter() {
        std::set<std::string> named = matches_in(folder / "index.md", "\\]\\(([a-z-]+\\.md)\\)");
        named.insert("index.md");
        std::set<std::string> files;
        for (const auto& chapter : chapters()) files.insert(chapter.filename());
        CPPUNIT_ASSERT(named == files);
    }

    void links_lead_to_existing_pages() {
        for (const auto& chapter : chapters()) {
            for (const std::string& link : matches_in(chapter, "\\]\\(([^)]+)\\)")) {
                const std::string file = link.substr(0, link.find('#'));
                const auto target = file.empty() ? chapter : folder / file;
                CPPUNIT_ASSERT_MESSAGE(chapter.string() + ": " + link, std::filesystem::exists(target));
                if (link.find('#') == std::string::npos) continue;
                CPPUNIT_ASSERT_MESSAGE(chapter.string() + ": " + link,
                                       anchors_of(target).contains(link.substr(link.find('#') + 1)));
            }
        }
    }

    void sections_that_the_doctor_names_are_there() {
        const auto places = matches_in("src/tools/doctor/sections.cc", "\"([a-z-]+\\.html(?:#[a-z-]+)?)\"");
        CPPUNIT_ASSERT(places.size() >= 10);
        for (const std::string& place : places) {
            const std::string chapter = place.substr(0, place.find(".html"));
            const std::size_t anchor = place.find('#');
            CPPUNIT_ASSERT_MESSAGE(place, std::filesystem::exists(folder / (chapter + ".md")));
            CPPUNIT_ASSERT_MESSAGE(
                place, anchor == std::string::npos ||
                           anchors_of(folder / (chapter + ".md")).contains(place.substr(anchor + 1)));
        }
    }

    void commands_are_marked_as_such() {
        for (const auto& chapter : chapters())
            CPPUNIT_ASSERT_MESSAGE(chapter.string(),
                                   matches_in(chapter, "^    (?!(?:[a-z0-9,]*#|\\$|=>) )(.*)").empty());
    }

    void commands_of_the_first_steps_are_in_the_handbook() {
        std::set<std::string> commands;
        for (const auto& chapter : chapters()) commands.merge(matches_in(chapter, "^    # (.*)"));
        const auto first_steps = matches_in("debian/data-import.README.Debian", "^    # (.*)");
        CPPUNIT_ASSERT(first_steps.size() >= 10);
        for (const std::string& command : first_steps)
            CPPUNIT_ASSERT_MESSAGE(command, commands.contains(command));
    }

    // The scripts of tests/package find sections by their names.
    void sections_with_commands_have_names_of_their_own() {
        const std::string sections = must_run(
            "tests/package/handbook-commands debian/handbook | cut --fields=1,2 | sort --unique | cut "
            "--fields=2");
        CPPUNIT_ASSERT(sections.size() > 100);
        CPPUNIT_ASSERT_EQUAL(std::string(),
                             must_run("sort <<<" + shell_word(sections) + " | uniq --repeated"));
    }

    void every_alert_has_a_section() {
        const auto alerts = matches_in("debian/examples/data-import-alerts.yml", "alert: (\\w+)");
        CPPUNIT_ASSERT(alerts.size() >= 10);
        CPPUNIT_ASSERT(alerts == matches_in(folder / "monitoring.md", "^### (\\w+)"));
    }

    void pages_refer_to_files_that_are_there() {
        need_pages();
        for (const auto& chapter : chapters()) {
            const std::string target = "/handbook/" + chapter.stem().string() + ".html";
            const Answer page = ask_locally(target);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(target, 200, page.status);
            CPPUNIT_ASSERT(page.header("Content-Type") == "text/html; charset=utf-8");
            const std::string policy = page.header("Content-Security-Policy").value_or("");
            CPPUNIT_ASSERT_MESSAGE(
                policy, policy.find("default-src 'none'; script-src 'self'; style-src 'self'; img-src") == 0);
            for (const std::string& file : matches_of(page.body, "(?:href|src)=\"([^\"#]+)"))
                CPPUNIT_ASSERT_EQUAL_MESSAGE(target + ": " + file, 200,
                                             ask_locally("/handbook/" + file).status);
        }
        CPPUNIT_ASSERT(ask_locally("/handbook/").body == ask_locally("/handbook/index.html").body);
        for (const std::string page : {"/handbook", "/migration"})
            CPPUNIT_ASSERT(ask_locally(page).header("Location") == page + "/");
    }

    // Each block of commands has to be shown as a block. After a list, Markdown takes an indented block for
    // text of the list.
    void pages_show_all_commands() {
        need_pages();
        for (const auto& chapter : chapters()) {
            const std::string page = ask_locally("/handbook/" + chapter.stem().string() + ".html").body;
            std::ptrdiff_t shown = 0;
            for (const std::string& block : blocks_of(page)) shown += 1 + std::ranges::count(block, '\n');
            const auto lines = lines_of(chapter);
            const std::ptrdiff_t written = std::ranges::count_if(
                lines, [](const std::string& line) { return line.starts_with("    "); });
            CPPUNIT_ASSERT_EQUAL_MESSAGE(chapter.string(), written, shown);
        }
    }

    void pages_are_for_this_machine_and_for_reading() {
        need_pages();
        CPPUNIT_ASSERT_EQUAL(404, ask_locally("/handbook/", "import.example.com").status);
        CPPUNIT_ASSERT_EQUAL(405, ask_locally("/handbook/", "localhost", "POST").status);
        for (const char* target : {"/handbook/nothing", "/handbook/../secret", "/handbook/%2e%2e/env"}) {
            const Answer answer = ask_locally(target);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(target, 404, answer.status);
            check_any_answer(answer);
        }
        HttpConnection connection(Stack::shared().port(), Stack::shared().value("CA_FILE"));
        const Answer answer =
            connection.ask({"GET", "/handbook/", {{"Host", "localhost"}, {"Connection", "close"}}, ""});
        CPPUNIT_ASSERT_EQUAL(404, answer.status);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(HandbookTest);

}  // namespace data_import::tests
