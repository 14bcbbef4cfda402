// A foreign import supplier and an unknown one are answered alike, at every endpoint, byte by byte and in the
// same time.
#include <cppunit/TestCase.h>
#include <cppunit/TestSuite.h>
#include <cppunit/extensions/TestFactory.h>
#include <cppunit/extensions/TestFactoryRegistry.h>

#include <algorithm>
#include <memory>

#include "../../support/answer_check.h"
#include "../../support/json_match.h"
#include "../../support/load.h"
#include "../../support/mutation.h"
#include "../../support/timing.h"
#include "../../support/world.h"
#include "data/json/writer.h"
#include "service/api/routes.h"
#include "service/openapi/prose.h"

namespace data_import::tests {

namespace {

constexpr int pairs = 300;

const std::vector<http::Endpoint>& all_endpoints() {
    static const std::vector<http::Endpoint> endpoints = api::endpoints({});
    return endpoints;
}

/// True for headers that differ between any two answers.
bool is_own(const std::string& header) {
    return header == "X-Request-Id" || header == "x-request-id" || header == "Date";
}

HeaderList common_headers(const Answer& answer) {
    HeaderList headers = answer.headers;
    std::erase_if(headers, [](const auto& header) { return is_own(header.first); });
    return headers;
}

class ForeignSupplierTest : public CppUnit::TestCase {
public:
    explicit ForeignSupplierTest(const http::Endpoint& endpoint)
        : TestCase("foreign supplier: " + std::string(endpoint.method) + ' ' + std::string(endpoint.path)),
          endpoint_(endpoint) {}

    void runTest() override {
        World& world = tests::world();
        HttpConnection connection(world.stack().port(), world.stack().value("CA_FILE"));
        const std::string account = world.take_account("imported");
        // NONE is as long as ACME, so the requests differ only in that NONE is unknown
        const HttpRequest foreign = request("ACME", account);
        const HttpRequest unknown = request("NONE", account);
        const long before = world.stored_rows();
        check_equal(connection.ask(foreign), connection.ask(unknown));
        Durations of_foreign;
        Durations of_unknown;
        for (int pair = 0; pair < pairs; ++pair) {
            // each of the two comes first in every second pair
            const bool foreign_first = pair % 2 == 0;
            measure(connection, foreign_first ? foreign : unknown, foreign_first ? of_foreign : of_unknown);
            measure(connection, foreign_first ? unknown : foreign, foreign_first ? of_unknown : of_foreign);
        }
        CPPUNIT_ASSERT_EQUAL(before, world.stored_rows());
        check_indistinguishable(getName(), of_foreign, of_unknown);
    }

private:
    [[nodiscard]] HttpRequest request(const std::string& supplier, const std::string& account) const {
        const std::string token = *world().shared("other_token");
        if (endpoint_.supplier == http::SupplierIn::first_segment)
            return get_request(path(supplier, account), token);
        std::string body(openapi::example_of(endpoint_));
        body = with_field(body, "import_supplier", json::Writer().string(supplier).take());
        body = with_field(body, "external_account_number", json::Writer().string(account).take());
        // no installation has the vendor of the example, so the request names another one
        if (endpoint_.path.ends_with("/payment-instruction/create/"))
            body = with_field(body, "vendor", json::Writer().string("NORDPAY").take());
        HttpRequest request = get_request(std::string(endpoint_.path), token);
        request.method = "POST";
        request.headers.emplace_back("Content-Type", "application/json");
        request.body = std::move(body);
        return request;
    }

    [[nodiscard]] std::string path(const std::string& supplier, const std::string& account) const {
        std::string path(endpoint_.path);
        replace(path, "{import_supplier}", supplier);
        replace(path, "{external_account_number}", account);
        return path;
    }

    static void replace(std::string& text, const std::string& part, const std::string& value) {
        if (const std::size_t place = text.find(part); place != std::string::npos)
            text.replace(place, part.size(), value);
    }

    void check_equal(const Answer& foreign, const Answer& unknown) const {
        for (const Answer& answer : {foreign, unknown}) {
            check_any_answer(answer);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 404, answer.status);
            const bool of_account = endpoint_.supplier == http::SupplierIn::body;
            CPPUNIT_ASSERT_EQUAL(std::string(of_account ? "account_not_found" : "not_found"),
                                 parse_error_body(answer.body).code);
        }
        CPPUNIT_ASSERT_EQUAL(unknown.body, foreign.body);
        CPPUNIT_ASSERT_MESSAGE(shown(foreign) + "\nand\n" + shown(unknown),
                               common_headers(foreign) == common_headers(unknown));
    }

    static void measure(HttpConnection& connection, const HttpRequest& request, Durations& durations) {
        durations.push_back(time_of([&] { static_cast<void>(connection.ask(request)); }));
    }

    const http::Endpoint& endpoint_;
};

class ForeignSupplierSuite : public CppUnit::TestFactory {
public:
    CppUnit::Test* makeTest() override {
        auto suite = std::make_unique<CppUnit::TestSuite>("foreign supplier");
        for (const http::Endpoint& endpoint : all_endpoints()) {
            if (endpoint.supplier != http::SupplierIn::nowhere)
                suite->addTest(new ForeignSupplierTest(endpoint));
        }
        return suite.release();
    }
};

ForeignSupplierSuite suite;
const bool registered = [] {
    CppUnit::TestFactoryRegistry::getRegistry().registerFactory(&suite);
    return true;
}();

}  // namespace

}  // namespace data_import::tests
