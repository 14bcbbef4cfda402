// One CppUnit test per endpoint that takes a payload, made from its declaration alone. The endpoint accepts
// its example. It refuses each copy of the example that is broken in one place, names the right code and
// place, and stores nothing.
#include <cppunit/TestCase.h>
#include <cppunit/TestSuite.h>
#include <cppunit/extensions/TestFactory.h>
#include <cppunit/extensions/TestFactoryRegistry.h>

#include <Poco/Exception.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "../support/answer_check.h"
#include "../support/answer_record.h"
#include "../support/json_match.h"
#include "../support/mutation.h"
#include "../support/world.h"
#include "data/json/reader.h"
#include "data/json/writer.h"
#include "service/api/routes.h"
#include "service/http/idempotency_key.h"
#include "service/openapi/prose.h"

namespace data_import::tests {

namespace {

constexpr std::size_t shown_failures = 10;

const std::vector<http::Endpoint>& all_endpoints() {
    static const std::vector<http::Endpoint> endpoints = api::endpoints({});
    return endpoints;
}

std::string json_string(const std::string& text) {
    return json::Writer().string(text).take();
}

/// A connection that is made anew when the server has closed it.
class Client {
public:
    explicit Client(World& world) : world_(world) {}

    Answer post(std::string_view path, const std::string& body, const HeaderList& further = {}) {
        return send("POST", path, body, further);
    }

    Answer send(std::string_view method, std::string_view path, const std::string& body,
                const HeaderList& further = {}) {
        HttpRequest request{std::string(method),
                            std::string(path),
                            {{"Host", "localhost"},
                             {"Authorization", "Token " + *world_.shared("token")},
                             {"Content-Type", "application/json"}},
                            body};
        request.headers.insert(request.headers.end(), further.begin(), further.end());
        Answer answer = connection().ask(request);
        if (answer.status == 0) {
            connection_.reset();
            answer = connection().ask(request);
        }
        if (answer.header("Connection") == "close") connection_.reset();
        check_any_answer(answer);
        record_answer(request, answer);
        return answer;
    }

private:
    HttpConnection& connection() {
        if (!connection_) {
            connection_ =
                std::make_unique<HttpConnection>(world_.stack().port(), world_.stack().value("CA_FILE"));
        }
        return *connection_;
    }

    World& world_;
    std::unique_ptr<HttpConnection> connection_;
};

class WalkTest : public CppUnit::TestCase {
public:
    explicit WalkTest(const http::Endpoint& endpoint)
        : TestCase("walk: " + std::string(endpoint.path)),
          endpoint_(endpoint),
          path_(with_supplier(endpoint.path)) {}

    void runTest() override {
        try {
            run();
        } catch (const Poco::Exception& reason) {
            CPPUNIT_FAIL(reason.displayText());
        } catch (const std::runtime_error& reason) {
            CPPUNIT_FAIL(reason.what());
        }
    }

private:
    void run() {
        World& world = tests::world();
        Client client(world);
        const std::string example = own_example(world);
        prepare(world, client, example);
        const long before = world.stored_rows();
        each_mutation(*endpoint_.body, example, [&](const Mutation& mutation) { refuse(client, mutation); });
        CPPUNIT_ASSERT_MESSAGE(failures_text(), failures_.empty());
        CPPUNIT_ASSERT_EQUAL_MESSAGE("rows after refusals", before, world.stored_rows());
        if (http::takes_idempotency_key(endpoint_)) {
            accept_under_one_key(world, client, example);
        } else {
            accept(client, example);
        }
        CPPUNIT_ASSERT_MESSAGE("the example has stored nothing",
                               world.stored_rows() > before || !endpoint_.needs_token);
        accept(client, example);
    }

    static std::string with_supplier(std::string_view path) {
        static const std::string parameter = "{import_supplier}";
        std::string filled(path);
        const std::size_t place = filled.find(parameter);
        return place == std::string::npos ? filled : filled.replace(place, parameter.size(), "ACME");
    }

    Answer send(Client& client, const std::string& body, const HeaderList& further = {}) const {
        return client.send(endpoint_.method, path_, body, further);
    }

    /// A payload sent twice under one Idempotency-Key gets the same answer twice and is stored once.
    void accept_under_one_key(World& world, Client& client, const std::string& example) const {
        const HeaderList key = {{"Idempotency-Key", world.take_fresh()}};
        const Answer first = send(client, example, key);
        CPPUNIT_ASSERT_MESSAGE(shown(first), first.status == 200 || first.status == 201);
        const long stored = world.stored_rows();
        const Answer again = send(client, example, key);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(again), first.status, again.status);
        CPPUNIT_ASSERT_EQUAL(first.body, again.body);
        CPPUNIT_ASSERT(again.header("Idempotency-Replayed") == "true");
        CPPUNIT_ASSERT_EQUAL(stored, world.stored_rows());
    }

    /// Returns the example of a request to the endpoint. If the example names a supplier and an account,
    /// these are replaced by ACME and by an account that no other test uses.
    std::string own_example(World& world) {
        std::string example(openapi::example_of(endpoint_));
        if (endpoint_.supplier != http::SupplierIn::body) return example;
        account_ = world.take_account("imported");
        example = with_field(example, "import_supplier", json_string("ACME"));
        return with_field(example, "external_account_number", json_string(account_));
    }

    /// Creates everything that the example needs to be accepted.
    void prepare(World& world, Client& client, const std::string& example) const {
        if (endpoint_.path.ends_with("/transactions/create/"))
            run_ctl(world.stack(), "statement open ACME " + account_ + " 2000-01-01:2099-12-31");
        if (endpoint_.path.ends_with("/market-participant-fees/import/")) make_participants(client, example);
    }

    static void make_participants(Client& client, const std::string& fees) {
        const auto endpoint = std::ranges::find_if(all_endpoints(), [](const http::Endpoint& one) {
            return one.path.ends_with("/market-participant/import/");
        });
        const json::Document document = json::read(fees);
        for (const json::Value sheet : document.root().at("price_sheets").items()) {
            const std::string code(sheet.at("market_participant_code").text());
            static_cast<void>(
                client.post(endpoint->path, with_field(openapi::example_of(*endpoint), "code", code)));
        }
    }

    void refuse(Client& client, const Mutation& mutation) {
        const Answer answer = send(client, mutation.body);
        if (!is_refused(answer, mutation)) {
            failures_.push_back(mutation.attr + ' ' + mutation.code + ": " + mutation.body.substr(0, 400) +
                                "\n    answered " + shown(answer));
        }
    }

    /// True if the answer names the mutation's fault and no other fault. Violations of the endpoint's own
    /// rules are allowed, because the samples that were added to the example may break these rules.
    bool is_refused(const Answer& answer, const Mutation& mutation) const {
        if (answer.status != 400) return false;
        const ErrorBody body = parse_error_body(answer.body);
        bool found = false;
        bool others = false;
        for (const ErrorItem& item : body.errors) {
            const bool wanted = item.attr == mutation.attr && item.code == mutation.code;
            found |= wanted;
            others |= !wanted && !is_rule(item.code);
        }
        return body.code == "validation_error" && found && !others;
    }

    bool is_rule(const std::string& code) const {
        return code == "duplicate" ||
               std::ranges::find(endpoint_.rule_codes, code, codes::name_of) != endpoint_.rule_codes.end();
    }

    void accept(Client& client, const std::string& example) const {
        const Answer answer = send(client, example);
        CPPUNIT_ASSERT_MESSAGE(shown(answer), answer.status == 200 || answer.status == 201);
    }

    std::string failures_text() const {
        std::string text = std::to_string(failures_.size()) + " are not refused as they should be";
        for (std::size_t index = 0; index < std::min(failures_.size(), shown_failures); ++index)
            text += '\n' + failures_[index];
        return text;
    }

    const http::Endpoint& endpoint_;
    std::string path_;  ///< the path of requests, with the supplier filled in
    std::string account_;
    std::vector<std::string> failures_;
};

class WalkSuite : public CppUnit::TestFactory {
public:
    CppUnit::Test* makeTest() override {
        auto suite = std::make_unique<CppUnit::TestSuite>("walk");
        for (const http::Endpoint& endpoint : all_endpoints()) {
            // An endpoint of bulk requests (takes_lines) is left out, because each line of a bulk request is
            // an import, which is tested at the endpoint for this import.
            if (endpoint.body && !endpoint.takes_lines && !openapi::example_of(endpoint).empty())
                suite->addTest(new WalkTest(endpoint));
        }
        return suite.release();
    }
};

WalkSuite suite;
const bool registered = [] {
    CppUnit::TestFactoryRegistry::getRegistry().registerFactory(&suite);
    return true;
}();

}  // namespace

}  // namespace data_import::tests
