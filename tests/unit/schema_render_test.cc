#include "schema/render.h"

#include <cppunit/extensions/HelperMacros.h>

#include "json/reader.h"
#include "schema/canonical.h"

namespace data_import::tests {

namespace {

using namespace schema;

Schema sample() {
    const Object line = object().need("quantity", decimal(18, 9)).may("note", nullable(text(0, 9)));
    return object()
        .need("name", text(1, 9))
        .may("at", datetime())
        .may("lines", array(line))
        .may("count", integer())
        .may("any", nullable(scalar()))
        .may("thing",
             variant("type", {{"A", object().may("x", integer())}, {"B", object().may("y", boolean())}}));
}

std::string validated(const std::string& payload) {
    json::Writer writer;
    const json::Document document = json::read(payload);
    write_validated(writer, sample(), document.root());
    return writer.take();
}

std::string content_of(const std::string& payload) {
    const json::Document document = json::read(payload);
    return content_text(sample(), document.root());
}

}  // namespace

class SchemaRenderTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(SchemaRenderTest);
    CPPUNIT_TEST(validated_data_is_what_was_sent);
    CPPUNIT_TEST(same_content_has_one_text);
    CPPUNIT_TEST(other_content_has_another_text);
    CPPUNIT_TEST_SUITE_END();

public:
    void validated_data_is_what_was_sent() {
        CPPUNIT_ASSERT_EQUAL(
            std::string(R"({"lines":[{"note":null,"quantity":1.50},{"quantity":"5.0"}],"name":"ü\n","at":)"
                        R"("2020-01-01T01:00:00+01:00","thing":{"y":true,"type":"B"}})"),
            validated(
                R"( { "lines" : [{"note":null, "quantity":1.50, "z":[1]}, {"quantity":"5.0"}], "other":{},
                        "name":"\u00fc\n","at":"2020-01-01T01:00:00+01:00","thing":{"y":true,"type":"B","x":1}})"));
    }

    void same_content_has_one_text() {
        const std::string text = content_of(
            R"({"name":"n","at":"2020-01-01T00:00:00Z","lines":[{"quantity":100},{"quantity":-0.5}],"thing":{"type":"A"}})");
        for (
            const char* same : {
                R"({"thing":{"type":"A"},"lines":[{"quantity":1e2},{"quantity":"-0.500"}],"at":"2020-01-01T01:00:00.000+01:00","name":"\u006e"})",
                R"({"name":"n","u":1,"at":"2020-01-01T00:00:00Z","lines":[{"quantity":"100.000"},{"quantity":-5e-1}],"thing":{"type":"A"}})",
            }) {
            CPPUNIT_ASSERT_EQUAL(text, content_of(same));
        }
        CPPUNIT_ASSERT_EQUAL(content_of(R"({"name":"n","lines":[{"quantity":0}]})"),
                             content_of(R"({"name":"n","lines":[{"quantity":"-0.00"}]})"));
        CPPUNIT_ASSERT_EQUAL(content_of(R"({"name":"n","count":0,"any":10})"),
                             content_of(R"({"name":"n","count":-0,"any":1.0e1})"));
    }

    void other_content_has_another_text() {
        const std::string text = content_of(R"({"name":"n","lines":[{"quantity":1}]})");
        for (const char* other :
             {R"({"name":"n","lines":[{"quantity":1}],"any":1})",
              R"({"name":"n","lines":[{"quantity":1}],"any":"1"})",
              R"({"name":"m","lines":[{"quantity":1}]})", R"({"name":"n"})", R"({"name":"n","lines":[]})",
              R"({"name":"n","lines":[{"quantity":1},{"quantity":1}]})",
              R"({"name":"n","lines":[{"quantity":-1}]})",
              R"({"name":"n","lines":[{"quantity":1,"note":null}]})",
              R"({"name":"n ","lines":[{"quantity":1}]})"}) {
            CPPUNIT_ASSERT_MESSAGE(other, text != content_of(other));
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(SchemaRenderTest);

}  // namespace data_import::tests
