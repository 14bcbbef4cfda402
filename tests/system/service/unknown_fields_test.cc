// `unknown_fields = ignore`: fields of payloads are dropped, parameters of queries are not (contract,
// sections 2.2 and 2.4).
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>

#include "../../support/answer_check.h"
#include "../../support/json_match.h"
#include "../../support/load.h"
#include "../../support/playground.h"

namespace data_import::tests {

class UnknownFieldsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(UnknownFieldsTest);
    CPPUNIT_TEST(a_field_is_dropped_and_a_parameter_is_refused);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override { playground().prepare(); }

    void a_field_is_dropped_and_a_parameter_is_refused() {
        playground().configure({"access_refresh = 1", "import_workers = 6", "unknown_fields = ignore"},
                               Playground::import_workers);
        const long before = stored_notes();
        for (const std::string parameter :
             {"dry_rnu=true", "x", "dry_run=false&Dry_run=true", "%20dry_run=true"}) {
            const Answer answer = ask(*playground().stack(), note("?" + parameter));
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 400, answer.status);
            CPPUNIT_ASSERT_EQUAL(std::string("unknown_field"),
                                 parse_error_body(answer.body).errors.at(0).code);
        }
        const Answer twice = ask(*playground().stack(), note("?dry_run=false&dry_run=false"));
        CPPUNIT_ASSERT_EQUAL(std::string("invalid"), parse_error_body(twice.body).errors.at(0).code);
        const Answer line = ask(*playground().stack(), bulk_of_one("?dry_rnu=true"));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(line), 207, line.status);
        for (const std::string path : {"token/?x=1", "account-control-totals/ACME/?x=1"}) {
            const Answer answer =
                ask(*playground().stack(), get_request("/v1/data-import/" + path, playground().token()));
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 400, answer.status);
        }
        CPPUNIT_ASSERT_EQUAL(before, stored_notes());
        const Answer stored = ask(*playground().stack(), note(""));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(stored), 201, stored.status);
        CPPUNIT_ASSERT_EQUAL(before + 1, stored_notes());
    }

private:
    [[nodiscard]] static long stored_notes() {
        return playground().database().count("SELECT count(*) FROM data_import.note");
    }

    /// A body with a field that no note has.
    [[nodiscard]] static std::string payload() {
        return R"({"import_supplier":"ACME","external_account_number":")" + playground().account() +
               R"(","colour":"red","notes":[{"body":"x","colour":"red"}]})";
    }

    [[nodiscard]] static HttpRequest post(const std::string& path, const std::string& type,
                                          const std::string& body) {
        return {.method = "POST",
                .target = "/v1/data-import/" + path,
                .headers = {{"Host", "localhost"},
                            {"Content-Type", type},
                            {"Authorization", "Token " + playground().token()}},
                .body = body};
    }

    [[nodiscard]] static HttpRequest note(const std::string& query) {
        return post("notes/create/" + query, "application/json", payload());
    }

    [[nodiscard]] static HttpRequest bulk_of_one(const std::string& query) {
        return post("bulk/", "application/x-ndjson",
                    R"({"path":"/v1/data-import/notes/create/)" + query + R"(","body":)" + payload() + "}\n");
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(UnknownFieldsTest);

}  // namespace data_import::tests
