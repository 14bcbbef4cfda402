// The checks of a soak run: its verdict and its list of documented answers tell right from wrong.
#include <cppunit/extensions/HelperMacros.h>

#include "../soak/contract.h"
#include "../soak/verdict.h"
#include "../table.h"

namespace data_import::tests {

namespace {

using soak::Entry;
using soak::State;
using soak::Stored;
using soak::Verdict;

const soak::Place here{"NORTH", "NORTH-00001"};
const soak::Place elsewhere{"NORTH", "NORTH-00002"};

/// An import of three records with two details each: its state, the stored rows, and the expected finding.
struct StoredCase {
    const char* name;
    State state;
    std::vector<Stored> stored;
    std::vector<std::string> Verdict::*finding;
};

const std::vector<StoredCase>& stored_cases() {
    static const std::vector<StoredCase> cases = {
        {"acknowledged and there", State::acknowledged, {{here, 3, 3, 6}}, nullptr},
        {"acknowledged and not there", State::acknowledged, {}, &Verdict::missing},
        {"acknowledged and partly there", State::acknowledged, {{here, 2, 2, 4}}, &Verdict::half},
        {"acknowledged and without a detail", State::acknowledged, {{here, 3, 3, 5}}, &Verdict::half},
        {"acknowledged and twice there", State::acknowledged, {{here, 6, 3, 12}}, &Verdict::doubled},
        {"acknowledged with one record twice", State::acknowledged, {{here, 4, 3, 8}}, &Verdict::doubled},
        {"acknowledged and at another account",
         State::acknowledged,
         {{elsewhere, 3, 3, 6}},
         &Verdict::unwanted},
        {"acknowledged and at another account, too",
         State::acknowledged,
         {{here, 3, 3, 6}, {elsewhere, 3, 3, 6}},
         &Verdict::unwanted},
        {"unknown and there", State::unknown, {{here, 3, 3, 6}}, nullptr},
        {"unknown and not there", State::unknown, {}, nullptr},
        {"unknown and partly there", State::unknown, {{here, 1, 1, 2}}, &Verdict::half},
        {"unknown and twice there", State::unknown, {{here, 6, 3, 12}}, &Verdict::doubled},
        {"refused and not there", State::refused, {}, nullptr},
        {"refused and there", State::refused, {{here, 3, 3, 6}}, &Verdict::unwanted},
        {"never acknowledged", State::open, {}, &Verdict::open},
        {"never acknowledged and there", State::open, {{here, 3, 3, 6}}, &Verdict::open},
    };
    return cases;
}

constexpr auto findings = {&Verdict::missing,  &Verdict::doubled, &Verdict::half,
                           &Verdict::unwanted, &Verdict::open,    &Verdict::wrong_figures};

void check_stored(const StoredCase& test) {
    Verdict verdict;
    soak::compare(Entry{.id = "soak-000-1", .place = here, .records = 3, .details = 6, .state = test.state},
                  test.stored, verdict);
    for (const auto finding : findings)
        CPPUNIT_ASSERT_EQUAL(finding == test.finding ? 1UL : 0UL, (verdict.*finding).size());
}

constexpr const char* document = R"({"paths": {
    "/notes/{supplier}/": {"post": {"responses": {
        "201": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Notes"}}}},
        "400": {"content": {"application/json": {"schema": {"anyOf": [
            {"$ref": "#/components/schemas/Failing"}, {"$ref": "#/components/schemas/Notes"}]}}}},
        "500": {"$ref": "#/components/responses/Broken"}}}}},
    "components": {
        "responses": {"Broken": {"content": {"application/json": {"schema": {
            "$ref": "#/components/schemas/Failing", "properties": {"code": {"enum": ["error"]}}}}}}},
        "schemas": {"Notes": {"type": "array"}, "Failing": {"properties": {"code": {"enum": ["parse_error", "error"]}}}}}})";

struct AnswerCase {
    const char* name;
    int status;
    const char* body;
    bool is_documented;
    const char* target = "/notes/A/?x=true";
};

const std::vector<AnswerCase>& answer_cases() {
    static const std::vector<AnswerCase> cases = {
        {"a success", 201, "[]", true},
        {"a success with another status", 200, "[]", false},
        {"another path", 201, "[]", false, "/other/A/"},
        {"a longer path", 201, "[]", false, "/notes/A/B/"},
        {"a refusal", 400, R"({"detail": "x", "code": "parse_error", "errors": []})", true},
        {"a refusal with another code", 400, R"({"detail": "x", "code": "validation_error", "errors": []})",
         false},
        {"a refusal with another status", 413,
         R"({"detail": "x", "code": "payload_too_large", "errors": []})", false},
        {"a refusal of another shape", 400, R"({"code": "parse_error"})", false},
        {"an unknown outcome", 500,
         R"({"detail": "Its outcome is unknown. Request 00000000000000000000000000000000.", "code": "error", "errors": []})",
         true},
        {"an unknown outcome of no request", 500,
         R"({"detail": "Its outcome is unknown.", "code": "error", "errors": []})", false},
        {"an unexpected failure", 500,
         R"({"detail": "Oh. Request 00000000000000000000000000000000.", "code": "error", "errors": []})",
         false},
    };
    return cases;
}

void check_answer(const AnswerCase& test) {
    const soak::Contract contract{std::string(document)};
    const Answer answer{
        .status = test.status,
        .headers = {{"X-Request-Id", std::string(32, '0')}, {"Content-Type", "application/json"}},
        .body = test.body,
        .complete = true};
    bool is_documented = true;
    try {
        contract.check({"POST", test.target, {}, ""}, answer);
    } catch (const std::runtime_error&) {
        is_documented = false;
    }
    CPPUNIT_ASSERT_EQUAL(test.is_documented, is_documented);
}

}  // namespace

class SoakTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(SoakTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST_SUITE_END();

    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const StoredCase& test : stored_cases())
            add_row(context, test.name, [&test] { check_stored(test); });
        for (const AnswerCase& test : answer_cases())
            add_row(context, test.name, [&test] { check_answer(test); });
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(SoakTest);

}  // namespace data_import::tests
