#include "data/schema/content.h"

#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/util/crypto.h"
#include "data/json/reader.h"
#include "data/payload/declarations.h"
#include "data/records/kinds.h"
#include "data/schema/node.h"

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

/// A record that 1.0 has stored and its digest: a line of tests/releases/digests-1.0.0.
struct Stored {
    std::string kind;
    std::string digest;
    json::Document record;
};

std::vector<Stored> stored_by_1_0() {
    std::ifstream file("tests/releases/digests-1.0.0");
    std::vector<Stored> all;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) continue;
        std::istringstream words(line);
        std::string kind, digest, record;
        std::getline(words >> kind >> digest >> std::ws, record);
        all.push_back({kind, digest, json::read(record)});
    }
    return all;
}

Schema form_of(const std::string& kind) {
    if (kind == "price_sheets") return payload::price_sheet();
    return std::ranges::find(records::kinds(), kind, &records::Kind::name)->record;
}

std::string content_of(const Stored& stored) {
    const json::Value record = stored.record.root();
    if (stored.kind == "price_sheets") return payload::content_of_price_sheet(record);
    if (stored.kind == "historical_statements") return payload::content_of_historical_statement(record);
    return content_text(form_of(stored.kind), record);
}

/// Returns the content of a value whose form has got more fields since version 1.0. In 1.0 the form had a
/// required field, an optional field and a list.
std::string later_content(const json::Value& value) {
    const Object line = object().need("a", text(1, 9)).as_of_1_0("a").may("new", text(1, 9));
    const Object of_1_0 = object()
                              .may("id", text(1, 9))
                              .may("b", nullable(text(1, 9)))
                              .may("flag", boolean())
                              .may("lines", array(line))
                              .as_of_1_0("id b? lines?", {"flag"});
    return content_text(of_1_0.may("new", nullable(scalar())).may("part", line), value);
}

/// Values that all differ in content.
const std::vector<const char*> later_contents = {
    R"({})",
    R"({"id":"i"})",
    R"({"b":"i"})",
    R"({"id":"i","b":null})",
    R"({"id":"i","b":"x"})",
    R"({"id":"i","new":null})",
    R"({"id":"i","new":"x"})",
    R"({"id":"i","new":"1"})",
    R"({"id":"i","new":1})",
    R"({"id":"i","new":true})",
    R"({"id":"i","part":{"a":"x"}})",
    R"({"id":"i","part":{"a":"x","new":"y"}})",
    R"({"id":"i","lines":[{"a":"x"}]})",
    R"({"id":"i","lines":[{"a":"x","new":"y"}]})",
    R"({"id":"i","lines":[{"a":"x"},{"a":"x","new":"y"}]})",
    R"({"id":"i","lines":[{"a":"x","new":"y"},{"a":"x"}]})",
};

/// Returns the schema with one more optional field in each of its objects, as the last field or as the first.
Schema grown(const Schema& schema, bool in_front);

Schema grown(const ObjectNode& node, bool in_front) {
    ObjectNode copy = node;
    for (Field& field : copy.fields) field.schema = grown(field.schema, in_front);
    Object object(std::make_shared<const Node>(Node{copy}));
    object = object.may("remark", text(1, 9));
    if (!in_front) return object;
    ObjectNode turned = std::get<ObjectNode>(object.node().kind);
    std::ranges::rotate(turned.fields, std::prev(turned.fields.end()));
    const auto follow = [&](std::size_t& place) { place = (place + 1) % turned.fields.size(); };
    std::ranges::for_each(turned.sorted, follow);
    if (turned.released) {
        for (ReleasedField& field : turned.released->placed) follow(field.field);
        std::ranges::for_each(turned.released->left_out, follow);
        std::ranges::for_each(turned.released->later, follow);
    }
    return Schema(std::make_shared<const Node>(Node{turned}));
}

Schema grown(const Schema& schema, bool in_front) {
    if (const auto* object = std::get_if<ObjectNode>(&schema.node().kind)) return grown(*object, in_front);
    if (const auto* array = std::get_if<ArrayNode>(&schema.node().kind)) {
        ArrayNode copy = *array;
        copy.item = grown(copy.item, in_front);
        return Schema(std::make_shared<const Node>(Node{copy}));
    }
    return schema;
}

}  // namespace

class ContentTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ContentTest);
    CPPUNIT_TEST(same_content_has_one_text);
    CPPUNIT_TEST(other_content_has_another_text);
    CPPUNIT_TEST(digests_are_those_of_1_0);
    CPPUNIT_TEST(a_new_optional_field_changes_no_text_of_1_0);
    CPPUNIT_TEST(a_new_field_that_was_sent_is_content);
    CPPUNIT_TEST_SUITE_END();

public:
    void same_content_has_one_text() {
        for (const auto& row : contents) {
            for (const std::string& same : row)
                CPPUNIT_ASSERT_MESSAGE(same, content_of(row.front()) == content_of(same));
        }
    }

    /// Different contents have different content texts, none of which is the beginning of another.
    void other_content_has_another_text() {
        std::set<std::string> texts;
        for (const auto& row : contents)
            CPPUNIT_ASSERT_MESSAGE(row.front(), texts.insert(content_of(row.front())).second);
        for (auto text = texts.begin(), next = std::next(text); next != texts.end(); ++text, ++next)
            CPPUNIT_ASSERT(!next->starts_with(*text));
    }

    void digests_are_those_of_1_0() {
        std::map<std::string, int> records;
        for (const Stored& stored : stored_by_1_0()) {
            ++records[stored.kind];
            CPPUNIT_ASSERT_EQUAL_MESSAGE(stored.kind + " number " + std::to_string(records[stored.kind]),
                                         stored.digest, util::uuid_digest(content_of(stored)));
        }
        CPPUNIT_ASSERT_EQUAL(std::size_t{5}, records.size());
    }

    void a_new_optional_field_changes_no_text_of_1_0() {
        for (const Stored& stored : stored_by_1_0()) {
            const Schema form = form_of(stored.kind);
            const json::Value record = stored.record.root();
            for (const bool in_front : {false, true}) {
                CPPUNIT_ASSERT_MESSAGE(
                    stored.digest, content_text(form, record) == content_text(grown(form, in_front), record));
            }
        }
    }

    void a_new_field_that_was_sent_is_content() {
        std::set<std::string> texts;
        for (const char* sent : later_contents)
            CPPUNIT_ASSERT_MESSAGE(sent, texts.insert(later_content(json::read(sent).root())).second);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ContentTest);

}  // namespace data_import::tests
