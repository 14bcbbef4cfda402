#include "data/schema/render.h"

#include <cppunit/extensions/HelperMacros.h>

#include "data/json/reader.h"

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

}  // namespace

class SchemaRenderTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(SchemaRenderTest);
    CPPUNIT_TEST(validated_data_is_the_sent_data);
    CPPUNIT_TEST_SUITE_END();

public:
    void validated_data_is_the_sent_data() {
        CPPUNIT_ASSERT_EQUAL(
            std::string(R"({"lines":[{"note":null,"quantity":1.50},{"quantity":"5.0"}],"name":"ü\n","at":)"
                        R"("2020-01-01T01:00:00+01:00","thing":{"y":true,"type":"B"}})"),
            validated(
                R"( { "lines" : [{"note":null, "quantity":1.50, "z":[1]}, {"quantity":"5.0"}], "other":{},
                        "name":"\u00fc\n","at":"2020-01-01T01:00:00+01:00","thing":{"y":true,"type":"B","x":1}})"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(SchemaRenderTest);

}  // namespace data_import::tests
