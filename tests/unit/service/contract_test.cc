// The sections of nginx/docs/contract.md that comments cite must exist. Run from the top of the source tree.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "service/api/routes.h"

namespace data_import::tests {

namespace {

using Sections = std::set<std::string>;

/// A number like `5` or `5.13`; empty if the text begins with none.
std::string number_at(std::string_view text) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    std::string number(text.substr(0, end));
    if (number.ends_with('.')) number.pop_back();
    return number;
}

/// The text in small letters, with each comment on one line, so that a citation over two lines is found.
std::string joined(const std::string& text) {
    std::string line;
    std::string all;
    for (std::istringstream lines(text); std::getline(lines, line);) {
        line.erase(0, line.find_first_not_of(" \t/#-*"));
        all += line + ' ';
    }
    std::ranges::transform(all, all.begin(), [](unsigned char letter) { return std::tolower(letter); });
    return all;
}

/// The sections of a list like `5.2, 5.3 and 5.6` or `5.9 to 5.11` at the beginning of the text.
std::vector<std::string> listed_sections(std::string_view text) {
    std::vector<std::string> found;
    for (std::string number = number_at(text); !number.empty(); number = number_at(text)) {
        found.push_back(number);
        text.remove_prefix(number.size());
        for (const std::string_view between : {", ", " and ", " to "}) {
            if (!text.starts_with(between)) continue;
            text.remove_prefix(between.size());
            break;
        }
    }
    return found;
}

std::vector<std::string> cited_sections(const std::string& text) {
    constexpr std::string_view words = "contract, section";
    std::vector<std::string> found;
    for (std::size_t place = 0; (place = text.find(words, place)) != std::string::npos;) {
        place += words.size();
        const std::size_t number = text.find_first_not_of("s ", place);
        if (number == std::string::npos) break;
        for (std::string& section : listed_sections(std::string_view(text).substr(number)))
            found.push_back(std::move(section));
    }
    return found;
}

Sections sections_of_contract() {
    Sections sections;
    std::ifstream contract("nginx/docs/contract.md");
    for (std::string line; std::getline(contract, line);) {
        if (!line.starts_with("## ") && !line.starts_with("### ")) continue;
        const std::string number = number_at(std::string_view(line).substr(line.find(' ') + 1));
        CPPUNIT_ASSERT_MESSAGE("a section without a number: " + line, !number.empty());
        CPPUNIT_ASSERT_MESSAGE("a number that is there twice: " + line, sections.insert(number).second);
    }
    CPPUNIT_ASSERT_MESSAGE("run from the top of the source tree", !sections.empty());
    return sections;
}

struct Text {
    std::string file;
    std::string text;  ///< joined
};

const std::vector<Text>& texts() {
    static const std::vector<Text> all = [] {
        std::vector<Text> read;
        for (const char* folder : {"src", "sql", "tests", "nginx", "etc"}) {
            for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
                if (!entry.is_regular_file() || entry.path().extension() == ".png") continue;
                std::ostringstream text;
                text << std::ifstream(entry.path()).rdbuf();
                read.push_back({entry.path().string(), joined(text.str())});
            }
        }
        return read;
    }();
    return all;
}

}  // namespace

class ContractTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ContractTest);
    CPPUNIT_TEST(lists_of_sections_are_read);
    CPPUNIT_TEST(cited_sections_are_in_the_contract);
    CPPUNIT_TEST(no_document_is_cited_that_is_not_here);
    CPPUNIT_TEST(all_endpoints_and_their_parameters_are_in_the_contract);
    CPPUNIT_TEST(all_endpoints_of_the_contract_are_there);
    CPPUNIT_TEST_SUITE_END();

public:
    void lists_of_sections_are_read() {
        using Found = std::vector<std::string>;
        const auto found = [](const std::string& numbers) {
            return cited_sections(joined("// Rules (Contract,\n// section" + numbers));
        };
        CPPUNIT_ASSERT(found(" 5.4). Two") == Found{"5.4"});
        CPPUNIT_ASSERT(found(" 7.\n") == Found{"7"});
        CPPUNIT_ASSERT((found("s 5.2, 5.3 and\n/// 5.10)") == Found{"5.2", "5.3", "5.10"}));
        CPPUNIT_ASSERT((found("s 5.9 to 5.11.") == Found{"5.9", "5.11"}));
        CPPUNIT_ASSERT(found(" 2.1, steps 5 to 7)") == Found{"2.1"});
        CPPUNIT_ASSERT(found(" of its own").empty());
    }

    void cited_sections_are_in_the_contract() {
        const Sections sections = sections_of_contract();
        std::size_t citations = 0;
        std::string wrong;
        for (const auto& [file, text] : texts()) {
            for (const std::string& section : cited_sections(text)) {
                ++citations;
                if (!sections.contains(section)) wrong += '\n' + file + " cites section " + section;
            }
        }
        CPPUNIT_ASSERT_MESSAGE(wrong, wrong.empty());
        CPPUNIT_ASSERT(citations >= 100);
    }

    void no_document_is_cited_that_is_not_here() {
        std::string wrong;
        for (const auto& [file, text] : texts()) {
            for (const std::string document : {"decisions", "extensions", "specification"}) {
                if (text.find(document + ", section") != std::string::npos)
                    wrong += '\n' + file + " cites " + document;
            }
        }
        CPPUNIT_ASSERT_MESSAGE(wrong, wrong.empty());
    }
    void all_endpoints_and_their_parameters_are_in_the_contract() {
        const std::string contract = contract_text();
        for (const http::Endpoint& endpoint : api::endpoints({})) {
            const std::string name = name_of(endpoint);
            const std::size_t place = contract.find(name);
            CPPUNIT_ASSERT_MESSAGE(name, place != std::string::npos);
            for (const http::QueryParameter& parameter : endpoint.query) {
                const std::string named(parameter.name);
                const bool is_told = contract.find('`' + named) != std::string::npos ||
                                     contract.find(named + '=', place) != std::string::npos;
                CPPUNIT_ASSERT_MESSAGE(name + " ?" + named, is_told);
            }
        }
    }

    void all_endpoints_of_the_contract_are_there() {
        const std::string contract = contract_text();
        std::set<std::string> names;
        for (const http::Endpoint& endpoint : api::endpoints({})) names.insert(name_of(endpoint));
        const std::regex heading("\n### [0-9.]+ ((?:GET|POST|PUT) [^?\n]+)");
        std::size_t count = 0;
        for (std::sregex_iterator found(contract.begin(), contract.end(), heading), end; found != end;
             ++found) {
            ++count;
            CPPUNIT_ASSERT_MESSAGE((*found)[1].str(), names.contains((*found)[1].str()));
        }
        CPPUNIT_ASSERT(count >= 20);
    }

private:
    static std::string name_of(const http::Endpoint& endpoint) {
        return std::string(endpoint.method) + ' ' + std::string(endpoint.path);
    }

    static std::string contract_text() {
        std::ostringstream text;
        text << std::ifstream("nginx/docs/contract.md").rdbuf();
        return text.str();
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ContractTest);

}  // namespace data_import::tests
