// The head of a request from nginx's parameters, and the head of an answer.
#include <cppunit/extensions/HelperMacros.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "service/fastcgi/heads.h"

#include "../../table.h"

namespace data_import::tests {

namespace {

using namespace std::string_literals;

/// The parameters of a request in the form of libfcgi.
class Environment {
public:
    explicit Environment(std::vector<std::string> texts) : texts_(std::move(texts)) {
        for (std::string& text : texts_) pointers_.push_back(text.data());
        pointers_.push_back(nullptr);
    }

    [[nodiscard]] fastcgi::Parameters parameters() { return fastcgi::Parameters(pointers_.data()); }
    [[nodiscard]] http::Request head() { return fastcgi::read_head(parameters()); }

private:
    std::vector<std::string> texts_;
    std::vector<char*> pointers_;
};

struct Length {
    std::vector<std::string> parameters;
    std::optional<std::size_t> expected;
};

const std::vector<Length> lengths = {
    {{}, 0},
    {{"CONTENT_LENGTH="}, 0},
    {{"CONTENT_LENGTH=0"}, 0},
    {{"CONTENT_LENGTH=123"}, 123},
    {{"CONTENT_LENGTH=+1"}, std::nullopt},
    {{"CONTENT_LENGTH=-1"}, std::nullopt},
    {{"CONTENT_LENGTH= 1"}, std::nullopt},
    {{"CONTENT_LENGTH=1 "}, std::nullopt},
    {{"CONTENT_LENGTH=0x10"}, std::nullopt},
    {{"CONTENT_LENGTH=1, 1"}, std::nullopt},
    {{"CONTENT_LENGTH=99999999999999999999999"}, std::nullopt},
};

}  // namespace

class HeadsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(HeadsTest);
    CPPUNIT_TEST(divides_the_target);
    CPPUNIT_TEST(chooses_from_no_field_that_stands_twice);
    CPPUNIT_TEST(keeps_only_a_request_id_of_nginx);
    CPPUNIT_TEST(knows_requests_that_nginx_sent_again);
    CPPUNIT_TEST(takes_the_name_of_a_person_from_nginx_alone);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_lengths);
    CPPUNIT_TEST(writes_an_answer);
    CPPUNIT_TEST(lets_no_line_break_into_an_answer);
    CPPUNIT_TEST_SUITE_END();

public:
    void divides_the_target() {
        const http::Request with = Environment({"REQUEST_METHOD=POST", "REQUEST_URI=/a%3Fb?c=1&d=?"}).head();
        CPPUNIT_ASSERT_EQUAL("POST"s, with.method);
        CPPUNIT_ASSERT_EQUAL("/a%3Fb"s, with.path);
        CPPUNIT_ASSERT_EQUAL("c=1&d=?"s, with.query);
        const http::Request without = Environment({"REQUEST_URI=/a"}).head();
        CPPUNIT_ASSERT_EQUAL("/a"s, without.path);
        CPPUNIT_ASSERT_EQUAL(""s, without.query);
    }

    void chooses_from_no_field_that_stands_twice() {
        const http::Request once =
            Environment({"HTTP_AUTHORIZATION=Bearer a=b", "HTTP_ACCEPT=text/csv"}).head();
        CPPUNIT_ASSERT(once.authorization == "Bearer a=b");
        CPPUNIT_ASSERT(!once.idempotency_key);
        CPPUNIT_ASSERT_EQUAL("text/csv"s, once.accept);
        const http::Request twice =
            Environment({"HTTP_AUTHORIZATION=Bearer a", "HTTP_ACCEPT=text/csv", "HTTP_IDEMPOTENCY_KEY=k",
                         "HTTP_AUTHORIZATION=Bearer a", "HTTP_ACCEPT=text/html", "HTTP_IDEMPOTENCY_KEY=k",
                         "HTTP_X_REQUEST_ID=1", "HTTP_X_REQUEST_ID=1"})
                .head();
        CPPUNIT_ASSERT(twice.authorization == "");
        CPPUNIT_ASSERT(twice.idempotency_key == "");
        CPPUNIT_ASSERT_EQUAL("text/csv, text/html"s, twice.accept);
        CPPUNIT_ASSERT_EQUAL(""s, twice.client_request_id);
    }

    void keeps_only_a_request_id_of_nginx() {
        const std::string given = "0123456789abcdef0123456789abcdef";
        CPPUNIT_ASSERT_EQUAL(given, Environment({"DATA_IMPORT_REQUEST_ID=" + given}).head().request_id);
        for (const std::string& other : {""s, given + "0", "0123456789ABCDEF0123456789ABCDEF"s}) {
            const std::string made = Environment({"DATA_IMPORT_REQUEST_ID=" + other}).head().request_id;
            CPPUNIT_ASSERT(made != other);
            CPPUNIT_ASSERT_EQUAL(given.size(), made.size());
        }
    }

    void knows_requests_that_nginx_sent_again() {
        CPPUNIT_ASSERT(Environment({"DATA_IMPORT_SENT_AGAIN=1"}).head().is_sent_again);
        CPPUNIT_ASSERT(!Environment({"DATA_IMPORT_SENT_AGAIN="}).head().is_sent_again);
        CPPUNIT_ASSERT(!Environment({"HTTP_DATA_IMPORT_SENT_AGAIN=1"}).head().is_sent_again);
    }

    void takes_the_name_of_a_person_from_nginx_alone() {
        Environment signed_in({"HTTP_DATA_IMPORT_OPERATOR=root", "DATA_IMPORT_OPERATOR=jane", "HTTP_HOST=a:1",
                               "HTTP_ORIGIN=https://a:1", "HTTP_SEC_FETCH_SITE=same-origin"});
        const http::Person person = fastcgi::read_person(signed_in.parameters());
        CPPUNIT_ASSERT_EQUAL("jane"s, person.name);
        CPPUNIT_ASSERT_EQUAL("a:1"s, person.host);
        CPPUNIT_ASSERT_EQUAL("https://a:1"s, person.origin);
        CPPUNIT_ASSERT_EQUAL("same-origin"s, person.fetch_site);
        CPPUNIT_ASSERT(!signed_in.head().person);
        Environment forged({"HTTP_DATA_IMPORT_OPERATOR=jane", "HTTP_SEC_FETCH_SITE=same-origin",
                            "HTTP_SEC_FETCH_SITE=cross-site"});
        CPPUNIT_ASSERT_EQUAL(""s, fastcgi::read_person(forged.parameters()).name);
        CPPUNIT_ASSERT_EQUAL("same-origin, cross-site"s,
                             fastcgi::read_person(forged.parameters()).fetch_site);
        Environment twice({"DATA_IMPORT_OPERATOR=jane", "DATA_IMPORT_OPERATOR=root"});
        CPPUNIT_ASSERT_EQUAL(""s, fastcgi::read_person(twice.parameters()).name);
    }

    static void add_lengths(TestSuiteBuilderContextType& context) {
        for (const Length& row : lengths) {
            const std::string name = row.parameters.empty() ? "no CONTENT_LENGTH" : row.parameters.front();
            add_row(context, name, [row] {
                CPPUNIT_ASSERT(row.expected ==
                               fastcgi::content_length(Environment(row.parameters).parameters()));
            });
        }
    }

    void writes_an_answer() {
        CPPUNIT_ASSERT_EQUAL("Status: 201 Created\r\nContent-Type: application/json\r\nA: b\r\n"s,
                             fastcgi::format_head(201, "application/json", {{"A", "b"}}));
        CPPUNIT_ASSERT_EQUAL("Status: 204 No Content\r\n"s, fastcgi::format_head(204, "", {}));
        CPPUNIT_ASSERT_EQUAL("Status: 299 Other\r\n"s, fastcgi::format_head(299, "", {}));
    }

    void lets_no_line_break_into_an_answer() {
        for (const std::string& text : {"a\r"s, "a\nb"s, "a\0b"s}) {
            std::string head;
            CPPUNIT_ASSERT_THROW(fastcgi::append_header(head, "A", text), std::logic_error);
            CPPUNIT_ASSERT_THROW(fastcgi::append_header(head, text, "a"), std::logic_error);
            CPPUNIT_ASSERT_EQUAL(""s, head);
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(HeadsTest);

}  // namespace data_import::tests
