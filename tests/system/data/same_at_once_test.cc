// Statements, market participants and price sheets that several clients send at the same time: each is stored
// once, and no client waits for ever.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <string>
#include <vector>

#include "../../support/answer_check.h"
#include "../../support/at_once.h"
#include "../../support/json_match.h"
#include "../../support/load.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

constexpr std::size_t clients = 16;

HttpRequest post(const std::string& path, const std::string& body) {
    return {.method = "POST",
            .target = "/v1/data-import/" + path,
            .headers = {{"Host", "localhost"},
                        {"Content-Type", "application/json"},
                        {"Authorization", "Token " + *World::of_shared_stack().shared("token")}},
            .body = body};
}

std::vector<Answer> ask_at_once(const std::function<HttpRequest(std::size_t)>& make_request) {
    return tests::ask_at_once(World::of_shared_stack().stack(), clients, make_request);
}

long with_status(const std::vector<Answer>& answers, int status) {
    return std::count_if(answers.begin(), answers.end(),
                         [&](const Answer& answer) { return answer.status == status; });
}

void all_have_status(const std::vector<Answer>& answers, int status) {
    for (const Answer& answer : answers)
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer).substr(0, 1000), status, answer.status);
}

std::string statement(std::size_t number, const std::string& more = "") {
    return R"({"statement_id":"S-)" + std::to_string(number) +
           R"(","bill_period_from_date":"2023-01-01","bill_period_to_date":"2023-01-31")" + more + '}';
}

std::string participant(const std::string& code, const std::string& name) {
    return R"({"code":)" + code + R"(,"code_type":"BDEW","name":")" + name +
           R"(","role":"R","energy":"E","contact_details":[{"category":"A"},{"category":"B"}]})";
}

std::string price_sheet(const std::string& code, std::size_t number) {
    return R"({"market_participant_code":)" + code +
           R"(,"price_sheet_type":"Z","document_number":"1","active_from":"2024-01-01T00:00:00Z","external_id":"E-)" +
           std::to_string(number) +
           R"(","article_prices":[{"article_id":"a","price_cents":"1.2500"},{"article_id":"b","price_cents":2}]})";
}

/// The items in order, or from the last to the first.
std::string joined(std::vector<std::string> items, bool backwards) {
    if (backwards) std::reverse(items.begin(), items.end());
    std::string text;
    for (const std::string& item : items) text += (text.empty() ? "" : ",") + item;
    return text;
}

}  // namespace

class SameAtOnceTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(SameAtOnceTest);
    CPPUNIT_TEST(statements_are_stored_once);
    CPPUNIT_TEST(one_of_several_statements_with_one_id_is_stored);
    CPPUNIT_TEST(a_market_participant_is_created_once);
    CPPUNIT_TEST(price_sheets_are_stored_once_in_any_order);
    CPPUNIT_TEST(price_sheets_wait_for_those_of_their_organisation_only);
    CPPUNIT_TEST_SUITE_END();

public:
    void statements_are_stored_once() {
        const std::string account = world().take_account("imported");
        std::vector<std::string> statements;
        for (std::size_t number = 0; number < 1000; ++number) statements.push_back(statement(number));
        all_have_status(ask_at_once([&](std::size_t client) {
                            return statements_request(account, joined(statements, client % 2 == 1));
                        }),
                        201);
        CPPUNIT_ASSERT_EQUAL(1000L, statements_of(account));
    }

    void one_of_several_statements_with_one_id_is_stored() {
        const std::string account = world().take_account("imported");
        const auto answers = ask_at_once([&](std::size_t client) {
            return statements_request(account, statement(0, R"(,"gross_amount":)" + std::to_string(client)));
        });
        CPPUNIT_ASSERT_EQUAL(1L, with_status(answers, 201));
        for (const Answer& answer : answers) {
            if (answer.status == 201) continue;
            const ErrorBody body = parse_error_body(answer.body);
            CPPUNIT_ASSERT_EQUAL(std::string("historical_statement_already_exists"), body.errors.at(0).code);
        }
        CPPUNIT_ASSERT_EQUAL(1L, statements_of(account));
    }

    void a_market_participant_is_created_once() {
        for (int round = 0; round < 10; ++round) {
            const std::string code = world().take_code();
            const auto answers = ask_at_once([&](std::size_t client) {
                return post("market-participant/import/", participant(code, std::to_string(client)));
            });
            CPPUNIT_ASSERT_EQUAL(1L, with_status(answers, 201));
            CPPUNIT_ASSERT_EQUAL(static_cast<long>(clients) - 1, with_status(answers, 200));
            for (const Answer& answer : answers) CPPUNIT_ASSERT_EQUAL(answers.front().body, answer.body);
            CPPUNIT_ASSERT_EQUAL(
                2L, world().database().count("SELECT count(*) FROM data_import.market_participant_contact "
                                             "WHERE market_participant_code = $1",
                                             {code}));
        }
    }

    void price_sheets_are_stored_once_in_any_order() {
        const std::vector<std::string> codes = {world().take_code(), world().take_code(),
                                                world().take_code()};
        std::vector<std::string> sheets;
        for (const std::string& code : codes) {
            CPPUNIT_ASSERT_EQUAL(
                201, ask(world().stack(), post("market-participant/import/", participant(code, "N"))).status);
            for (std::size_t number = 0; number < 100; ++number) sheets.push_back(price_sheet(code, number));
        }
        const auto answers = ask_at_once([&](std::size_t client) {
            return post("market-participant-fees/import/",
                        R"({"price_sheets":[)" + joined(sheets, client % 2 == 1) + "]}");
        });
        all_have_status(answers, 201);
        const std::string first = R"({"price_sheets_imported":300,"price_sheets_already_imported":0})";
        const std::string later = R"({"price_sheets_imported":0,"price_sheets_already_imported":300})";
        CPPUNIT_ASSERT_EQUAL(1L, with_body(answers, first));
        CPPUNIT_ASSERT_EQUAL(static_cast<long>(clients) - 1, with_body(answers, later));
        CPPUNIT_ASSERT_EQUAL(600L, prices_of(codes));
    }

    void price_sheets_wait_for_those_of_their_organisation_only() {
        const std::string code = world().take_code();
        CPPUNIT_ASSERT_EQUAL(
            201, ask(world().stack(), post("market-participant/import/", participant(code, "N"))).status);
        const std::string organisation = world().take_fresh();
        AdminSession holder(world().stack().value("DATABASE_URL"));
        holder.rows("BEGIN");
        holder.rows("SELECT data_import.lock_price_sheets($1)", {organisation});
        const auto sheet = [&](const std::string& of, const std::string& query) {
            HttpRequest request = post("market-participant-fees/import/" + query,
                                       R"({"price_sheets":[)" + price_sheet(code, 1) + "]}");
            request.headers.back().second = "Token " + token_for(world().stack(), of, "ACME");
            return request;
        };
        const Answer others = ask(world().stack(), sheet(organisation + "-other", ""));
        const auto ask_later = [&](const std::string& query) {
            return std::async(std::launch::async,
                              [&, query] { return ask(world().stack(), sheet(organisation, query)).status; });
        };
        auto dry_run = ask_later("?dry_run=true");
        auto waiting = ask_later("");
        CPPUNIT_ASSERT(waiting.wait_for(std::chrono::seconds(1)) == std::future_status::timeout);
        CPPUNIT_ASSERT(dry_run.wait_for(std::chrono::seconds(0)) == std::future_status::timeout);
        holder.rows("COMMIT");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(others), 201, others.status);
        CPPUNIT_ASSERT_EQUAL(201, waiting.get());
        CPPUNIT_ASSERT_EQUAL(200, dry_run.get());
    }

private:
    static World& world() { return World::of_shared_stack(); }

    static HttpRequest statements_request(const std::string& account, const std::string& statements) {
        return post("historical-statements/create/",
                    R"({"import_supplier":"ACME","external_account_number":")" + account +
                        R"(","statements":[)" + statements + "]}");
    }

    static long statements_of(const std::string& account) {
        return world().database().count(
            "SELECT count(*) FROM data_import.historical_statement "
            "WHERE account_key = data_import.account_key('ACME', $1)",
            {account});
    }

    static long prices_of(const std::vector<std::string>& codes) {
        return world().database().count(
            "SELECT count(*) FROM data_import.article_price WHERE market_participant_code IN ($1, $2, $3)",
            codes);
    }

    static long with_body(const std::vector<Answer>& answers, const std::string& body) {
        return std::count_if(answers.begin(), answers.end(),
                             [&](const Answer& answer) { return answer.body == body; });
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(SameAtOnceTest);

}  // namespace data_import::tests
