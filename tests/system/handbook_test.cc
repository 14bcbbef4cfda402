// The handbook of debian/handbook: its links lead somewhere, its commands are marked, every alert has its
// section, and the commands of README.Debian are among its own. What the commands do, tests/package and
// tests/ha try.
#include <cppunit/extensions/HelperMacros.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "../support/command.h"

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
    CPPUNIT_ASSERT(files.size() >= 11);
    return files;
}

/// The first group of each match of `form` in the lines of a file.
std::set<std::string> matches_in(const std::filesystem::path& file, const std::string& form) {
    const std::regex pattern(form);
    std::set<std::string> found;
    for (const std::string& line : lines_of(file)) {
        for (std::sregex_iterator match(line.begin(), line.end(), pattern), end; match != end; ++match)
            found.insert((*match)[1]);
    }
    return found;
}

/// The anchor of a heading, as in Markdown.
std::string anchor_of(std::string heading) {
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

}  // namespace

class HandbookTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(HandbookTest);
    CPPUNIT_TEST(index_names_every_chapter);
    CPPUNIT_TEST(links_lead_to_what_is_there);
    CPPUNIT_TEST(commands_are_marked_as_such);
    CPPUNIT_TEST(commands_of_the_first_steps_are_in_the_handbook);
    CPPUNIT_TEST(sections_with_commands_have_names_of_their_own);
    CPPUNIT_TEST(every_alert_has_a_section);
    CPPUNIT_TEST_SUITE_END();

public:
    void index_names_every_chapter() {
        std::set<std::string> named = matches_in(folder / "index.md", "\\]\\(([a-z-]+\\.md)\\)");
        named.insert("index.md");
        std::set<std::string> files;
        for (const auto& chapter : chapters()) files.insert(chapter.filename());
        CPPUNIT_ASSERT(named == files);
    }

    void links_lead_to_what_is_there() {
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

    void commands_are_marked_as_such() {
        for (const auto& chapter : chapters())
            CPPUNIT_ASSERT_MESSAGE(chapter.string(),
                                   matches_in(chapter, "^    (?!(?:[a-z0-9,]*#|\\$) )(.*)").empty());
    }

    void commands_of_the_first_steps_are_in_the_handbook() {
        std::set<std::string> commands;
        for (const auto& chapter : chapters()) commands.merge(matches_in(chapter, "^    # (.*)"));
        const auto first_steps = matches_in("debian/data-import.README.Debian", "^    # (.*)");
        CPPUNIT_ASSERT(first_steps.size() >= 10);
        for (const std::string& command : first_steps)
            CPPUNIT_ASSERT_MESSAGE(command, commands.contains(command));
    }

    // by which the scripts of tests/package find them
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
};

CPPUNIT_TEST_SUITE_REGISTRATION(HandbookTest);

}  // namespace data_import::tests
