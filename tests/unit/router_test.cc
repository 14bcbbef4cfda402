#include "http/router.h"

#include <cppunit/extensions/HelperMacros.h>

#include "http/media_type.h"

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
    std::size_t endpoint;  // index of the one that is found
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
    CPPUNIT_TEST(says_that_a_slash_is_missing);
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
        const http::Router router(sample_endpoints());
        for (const FoundCase& test : cases) {
            const http::Route route = router.find(test.method, test.path);
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

    void says_that_a_slash_is_missing() {
        CPPUNIT_ASSERT(problem({"GET", "/v1/status/ACME/1", {}}).detail.find("slash") != std::string::npos);
        CPPUNIT_ASSERT(problem({"GET", "/v1/nothing", {}}).detail.find("slash") == std::string::npos);
    }

    void names_allowed_methods() {
        const http::Problem refused = problem({"DELETE", "/v1/status/ACME/1/", {}});
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, refused.headers.size());
        CPPUNIT_ASSERT_EQUAL(std::string("Allow"), refused.headers[0].first);
        CPPUNIT_ASSERT_EQUAL(std::string("GET, HEAD, PUT"), refused.headers[0].second);
    }

    void knows_media_types() {
        for (const char* good : {"application/json", "Application/JSON", "application/json;charset=utf-8",
                                 "application/json ; charset=UTF-8", "application/json; charset=\"utf-8\"",
                                 " application/json;"}) {
            CPPUNIT_ASSERT_MESSAGE(good, http::is_json(good));
        }
        for (const char* bad : {"", "text/json", "application/jsonp", "application/json; charset=latin1",
                                "application/x-www-form-urlencoded", "application/json, text/plain",
                                "application/problem+json", "json"}) {
            CPPUNIT_ASSERT_MESSAGE(bad, !http::is_json(bad));
        }
    }

private:
    static http::Problem problem(const RefusedCase& test) {
        try {
            static_cast<void>(http::Router(sample_endpoints()).find(test.method, test.path));
        } catch (const http::Problem& refused) {
            return refused;
        }
        CPPUNIT_FAIL(std::string("found: ") + test.path);
        return {};
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(RouterTest);

}  // namespace data_import::tests
