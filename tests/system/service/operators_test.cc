// The interface for operators on nginx's local listener. The interface shows operators the figures of all
// suppliers. Requests to the public listener are refused. Requests whose header Host names another host are
// refused, too.
#include <Poco/URI.h>
#include <cppunit/extensions/HelperMacros.h>

#include <filesystem>
#include <future>
#include <set>
#include <vector>

#include "../../runner.h"
#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/http.h"
#include "../../support/json_match.h"
#include "../../support/load.h"
#include "../../support/playground.h"
#include "../../support/processes.h"
#include "../../support/world.h"
#include "data/json/reader.h"

namespace data_import::tests {

namespace {

Answer ask_locally(const std::string& target, const std::string& host = "localhost",
                   const std::string& method = "GET") {
    HttpConnection connection(Poco::URI(world().stack().value("METRICS_URL")).getPort());
    return connection.ask({method, target, {{"Host", host}, {"Connection", "close"}}, ""});
}

Answer ask_publicly(const std::string& target) {
    HttpConnection connection(world().stack().port(), world().stack().value("CA_FILE"));
    return connection.ask({"GET", target, {{"Host", "localhost"}, {"Connection", "close"}}, ""});
}

json::Document told(const std::string& target) {
    const Answer answer = ask_locally(target);
    check_any_answer(answer);
    CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 200, answer.status);
    return json::read(answer.body);
}

/// A supplier with accounts of its own in every state.
struct OwnSupplier {
    std::string code = world().take_fresh();

    OwnSupplier() {
        run("supplier create " + code + " --name \"Own <supplier>\"");
        for (const char* number : {"1", "2", "3", "4"}) run("account stage " + code + " " + number);
        import_accounts(world().database(), code, code + "-I-", 1);
        for (const char* number : {"2", "3", "4"}) run("account begin " + code + " " + number);
        run("account fail " + code + " 4 --reason \"no such meter\"");
    }
    static void run(const std::string& arguments) { run_ctl(world().stack(), arguments); }
    [[nodiscard]] std::string imported() const { return code + "-I-00001"; }
};

/// The answer of the public interface at `address` to a token that is valid only for the supplier `own`.
json::Document told_to_supplier(const OwnSupplier& own, const std::string& address) {
    const std::string token = token_for(world().stack(), "Org " + own.code, own.code);
    HttpConnection connection(world().stack().port(), world().stack().value("CA_FILE"));
    const Answer answer =
        connection.ask({"GET",
                        "/v1/data-import/" + address,
                        {{"Host", "localhost"}, {"Connection", "close"}, {"Authorization", "Token " + token}},
                        ""});
    check_any_answer(answer);
    CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 200, answer.status);
    return json::read(answer.body);
}

std::string text_of(const json::Value& object, const char* name) {
    return std::string(object.at(name).text());
}

json::Value row_of(const json::Value& suppliers, const std::string& code) {
    for (const json::Value supplier : suppliers.items()) {
        if (supplier.at("code").text() == code) return supplier;
    }
    throw std::runtime_error("supplier " + code + " is not told");
}

json::Value of_supplier(const json::Value& rows, const std::string& code) {
    for (const json::Value row : rows.items()) {
        if (row.at("import_supplier").text() == code) return row;
    }
    throw std::runtime_error("supplier " + code + " is not told");
}

/// The sum of a curve's numbers; -1 if there is no curve of that name.
long sum_of(const json::Document& series, const std::string& name) {
    const auto counts = series.root().at("counts").find(name);
    if (!counts) return -1;
    long sum = 0;
    for (const json::Value count : counts->items()) sum += std::stol(std::string(count.text()));
    return sum;
}

/// The account numbers in the list of failed accounts, each followed by a comma.
std::string failed_numbers(const std::string& target) {
    const json::Document failed = told("/operator/failed-accounts/" + target);
    std::string numbers;
    for (const json::Value one : failed.root().at("accounts").items())
        numbers += text_of(one, "external_account_number") + ',';
    return numbers;
}

std::vector<std::string> addresses_of(const std::string& code) {
    return {"/operator/suppliers/",
            "/operator/throughput/",
            "/operator/throughput/" + code + "/",
            "/operator/refusals/" + code + "/",
            "/operator/refusal-examples/" + code + "/",
            "/operator/control-totals/" + code + "/",
            "/operator/failed-accounts/" + code + "/",
            "/operator/failure-reasons/",
            "/operator/failure-reasons/" + code + "/",
            "/operator/accounts-in-progress/" + code + "/",
            "/operator/account/" + code + "/1/",
            "/operator/records/" + code + "/1/notes/",
            "/operator/accounts-without/" + code + "/",
            "/operator/request/" + std::string(32, '7') + "/",
            "/operator/request/" + std::string(32, '7') + "/" + code + "/1/",
            "/operator/search/" + code + "/",
            "/operator/doctor/",
            "/operator/explanations/" + code + "/",
            "/operator/report/" + code + "/",
            "/operator/vendors/",
            "/operator/consumers/"};
}

}  // namespace

class OperatorsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(OperatorsTest);
    CPPUNIT_TEST(all_suppliers_are_told);
    CPPUNIT_TEST(a_pause_is_told_with_its_operator);
    CPPUNIT_TEST(control_totals_are_those_of_the_supplier);
    CPPUNIT_TEST(curves_add_up);
    CPPUNIT_TEST(refusals_are_told_with_their_kinds);
    CPPUNIT_TEST(refusals_have_a_sentence_and_accounts_as_examples);
    CPPUNIT_TEST(plans_and_acknowledgements_are_told_to_operators_only);
    CPPUNIT_TEST(accounts_that_want_somebody_are_listed);
    CPPUNIT_TEST(failures_are_told_by_reason);
    CPPUNIT_TEST(an_account_is_told_with_its_history);
    CPPUNIT_TEST(accounts_without_records_are_listed);
    CPPUNIT_TEST(a_request_is_told_by_its_id);
    CPPUNIT_TEST(explanations_are_told);
    CPPUNIT_TEST(accounts_are_found_by_both_numbers);
    CPPUNIT_TEST(records_are_shown_as_sent_and_looks_are_recorded);
    CPPUNIT_TEST(a_setting_hides_records);
    CPPUNIT_TEST(findings_of_doctor_are_told);
    CPPUNIT_TEST(codes_are_told);
    CPPUNIT_TEST(wrong_requests_are_refused_and_not_logged);
    CPPUNIT_TEST(some_workers_are_left_to_suppliers);
    CPPUNIT_TEST(clients_cannot_ask);
    CPPUNIT_TEST(pages_of_other_names_cannot_ask);
    CPPUNIT_TEST(the_page_is_there_for_both);
    CPPUNIT_TEST_SUITE_END();

public:
    void all_suppliers_are_told() {
        const OwnSupplier own;
        const json::Document document = told("/operator/suppliers/");
        const json::Value row = row_of(document.root().at("import_suppliers"), own.code);
        CPPUNIT_ASSERT_EQUAL(std::string("Own <supplier>"), text_of(row, "name"));
        CPPUNIT_ASSERT_EQUAL(std::string("Ongoing"), text_of(row, "status"));
        const json::Value accounts = row.at("accounts");
        for (const auto& [state, count] : {std::pair("staged", "1"), std::pair("in_progress", "2"),
                                           std::pair("failed", "1"), std::pair("imported", "1")})
            CPPUNIT_ASSERT_EQUAL_MESSAGE(state, std::string(count), text_of(accounts, state));
        CPPUNIT_ASSERT_EQUAL(std::string("2"),
                             text_of(row.at("oldest_in_progress"), "external_account_number"));
        CPPUNIT_ASSERT_EQUAL(std::string("0"), text_of(row, "refused_last_hour"));
        CPPUNIT_ASSERT_EQUAL(std::string("UNDECLARED"), text_of(row, "verdict"));
        CPPUNIT_ASSERT(row.at("status_by").is(json::Type::null) && row.at("signed_at").is(json::Type::null));
        const json::Document one = told("/operator/suppliers/" + own.code + "/");
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, one.root().at("import_suppliers").size());
        CPPUNIT_ASSERT_EQUAL(own.code, text_of(*one.root().at("import_suppliers").items().begin(), "code"));
        CPPUNIT_ASSERT_EQUAL(std::size_t{0},
                             told("/operator/suppliers/nobody/").root().at("import_suppliers").size());
        const json::Document own_view = told_to_supplier(own, "import-suppliers/");
        const json::Value own_row = row_of(own_view.root().at("import_suppliers"), own.code);
        CPPUNIT_ASSERT_EQUAL(std::string("2"),
                             text_of(own_row.at("oldest_in_progress"), "external_account_number"));
    }

    void control_totals_are_those_of_the_supplier() {
        const OwnSupplier own;
        const std::string token = token_for(world().stack(), "Org " + own.code, own.code);
        HttpConnection connection(world().stack().port(), world().stack().value("CA_FILE"));
        const Answer declared = connection.ask({"PUT",
                                                "/v1/data-import/control-totals/" + own.code + "/",
                                                {{"Host", "localhost"},
                                                 {"Connection", "close"},
                                                 {"Authorization", "Token " + token},
                                                 {"Content-Type", "application/json"}},
                                                R"({"accounts": 4, "kinds": {"notes": {"records": 0}}})"});
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(declared), 200, declared.status);
        const json::Document totals = told("/operator/control-totals/" + own.code + "/");
        CPPUNIT_ASSERT_EQUAL(std::string("DIFFERENT"), text_of(totals.root(), "verdict"));
        const json::Value difference = *totals.root().at("differences").items().begin();
        CPPUNIT_ASSERT_EQUAL(std::string("1"), text_of(difference, "difference"));
        const json::Document suppliers = told("/operator/suppliers/");
        CPPUNIT_ASSERT_EQUAL(std::string("DIFFERENT"),
                             text_of(row_of(suppliers.root().at("import_suppliers"), own.code), "verdict"));
    }

    void a_pause_is_told_with_its_operator() {
        const OwnSupplier own;
        const auto paused = [&own] { return told("/operator/suppliers/" + own.code + "/"); };
        const json::Document before = paused();
        OwnSupplier::run("supplier set " + own.code + " --status Paused");
        const json::Document after = paused();
        const json::Value then = *before.root().at("import_suppliers").items().begin();
        const json::Value now = *after.root().at("import_suppliers").items().begin();
        CPPUNIT_ASSERT(!text_of(now, "status_by").empty());
        CPPUNIT_ASSERT(text_of(then, "status_since") < text_of(now, "status_since"));
        OwnSupplier::run("supplier set " + own.code + " --status Paused --name Other");
        const json::Document again = paused();
        CPPUNIT_ASSERT_EQUAL(text_of(now, "status_since"),
                             text_of(*again.root().at("import_suppliers").items().begin(), "status_since"));
    }

    /// A curve counts receipts that are summed up already as well as those that are not.
    void curves_add_up() {
        const OwnSupplier own;
        for (const char* age : {"10 seconds", "50 minutes", "5 hours", "70 hours"})
            add_receipt(own.code, age);
        world().database().rows("SELECT data_import.housekeeping(30, 30, '1 day')");
        add_receipt(own.code, "20 seconds");
        const std::string address = "/operator/throughput/" + own.code + "/?span=";
        CPPUNIT_ASSERT_EQUAL(30L, sum_of(told(address + "hour"), "notes"));
        CPPUNIT_ASSERT_EQUAL(30L, sum_of(told("/operator/throughput/"), own.code));
        CPPUNIT_ASSERT_EQUAL(40L, sum_of(told(address + "day"), "notes"));
        CPPUNIT_ASSERT_EQUAL(50L, sum_of(told(address + "all"), "notes"));
        CPPUNIT_ASSERT_EQUAL(1L, sum_of(told(address + "all"), "accounts"));
        CPPUNIT_ASSERT_EQUAL(std::string("3600"), text_of(told(address + "all").root(), "seconds"));
        const json::Document own_view = told_to_supplier(own, "throughput/" + own.code + "/?span=day");
        CPPUNIT_ASSERT_EQUAL(40L, sum_of(own_view, "notes"));
        CPPUNIT_ASSERT_EQUAL(1L, sum_of(own_view, "accounts"));
    }

    void refusals_are_told_with_their_kinds() {
        const OwnSupplier own;
        add_refusals(own.code, "2 minutes", 7);
        add_refusals(own.code, "3 hours", 5);
        const std::string address = "/operator/refusals/" + own.code + "/?span=";
        const json::Document document = told(address + "hour");
        CPPUNIT_ASSERT_EQUAL(7L, sum_of(document, "invalid"));
        CPPUNIT_ASSERT_EQUAL(12L, sum_of(told(address + "day"), "invalid"));
        CPPUNIT_ASSERT_EQUAL(12L, sum_of(told(address + "all"), "invalid"));
        const json::Value kind = *document.root().at("kinds").items().begin();
        CPPUNIT_ASSERT_EQUAL(std::string("notes.N.body"), text_of(kind, "attr"));
        CPPUNIT_ASSERT_EQUAL(std::string("validation_error"), text_of(kind, "code"));
        CPPUNIT_ASSERT_EQUAL(std::string(32, '7'), text_of(kind, "sample_request_id"));
        const json::Document own_view = told_to_supplier(own, "refusals/" + own.code + "/?span=hour");
        CPPUNIT_ASSERT_EQUAL(7L, sum_of(own_view, "invalid"));
        CPPUNIT_ASSERT_EQUAL(std::string(32, '7'),
                             text_of(*own_view.root().at("kinds").items().begin(), "sample_request_id"));
        // stores refusals with the status 429, which `refused_last_hour` must not count
        world().database().rows(
            "SELECT data_import.refused_requests_add("
            "ARRAY[$1], ARRAY['/v1/'], ARRAY[429], ARRAY['throttled'], ARRAY[''], ARRAY[''], "
            "ARRAY[9::bigint], ARRAY['77777777777777777777777777777777'::uuid], "
            "ARRAY[now()])",
            {own.code});
        CPPUNIT_ASSERT_EQUAL(9L, sum_of(told(address + "hour"), "throttled"));
        const json::Document suppliers = told("/operator/suppliers/");
        CPPUNIT_ASSERT_EQUAL(
            std::string("7"),
            text_of(row_of(suppliers.root().at("import_suppliers"), own.code), "refused_last_hour"));
    }

    void refusals_have_a_sentence_and_accounts_as_examples() {
        const OwnSupplier own;
        const std::string token = token_for(world().stack(), "Org " + own.code, own.code);
        const auto status = [&](const std::string& account, const std::vector<SentNote>& notes) {
            return ask(world().stack(), notes_request(token, own.code, account, notes)).status;
        };
        CPPUNIT_ASSERT_EQUAL(400, status(own.imported(), {{"x"}, {""}}));
        CPPUNIT_ASSERT_EQUAL(404, status("nobody", {{"x"}}));
        const std::string address = "/operator/refusal-examples/" + own.code + "/";
        std::string examples;
        CPPUNIT_ASSERT(wait_until(
            [&] {
                examples = ask_locally(address).body;
                return examples.find("nobody") != std::string::npos &&
                       examples.find(own.imported()) != std::string::npos;
            },
            std::chrono::seconds(20)));
        CPPUNIT_ASSERT_MESSAGE(examples,
                               examples.find(R"("attr":"notes.N.body","external_account_numbers":[")" +
                                             own.imported() + "\"]") != std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(
            examples, examples.find(R"("external_account_numbers":["nobody"])") != std::string::npos);
        const std::string kinds = ask_locally("/operator/refusals/" + own.code + "/?span=hour").body;
        CPPUNIT_ASSERT_MESSAGE(kinds,
                               kinds.find(R"("detail":"This value must not be )") != std::string::npos);
    }

    void plans_and_acknowledgements_are_told_to_operators_only() {
        const OwnSupplier own;
        OwnSupplier::run("supplier set " + own.code + " --planned-end 2024-05-31 --attention 7");
        OwnSupplier::run("supplier acknowledge " + own.code + " --reason meters");
        const json::Document document = told("/operator/suppliers/" + own.code + "/");
        const json::Value supplier = *document.root().at("import_suppliers").items().begin();
        CPPUNIT_ASSERT_EQUAL(std::string("2024-05-31"), text_of(supplier, "planned_end"));
        CPPUNIT_ASSERT_EQUAL(std::string("7"), text_of(supplier, "attention"));
        CPPUNIT_ASSERT_EQUAL(std::string("1"), text_of(supplier.at("acknowledged"), "failed"));
        CPPUNIT_ASSERT_EQUAL(std::string("meters"), text_of(supplier.at("acknowledged"), "reason"));
        const json::Document of_own = told_to_supplier(own, "import-suppliers/?import_supplier=" + own.code);
        const json::Value own_view = *of_own.root().at("import_suppliers").items().begin();
        for (const char* member : {"planned_end", "attention", "acknowledged"})
            CPPUNIT_ASSERT_MESSAGE(member, !own_view.find(member));
    }

    void accounts_that_want_somebody_are_listed() {
        const OwnSupplier own;
        const json::Document failed = told("/operator/failed-accounts/" + own.code + "/");
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, failed.root().at("accounts").size());
        const json::Value account = *failed.root().at("accounts").items().begin();
        CPPUNIT_ASSERT_EQUAL(std::string("4"), text_of(account, "external_account_number"));
        CPPUNIT_ASSERT_EQUAL(std::string("no such meter"), text_of(account, "reason"));
        const json::Document running = told("/operator/accounts-in-progress/" + own.code + "/");
        std::string order;
        for (const json::Value one : running.root().at("accounts").items())
            order += text_of(one, "external_account_number");
        CPPUNIT_ASSERT_EQUAL(std::string("23"), order);
    }

    /// Reasons that differ in their digits are one group, both before and after housekeeping has copied them
    /// from the events. The list of failed accounts can be limited to the group.
    void failures_are_told_by_reason() {
        const OwnSupplier own;
        for (const auto& [number, reason] :
             {std::pair("2", "meter unknown: 1EMH0060"), std::pair("3", "meter unknown: 1EMH0056")})
            OwnSupplier::run("account fail " + own.code + " " + number + " --reason \"" + reason + "\"");
        const std::string address = "/operator/failure-reasons/" + own.code + "/";
        for (int time = 0; time < 2; ++time) {
            const json::Document all = told(address);
            CPPUNIT_ASSERT_EQUAL(std::size_t{2}, all.root().at("reasons").size());
            const json::Value largest = *all.root().at("reasons").items().begin();
            CPPUNIT_ASSERT_EQUAL(std::string("meter unknown: NEMHN"), text_of(largest, "reason"));
            CPPUNIT_ASSERT_EQUAL(std::string("2"), text_of(largest, "accounts"));
            CPPUNIT_ASSERT_EQUAL(std::string("3"), text_of(largest, "example"));
            CPPUNIT_ASSERT_EQUAL(std::string("meter unknown: 1EMH0056"), text_of(largest, "sample"));
            CPPUNIT_ASSERT_EQUAL(std::string("3,2,"),
                                 failed_numbers(own.code + "/?reason=meter%20unknown:%20NEMHN"));
            CPPUNIT_ASSERT_EQUAL(std::string("4,"), failed_numbers(own.code + "/?reason=no%20such%20meter"));
            CPPUNIT_ASSERT_EQUAL(std::string(), failed_numbers(own.code + "/?reason="));
            CPPUNIT_ASSERT_EQUAL(std::size_t{1}, told(address + "?text=EMH0060").root().at("reasons").size());
            CPPUNIT_ASSERT_EQUAL(std::size_t{0}, told(address + "?text=EMHN").root().at("reasons").size());
            world().database().rows("SELECT data_import.housekeeping(30, 30, '1 day')");
        }
        bool is_among_all = false;
        const json::Document everywhere = told("/operator/failure-reasons/?text=Emh0056");
        for (const json::Value one : everywhere.root().at("reasons").items())
            is_among_all = is_among_all || one.at("import_supplier").text() == own.code;
        CPPUNIT_ASSERT(is_among_all);
    }

    void an_account_is_told_with_its_history() {
        const OwnSupplier own;
        const json::Document document = told("/operator/account/" + own.code + "/4/");
        CPPUNIT_ASSERT_EQUAL(std::string("failed"), text_of(document.root(), "state"));
        std::string states;
        for (const json::Value step : document.root().at("history").items())
            states += text_of(step, "state") + ' ';
        CPPUNIT_ASSERT_EQUAL(std::string("staged in_progress failed "), states);
        CPPUNIT_ASSERT(document.root().at("held_since").is(json::Type::null));
        OwnSupplier::run("account hold " + own.code + " 4");
        const json::Document held = told("/operator/account/" + own.code + "/4/");
        CPPUNIT_ASSERT(held.root().at("held_since").is(json::Type::string));
        CPPUNIT_ASSERT_EQUAL(std::string("held"),
                             text_of(*held.root().at("actions").items().begin(), "action"));
        const json::Document imported = told("/operator/account/" + own.code + "/" + own.imported() + "/");
        CPPUNIT_ASSERT_EQUAL(std::string("0"), text_of(imported.root().at("records"), "notes"));
        CPPUNIT_ASSERT_EQUAL(std::size_t{0}, imported.root().at("last_refusals").size());
    }

    void accounts_without_records_are_listed() {
        const OwnSupplier own;
        const std::string address = "/operator/accounts-without/" + own.code + "/?kind=";
        for (const char* kind : {"notes", "transactions"}) {
            const json::Document document = told(address + kind);
            CPPUNIT_ASSERT_EQUAL(std::size_t{1}, document.root().at("accounts").size());
            CPPUNIT_ASSERT_EQUAL(own.imported(),
                                 std::string((*document.root().at("accounts").items().begin()).text()));
        }
        import_note(own);
        CPPUNIT_ASSERT_EQUAL(std::size_t{0}, told(address + "notes").root().at("accounts").size());
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, told(address + "transactions").root().at("accounts").size());
        CPPUNIT_ASSERT_EQUAL(400, ask_locally(address + "payment_instructions").status);
    }

    void a_request_is_told_by_its_id() {
        const OwnSupplier own;
        const std::string id = import_note(own);
        const std::string address = "/operator/request/" + id + "/";
        const json::Document nothing = told(address);
        CPPUNIT_ASSERT_EQUAL(std::size_t{0}, nothing.root().at("refused").size());
        CPPUNIT_ASSERT(!nothing.root().find("stored"));
        const json::Document stored = told(address + own.code + "/" + own.imported() + "/");
        const json::Value records = *stored.root().at("stored").items().begin();
        CPPUNIT_ASSERT_EQUAL(std::string("notes"), text_of(records, "kind"));
        CPPUNIT_ASSERT_EQUAL(std::string("1"), text_of(records, "records"));
        add_refusals(own.code, "2 minutes", 7);
        const json::Document counted = told("/operator/request/" + std::string(32, '7') + "/");
        CPPUNIT_ASSERT(counted.root().at("counted").size() > 0);
        CPPUNIT_ASSERT_EQUAL(404, ask_locally("/operator/request/7/").status);
        CPPUNIT_ASSERT(counted.root().at("refused_lines").is(json::Type::null));
        world().database().rows("SELECT data_import.bulk_refusals_add(ARRAY[$1]::uuid[], '{1}', '{91}')",
                                {id});
        CPPUNIT_ASSERT_EQUAL(std::string("91"), text_of(told(address).root(), "refused_lines"));
    }

    void explanations_are_told() {
        const OwnSupplier own;
        world().database().rows(
            "INSERT INTO data_import.accepted_difference (account_key, import_supplier, "
            "external_account_number, kind, declared_records, held_records, held_amount, held_fingerprint, "
            "accepted_by, reason) VALUES (data_import.account_key($1, $2), $1, $2, 'notes', 1, 0, 0, "
            "'00000000000000000000000000000000', 'me', 'lost')",
            {own.code, own.imported()});
        const json::Document document = told("/operator/explanations/" + own.code + "/");
        const json::Value accepted = document.root().at("accepted");
        CPPUNIT_ASSERT_EQUAL(std::string("1"), text_of(accepted, "count"));
        CPPUNIT_ASSERT_EQUAL(std::string("lost"),
                             text_of(*accepted.at("accounts").items().begin(), "reason"));
        CPPUNIT_ASSERT_EQUAL(std::size_t{0}, document.root().at("figures").size());
        import_note(own);
        CPPUNIT_ASSERT_EQUAL(
            std::string("1"),
            text_of(told("/operator/explanations/" + own.code + "/").root().at("accepted"), "lapsed"));
    }

    void accounts_are_found_by_both_numbers() {
        const OwnSupplier own;
        const std::string service = world().database().value(
            "SELECT service_account_number FROM data_import.account WHERE import_supplier = $1 AND state = "
            "'imported'",
            {own.code});
        for (const std::string& number : {own.imported(), service}) {
            const json::Document found = told("/operator/search/" + number + "/");
            CPPUNIT_ASSERT_EQUAL(std::size_t{1}, found.root().at("accounts").size());
            const json::Value account = *found.root().at("accounts").items().begin();
            CPPUNIT_ASSERT_EQUAL(own.code, text_of(account, "import_supplier"));
            CPPUNIT_ASSERT_EQUAL(own.imported(), text_of(account, "external_account_number"));
        }
        world().database().rows(
            "INSERT INTO data_import.account_refusal (account_key, request_id, line, import_supplier, "
            "was_known, at, "
            "api_key_id, endpoint, status, code, error_count, item_codes, attrs) SELECT "
            "data_import.account_key($1, "
            "$2), gen_random_uuid(), 0, $1, false, now(), 1, '/v1/', 404, 'account_not_found', 0, '{}', '{}'",
            {own.code, own.code + "-nobody"});
        const json::Document nobody = told("/operator/search/" + own.code + "-nobody/");
        CPPUNIT_ASSERT_EQUAL(std::size_t{0}, nobody.root().at("accounts").size());
        const json::Value refused = *nobody.root().at("refused").items().begin();
        CPPUNIT_ASSERT_EQUAL(own.code, text_of(refused, "import_supplier"));
        CPPUNIT_ASSERT_EQUAL(own.code + "-nobody", text_of(refused, "external_account_number"));
        CPPUNIT_ASSERT_EQUAL(std::string("account_not_found"), text_of(refused, "code"));
        world().database().rows(
            "SELECT data_import.account_refusals_count(ARRAY[current_date], ARRAY[$1], '{3}', '{2}')",
            {own.code});
        const json::Document near = told("/operator/search/" + own.imported() + "%20/");
        CPPUNIT_ASSERT_EQUAL(own.imported(),
                             text_of(*near.root().at("meant").items().begin(), "external_account_number"));
        CPPUNIT_ASSERT_EQUAL(std::size_t{0}, near.root().at("erased").size());
        CPPUNIT_ASSERT_EQUAL(std::string("3"),
                             text_of(of_supplier(near.root().at("partly_kept"), own.code), "refusals"));
        CPPUNIT_ASSERT_EQUAL(
            std::string("2"),
            text_of(told("/operator/account/" + own.code + "/4/").root().at("not_kept"), "kept"));
        OwnSupplier::run("account erase " + own.code + " 4");
        const json::Document erased = told("/operator/search/4/");
        CPPUNIT_ASSERT(!text_of(of_supplier(erased.root().at("erased"), own.code), "by").empty());
        const json::Document beginning = told("/operator/search/" + own.code + "-I/");
        CPPUNIT_ASSERT_EQUAL(std::size_t{0}, beginning.root().at("accounts").size());
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, beginning.root().at("beginning").size());
        CPPUNIT_ASSERT_EQUAL(own.imported(), text_of(*beginning.root().at("beginning").items().begin(),
                                                     "external_account_number"));
        const json::Document whole = told("/operator/search/" + own.imported() + "/");
        CPPUNIT_ASSERT_EQUAL(std::size_t{0}, whole.root().at("beginning").size());
    }

    void records_are_shown_as_sent_and_looks_are_recorded() {
        const OwnSupplier own;
        const std::string token = token_for(world().stack(), "Org " + own.code, own.code);
        std::vector<SentNote> notes;
        for (int number = 1; number <= 130; ++number) notes.push_back({"note " + std::to_string(number)});
        const Answer stored = ask(world().stack(), notes_request(token, own.code, own.imported(), notes));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(stored), 201, stored.status);
        world().database().rows(
            "INSERT INTO data_import.note (account_key, identity, created_at, body, is_pinned, "
            "has_created_at, "
            "has_is_pinned, is_by_service, request_id, api_key_id) SELECT data_import.account_key($1, $2), "
            "gen_random_uuid(), now(), 'pinned', true, false, false, true, gen_random_uuid(), 1",
            {own.code, own.imported()});
        const std::string address = "/operator/records/" + own.code + "/" + own.imported() + "/notes/";
        std::set<std::string> bodies;
        const json::Document first = told(address);
        const auto take = [&](const json::Document& page) {
            for (const json::Value one : page.root().at("records").items()) {
                bodies.insert(text_of(one.at("record"), "body"));
                CPPUNIT_ASSERT(!one.at("record").find("created_at"));
                CPPUNIT_ASSERT_EQUAL(std::size_t{32}, text_of(one, "request_id").size());
            }
        };
        take(first);
        CPPUNIT_ASSERT_EQUAL(std::size_t{100}, bodies.size());
        const json::Document rest = told(address + "?before=" + text_of(first.root(), "before"));
        take(rest);
        CPPUNIT_ASSERT_EQUAL(std::size_t{130}, bodies.size());
        CPPUNIT_ASSERT(rest.root().at("before").is(json::Type::null));
        CPPUNIT_ASSERT_EQUAL(std::size_t{0},
                             told("/operator/records/" + own.code + "/" + own.imported() + "/transactions/")
                                 .root()
                                 .at("records")
                                 .size());
        const std::string audit = run_ctl(world().stack(), "audit");
        CPPUNIT_ASSERT_MESSAGE(
            audit, audit.find("notes of account " + own.imported() + " of " + own.code) != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(2L, looks_at(own));  // the second page of the notes is not recorded again
        world().database().rows(
            "UPDATE data_import.access_event SET at = at - interval '5 minutes' WHERE import_supplier = $1",
            {own.code});
        static_cast<void>(told(address));
        CPPUNIT_ASSERT_EQUAL(3L, looks_at(own));
        for (const char* wrong :
             {"x", "0", "0-", "0-x", "0--1", "0-4294967296", "0-18446744073709551615", "-62135596800000001-0",
              "253402300800000000-0", "-99999999999999999-0", "9223372036854775807-0", "0-0'"})
            CPPUNIT_ASSERT_EQUAL_MESSAGE(wrong, 400, ask_locally(address + "?before=" + wrong).status);
        for (const char* empty : {"-62135596800000000-0", "253402300799999999-4294967295"})
            CPPUNIT_ASSERT_EQUAL_MESSAGE(empty, std::size_t{0},
                                         told(address + "?before=" + empty).root().at("records").size());
        CPPUNIT_ASSERT_EQUAL(404, ask_locally("/operator/records/" + own.code + "/nobody/notes/").status);
        CPPUNIT_ASSERT_EQUAL(
            404, ask_locally("/operator/records/" + own.code + "/" + own.imported() + "/x/").status);
    }

    void a_setting_hides_records() {
        Playground& playground = tests::playground();
        playground.prepare();
        playground.configure({"access_refresh = 1", "import_workers = 6", "operators_see_records = no"},
                             Playground::import_workers);
        HttpConnection connection(Poco::URI(playground.stack()->value("METRICS_URL")).getPort());
        const Answer hidden = connection.ask({"GET",
                                              "/operator/records/ACME/" + playground.account() + "/notes/",
                                              {{"Host", "localhost"}, {"Connection", "close"}},
                                              ""});
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(hidden), 404, hidden.status);
        CPPUNIT_ASSERT_MESSAGE(hidden.body, hidden.body.find("operators_see_records") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(
            0L, playground.database().count(
                    "SELECT count(*) FROM data_import.access_event WHERE action = 'records_seen'"));
    }

    /// A host that was examined twice shows the last findings.
    void findings_of_doctor_are_told() {
        std::string last;
        for (int time = 0; time < 2; ++time) {
            static_cast<void>(run_command(world().stack().value("CTL") + " doctor"));  // it may find faults
            const json::Document document = told("/operator/doctor/");
            CPPUNIT_ASSERT_EQUAL(std::size_t{1}, document.root().at("hosts").size());
            const json::Value host = *document.root().at("hosts").items().begin();
            CPPUNIT_ASSERT(last < text_of(host, "at"));
            last = text_of(host, "at");
            const json::Value finding = *host.at("findings").items().begin();
            CPPUNIT_ASSERT_EQUAL(std::string("configuration"), text_of(finding, "subject"));
            CPPUNIT_ASSERT_EQUAL(std::string("ok"), text_of(finding, "health"));
        }
    }

    void codes_are_told() {
        CPPUNIT_ASSERT_EQUAL(ask_publicly("/v1/errors.json").body, ask_locally("/operator/errors.json").body);
    }

    void wrong_requests_are_refused_and_not_logged() {
        const OwnSupplier own;
        const char* refusals =
            "SELECT coalesce(sum(count), 0) FROM data_import.refused_request WHERE endpoint LIKE "
            "'%operator%'";
        const Answer unknown = ask_locally("/operator/account/" + own.code + "/nobody/");
        CPPUNIT_ASSERT_EQUAL(404, unknown.status);
        check_any_answer(unknown);
        const Answer span = ask_locally("/operator/throughput/" + own.code + "/?span=week");
        CPPUNIT_ASSERT_EQUAL(400, span.status);
        CPPUNIT_ASSERT(span.body.find("hour, day, all") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(404, ask_locally("/operator/nothing/").status);
        CPPUNIT_ASSERT_EQUAL(404, ask_locally("/operator").status);
        CPPUNIT_ASSERT_EQUAL(405, ask_locally("/operator/suppliers/", "localhost", "POST").status);
        CPPUNIT_ASSERT_EQUAL(0L, world().database().count(refusals));
    }

    /// Nothing reads the table while the session holds it, so questions about all accounts wait. Others do
    /// not.
    void some_workers_are_left_to_suppliers() {
        const OwnSupplier own;
        const std::string target = "/operator/accounts-without/" + own.code + "/?kind=notes";
        const auto asked = [&] {
            return std::async(std::launch::async, [&] { return ask_locally(target); });
        };
        AdminSession session(world().stack().value("DATABASE_URL"));
        session.rows("BEGIN");
        session.rows("LOCK TABLE data_import.account IN ACCESS EXCLUSIVE MODE");
        std::vector<std::future<Answer>> waiting;
        for (int count = 0; count < 4; ++count) waiting.push_back(asked());
        const bool is_busy = wait_until(
            [&] {
                return session.count(
                           "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = "
                           "'data_import.account'::regclass") >= 4;
            },
            20s);
        std::future<Answer> one_more = asked();
        const bool is_refused = one_more.wait_for(10s) == std::future_status::ready;
        const Answer other = ask_locally("/operator/vendors/");
        session.rows("ROLLBACK");
        for (auto& one : waiting) CPPUNIT_ASSERT_EQUAL(200, one.get().status);
        const Answer refused = one_more.get();
        CPPUNIT_ASSERT(is_busy);
        CPPUNIT_ASSERT(is_refused);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(refused), 429, refused.status);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(refused), std::string("throttled"),
                                     parse_error_body(refused.body).code);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(other), 200, other.status);
    }

    void clients_cannot_ask() {
        const OwnSupplier own;
        std::vector<std::string> targets = addresses_of(own.code);
        for (const std::string& address : addresses_of(own.code)) {
            for (const char* form :
                 {"local:", "/local:", "//local:", "http://localhost/local:", "?local:", "/%2e%2e"})
                targets.push_back(form + address);
        }
        targets.insert(targets.end(),
                       {"local://localhost/operator/suppliers/", "/operator/errors.json", "/operator/"});
        for (const std::string& target : targets) {
            const Answer answer = ask_publicly(target);
            CPPUNIT_ASSERT_MESSAGE(target + shown(answer), answer.status == 404 || answer.status == 400);
            CPPUNIT_ASSERT_MESSAGE(target, answer.body.find(own.code) == std::string::npos);
            check_any_answer(answer);
        }
        CPPUNIT_ASSERT(ask_publicly("/v1/openapi.json").body.find("operator/") == std::string::npos);
    }

    /// The owner of a web page may let its name resolve to this machine (DNS rebinding). Browsers then send
    /// that name in the header Host.
    void pages_of_other_names_cannot_ask() {
        for (const char* target :
             {"/operator/suppliers/", "/operator/errors.json", "/migration/", "/metrics"}) {
            CPPUNIT_ASSERT_EQUAL_MESSAGE(target, 404, ask_locally(target, "import.example.com").status);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(target, 404,
                                         ask_locally(target, "localhost.example.com:9642").status);
        }
        for (const char* host : {"127.0.0.1:9642", "[::1]:9642", "localhost"}) {
            CPPUNIT_ASSERT_EQUAL_MESSAGE(host, 200, ask_locally("/operator/suppliers/", host).status);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(host, 200, ask_locally("/metrics", host).status);
        }
    }

    void the_page_is_there_for_both() {
        if (!std::filesystem::exists(build_directory() / "migration/suppliers.html"))
            skip("the page of migrations is not built: npm could not fetch its libraries, or DOCS=no");
        check_page(ask_publicly("/migration/"), "suppliers");
        check_page(ask_locally("/migration/"), "operators");
        for (const char* file :
             {"page.js", "style.css", "icon.svg", "LICENSE.preact.txt", "LICENSE.uplot.txt"}) {
            const std::string target = std::string("/migration/") + file;
            CPPUNIT_ASSERT_EQUAL_MESSAGE(target, 200, ask_publicly(target).status);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(target, 200, ask_locally(target).status);
        }
        const Answer moved = ask_publicly("/migration");
        CPPUNIT_ASSERT_EQUAL(301, moved.status);
        CPPUNIT_ASSERT(moved.header("Location") == "/migration/");
        const Answer nothing = ask_publicly("/migration/nothing");
        CPPUNIT_ASSERT_EQUAL(404, nothing.status);
        check_any_answer(nothing);
    }

private:
    /// Sends a note for the imported account. Returns the id of the request.
    static std::string import_note(const OwnSupplier& own) {
        const std::string token = token_for(world().stack(), "Org " + own.code, own.code);
        const Answer answer =
            ask(world().stack(), notes_request(token, own.code, own.imported(), {{.body = "a note"}}));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 201, answer.status);
        return answer.header("X-Request-Id").value();
    }

    static long looks_at(const OwnSupplier& own) {
        return world().database().count(
            "SELECT count(*) FROM data_import.access_event WHERE action = 'records_seen' AND import_supplier "
            "= $1",
            {own.code});
    }

    static void add_receipt(const std::string& code, const char* age) {
        world().database().rows(
            "INSERT INTO data_import.import_receipt (import_supplier, kind, value, at) "
            "VALUES ($1, 'notes', 10, now() - $2::text::interval)",
            {code, age});
    }

    static void add_refusals(const std::string& code, const char* age, int count) {
        world().database().rows(
            "SELECT data_import.refused_requests_add(ARRAY[$1], ARRAY['/v1/'], ARRAY[400], "
            "ARRAY['validation_error'], ARRAY['invalid'], ARRAY['notes.N.body'], ARRAY[$3::bigint], "
            "ARRAY['77777777777777777777777777777777'::uuid], ARRAY[now() - $2::text::interval])",
            {code, age, std::to_string(count)});
    }

    static void check_page(const Answer& page, const std::string& whom) {
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(page), 200, page.status);
        CPPUNIT_ASSERT(page.header("Content-Type") == "text/html; charset=utf-8");
        CPPUNIT_ASSERT(page.body.find("data-for=\"" + whom + '"') != std::string::npos);
        const std::string policy = page.header("Content-Security-Policy").value_or("");
        CPPUNIT_ASSERT_MESSAGE(policy, policy.starts_with("default-src 'none';"));
        for (const char* lax : {"unsafe", "http", "*", "data:"})
            CPPUNIT_ASSERT_MESSAGE(policy, policy.find(lax) == std::string::npos);
        CPPUNIT_ASSERT(page.header("X-Content-Type-Options") == "nosniff");
        CPPUNIT_ASSERT(page.header("Cache-Control") == "no-cache");
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(OperatorsTest);

}  // namespace data_import::tests
