// The parts of a bulk request: lines, gzip, the envelope of a line, and an answer that may be long.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

#include "../../gzip.h"
#include "../../table.h"
#include "base/util/temporary_file.h"
#include "service/http/bulk_line.h"

namespace data_import {

namespace {

using tests::packed;

/// The lines as `NUMBER:TEXT`, with a `+` after a line that was cut.
std::string all_lines(const std::string& body, bool is_gzip, std::size_t longest = 10) {
    http::BodyLines reader(body, is_gzip, {.line = longest, .body = 1'000'000});
    std::string all;
    while (const auto line = reader.next())
        all += std::to_string(line->number) + ':' + line->text + (line->is_too_long ? "+;" : ";");
    return all;
}

struct Body {
    std::string text;
    std::string lines;
};

const std::vector<Body> bodies = {
    {"", ""},
    {"a", "1:a;"},
    {"a\n", "1:a;"},
    {"a\nb", "1:a;2:b;"},
    {"a\r\nb\r\n", "1:a;2:b;"},
    {"\n\n\r\na\n\n", "4:a;"},
    {"1234567890\n12345678901\nx", "1:1234567890;2:1234567890+;3:x;"},
    {"\r", ""},
    {"a\rb\n", "1:a\rb;"},
    {" \n\t\r\n \t\r \na\n  ", "4:a;"},
    {"            \na", "2:a;"},
    {"           x\n", "1:          +;"},
    {" a \n", "1: a ;"},
};

struct Envelope {
    std::string line;
    /// A good line gives `id|path|query|body`, with `-` as the id if the line has none. A refused line gives
    /// the code of the refusal, and then ` attr:code` for each item of its errors.
    std::string expected;
};

const std::vector<Envelope> envelopes = {
    {R"({"path": "/a/?x=1&y", "body": {"a": [1, "}"]}, "id": "7"})", R"(7|/a/|x=1&y|{"a": [1, "}"]})"},
    {R"({"body":{"a":"\"}"},"path":"/a/"})", R"(-|/a/||{"a":"\"}"})"},
    {R"( { "path" : "/a/" , "body" : [ ] } )", R"(-|/a/||[ ])"},
    {R"({"path":"/a/","body":null})", R"(-|/a/||null)"},
    {R"({"path":"/a/","body":{"a":}})", R"(-|/a/||{"a":})"},
    {R"({"path":"/a/","body":{}})", R"(-|/a/||{})"},
    {R"({"path":"/a\u002f","body":{}})", R"(-|/a/||{})"},
    {R"({"p\u0061th":"/a/","b\u006fdy":{"x":1},"\u0069d":"7"})", R"(7|/a/||{"x":1})"},
    {R"({"\u0062\u006F\u0064\u0079":{"x":1},"path":"/a/"})", R"(-|/a/||{"x":1})"},
    {R"({"body":{},"b\u006fdy":{},"path":"/a/"})", "parse_error"},
    {R"({"b\u006fdy":{},"body":{},"path":"/a/"})", "parse_error"},
    {R"({"b\ud83ddy":{},"body":{},"path":"/a/"})", "parse_error"},
    {R"({"b\qdy":{},"path":"/a/"})", "parse_error"},
    {R"({"b\u006fdx":{},"body":{"x":1},"path":"/a/"})", "validation_error bodx:unknown_field"},
    {R"({"path":"/a/"})", "validation_error body:required"},
    {R"({"body":{}})", "validation_error path:required"},
    {R"({"path":1,"body":{}})", "validation_error path:invalid"},
    {R"({"path":"/a/","body":{},"id":7})", "validation_error id:invalid"},
    {R"({"path":"/a/","body":{},"id":""})", "validation_error id:blank"},
    {R"({"path":"/a/","body":{},"more":1})", "validation_error more:unknown_field"},
    {R"({"path":"/a/","path":"/b/","body":{}})", "parse_error"},
    {R"({"path":"/a/","body":{})", "parse_error"},
    {R"({"path":"/a/","body":{}} x)", "parse_error"},
    // the body is only its JSON text, even if the line goes on after it
    {"{\"path\":\"/a/\",\"body\": {\"x\":{}} \t} \r", "-|/a/||{\"x\":{}}"},
    {R"({"path":"/a/","body":{"x":1},"more":{}})", "validation_error more:unknown_field"},
    {R"({"body":{"x":{}},"path":"/a/","id":"7"})", "7|/a/||{\"x\":{}}"},
    {R"({"path":"/a/","body":{"x":1 2}})", R"(-|/a/||{"x":1 2})"},
    {R"({"path":"/a/","body":{"x":1,"x":2}})", R"(-|/a/||{"x":1,"x":2})"},
    {R"({"path":"/a/","body":{"x":1}}})", "parse_error"},
    {R"({"path":"/a/","body":{"x":1}},{"x":1}})", "parse_error"},
    {R"({"path":"/a/","body":{"x":1})", "parse_error"},
    {R"({"path":"/a/","body":{"x":1}}{"path":"/a/","body":{"x":1}})", "parse_error"},
    {"[]", "validation_error :invalid"},
    {"broken", "parse_error"},
    {"{\"path\":\"\xff\",\"body\":{}}", "parse_error"},
};

std::string shown(const http::BulkLine& line) {
    if (!line.problem) return line.id.value_or("-") + '|' + line.path + '|' + line.query + '|' + line.body;
    std::string text(codes::name_of(line.problem->code));
    for (const auto& violation : line.problem->violations)
        text += ' ' + violation.attr + ':' + std::string(codes::name_of(violation.code));
    return text;
}

}  // namespace

class BulkUnitTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(BulkUnitTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(long_texts_come_whole);
    CPPUNIT_TEST(a_bomb_is_not_unpacked);
    CPPUNIT_TEST(a_text_may_end_with_a_piece);
    CPPUNIT_TEST(members_of_gzip_follow_each_other);
    CPPUNIT_TEST(other_data_than_gzip_is_noticed);
    CPPUNIT_TEST(lost_line_breaks_are_named);
    CPPUNIT_TEST(an_array_of_all_requests_is_named);
    CPPUNIT_TEST(a_spool_gives_back_its_input);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Body& body : bodies) {
            tests::add_row(context, "lines of " + body.text, [body] {
                CPPUNIT_ASSERT_EQUAL(body.lines, all_lines(body.text, false));
                CPPUNIT_ASSERT_EQUAL(body.lines, all_lines(packed(body.text), true));
            });
        }
        for (const Envelope& envelope : envelopes) {
            tests::add_row(context, "line " + envelope.line, [envelope] {
                CPPUNIT_ASSERT_EQUAL(envelope.expected, shown(http::read_bulk_line(
                                                            envelope.line, schema::UnknownFields::refuse)));
            });
        }
    }

    void lost_line_breaks_are_named() {
        const std::string object = R"({"path":"/a/","body":{"x":["}{"]}})";
        for (const std::string between : {"", " ", "\r", "\t \r"})
            CPPUNIT_ASSERT(says_lost_line_breaks(object + between + object));
        CPPUNIT_ASSERT(says_lost_line_breaks(object + object.substr(0, 9)));
        CPPUNIT_ASSERT(says_lost_line_breaks(object + "{"));
        for (const std::string& other :
             {object + "x", object + ",", object + "[" + object + "]", object + object.substr(1),
              std::string("[]{}"), std::string("{"), std::string("{\"a\"")})
            CPPUNIT_ASSERT_MESSAGE(other, !says_lost_line_breaks(other));
    }

    void an_array_of_all_requests_is_named() {
        const auto problem =
            http::read_bulk_line(R"([{"path":"/a/","body":{}}])", schema::UnknownFields::refuse).problem;
        CPPUNIT_ASSERT(problem && problem->code == Code::validation_error);
        CPPUNIT_ASSERT(problem->violations.at(0).detail.find("no array around its lines") !=
                       std::string::npos);
    }

    static bool says_lost_line_breaks(const std::string& line) {
        const auto problem = http::read_bulk_line(line, schema::UnknownFields::refuse).problem;
        return problem && problem->code == Code::parse_error && problem->detail == http::lost_line_breaks;
    }

    /// Reads lines that are longer than the pieces in which the reader takes its input.
    void long_texts_come_whole() {
        const std::string line(200'001, 'x');
        const std::string text = line + "\r\n" + line;
        for (const bool is_gzip : {false, true}) {
            http::BodyLines reader(text, false, {.line = 300'000, .body = 1'000'000});
            const std::string gzip = packed(text);
            http::BodyLines unpacking(gzip, true, {.line = 300'000, .body = 1'000'000});
            http::BodyLines& chosen = is_gzip ? unpacking : reader;
            CPPUNIT_ASSERT(chosen.next()->text == line);
            CPPUNIT_ASSERT(chosen.next()->text == line);
            CPPUNIT_ASSERT(!chosen.next());
            CPPUNIT_ASSERT_EQUAL(text.size(), chosen.bytes_read());
        }
    }

    /// Unpacking stops at the limit, whether the body is one endless line or only empty lines.
    void a_bomb_is_not_unpacked() {
        constexpr std::size_t limit = 200'000;
        constexpr std::size_t piece = 65'536;
        for (const char byte : {'x', '\n'}) {
            const std::string bomb = packed(std::string(5'000'000, byte));
            http::BodyLines reader(bomb, true, {.line = 10, .body = limit});
            while (reader.next()) {
            }
            CPPUNIT_ASSERT(reader.bytes_read() > limit);
            CPPUNIT_ASSERT(reader.bytes_read() <= limit + piece);
        }
    }

    /// The last line may end exactly where a decompressed piece ends.
    void a_text_may_end_with_a_piece() {
        constexpr std::size_t piece = 65'536;
        for (const std::size_t size : {piece - 1, piece, piece + 1, 2 * piece}) {
            const std::string text(size, 'x');
            CPPUNIT_ASSERT("1:" + text + ";" == all_lines(packed(text), true, 2 * piece));
        }
    }

    void members_of_gzip_follow_each_other() {
        CPPUNIT_ASSERT_EQUAL(std::string("1:ab;2:c;"), all_lines(packed("a") + packed("b\nc"), true));
    }

    void other_data_than_gzip_is_noticed() {
        const std::string good = packed("a text that is long enough to be cut");
        for (const std::string& bad : {std::string("no gzip"), good.substr(0, 20),
                                       good.substr(0, good.size() - 1), good + "x", std::string()})
            CPPUNIT_ASSERT_THROW((void)all_lines(bad, true, 100), util::GzipError);
    }

    void a_spool_gives_back_its_input() {
        for (const std::size_t in_memory : {std::size_t{10}, std::size_t{1'000'000}}) {
            util::Spool spool(in_memory);
            std::string expected;
            for (int number = 0; number < 20'000; ++number) {
                const std::string text = std::to_string(number) + ';';
                spool.append(text);
                expected += text;
            }
            for (int time = 0; time < 2; ++time) {
                std::string all;
                spool.read([&](std::string_view piece) { all += piece; });
                CPPUNIT_ASSERT(all == expected);
            }
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(BulkUnitTest);

}  // namespace data_import
