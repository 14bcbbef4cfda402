#include "openapi/service_document.h"

#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <set>

#include "api/routes.h"
#include "http/problem.h"
#include "json/reader.h"

namespace data_import::tests {

namespace {

const std::vector<http::Endpoint>& all_endpoints() {
    static const std::vector<http::Endpoint> endpoints = [] {
        api::Options options;
        options.payment.vendors.emplace_back().code = "NORDPAY";  // that of the example
        return api::endpoints(options);
    }();
    return endpoints;
}

std::set<std::string> operations_of(const json::Value& document) {
    std::set<std::string> operations;
    for (const auto& [path, item] : document.at("paths").members()) {
        for (const auto& [method, operation] : item.members())
            operations.insert(std::string(method) + ' ' + std::string(path));
    }
    return operations;
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
    return result;
}

}  // namespace

class OpenapiDocumentTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(OpenapiDocumentTest);
    CPPUNIT_TEST(has_every_endpoint);
    CPPUNIT_TEST(examples_are_valid);
    CPPUNIT_TEST(endpoints_say_what_they_answer);
    CPPUNIT_TEST_SUITE_END();

public:
    void has_every_endpoint() {
        const json::Document document = json::read(openapi::document(all_endpoints()));
        std::set<std::string> declared;
        for (const http::Endpoint& endpoint : all_endpoints())
            declared.insert(lower(endpoint.method) + ' ' + std::string(endpoint.path));
        CPPUNIT_ASSERT(declared == operations_of(document.root()));
    }

    void examples_are_valid() {
        for (const http::Endpoint& endpoint : all_endpoints()) {
            if (!endpoint.body) continue;
            const std::string path(endpoint.path);
            CPPUNIT_ASSERT_MESSAGE("no example: " + path, !endpoint.example.empty());
            const json::Document example = json::read(std::string(endpoint.example));
            const auto found = schema::check(*endpoint.body, example.root(), schema::UnknownFields::refuse);
            CPPUNIT_ASSERT_MESSAGE(
                path + ": " + (found.empty() ? "" : found[0].attr + ": " + found[0].detail), found.empty());
        }
    }

    void endpoints_say_what_they_answer() {
        for (const http::Endpoint& endpoint : all_endpoints())
            CPPUNIT_ASSERT_MESSAGE(std::string(endpoint.path), !endpoint.answers.empty());
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(OpenapiDocumentTest);

}  // namespace data_import::tests
