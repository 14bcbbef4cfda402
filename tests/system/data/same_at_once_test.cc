// Records of every import that several clients send at the same time: each is stored once, and no client
// waits for ever.
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
#include "../../support/mutation.h"
#include "../../support/world.h"
#include "../../table.h"
#include "service/api/routes.h"
#include "service/openapi/prose.h"

namespace data_import::tests {

namespace {

constexpr std::size_t clients = 16;

HttpRequest post(const std::string& path, const std::string& body) {
    return {.method = "POST",
            .target = "/v1/data-import/" + path,
            .headers = {{"Host", "localhost"},
                        {"Content-Type", "application/json"},
                        {"Authorization", "Token " + *world().shared("token")}},
            .body = body};
}

std::vector<Answer> ask_at_once(const std::function<HttpRequest(std::size_t)>& make_request) {
    return tests::ask_at_once(world().stack(), clients, make_request);
}

/// The items in order, or from the last to the first.
std::string joined(std::vector<std::string> items, bool backwards) {
    if (backwards) std::reverse(items.begin(), items.end());
    std::string text;
    for (const std::string& item : items) text += (text.empty() ? "" : ",") + item;
    return text;
}

std::string repeated(std::size_t count, bool backwards, const std::function<std::string(std::size_t)>& item) {
    std::vector<std::string> items;
    for (std::size_t number = 0; number < count; ++number) items.push_back(item(number));
    return joined(std::move(items), backwards);
}

std::string note(std::size_t number) {
    return R"({"body":"note )" + std::to_string(number) + "\"}";
}

std::string transaction(std::size_t number) {
    return R"({"transaction_id":"T-)" + std::to_string(number) +
           R"(","transaction_date":"2024-04-30","amount":1.5,"type":"CREDIT","reason":"IMPORTED_CREDIT"})";
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

std::string of_account(const std::string& account, const std::string& field, const std::string& items) {
    return R"({"import_supplier":"ACME","external_account_number":")" + account + "\",\"" + field + "\":[" +
           items + "]}";
}

std::string example(const std::string& path, const std::string& account) {
    static const std::vector<http::Endpoint> endpoints = api::endpoints({});
    const auto endpoint = std::ranges::find(endpoints, "/v1/data-import/" + path, &http::Endpoint::path);
    const std::string body = with_field(openapi::example_of(*endpoint), "import_supplier", "\"ACME\"");
    return with_field(body, "external_account_number", '"' + account + '"');
}

std::string delivery_note(const std::string& account) {
    const std::string amount =
        R"({"period_start_at":"2022-01-01T00:00:00Z","period_end_at":"2022-02-01T00:00:00Z",)"
        R"("product_identifier":"1-1:1.29.0","product_identifier_type":"SRW","quantity":"245.123000000",)"
        R"("quantity_unit":"KWH","line_item_identifier":"1"})";
    return R"({"import_supplier":"ACME","external_account_number":")" + account +
           R"(","delivery_note":{"malo_number":"50812345678","amounts":[)" +
           repeated(500, false, [&](std::size_t) { return amount; }) +
           R"(],"cancelled":false,"validation_status":true,"edifact_reference_number":"E"}})";
}

/// The data that requests are sent for: an account with an open period, and market participants.
struct Target {
    std::string account;
    std::vector<std::string> codes;
};

std::string sheets(const Target& target, bool backwards) {
    std::vector<std::string> all;
    for (const std::string& code : target.codes)
        for (std::size_t number = 0; number < 100; ++number) all.push_back(price_sheet(code, number));
    return R"({"price_sheets":[)" + joined(all, backwards) + "]}";
}

/// The number of rows that `table` must have after the requests for one Target. If `table` has the column
/// market_participant_code, rows of the Target's participants count, else rows of its account. Only rows that
/// meet the SQL condition `condition` count.
struct Stored {
    std::string table;
    long rows;
    std::string condition = "true";
};

/// Requests that all clients send at the same time for one target, and the results that they must have.
struct Row {
    std::string name;
    std::string path;
    std::function<std::string(const Target&, std::size_t client)> body;
    /// The status of the answers. If `status` is 200, which answers a repeat, exactly one answer has another
    /// status: the answer to the request that stored the data.
    int status;
    /// A text that is counted in the answers; empty: all answers must have the same body instead.
    std::string told;
    std::size_t tellings;  ///< how often the text `told` must occur in all answers together
    std::vector<Stored> stored;
    int rounds = 1;
};

const std::vector<Row> rows = {
    {"notes in opposite orders",
     "notes/create/",
     [](const Target& target, std::size_t client) {
         return of_account(target.account, "notes", repeated(1000, client % 2 == 1, note));
     },
     201,
     "NOTE_CREATION_SUCCESS",
     1000,
     {{"note", 1000}}},
    {"a note",
     "notes/create/",
     [](const Target& target, std::size_t) { return of_account(target.account, "notes", note(0)); },
     201,
     "NOTE_CREATION_SUCCESS",
     1,
     {{"note", 1}},
     10},
    {"transactions in opposite orders",
     "transactions/create/",
     [](const Target& target, std::size_t client) {
         return of_account(target.account, "transactions", repeated(500, client % 2 == 1, transaction));
     },
     201,
     "TRANSACTION_ADDED_TO_ACCOUNT",
     500,
     {{"financial_transaction", 500}, {"note", 1}}},
    {"transactions without the check",
     "transactions/create/?check_previously_added=false",
     [](const Target& target, std::size_t) {
         return of_account(target.account, "transactions", repeated(20, false, transaction));
     },
     201,
     "TRANSACTION_ADDED_TO_ACCOUNT",
     20 * clients,
     {{"financial_transaction", 20 * clients, "copy BETWEEN 1 AND 16"}}},
    {"statements in opposite orders",
     "historical-statements/create/",
     [](const Target& target, std::size_t client) {
         return of_account(
             target.account, "statements",
             repeated(1000, client % 2 == 1, [](std::size_t number) { return statement(number); }));
     },
     201,
     "\"S-7\"",
     clients,
     {{"historical_statement", 1000}}},
    {"a delivery note",
     "delivery-note/create/",
     [](const Target& target, std::size_t) { return delivery_note(target.account); },
     201,
     "",
     0,
     {{"delivery_note", 1}, {"delivery_note_amount", 500}}},
    {"an energy amount",
     "energy-amount/create/",
     [](const Target& target, std::size_t) { return example("energy-amount/create/", target.account); },
     201,
     "",
     0,
     {{"energy_amount", 1}}},
    {"an invoice",
     "market-participant-invoice/create/",
     [](const Target& target, std::size_t) {
         return example("market-participant-invoice/create/", target.account);
     },
     201,
     "",
     0,
     {{"market_participant_invoice", 1}}},
    {"a market participant under other names",
     "market-participant/import/",
     [](const Target& target, std::size_t client) {
         return participant(target.codes.back(), std::to_string(client));
     },
     200,
     "",
     0,
     {{"market_participant_contact", 2}},
     10},
    {"price sheets in opposite orders",
     "market-participant-fees/import/",
     [](const Target& target, std::size_t client) { return sheets(target, client % 2 == 1); },
     201,
     R"({"price_sheets_imported":0,"price_sheets_already_imported":300})",
     clients - 1,
     {{"article_price", 600}}},
};

std::size_t occurrences(const std::vector<Answer>& answers, const std::string& text) {
    std::size_t found = 0;
    for (const Answer& answer : answers)
        for (std::size_t place = 0; (place = answer.body.find(text, place)) != std::string::npos; ++place)
            ++found;
    return found;
}

}  // namespace

class SameAtOnceTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(SameAtOnceTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(one_of_several_statements_with_one_id_is_stored);
    CPPUNIT_TEST(price_sheets_wait_for_those_of_their_organisation_only);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) {
            tests::add_row(context, row.name, [&row] {
                for (int round = 0; round < row.rounds; ++round) check(row);
            });
        }
    }

    void one_of_several_statements_with_one_id_is_stored() {
        const Target target{world().take_account("imported"), {}};
        const auto answers = ask_at_once([&](std::size_t client) {
            const std::string sent = statement(0, R"(,"gross_amount":)" + std::to_string(client));
            return post("historical-statements/create/", of_account(target.account, "statements", sent));
        });
        long created = 0;
        for (const Answer& answer : answers) {
            if (answer.status == 201) {
                ++created;
                continue;
            }
            const ErrorBody body = parse_error_body(answer.body);
            CPPUNIT_ASSERT_EQUAL(std::string("historical_statement_already_exists"), body.errors.at(0).code);
        }
        CPPUNIT_ASSERT_EQUAL(1L, created);
        CPPUNIT_ASSERT_EQUAL(1L, rows_of(target, {"historical_statement", 1}));
    }

    void price_sheets_wait_for_those_of_their_organisation_only() {
        const std::string code = world().take_code();
        make_participant(code);
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
    static Target make_target(const Row& row) {
        Target target{world().take_account("imported"), {}};
        world().database().rows("SELECT data_import.statement_open('ACME', $1, '2024-05-01', '2024-05-31')",
                                {target.account});
        for (int count = 0; count < 3; ++count) target.codes.push_back(world().take_code());
        if (row.path.starts_with("market-participant-fees"))
            for (const std::string& code : target.codes) make_participant(code);
        return target;
    }

    static void make_participant(const std::string& code) {
        const HttpRequest request = post("market-participant/import/", participant(code, "N"));
        CPPUNIT_ASSERT_EQUAL(201, ask(world().stack(), request).status);
    }

    static void check(const Row& row) {
        const Target target = make_target(row);
        const auto answers =
            ask_at_once([&](std::size_t client) { return post(row.path, row.body(target, client)); });
        int others = 0;
        for (const Answer& answer : answers) {
            if (answer.status != row.status) ++others;
            CPPUNIT_ASSERT_MESSAGE(shown(answer).substr(0, 1000), answer.status / 100 == 2);
            if (row.told.empty()) CPPUNIT_ASSERT_EQUAL(answers.front().body, answer.body);
        }
        CPPUNIT_ASSERT_EQUAL(row.status == 200 ? 1 : 0, others);
        if (!row.told.empty()) CPPUNIT_ASSERT_EQUAL(row.tellings, occurrences(answers, row.told));
        for (const Stored& stored : row.stored)
            CPPUNIT_ASSERT_EQUAL_MESSAGE(stored.table, stored.rows, rows_of(target, stored));
    }

    static long rows_of(const Target& target, const Stored& stored) {
        const bool has_codes =
            stored.table == "article_price" || stored.table == "market_participant_contact";
        const std::string select =
            "SELECT count(*) FROM data_import." + stored.table + " WHERE " + stored.condition + " AND ";
        return has_codes
                   ? world().database().count(select + "market_participant_code IN ($1, $2, $3)",
                                              target.codes)
                   : world().database().count(select + "account_key = data_import.account_key('ACME', $1)",
                                              {target.account});
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(SameAtOnceTest);

}  // namespace data_import::tests
