// Tests the entries of the import log. The entries take bounded memory. The path of a field in an entry
// contains no name that a client chose. Each code has a sentence that says what the code means.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "../../table.h"
#include "data/json/reader.h"
#include "data/schema/declared.h"
#include "data/store/import.h"
#include "service/api/endpoints.h"
#include "service/http/refusal_log.h"
#include "tools/ctl/migration.h"
#include "tools/ctl/refusals.h"

namespace data_import {

namespace {

struct Place {
    std::string attr;
    std::string declared;
};

const std::vector<Place> places = {
    {"", ""},
    {"notes", "notes"},
    {"notes.0", "notes.N"},
    {"notes.17.body", "notes.N.body"},
    {"notes.17.document_paths.3.document_path", "notes.N.document_paths.N.document_path"},
    {"notes.17.secret", "notes.N"},
    {"notes.secret", "notes"},
    {"notes.17.body.secret", "notes.N.body"},
    {"secret", ""},
    {"secret.notes.0", ""},
    {"notes.", "notes"},
    {".notes", ""},
    {"external_account_number", "external_account_number"},
};

const std::vector<Place> places_of_variants = {
    {"transactions.0.type", "transactions.N.type"},
    {"transactions.0.reference", "transactions.N.reference"},
    {"transactions.0.line_items.9.units.1", "transactions.N.line_items.N.units.N"},
    {"transactions.0.secret", "transactions.N"},
};

http::Problem refused(std::vector<schema::Violation> violations) {
    return http::validation_error(std::move(violations));
}

/// Calls flush(), and returns the parameters of the database call. Each parameter is an array in PostgreSQL's
/// text form, such as `{400,404}`.
std::vector<std::string> parameters_of(http::RefusalLog& log) {
    const auto call = log.flush();
    CPPUNIT_ASSERT(call.has_value());
    std::vector<std::string> texts;
    for (const auto& parameter : call->parameters) texts.push_back(parameter.value());
    return texts;
}

std::size_t kinds_in(const std::string& array) {
    return static_cast<std::size_t>(std::count(array.begin(), array.end(), ',')) + 1;
}

const std::string request_id(32, '0');

}  // namespace

class RefusalLogTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(RefusalLogTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_places);
    CPPUNIT_TEST(a_request_counts_once_for_each_kind);
    CPPUNIT_TEST(sentences_are_kept);
    CPPUNIT_TEST(names_that_clients_chose_are_left_out);
    CPPUNIT_TEST(parameters_of_the_query_are_named);
    CPPUNIT_TEST(items_that_differ_count_each);
    CPPUNIT_TEST(refusals_that_were_not_stored_come_again);
    CPPUNIT_TEST(an_entry_that_was_not_kept_comes_again_by_itself);
    CPPUNIT_TEST(kinds_are_bounded);
    CPPUNIT_TEST(a_refusal_concerns_a_supplier_in_scope);
    CPPUNIT_TEST(single_refusals_have_their_account_and_places);
    CPPUNIT_TEST(single_refusals_are_of_accounts_in_scope);
    CPPUNIT_TEST(each_key_has_a_budget);
    CPPUNIT_TEST(a_key_takes_no_room_of_others);
    CPPUNIT_TEST(single_refusals_have_ten_places);
    CPPUNIT_TEST(refused_lines_are_counted);
    CPPUNIT_TEST(numbers_that_people_cannot_read_are_left_out);
    CPPUNIT_TEST(an_account_is_named_as_the_body_has_it);
    CPPUNIT_TEST(each_code_has_a_meaning);
    CPPUNIT_TEST(the_bar_is_full_at_the_end_only);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_places(TestSuiteBuilderContextType& context) {
        static const http::Endpoint notes = api::notes_create();
        static const http::Endpoint transactions = api::transactions_create();
        for (const Place& row : places) {
            tests::add_row(context, "place \"" + row.attr + "\"", [row] {
                CPPUNIT_ASSERT_EQUAL(row.declared, schema::declared_part(*notes.body, row.attr));
            });
        }
        for (const Place& row : places_of_variants) {
            tests::add_row(context, "place \"" + row.attr + "\"", [row] {
                CPPUNIT_ASSERT_EQUAL(row.declared, schema::declared_part(*transactions.body, row.attr));
            });
        }
    }

    void a_request_counts_once_for_each_kind() {
        http::RefusalLog log;
        CPPUNIT_ASSERT(!log.flush());
        for (int request = 0; request < 3; ++request) {
            log.note(&notes_, "ACME",
                     refused({{"notes.0.body", Code::blank, "x"},
                              {"notes.1.body", Code::blank, "x"},
                              {"notes.1.is_pinned", Code::invalid, "x"}}),
                     request_id);
        }
        log.note(&notes_, "ACME", {Code::account_not_found}, request_id);
        log.note(nullptr, "", {Code::not_found}, request_id);
        const auto call = parameters_of(log);
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"",ACME,ACME,ACME})"), call.at(0));
        CPPUNIT_ASSERT_EQUAL(std::string("{404,400,400,404}"), call.at(2));
        CPPUNIT_ASSERT_EQUAL(std::string("{not_found,validation_error,validation_error,account_not_found}"),
                             call.at(3));
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"",blank,invalid,""})"), call.at(4));
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"",notes.N.body,notes.N.is_pinned,""})"), call.at(5));
        CPPUNIT_ASSERT_EQUAL(std::string("{1,3,3,1}"), call.at(6));
    }

    /// Sentences are kept on one line and with a limited length; a sentence that may quote the body is left
    /// out.
    void sentences_are_kept() {
        http::RefusalLog log;
        const http::Problem several = refused({{"notes.0.body", Code::blank, "First."},
                                               {"notes.1.body", Code::blank, "Second."},
                                               {"notes.1.is_pinned", Code::invalid, "Line 1.\nLine 2."}});
        keep(log, "ACME", R"("1")", several, 0);
        keep(log, "ACME", R"("2")", {Code::account_not_found, "It is staged."}, 0);
        keep(log, "ACME", R"("3")", {Code::parse_error, "The key \"hunter2\" is there twice."}, 0);
        log.note(nullptr, "", {Code::not_found, std::string(600, 'x')}, request_id);
        const auto call = parameters_of(log);
        CPPUNIT_ASSERT_EQUAL("{" + std::string(512, 'x') + R"(,"",First.,"Line 1. Line 2.","It is staged."})",
                             call.at(9));
        CPPUNIT_ASSERT_EQUAL(
            std::string(R"({"{First.,Second.,\"Line 1. Line 2.\"}","{\"It is staged.\"}","{\"\"}"})"),
            call.at(22));
    }

    void names_that_clients_chose_are_left_out() {
        http::RefusalLog log;
        // in the second violation, `notes.0.body` is the name of one field, not a path in the payload
        log.note(&notes_, "ACME",
                 refused({{"notes.0.password=hunter2", Code::unknown_field, "x"},
                          {"notes.0.body", Code::unknown_field, "x"},
                          {"hunter2.7.hunter2", Code::unknown_field, "x"}}),
                 request_id);
        const auto call = parameters_of(log);
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"",notes.N})"), call.at(5));
    }

    void items_that_differ_count_each() {
        http::RefusalLog log;
        for (const std::size_t items : {2U, 3U}) {
            const http::Reply reply{.status = 201, .body = "", .differing = items};
            log.note_differing(transactions_, "ACME", reply, request_id);
        }
        const auto call = parameters_of(log);
        CPPUNIT_ASSERT_EQUAL(std::string("{ACME}"), call.at(0));
        CPPUNIT_ASSERT_EQUAL(std::string("{201}"), call.at(2));
        CPPUNIT_ASSERT_EQUAL(std::string(R"({""})"), call.at(3));
        CPPUNIT_ASSERT_EQUAL(std::string("{transaction_differs}"), call.at(4));
        CPPUNIT_ASSERT_EQUAL(std::string("{5}"), call.at(6));
        CPPUNIT_ASSERT(!ctl::meaning_of("transaction_differs").empty());
    }

    void parameters_of_the_query_are_named() {
        http::RefusalLog log;
        log.note(
            &transactions_, "ACME",
            refused({{"check_previously_added", Code::invalid, "x"}, {"hunter2", Code::unknown_field, "x"}}),
            request_id);
        CPPUNIT_ASSERT_EQUAL(std::string(R"({check_previously_added,""})"), parameters_of(log).at(5));
    }

    void refusals_that_were_not_stored_come_again() {
        http::RefusalLog log;
        log.note(&notes_, "ACME", {Code::parse_error}, request_id);
        CPPUNIT_ASSERT_EQUAL(std::string("{1}"), parameters_of(log).at(6));
        log.note(&notes_, "ACME", {Code::parse_error}, request_id);
        CPPUNIT_ASSERT_EQUAL(std::string("{2}"), parameters_of(log).at(6));
        log.stored(true);
        CPPUNIT_ASSERT(!log.flush());
    }

    /// If the database did not keep the entry, the next flush returns it again, even if nothing else was
    /// refused since. The refusal is not counted again.
    void an_entry_that_was_not_kept_comes_again_by_itself() {
        http::RefusalLog log;
        keep(log, "ACME", R"("4711")", {Code::account_not_found}, 0);
        const std::string kept = parameters_of(log).at(10);
        CPPUNIT_ASSERT_EQUAL("{" + store::account_key("ACME", "4711") + "}", kept);
        log.stored(false);
        const auto call = parameters_of(log);
        CPPUNIT_ASSERT_EQUAL(std::string("{}"), call.at(6));
        CPPUNIT_ASSERT_EQUAL(kept, call.at(10));
        log.stored(true);
        CPPUNIT_ASSERT(!log.flush());
    }

    void kinds_are_bounded() {
        http::RefusalLog log;
        for (int number = 0; number < 3000; ++number)
            log.note(&notes_, "S" + std::to_string(number), {Code::parse_error}, request_id);
        const auto call = parameters_of(log);
        CPPUNIT_ASSERT(kinds_in(call.at(0)) <= http::RefusalLog::most_kinds + 1);
        CPPUNIT_ASSERT(call.at(3).find("other") != std::string::npos);
        CPPUNIT_ASSERT(call.at(6).find("2000") != std::string::npos);
    }

    void a_refusal_concerns_a_supplier_in_scope() {
        const http::Request request;
        http::Context context{.request = request};
        CPPUNIT_ASSERT_EQUAL(std::string(), of(context, "ACME"));
        context.access = std::make_shared<store::ApiKeyAccess>(
            store::ApiKeyAccess{.id = "1", .organisation = "x", .import_suppliers = {"ACME", "BETA"}});
        CPPUNIT_ASSERT_EQUAL(std::string("ACME"), of(context, "ACME"));
        CPPUNIT_ASSERT_EQUAL(std::string(), of(context, "OTHER"));
        CPPUNIT_ASSERT_EQUAL(std::string(), std::string(http::supplier_of_refusal(nullptr, context)));
        context.access = std::make_shared<store::ApiKeyAccess>(
            store::ApiKeyAccess{.id = "1", .organisation = "x", .import_suppliers = {"BETA"}});
        CPPUNIT_ASSERT_EQUAL(std::string("BETA"), of(context, "OTHER"));
        context.document.reset();
        CPPUNIT_ASSERT_EQUAL(std::string("BETA"), std::string(http::supplier_of_refusal(&notes_, context)));
    }

    /// The fields named `hunter2` are not declared by the payload's schema. The log has the place of the
    /// object with such a field, without the field's name.
    void single_refusals_have_their_account_and_places() {
        http::RefusalLog log;
        keep(log, "ACME", R"("4711")",
             refused({{"notes.17.document_paths.3.document_path", Code::invalid_document_path, "x"},
                      {"notes.17.hunter2", Code::unknown_field, "x"},
                      {"hunter2", Code::unknown_field, "x"}}),
             7);
        const auto call = parameters_of(log);
        CPPUNIT_ASSERT_EQUAL("{" + store::account_key("ACME", "4711") + "}", call.at(10));
        CPPUNIT_ASSERT_EQUAL(std::string("{ACME}"), call.at(11));
        CPPUNIT_ASSERT_EQUAL("{" + request_id + "}", call.at(12));
        CPPUNIT_ASSERT_EQUAL(std::string("{7}"), call.at(13));
        CPPUNIT_ASSERT_EQUAL(std::string("{3}"), call.at(15));
        CPPUNIT_ASSERT_EQUAL(std::string("{400}"), call.at(17));
        CPPUNIT_ASSERT_EQUAL(std::string("{validation_error}"), call.at(18));
        CPPUNIT_ASSERT_EQUAL(std::string("{3}"), call.at(19));
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"{invalid_document_path,unknown_field,unknown_field}"})"),
                             call.at(20));
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"{notes.17.document_paths.3.document_path,notes.17,\"\"}"})"),
                             call.at(21));
        log.stored(true);
        CPPUNIT_ASSERT(!log.flush());
    }

    void single_refusals_are_of_accounts_in_scope() {
        for (const auto& [supplier, number] : {std::pair("OTHER", R"("4711")"), std::pair("ACME", "4711"),
                                               std::pair("ACME", R"("")"), std::pair("ACME", "null")}) {
            http::RefusalLog log;
            keep(log, supplier, number, {Code::account_not_found}, 0);
            CPPUNIT_ASSERT_EQUAL(std::string("{}"), parameters_of(log).at(10));
        }
    }

    /// named_account() returns the account number of the body, whatever characters the number has.
    /// shown_account() returns nothing if the number has control characters, or characters that change the
    /// direction of the text.
    void an_account_is_named_as_the_body_has_it() {
        const http::Request request;
        http::Context context{.request = request};
        context.access = std::make_shared<store::ApiKeyAccess>(
            store::ApiKeyAccess{.id = "1", .organisation = "x", .import_suppliers = {"ACME"}});
        for (const char* number : {R"(47\t11)", R"(a\u0085b)", R"(a\u202eb)", "4711"}) {
            context.document = json::read(R"({"import_supplier": "ACME", "external_account_number": ")" +
                                          std::string(number) + "\"}");
            const auto account = http::named_account(&notes_, context);
            CPPUNIT_ASSERT(account.has_value());
            CPPUNIT_ASSERT_EQUAL(std::string(context.body().at("external_account_number").text()),
                                 std::string(account->external_account_number));
            CPPUNIT_ASSERT_EQUAL(std::string(number) == "4711",
                                 http::shown_account(&notes_, context).has_value());
        }
    }

    /// A key may log as many refusals at once as a bulk request can have, and then a fixed number per second.
    /// If there are more, the newest replace the oldest that are not written yet.
    void each_key_has_a_budget() {
        http::RefusalLog log;
        constexpr std::size_t more = 10;
        const http::RefusalLog::Time begin = std::chrono::steady_clock::now();
        keep_many(log, "3", http::RefusalLog::most_at_once + more, begin);
        const auto first = parameters_of(log);
        CPPUNIT_ASSERT_EQUAL(std::string("{10010}"), first.at(6));
        CPPUNIT_ASSERT_EQUAL(std::string("{10010}"), first.at(25));
        CPPUNIT_ASSERT(first.at(10).find(store::account_key("ACME", "9")) == std::string::npos);
        CPPUNIT_ASSERT(first.at(10).find(store::account_key("ACME", "10")) != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(http::RefusalLog::most_at_once, all_singles(log));
        keep_many(log, "3", more, begin);
        CPPUNIT_ASSERT_EQUAL(std::size_t{0}, all_singles(log));
        keep_many(log, "3", 1000, begin + std::chrono::seconds(2));
        CPPUNIT_ASSERT_EQUAL(2 * http::RefusalLog::kept_in_second, all_singles(log));
    }

    /// A busy key leaves room for others, in the queue and in each flush.
    void a_key_takes_no_room_of_others() {
        http::RefusalLog log;
        const http::RefusalLog::Time begin = std::chrono::steady_clock::now();
        for (const char* key : {"1", "2", "3"}) keep_many(log, key, http::RefusalLog::most_at_once, begin);
        keep(log, "ACME", R"("4711")", {Code::account_not_found}, 0, "4", begin);
        const auto call = parameters_of(log);
        CPPUNIT_ASSERT_EQUAL(http::RefusalLog::most_flushed, kinds_in(call.at(10)));
        CPPUNIT_ASSERT(call.at(10).find(store::account_key("ACME", "4711")) != std::string::npos);
        for (const char* key : {"1", "2", "3"})
            CPPUNIT_ASSERT(std::count(call.at(15).begin(), call.at(15).end(), key[0]) > 300);
        CPPUNIT_ASSERT_EQUAL(http::RefusalLog::most_waiting, all_singles(log));
    }

    void single_refusals_have_ten_places() {
        http::RefusalLog log;
        keep(log, "ACME", R"("4711")", refused({100, {"notes.0.body", Code::blank, "x"}}), 0);
        const std::string attrs = parameters_of(log).at(21);
        CPPUNIT_ASSERT_EQUAL(http::RefusalLog::most_places,
                             static_cast<std::size_t>(std::count(attrs.begin(), attrs.end(), 'y')));
    }

    /// The count includes lines without an account, and lines that are not kept.
    void refused_lines_are_counted() {
        http::RefusalLog log;
        for (std::size_t line = 1; line <= 3; ++line)
            keep(log, "ACME", line == 2 ? "null" : R"("4711")", {Code::account_not_found}, line);
        const auto call = parameters_of(log);
        CPPUNIT_ASSERT_EQUAL(std::string("{2}"), call.at(25));
        CPPUNIT_ASSERT_EQUAL("{" + request_id + "}", call.at(26));
        CPPUNIT_ASSERT_EQUAL(std::string("{3}"), call.at(27));
        CPPUNIT_ASSERT_EQUAL(std::string("{3}"), call.at(28));
        log.stored(false);
        CPPUNIT_ASSERT_EQUAL(std::string("{}"), parameters_of(log).at(28));
    }

    void numbers_that_people_cannot_read_are_left_out() {
        http::RefusalLog log;
        keep(log, "ACME", R"("47\u202e11")", {Code::account_not_found}, 0);
        keep(log, "ACME", R"("4712")", {Code::account_not_found}, 0);
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"",4712})"), parameters_of(log).at(23));
    }

    void each_code_has_a_meaning() {
        CPPUNIT_ASSERT_EQUAL(std::string("The body is not valid JSON."),
                             std::string(ctl::meaning_of("parse_error")));
        CPPUNIT_ASSERT_EQUAL(std::string("The field is missing."), std::string(ctl::meaning_of("required")));
        CPPUNIT_ASSERT(!ctl::meaning_of(store::other_refusals).empty());
        CPPUNIT_ASSERT(ctl::meaning_of("frobnicated").empty());
    }

    void the_bar_is_full_at_the_end_only() {
        CPPUNIT_ASSERT_EQUAL("[" + std::string(40, '-') + "]  0.0 %", ctl::progress_bar(0, 10'000'000));
        CPPUNIT_ASSERT_EQUAL("[" + std::string(39, '#') + "-]  99.9 %",
                             ctl::progress_bar(9'999'999, 10'000'000));
        CPPUNIT_ASSERT_EQUAL("[" + std::string(40, '#') + "]  100.0 %", ctl::progress_bar(7, 7));
    }

private:
    void keep(http::RefusalLog& log, const std::string& supplier, const std::string& number,
              const http::Problem& problem, std::size_t line, const std::string& api_key_id = "3",
              http::RefusalLog::Time now = std::chrono::steady_clock::now()) const {
        http::Request request;
        request.request_id = request_id;
        http::Context context{.request = request, .line = line};
        context.access = std::make_shared<store::ApiKeyAccess>(
            store::ApiKeyAccess{.id = api_key_id, .organisation = "x", .import_suppliers = {"ACME"}});
        context.document = json::read(R"({"import_supplier": ")" + supplier +
                                      R"(", "external_account_number": )" + number + "}");
        log.note(&notes_, supplier, problem, request_id);
        log.keep(&notes_, context, problem, now);
    }

    /// Keeps `count` refusals, each of another account. The account numbers begin at 0.
    void keep_many(http::RefusalLog& log, const std::string& api_key_id, std::size_t count,
                   http::RefusalLog::Time now) const {
        for (std::size_t number = 0; number < count; ++number)
            keep(log, "ACME", '"' + std::to_string(number) + '"', {Code::account_not_found}, 0, api_key_id,
                 now);
    }

    /// Calls flush() until it returns nothing. Returns the number of single refusals; each of them is the
    /// entry for one refused request.
    static std::size_t all_singles(http::RefusalLog& log) {
        std::size_t singles = 0;
        while (const auto call = log.flush()) {
            const std::string accounts = call->parameters.at(10).value();
            singles += accounts == "{}" ? 0 : kinds_in(accounts);
            log.stored(true);
        }
        return singles;
    }

    std::string of(http::Context& context, const std::string& named) const {
        context.document = json::read(R"({"import_supplier": ")" + named + "\"}");
        return std::string(http::supplier_of_refusal(&notes_, context));
    }

    const http::Endpoint notes_ = api::notes_create();
    const http::Endpoint transactions_ = api::transactions_create();
};

CPPUNIT_TEST_SUITE_REGISTRATION(RefusalLogTest);

}  // namespace data_import
