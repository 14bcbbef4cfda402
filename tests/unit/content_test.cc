#include "schema/content.h"

#include <cppunit/extensions/HelperMacros.h>

#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "json/reader.h"

namespace data_import::tests {

namespace {

using namespace schema;

Schema sample() {
    const Object line = object().need("quantity", decimal(18, 9)).may("note", nullable(text(0, 9)));
    return object()
        .may("name", text(0, 9))
        .may("nickname", text(0, 9))
        .may("at", datetime())
        .may("day", date())
        .may("lines", array(line))
        .may("count", integer())
        .may("true", boolean())
        .may("any", nullable(scalar()))
        .may("thing",
             variant("type", {{"A", object().may("x", integer())}, {"B", object().may("y", integer())}}));
}

std::string content_of(const std::string& payload) {
    const json::Document document = json::read(payload);
    return content_text(sample(), document.root());
}

/// Contents of one row have the same meaning, contents of different rows do not.
const std::vector<std::vector<std::string>> contents = {
    {R"({})", R"({"unknown":1})"},
    {R"({"name":"n","at":"2020-01-01T00:00:00Z","lines":[{"quantity":100},{"quantity":-0.5}],"thing":{"type":"A"}})",
     R"({"thing":{"type":"A"},"lines":[{"quantity":1e2},{"quantity":"-0.500"}],"at":"2020-01-01T01:00:00.000+01:00","name":"\u006e"})",
     R"({"name":"n","u":1,"at":"2020-01-01T00:00:00Z","lines":[{"quantity":"100.000"},{"quantity":-5e-1}],"thing":{"type":"A"}})"},
    {R"({"name":""})"},
    {R"({"name":"n"})", R"({"name":"\u006E"})"},
    {R"({"name":"n "})"},
    {R"({"name":"nn"})"},
    {R"({"nickname":"n"})"},
    {R"({"name":"n","nickname":"n"})", R"({"nickname":"n","name":"n"})"},
    {R"({"name":"\u0001n"})", R"({"name":"\u0001\u006e"})"},
    {R"({"at":"2020-01-01T00:00:00Z"})", R"({"at":"2019-12-31T23:00:00.0-01:00"})"},
    {R"({"at":"2020-01-01T00:00:00.000001Z"})", R"({"at":"2020-01-01T00:00:00.00000100Z"})"},
    {R"({"day":"2020-01-01"})"},
    {R"({"day":"2020-01-02"})"},
    {R"({"lines":[]})"},
    {R"({"lines":[{"quantity":1}]})", R"({"lines":[{"quantity":"01.0"}]})", R"({"lines":[{"quantity":1E0}]})",
     R"({"lines":[{"quantity":0.1e1}]})"},
    {R"({"lines":[{"quantity":-1}]})", R"({"lines":[{"quantity":"-1.000"}]})"},
    {R"({"lines":[{"quantity":10}]})", R"({"lines":[{"quantity":1e1}]})"},
    {R"({"lines":[{"quantity":0.1}]})", R"({"lines":[{"quantity":1e-1}]})"},
    {R"({"lines":[{"quantity":0.01}]})"},
    {R"({"lines":[{"quantity":0}]})", R"({"lines":[{"quantity":"-0.00"}]})",
     R"({"lines":[{"quantity":-0e5}]})", R"({"lines":[{"quantity":0e400}]})",
     R"({"lines":[{"quantity":0E-99999}]})"},
    {R"({"lines":[{"quantity":1},{"quantity":1}]})"},
    {R"({"lines":[{"quantity":11}]})"},
    {R"({"lines":[{"quantity":1,"note":null}]})", R"({"lines":[{"note":null,"quantity":1}]})"},
    {R"({"lines":[{"quantity":1,"note":""}]})"},
    {R"({"count":0})", R"({"count":-0})"},
    {R"({"count":1})"},
    {R"({"count":-1})"},
    {R"({"true":true})"},
    {R"({"true":false})"},
    {R"({"any":null})"},
    {R"({"any":true})"},
    {R"({"any":false})"},
    {R"({"any":"true"})"},
    {R"({"any":10})", R"({"any":1.0e1})", R"({"any":10.0})"},
    {R"({"any":"10"})"},
    {R"({"any":"10.0"})"},
    {R"({"any":-0})", R"({"any":0.0})", R"({"any":0e-99999})"},
    {R"({"any":123456789012345678901234567890})"},
    {R"({"thing":{"type":"A"}})"},
    {R"({"thing":{"type":"B"}})", R"({"thing":{"type":"B","x":1}})"},
    {R"({"thing":{"type":"A","x":1}})", R"({"thing":{"x":1,"type":"A"}})"},
    {R"({"thing":{"type":"B","y":1}})"},
};

}  // namespace

class ContentTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ContentTest);
    CPPUNIT_TEST(same_content_has_one_text);
    CPPUNIT_TEST(other_content_has_another_text);
    CPPUNIT_TEST_SUITE_END();

public:
    void same_content_has_one_text() {
        for (const auto& row : contents) {
            for (const std::string& same : row)
                CPPUNIT_ASSERT_MESSAGE(same, content_of(row.front()) == content_of(same));
        }
    }

    /// No text is the beginning of another one, either.
    void other_content_has_another_text() {
        std::set<std::string> texts;
        for (const auto& row : contents)
            CPPUNIT_ASSERT_MESSAGE(row.front(), texts.insert(content_of(row.front())).second);
        for (auto text = texts.begin(), next = std::next(text); next != texts.end(); ++text, ++next)
            CPPUNIT_ASSERT(!next->starts_with(*text));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ContentTest);

}  // namespace data_import::tests
