#include "service/http/router.h"

#include <cppunit/extensions/HelperMacros.h>

#include <array>

#include "service/http/header_fields.h"

namespace data_import::tests {

namespace {

using http::Endpoint;

const std::vector<Endpoint>& sample_endpoints() {
    static const std::vector<Endpoint> endpoints = {
        {.method = "POST", .path = "/v1/notes/create/", .summary = ""},
        {.method = "GET", .path = "/v1/status/{supplier}/{number}/", .summary = ""},
        {.method = "PUT", .path = "/v1/status/{supplier}/{number}/", .summary = ""},
        {.method = "GET", .path = "/healthz", .summary = ""},
    };
    return endpoints;
}

struct FoundCase {
    const char* method;
    const char* path;
    std::size_t endpoint;  // index of the endpoint that is found
    std::vector<std::string> segments;
};

struct RefusedCase {
    const char* method;
    const char* path;
    Code code;
};

}  // namespace

class RouterTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(RouterTest);
    CPPUNIT_TEST(finds_endpoints_and_decodes_values);
    CPPUNIT_TEST(refuses_other_paths_and_methods);
    CPPUNIT_TEST(names_the_address_that_is_nearly_right);
    CPPUNIT_TEST(takes_no_longer_paths_than_addresses_can_have);
    CPPUNIT_TEST(names_allowed_methods);
    CPPUNIT_TEST(knows_media_types);
    CPPUNIT_TEST_SUITE_END();

public:
    void finds_endpoints_and_decodes_values() {
        const std::vector<FoundCase> cases = {
            {"POST", "/v1/notes/create/", 0, {}},
            {"GET", "/v1/status/ACME/1/", 1, {"ACME", "1"}},
            {"PUT", "/v1/status/ACME/1/", 2, {"ACME", "1"}},
            {"GET", "/v1/status/A%2FB/%C3%BC%20+/", 1, {"A/B", "ü +"}},
            {"GET", "/v1/status/../%2e%2E/", 1, {"..", ".."}},
            {"GET", "/healthz", 3, {}},
            {"HEAD", "/v1/status/ACME/1/", 1, {"ACME", "1"}},
        };
        for (const FoundCase& test : cases) {
            const http::Route route = http::find_route(sample_endpoints(), test.method, test.path);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(test.path,
                                         static_cast<const void*>(&sample_endpoints()[test.endpoint]),
                                         static_cast<const void*>(route.endpoint));
            CPPUNIT_ASSERT_MESSAGE(test.path, test.segments == route.segments);
        }
    }

    void refuses_other_paths_and_methods() {
        const std::vector<RefusedCase> cases = {
            {"GET", "/", Code::not_found},
            {"GET", "", Code::not_found},
            {"GET", "/v1/", Code::not_found},
            {"GET", "//v1/notes/create/", Code::not_found},
            {"POST", "/v1/notes/create", Code::not_found},
            {"POST", "/v1/notes/create//", Code::not_found},
            {"POST", "/v1/notes%2Fcreate/", Code::not_found},
            {"POST", "/V1/notes/create/", Code::not_found},
            {"GET", "/healthz/", Code::not_found},
            {"GET", "/v1/status/ACME/", Code::not_found},
            {"GET", "/v1/status//1/", Code::not_found},
            {"GET", "/v1/status/ACME//", Code::not_found},
            {"GET", "/v1/status/ACME/1/2/", Code::not_found},
            {"GET", "/v1/notes/create/", Code::method_not_allowed},
            {"post", "/v1/notes/create/", Code::method_not_allowed},
            {"HEAD", "/v1/notes/create/", Code::method_not_allowed},
            {"", "/healthz", Code::method_not_allowed},
            {"GET", "/v1/status/ACME/%zz/", Code::bad_request},
            {"GET", "/v1/status/ACME/%f/", Code::bad_request},
            {"GET", "/v1/status/ACME/%00/", Code::bad_request},
            {"GET", "/v1/status/%FF/1/", Code::bad_request},
        };
        for (const RefusedCase& test : cases) {
            const std::string name = std::string(test.method) + ' ' + test.path;
            CPPUNIT_ASSERT_EQUAL_MESSAGE(name, codes::row_of(test.code).name,
                                         codes::row_of(problem(test).code).name);
        }
    }

    void names_the_address_that_is_nearly_right() {
        const std::string notes = "/v1/notes/create/";
        const std::string status = "/v1/status/{supplier}/{number}/";
        // A row has a path that no endpoint has, a text that the answer's `detail` contains about the fault
        // of this path, and the suggested address, with which `detail` ends. If no address is similar to the
        // path, the row has two empty texts, and the answer has no `detail`.
        const std::vector<std::array<std::string, 3>> rows = {
            {"//v1/notes/create/", "two slashes", notes},
            {"/v1//notes/create/", "two slashes", notes},
            {"/v1/notes/create//", "two slashes", notes},
            {"/V1/Notes/create/", "capital letters", notes},
            {"/v1/notes/create", "last slash is missing", notes},
            {"//v1/NOTES/create", "two slashes in a row, it has capital letters, its last slash is missing",
             notes},
            {"/healthz/", "ends with a slash", "/healthz"},
            {"/Healthz//", "two slashes in a row, it has capital letters, it ends with a slash", "/healthz"},
            {"/v1/status/ACME/1", "last slash is missing", status},
            {"/v1/status//ACME/1/", "two slashes", status},
            {"/v1/STATUS/ACME/1/", "capital letters", status},
            {"/v1/status/ACME//", "{number} is empty", status},
            {"/v1/status//1/", "{supplier} is empty", status},
            {"/v1/note/create/", "There is nothing at this path. Did you mean", notes + "?"},
            {"/v1/notes/craete/", "Did you mean", notes + "?"},
            {"/v1/nothing/ACME/1/", "", ""},
            {"/v1/v1/notes/create/", "it begins with /v1 twice", "."},
            {"/v1/statsu/ACME/1/", "Did you mean", status + "?"},
            {"/v1/bills/create/", "", ""},
            {"/v1/nothing", "", ""},
            {"/v1/notes/create/more/", "", ""},
            {"/", "", ""},
            {"", "", ""},
            {"//", "", ""},
        };
        for (const auto& [path, cause, address] : rows) {
            const std::string detail = problem({"GET", path.c_str(), {}}).detail;
            CPPUNIT_ASSERT_EQUAL_MESSAGE(path, address.empty(), detail.empty());
            CPPUNIT_ASSERT_MESSAGE(detail, detail.find(cause) != std::string::npos);
            CPPUNIT_ASSERT_MESSAGE(detail, detail.ends_with(address));
        }
    }

    void takes_no_longer_paths_than_addresses_can_have() {
        std::string face;
        for (int count = 0; count < 128; ++count) face += "%F0%9F%98%80";
        const std::string longest = "/v1/status/" + face + '/' + face + '/';
        CPPUNIT_ASSERT_EQUAL(std::size_t{512},
                             http::find_route(sample_endpoints(), "GET", longest).segments[1].size());
        for (const std::string& path :
             {"/" + std::string(15'000, '/'), "/v1/status/" + std::string(15'000, 'x'),
              "/v1/status/ACME/" + std::string(15'000, '%') + '/'}) {
            const http::Problem refused = problem({"GET", path.c_str(), {}});
            CPPUNIT_ASSERT(refused.code == Code::not_found);
            CPPUNIT_ASSERT(refused.detail.ends_with("it is longer than every address."));
        }
    }

    void names_allowed_methods() {
        const http::Problem refused = problem({"DELETE", "/v1/status/ACME/1/", {}});
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, refused.headers.size());
        CPPUNIT_ASSERT_EQUAL(std::string("Allow"), refused.headers[0].first);
        CPPUNIT_ASSERT_EQUAL(std::string("GET, HEAD, PUT"), refused.headers[0].second);
    }

    void knows_media_types() {
        for (const char* good :
             {"application/json", "Application/JSON", "application/json;charset=utf-8",
              "application/json ; charset=UTF-8", "application/json; charset=\"utf-8\"", " application/json;",
              "application/json; charset=utf8", "application/json;charset=utf-8;",
              "application/json;odata.metadata=minimal", "application/json; charset = utf-8",
              "application/json; charset=latin1", "application/json;;"}) {
            CPPUNIT_ASSERT_MESSAGE(good, http::has_media_type(good, "application/json"));
        }
        for (const char* bad : {"", "text/json", "application/jsonp", ";", "; application/json",
                                "application/x-www-form-urlencoded", "application/json, text/plain",
                                "application/problem+json", "json"}) {
            CPPUNIT_ASSERT_MESSAGE(bad, !http::has_media_type(bad, "application/json"));
        }
        for (const char* good : {"application/x-ndjson", "Application/X-NDJSON; charset = utf8;"})
            CPPUNIT_ASSERT_MESSAGE(good, http::has_media_type(good, "application/x-ndjson"));
        for (const char* bad :
             {"", "application/json", "application/ndjson", "text/plain; application/x-ndjson"})
            CPPUNIT_ASSERT_MESSAGE(bad, !http::has_media_type(bad, "application/x-ndjson"));
    }

private:
    static http::Problem problem(const RefusedCase& test) {
        try {
            static_cast<void>(http::find_route(sample_endpoints(), test.method, test.path));
        } catch (const http::Problem& refused) {
            return refused;
        }
        CPPUNIT_FAIL(std::string("found: ") + test.path);
        return {};
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(RouterTest);

}  // namespace data_import::tests
