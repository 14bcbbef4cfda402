// Acts of operators in the browser, through an nginx that signs people in: who may do what, what an act does
// and leaves in the audit history, and that nobody else can act.
#include <cppunit/extensions/HelperMacros.h>

#include <Poco/Base64Encoder.h>
#include <Poco/URI.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <fstream>
#include <future>
#include <map>
#include <sstream>
#include <thread>

#include "../../runner.h"
#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/http.h"
#include "../../support/json_match.h"
#include "../../support/load.h"
#include "../../support/processes.h"
#include "../../support/stack.h"
#include "../../support/world.h"
#include "data/json/reader.h"
#include "data/json/writer.h"

namespace data_import::tests {

namespace {

constexpr const char* persons[] = {"jane", "vera", "olaf", "stranger"};

/// The nginx site for operators. It asks for passwords, and passes acts to the workers of the pool operator.
std::string site(std::uint16_t port, const std::filesystem::path& directory) {
    return "server {\n listen 127.0.0.1:" + std::to_string(port) +
           " ssl;\n server_name localhost;\n"
           " include snippets/data-import/tls.conf;\n include snippets/data-import/certificate.conf;\n"
           " include snippets/data-import/errors.conf;\n default_type application/json;\n"
           " auth_basic operators;\n auth_basic_user_file " +
           (directory / "operators.htpasswd").string() +
           ";\n location ~ ^/operator/acts/ {\n"
           "  include snippets/data-import/headers.conf;\n"
           "  client_max_body_size 10m;\n"
           "  fastcgi_param REQUEST_METHOD $request_method;\n"
           "  fastcgi_param REQUEST_URI local:$request_uri;\n"
           "  fastcgi_param CONTENT_TYPE $content_type;\n"
           "  fastcgi_param CONTENT_LENGTH $content_length;\n"
           "  fastcgi_param REMOTE_ADDR $remote_addr;\n"
           "  fastcgi_param DATA_IMPORT_REQUEST_ID $request_id;\n"
           "  fastcgi_param DATA_IMPORT_OPERATOR $remote_user;\n"
           "  fastcgi_pass data_import_operator;\n }\n}\n";
}

const std::vector<std::string> settings = {"operator_workers = 3", "operator_acts_a_minute = 1000",
                                           "import_workers = 2"};

/// A stack with workers in the pool `operator`, with persons who can sign in, and with new suppliers for
/// tests.
class ActingStack {
public:
    ActingStack() : stack_(settings) {
        port_ = free_port();
        // a folder that nginx, which runs as another user, can read
        const std::filesystem::path directory = stack_->run_directory() / "nginx";
        std::ofstream passwords(directory / "operators.htpasswd");
        for (const char* name : persons) passwords << name << ":{PLAIN}secret\n";
        passwords.close();
        std::ofstream(directory / "sites-enabled/operators.conf") << site(port_, directory);
        kill(stack_->pid("NGINX_PID"), SIGHUP);
        CPPUNIT_ASSERT(wait_until([&] { return is_open(); }, 20s));
        ctl("operator add jane --role signer");
        ctl("operator add vera --role viewer");
    }

    std::string ctl(const std::string& arguments) { return run_ctl(*stack_, arguments); }
    [[nodiscard]] const Stack& stack() const { return *stack_; }
    [[nodiscard]] AdminSession database() const { return AdminSession(stack_->value("DATABASE_URL")); }
    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] std::string host() const { return "localhost:" + std::to_string(port_); }

    std::string fresh_supplier() {
        const std::string code = "S" + std::to_string(++suppliers_);
        ctl("supplier create " + code + " --name \"Supplier " + code + "\"");
        return code;
    }

    /// Sets `others` in addition to the stack's own settings, and waits until all workers have been replaced.
    void configure(std::vector<std::string> others) {
        const pid_t master = stack_->pid("MASTER_PID");
        const std::vector<pid_t> before = children_of(master);
        others.insert(others.end(), settings.begin(), settings.end());
        stack_.configure(others);
        CPPUNIT_ASSERT(wait_until(
            [&] {
                const std::vector<pid_t> now = children_of(master);
                return now.size() == before.size() && std::ranges::find_first_of(now, before) == now.end();
            },
            60s));
    }

    [[nodiscard]] std::uintmax_t log_size() const { return stack_.log_size(); }
    [[nodiscard]] std::string log_from(std::uintmax_t place) const { return stack_.log_from(place); }

    /// Returns the number of sessions that wait for the lock on acts of the person `olaf`. An act of this
    /// person holds the lock until it is done.
    [[nodiscard]] long waits_for_acts() const {
        return database().count(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND "
            "((classid::bigint << 32) | objid::bigint) = data_import.lock_number('operator_act', 'olaf')");
    }

private:
    [[nodiscard]] bool is_open() const {
        try {
            HttpConnection connection(port_, stack_->value("CA_FILE"));
            return true;
        } catch (const std::exception&) {
            return false;
        }
    }

    PrivateStack stack_;
    std::uint16_t port_ = 0;
    int suppliers_ = 0;
};

ActingStack& acting() {
    static ActingStack stack;
    return stack;
}

std::string basic(const std::string& name) {
    std::ostringstream text;
    Poco::Base64Encoder encoder(text);
    encoder << name << ":secret";
    encoder.close();
    return "Basic " + text.str();
}

std::string fresh_key() {
    static std::atomic<int> count = 0;
    std::string digits = std::to_string(++count);
    digits.insert(0, 12 - digits.size(), '0');
    return "3f0c8f0e-5a54-4f5c-9c1d-" + digits;
}

/// The headers that the page of operators sends.
std::map<std::string, std::string> page_headers(const std::string& person) {
    return {{"Host", acting().host()},
            {"Authorization", basic(person)},
            {"Origin", "https://" + acting().host()},
            {"Sec-Fetch-Site", "same-origin"},
            {"Content-Type", "application/json"},
            {"Idempotency-Key", fresh_key()},
            {"Connection", "close"}};
}

Answer send(const std::string& method, const std::string& address,
            const std::map<std::string, std::string>& headers, const std::string& body) {
    HttpConnection connection(acting().port(), acting().stack().value("CA_FILE"));
    return connection.ask({method, "/operator/acts/" + address, {headers.begin(), headers.end()}, body});
}

std::string with(const std::string& body, const std::string& member) {
    return body.substr(0, body.size() - 1) + (body == "{}" ? "" : ", ") + member + "}";
}

Answer post(const std::string& person, const std::string& act, const std::string& body) {
    return send("POST", act + "/", page_headers(person), body);
}

Answer rehearse(const std::string& person, const std::string& act, const std::string& body) {
    return post(person, act, with(body, R"("dry_run": true)"));
}

std::string text_of(const Answer& answer, const char* member) {
    const json::Document document = json::read(answer.body);
    const auto found = document.root().find(member);
    return found && !found->is(json::Type::null) ? std::string(found->text()) : std::string();
}

std::string basis_of(const Answer& rehearsed) {
    CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(rehearsed), 200, rehearsed.status);
    return R"("basis": ")" + text_of(rehearsed, "basis") + '"';
}

/// Does an act as the page does, after a dry run.
Answer act(const std::string& person, const std::string& name, const std::string& body) {
    return post(person, name, with(body, basis_of(rehearse(person, name, body))));
}

Answer done(const std::string& person, const std::string& name, const std::string& body) {
    Answer answer = act(person, name, body);
    CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 200, answer.status);
    return answer;
}

void check_refused(const Answer& answer, int status, const std::string& code) {
    CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), status, answer.status);
    CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), code, parse_error_body(answer.body).code);
}

std::string of(const std::string& supplier) {
    return R"({"import_supplier": ")" + supplier + "\"}";
}

std::string status_of(const std::string& supplier) {
    return acting().database().value("SELECT status FROM data_import.import_supplier WHERE code = $1",
                                     {supplier});
}

/// The last entry of the audit history about a supplier.
std::string last_event(const std::string& supplier) {
    return acting().database().value(
        "SELECT concat_ws('; ', action, operator_name, details) FROM data_import.access_event "
        "WHERE import_supplier = $1 ORDER BY id DESC LIMIT 1",
        {supplier});
}

void fail_accounts(const std::string& supplier, const std::vector<std::string>& numbers,
                   const std::string& reason) {
    for (const std::string& number : numbers) {
        acting().ctl("account stage " + supplier + " " + number);
        acting().ctl("account begin " + supplier + " " + number);
        acting().ctl("account fail " + supplier + " " + number + " --reason \"" + reason + "\"");
    }
}

std::string state_of(const std::string& supplier, const std::string& number) {
    return acting().database().value(
        "SELECT state FROM data_import.account WHERE account_key = data_import.account_key($1, $2)",
        {supplier, number});
}

}  // namespace

class OperatorActsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(OperatorActsTest);
    CPPUNIT_TEST(a_person_sees_her_rights);
    CPPUNIT_TEST(pause_and_resume_are_in_the_audit_history);
    CPPUNIT_TEST(a_rehearsal_changes_nothing);
    CPPUNIT_TEST(a_repeat_acts_once_and_gets_the_same_answer);
    CPPUNIT_TEST(an_act_needs_a_present_basis);
    CPPUNIT_TEST(two_persons_at_once_do_not_both_act);
    CPPUNIT_TEST(the_end_is_planned_and_figures_are_acknowledged);
    CPPUNIT_TEST(failed_accounts_are_staged_again);
    CPPUNIT_TEST(holds_keep_accounts_from_resets);
    CPPUNIT_TEST(keys_and_suppliers_are_created);
    CPPUNIT_TEST(a_key_is_shown_once);
    CPPUNIT_TEST(bookings_are_accepted);
    CPPUNIT_TEST(differences_are_explained_and_the_report_is_signed);
    CPPUNIT_TEST(rights_limit_acts);
    CPPUNIT_TEST(a_repeat_needs_the_rights_of_the_act);
    CPPUNIT_TEST(a_person_does_one_act_at_a_time);
    CPPUNIT_TEST(rights_change_when_the_act_has_ended);
    CPPUNIT_TEST(a_removed_operator_cannot_act);
    CPPUNIT_TEST(each_act_has_a_line_in_the_journal);
    CPPUNIT_TEST(a_comparison_ends_with_its_request);
    CPPUNIT_TEST(only_the_page_itself_can_act);
    CPPUNIT_TEST(no_other_listener_knows_acts);
    CPPUNIT_TEST(acts_of_a_minute_are_limited);
    CPPUNIT_TEST(the_role_may_do_nothing_else);
    CPPUNIT_TEST_SUITE_END();

public:
    void a_person_sees_her_rights() {
        const Answer signer = send("GET", "", page_headers("jane"), "");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(signer), 200, signer.status);
        CPPUNIT_ASSERT_EQUAL(std::string("signer"), text_of(signer, "role"));
        CPPUNIT_ASSERT(signer.body.find("\"pause\"") != std::string::npos);
        const Answer viewer = send("GET", "", page_headers("vera"), "");
        CPPUNIT_ASSERT_MESSAGE(shown(viewer), viewer.body.find(R"("acts":[])") != std::string::npos);
        const Answer stranger = send("GET", "", page_headers("stranger"), "");
        check_refused(stranger, 403, "not_permitted");
        CPPUNIT_ASSERT(stranger.body.find("data-importctl operator add stranger") != std::string::npos);
    }

    void pause_and_resume_are_in_the_audit_history() {
        const std::string code = acting().fresh_supplier();
        const Answer paused = done("jane", "pause", of(code));
        CPPUNIT_ASSERT_EQUAL(std::string("Paused"), status_of(code));
        CPPUNIT_ASSERT_EQUAL(std::string("status_set; jane (page of operators); Ongoing -> Paused"),
                             last_event(code));
        CPPUNIT_ASSERT_EQUAL(acting().database().value("SELECT max(id) FROM data_import.access_event"),
                             text_of(paused, "audit_id"));
        const Answer again = rehearse("jane", "pause", of(code));
        check_refused(again, 409, "not_possible");
        CPPUNIT_ASSERT(again.body.find("set by jane (page of operators)") != std::string::npos);
        done("jane", "resume", of(code));
        CPPUNIT_ASSERT_EQUAL(std::string("Ongoing"), status_of(code));
        check_refused(rehearse("jane", "pause", of("NONE")), 404, "not_found");
        const Answer audit = send("GET", "audit/", page_headers("vera"), "");
        CPPUNIT_ASSERT(audit.body.find("Paused -> Ongoing") != std::string::npos);
    }

    void a_rehearsal_changes_nothing() {
        const std::string code = acting().fresh_supplier();
        const Answer told = rehearse("jane", "pause", of(code));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(told), 200, told.status);
        CPPUNIT_ASSERT_EQUAL(
            "pauses " + code + ", which is Ongoing: its imports are refused until it goes on",
            text_of(told, "sentence"));
        CPPUNIT_ASSERT_EQUAL(std::string(), text_of(told, "audit_id"));
        CPPUNIT_ASSERT_EQUAL(std::string("Ongoing"), status_of(code));
        CPPUNIT_ASSERT(last_event(code).starts_with("supplier_created"));
    }

    void a_repeat_acts_once_and_gets_the_same_answer() {
        const std::string code = acting().fresh_supplier();
        const std::string body = with(of(code), basis_of(rehearse("jane", "pause", of(code))));
        const auto headers = page_headers("jane");
        const Answer first = send("POST", "pause/", headers, body);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(first), 200, first.status);
        done("jane", "resume", of(code));
        const Answer second = send("POST", "pause/", headers, body);
        CPPUNIT_ASSERT_EQUAL(first.body, second.body);
        CPPUNIT_ASSERT_EQUAL(std::string("Ongoing"), status_of(code));
        check_refused(send("POST", "resume/", headers, body), 422, "idempotency_key_reused");
        check_refused(send("POST", "pause/", headers, with(body, R"("dry_run": false)")), 422,
                      "idempotency_key_reused");
    }

    void an_act_needs_a_present_basis() {
        const std::string code = acting().fresh_supplier();
        check_refused(post("jane", "pause", of(code)), 400, "validation_error");
        const std::string basis =
            basis_of(rehearse("jane", "planned-end", with(of(code), R"("planned_end": null)")));
        acting().ctl("supplier set " + code + " --planned-end 2031-01-01");
        const Answer stale =
            post("jane", "planned-end", with(with(of(code), R"("planned_end": null)"), basis));
        check_refused(stale, 409, "changed_meanwhile");
        CPPUNIT_ASSERT(stale.body.find("before: 2031-01-01") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(
            std::string("2031-01-01"),
            acting().database().value("SELECT planned_end FROM data_import.import_supplier WHERE code = $1",
                                      {code}));
    }

    void two_persons_at_once_do_not_both_act() {
        acting().ctl("operator add olaf --role operator");
        for (int round = 0; round < 5; ++round) {
            const std::string code = acting().fresh_supplier();
            const std::string body = with(of(code), basis_of(rehearse("jane", "pause", of(code))));
            std::vector<int> statuses(2);
            {
                const std::jthread jane([&] { statuses[0] = post("jane", "pause", body).status; });
                const std::jthread olaf([&] { statuses[1] = post("olaf", "pause", body).status; });
            }
            std::ranges::sort(statuses);
            CPPUNIT_ASSERT_EQUAL(200, statuses[0]);
            CPPUNIT_ASSERT_EQUAL(409, statuses[1]);
            CPPUNIT_ASSERT_EQUAL(1L,
                                 acting().database().count(
                                     "SELECT count(*) FROM data_import.access_event WHERE import_supplier "
                                     "= $1 AND action = 'status_set'",
                                     {code}));
        }
        acting().ctl("operator remove olaf");
    }

    void the_end_is_planned_and_figures_are_acknowledged() {
        const std::string code = acting().fresh_supplier();
        done("jane", "planned-end", with(of(code), R"("planned_end": "2030-12-31")"));
        CPPUNIT_ASSERT_EQUAL(std::string("planned_end_set; jane (page of operators); 2030-12-31"),
                             last_event(code));
        check_refused(rehearse("jane", "acknowledge", with(of(code), R"("reason": "known")")), 409,
                      "not_possible");
        fail_accounts(code, {"1"}, "meter unknown");
        const Answer known = done("jane", "acknowledge", with(of(code), R"("reason": "known")"));
        CPPUNIT_ASSERT_EQUAL(std::string("1"), text_of(known, "failed"));
        CPPUNIT_ASSERT_EQUAL(
            std::string("figures_acknowledged; jane (page of operators); 1 failed, 0 refused: known"),
            last_event(code));
        done("jane", "acknowledge", with(of(code), R"("off": true)"));
        CPPUNIT_ASSERT_EQUAL(
            0L, acting().database().count(
                    "SELECT count(*) FROM data_import.acknowledgement WHERE import_supplier = $1", {code}));
    }

    void failed_accounts_are_staged_again() {
        const std::string code = acting().fresh_supplier();
        fail_accounts(code, {"1", "2", "3"}, "meter unknown");
        fail_accounts(code, {"4", "5"}, "no contract");
        const Answer one = rehearse("jane", "retry", with(of(code), R"("accounts": ["1"])"));
        CPPUNIT_ASSERT_EQUAL(std::string("stages 1 account again; suppliers see them as pending"),
                             text_of(one, "sentence"));
        done("jane", "retry", with(of(code), R"("accounts": ["1"])"));
        CPPUNIT_ASSERT_EQUAL(std::string("staged"), state_of(code, "1"));
        CPPUNIT_ASSERT_EQUAL(
            std::string("jane (page of operators)"),
            acting().database().value("SELECT author FROM data_import.account_step WHERE account_key = "
                                      "data_import.account_key($1, '1') ORDER BY number DESC LIMIT 1",
                                      {code}));
        check_refused(rehearse("jane", "retry", with(of(code), R"("accounts": ["1", "2"])")), 409,
                      "not_possible");
        check_refused(rehearse("jane", "retry", with(of(code), R"("accounts": ["99"])")), 409,
                      "not_possible");
        const Answer reason = done("jane", "retry", with(of(code), R"("reason": "METER")"));
        CPPUNIT_ASSERT_EQUAL(std::string("2"), text_of(reason, "staged"));
        CPPUNIT_ASSERT_EQUAL(std::string("failed"), state_of(code, "4"));
        AdminSession importing = acting().database();
        importing.rows("BEGIN");
        importing.rows("LOCK TABLE data_import.account IN ROW EXCLUSIVE MODE");  // as imports do
        CPPUNIT_ASSERT_EQUAL(std::string("2"), text_of(rehearse("jane", "retry", of(code)), "staged"));
        importing.rows("COMMIT");
        const Answer all = done("jane", "retry", of(code));
        CPPUNIT_ASSERT_EQUAL(std::string("2"), text_of(all, "staged"));
        CPPUNIT_ASSERT_EQUAL(std::string("0"), text_of(all, "remaining"));
        CPPUNIT_ASSERT_EQUAL(std::string("accounts_staged; jane (page of operators); 2 accounts"),
                             last_event(code));
        check_refused(rehearse("jane", "retry", of(code)), 409, "not_possible");
    }

    void holds_keep_accounts_from_resets() {
        const std::string code = acting().fresh_supplier();
        AdminSession database = acting().database();
        import_accounts(database, code, code + "-", 3);
        const std::string first = code + "-00001";
        const std::string account = with(of(code), R"("external_account_number": ")" + first + '"');
        done("jane", "hold", account);
        CPPUNIT_ASSERT_EQUAL(std::string("hold_begun; jane (page of operators)"), last_event(code));
        check_refused(rehearse("jane", "hold", account), 409, "not_possible");
        const std::string reset =
            with(of(code), R"("accounts": [")" + first + R"(", ")" + code + R"(-00002"], "confirm": 2)");
        const Answer held = rehearse("jane", "reset", reset);
        check_refused(held, 409, "not_possible");
        CPPUNIT_ASSERT_MESSAGE(shown(held), held.body.find("is on hold") != std::string::npos);
        done("jane", "release", account);
        check_refused(rehearse("jane", "reset", with(of(code), R"("accounts": ["x"], "confirm": 2)")), 400,
                      "validation_error");
        const std::string shown_before = with(reset, basis_of(rehearse("jane", "reset", reset)));
        acting().ctl("account hold " + code + " " + first);
        acting().ctl("account hold " + code + " " + first + " --off");
        check_refused(post("jane", "reset", shown_before), 409, "changed_meanwhile");
        const Answer done_reset = done("jane", "reset", reset);
        CPPUNIT_ASSERT_EQUAL(std::string("2"), text_of(done_reset, "accounts"));
        CPPUNIT_ASSERT_EQUAL(
            std::string("account_reset; jane (page of operators); 2 accounts reset, 0 records"),
            last_event(code));
    }

    void keys_and_suppliers_are_created() {
        const std::string body = R"({"code": "NEW-ONE", "name": "New One"})";
        done("jane", "create-supplier", body);
        CPPUNIT_ASSERT_EQUAL(std::string("Ongoing"), status_of("NEW-ONE"));
        CPPUNIT_ASSERT_EQUAL(std::string("supplier_created; jane (page of operators)"),
                             last_event("NEW-ONE"));
        check_refused(rehearse("jane", "create-supplier", body), 409, "not_possible");
        check_refused(rehearse("jane", "create-supplier", R"({"code": "a/../b", "name": "x"})"), 400,
                      "validation_error");
        check_refused(
            rehearse("jane", "create-key", R"({"organisation": "N\new", "import_suppliers": ["NEW-ONE"]})"),
            400, "validation_error");
        const Answer made =
            done("jane", "create-key", R"({"organisation": "New", "import_suppliers": ["NEW-ONE"]})");
        CPPUNIT_ASSERT(text_of(made, "api_key").starts_with("dik_"));
        CPPUNIT_ASSERT(text_of(made, "mail").find(text_of(made, "api_key")) == std::string::npos);
        const std::string id = text_of(made, "id");
        const Answer keys = send("GET", "keys/", page_headers("jane"), "");
        CPPUNIT_ASSERT(keys.body.find("\"created_by\":\"jane (page of operators)\"") != std::string::npos);
        const std::string key = R"({"id": ")" + id + "\"}";
        const std::string shown_before = with(key, basis_of(rehearse("jane", "revoke-key", key)));
        done("jane", "revoke-key", key);
        check_refused(post("jane", "revoke-key", shown_before), 409, "not_possible");
        CPPUNIT_ASSERT(acting().ctl("audit --json").find("key_revoked") != std::string::npos);
        check_refused(rehearse("jane", "revoke-key", key), 409, "not_possible");
        check_refused(rehearse("jane", "revoke-key", R"({"id": "999999"})"), 404, "not_found");
    }

    void a_key_is_shown_once() {
        const std::string code = acting().fresh_supplier();
        const std::string wish = R"({"organisation": "Once", "import_suppliers": [")" + code + "\"]}";
        const Answer told = rehearse("jane", "create-key", wish);
        CPPUNIT_ASSERT_EQUAL(std::string(), text_of(told, "api_key"));
        const std::string body = with(wish, basis_of(told));
        const auto headers = page_headers("jane");
        const Answer first = send("POST", "create-key/", headers, body);
        const Answer second = send("POST", "create-key/", headers, body);
        CPPUNIT_ASSERT(!text_of(first, "api_key").empty());
        CPPUNIT_ASSERT_EQUAL(std::string(), text_of(second, "api_key"));
        CPPUNIT_ASSERT_EQUAL(text_of(first, "id"), text_of(second, "id"));
        // a day later the answer is not kept any more, and the key is still not made again
        acting().database().rows("DELETE FROM data_import.operator_act WHERE operator = 'jane'");
        check_refused(send("POST", "create-key/", headers, body), 409, "changed_meanwhile");
        CPPUNIT_ASSERT_EQUAL(
            0L, acting().database().count(
                    "SELECT count(*) FROM data_import.operator_act WHERE answer LIKE '%dik\\_%'"));
    }

    void bookings_are_accepted() {
        const std::string code = acting().fresh_supplier();
        const std::string consumer = "billing-" + code;
        const std::string wish =
            with(of(code), R"("consumer": ")" + consumer + R"(", "reason": "booked by hand")");
        check_refused(rehearse("jane", "accept-booked", wish), 404, "not_found");
        acting().ctl("consumer add " + consumer + " --supplier " + code);
        check_refused(rehearse("jane", "accept-booked", wish), 409, "not_possible");
        acting().database().rows(
            "SELECT platform.declare_totals($1, $2, '{\"kinds\": {\"notes\": "
            "{\"records\": 5}}}')",
            {consumer, code});
        const Answer accepted = done("jane", "accept-booked", wish);
        CPPUNIT_ASSERT_EQUAL(std::string("notes records 0 stored, 5 booked"),
                             text_of(accepted, "differences"));
        CPPUNIT_ASSERT_EQUAL("differences_accepted; jane (page of operators); booked by " + consumer +
                                 ": notes records 0 stored, 5 booked: booked by hand",
                             last_event(code));
        acting().ctl("consumer remove " + consumer);
    }

    void differences_are_explained_and_the_report_is_signed() {
        const std::string code = acting().fresh_supplier();
        AdminSession database = acting().database();
        import_accounts(database, code, code + "-", 2);
        check_refused(rehearse("jane", "sign-report", of(code)), 409, "not_possible");
        database.rows(
            "SELECT data_import.control_totals_declare($1, gen_random_uuid(), 1, '{notes}', "
            "'{records}', '{1}', 1000)",
            {code});
        const Answer hindered = rehearse("jane", "sign-report", of(code));
        check_refused(hindered, 409, "not_possible");
        const std::string first = code + "-00001";
        const std::string file =
            with(of(code),
                 R"("totals": "external_account_number,kind,records,amount\n)" + first + R"(,notes,1,\n")");
        const Answer compared = done("jane", "reconcile", file);
        CPPUNIT_ASSERT_EQUAL(std::string("1"), text_of(compared, "different"));
        CPPUNIT_ASSERT(compared.body.find('"' + first + '"') != std::string::npos);
        const std::string reason = R"("kind": "notes", "reason": "lost at the supplier")";
        check_refused(
            rehearse("jane", "reconcile",
                     with(file, R"("reasons": [{"external_account_number": "x", )" + reason + "}]")),
            409, "not_possible");
        const Answer explained =
            done("jane", "reconcile",
                 with(file, R"("reasons": [{"external_account_number": ")" + first + "\", " + reason + "}]"));
        CPPUNIT_ASSERT_EQUAL(std::string("0"), text_of(explained, "different"));
        CPPUNIT_ASSERT_EQUAL(std::string("1"), text_of(explained, "accepted"));
        CPPUNIT_ASSERT_EQUAL(std::string("differences_accepted; jane (page of operators); 1 difference"),
                             last_event(code));
        check_refused(rehearse("jane", "reconcile", with(of(code), R"("totals": "a,b\n1,2\n")")), 400,
                      "validation_error");
        check_signature(code);
    }

    void rights_limit_acts() {
        const std::string own = acting().fresh_supplier();
        const std::string other = acting().fresh_supplier();
        check_refused(post("vera", "pause", of(own)), 403, "not_permitted");
        CPPUNIT_ASSERT_EQUAL(1L,
                             acting().database().count(
                                 "SELECT count(*) FROM data_import.access_event WHERE action = 'act_refused' "
                                 "AND operator_name = 'vera (page of operators)' AND details = $1",
                                 {"pause of " + own + ": not_permitted"}));
        acting().ctl("operator add olaf --role signer --supplier " + own);
        done("olaf", "pause", of(own));
        const Answer foreign = post("olaf", "pause", of(other));
        check_refused(foreign, 403, "not_permitted");
        // the answer has a command that adds the missing right and keeps the rights that olaf has
        CPPUNIT_ASSERT_MESSAGE(
            shown(foreign), foreign.body.find("data-importctl operator add olaf --role signer --supplier " +
                                              own + " --supplier " + other) != std::string::npos);
        check_refused(rehearse("olaf", "sign-report", of(other)), 403, "not_permitted");
        check_refused(rehearse("olaf", "create-supplier", R"({"code": "X", "name": "X"})"), 403,
                      "not_permitted");
        const std::string id = text_of(
            done("jane", "create-key", R"({"organisation": "O", "import_suppliers": [")" + other + "\"]}"),
            "id");
        const std::string foreign_key = R"({"id": ")" + id + "\"}";
        check_refused(rehearse("olaf", "revoke-key", foreign_key), 404, "not_found");
        check_refused(post("olaf", "revoke-key", with(foreign_key, R"("basis": "x")")), 404, "not_found");
        CPPUNIT_ASSERT_EQUAL(1L,
                             acting().database().count(
                                 "SELECT count(*) FROM data_import.access_event WHERE action = 'act_refused' "
                                 "AND operator_name = 'olaf (page of operators)' AND details = $1",
                                 {"revoke-key of " + id + ": not_found"}));
        check_refused(
            rehearse("olaf", "create-key", R"({"organisation": "O", "import_suppliers": [")" + own + "\"]}"),
            403, "not_permitted");
        check_refused(
            rehearse("olaf", "create-key",
                     R"({"organisation": "O", "import_suppliers": [")" + own + R"(", ")" + other + "\"]}"),
            403, "not_permitted");
        CPPUNIT_ASSERT_EQUAL(std::string("Ongoing"), status_of(other));
        const Answer audit = send("GET", "audit/", page_headers("olaf"), "");
        CPPUNIT_ASSERT(audit.body.find('"' + own + '"') != std::string::npos);
        CPPUNIT_ASSERT(audit.body.find('"' + other + '"') == std::string::npos);
        acting().ctl("operator remove olaf");
    }

    /// A kept answer is given only to those who may do the act.
    void a_repeat_needs_the_rights_of_the_act() {
        const std::string own = acting().fresh_supplier();
        const std::string other = acting().fresh_supplier();
        acting().ctl("operator add olaf --role operator");
        const std::string body = with(of(own), basis_of(rehearse("olaf", "pause", of(own))));
        const auto headers = page_headers("olaf");
        CPPUNIT_ASSERT_EQUAL(200, send("POST", "pause/", headers, body).status);
        for (const std::string& rights :
             {std::string("--role viewer"), "--role operator --supplier " + other}) {
            acting().ctl("operator add olaf " + rights);
            check_refused(send("POST", "pause/", headers, body), 403, "not_permitted");
        }
        acting().ctl("operator add olaf --role operator --supplier " + own);
        CPPUNIT_ASSERT_EQUAL(200, send("POST", "pause/", headers, body).status);
        acting().ctl("operator remove olaf");
    }

    void a_person_does_one_act_at_a_time() {
        const std::string code = acting().fresh_supplier();
        acting().ctl("operator add olaf --role operator");
        AdminSession acting_session = acting().database();
        acting_session.rows("BEGIN");
        acting_session.rows("SELECT pg_advisory_xact_lock(data_import.lock_number('operator_act', 'olaf'))");
        check_refused(rehearse("olaf", "pause", of(code)), 429, "throttled");
        CPPUNIT_ASSERT_EQUAL(200, send("GET", "", page_headers("olaf"), "").status);
        CPPUNIT_ASSERT_EQUAL(200, rehearse("jane", "pause", of(code)).status);
        acting_session.rows("COMMIT");
        CPPUNIT_ASSERT_EQUAL(200, rehearse("olaf", "pause", of(code)).status);
        // another person's act on the supplier has not ended
        acting_session.rows("BEGIN");
        acting_session.rows("SELECT data_import.lock_import_supplier($1)", {code});
        check_refused(rehearse("olaf", "pause", of(code)), 429, "throttled");
        acting_session.rows("COMMIT");
        CPPUNIT_ASSERT_EQUAL(200, rehearse("olaf", "pause", of(code)).status);
        acting().ctl("operator remove olaf");
    }

    void rights_change_when_the_act_has_ended() {
        acting().ctl("operator add olaf --role operator");
        CPPUNIT_ASSERT_EQUAL(std::string("viewer"),
                             rights_after("operator add olaf --role viewer", "operator"));
        CPPUNIT_ASSERT_EQUAL(std::string("none"), rights_after("operator remove olaf", "viewer"));
    }

    void a_removed_operator_cannot_act() {
        const std::string code = acting().fresh_supplier();
        acting().ctl("operator add olaf --role operator");
        const std::string body = with(of(code), basis_of(rehearse("olaf", "pause", of(code))));
        const auto headers = page_headers("olaf");
        CPPUNIT_ASSERT_EQUAL(200, send("POST", "pause/", headers, body).status);
        acting().ctl("operator remove olaf");
        check_refused(send("POST", "pause/", headers, body), 403, "not_permitted");
        check_refused(post("olaf", "resume", of(code)), 403, "not_permitted");
        check_refused(send("GET", "", page_headers("olaf"), ""), 403, "not_permitted");
    }

    void each_act_has_a_line_in_the_journal() {
        const std::string code = acting().fresh_supplier();
        const std::uintmax_t place = acting().log_size();
        check_refused(post("vera", "pause", of(code)), 403, "not_permitted");
        check_refused(post("jane", "pause", of(code)), 400, "validation_error");  // without a basis
        done("jane", "pause", of(code));
        check_refused(post("stranger", "resume", of(code)), 403, "not_permitted");
        for (const char* line :
             {"operator=vera act=pause status=403", "operator=jane act=pause status=400",
              "operator=jane act=pause status=200", "operator=stranger act=resume status=403"}) {
            const bool is_there =
                wait_until([&] { return acting().log_from(place).find(line) != std::string::npos; }, 10s);
            CPPUNIT_ASSERT_MESSAGE(line + (" is not in:\n" + acting().log_from(place)), is_there);
        }
    }

    /// A comparison that takes longer than request_timeout is refused.
    void a_comparison_ends_with_its_request() {
        const std::string code = acting().fresh_supplier();
        AdminSession database = acting().database();
        import_accounts(database, code, code + "-", 2);
        const std::string file =
            with(of(code), R"("totals": "external_account_number,kind,records,amount\n)" + code +
                               R"(-00001,notes,1,\n")");
        CPPUNIT_ASSERT_EQUAL(200, rehearse("jane", "reconcile", file).status);
        acting().configure({"request_timeout = 5"});
        AdminSession locking = acting().database();
        locking.rows("BEGIN");
        locking.rows("LOCK TABLE data_import.note");
        const Answer late = rehearse("jane", "reconcile", file);
        locking.rows("COMMIT");
        acting().configure({});
        check_refused(late, 409, "not_possible");
        CPPUNIT_ASSERT_MESSAGE(shown(late), late.body.find("longer than a request may") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(200, rehearse("jane", "reconcile", file).status);
    }

    void only_the_page_itself_can_act() {
        const std::string code = acting().fresh_supplier();
        const std::string body = with(of(code), basis_of(rehearse("jane", "pause", of(code))));
        const auto changed = [&](const std::string& name, const std::string& value) {
            auto headers = page_headers("jane");
            value.empty() ? static_cast<void>(headers.erase(name)) : static_cast<void>(headers[name] = value);
            return send("POST", "pause/", headers, body);
        };
        for (const char* site : {"cross-site", "same-site", "none", "same-origin, cross-site"})
            check_refused(changed("Sec-Fetch-Site", site), 403, "cross_site_request");
        for (const std::string& origin :
             {std::string(), std::string("null"), std::string("https://evil.example"),
              "http://" + acting().host(), "https://" + acting().host() + ".evil"})
            check_refused(changed("Origin", origin), 403, "cross_site_request");
        for (const char* key : {"", "1", "3f0c8f0e-5a54-4f5c-9c1d-00000000000x"})
            check_refused(changed("Idempotency-Key", key), 400, "validation_error");
        for (const char* type : {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"})
            check_refused(changed("Content-Type", type), 415, "unsupported_media_type");
        CPPUNIT_ASSERT_EQUAL(401, changed("Authorization", "").status);
        auto forged = page_headers("vera");
        for (const char* name : {"Data-Import-Operator", "Remote-User", "X-Forwarded-User", "X-Remote-User"})
            forged[name] = "jane";
        check_refused(send("POST", "pause/", forged, body), 403, "not_permitted");
        check_refused(send("GET", "pause/", page_headers("jane"), ""), 405, "method_not_allowed");
        CPPUNIT_ASSERT_EQUAL(std::string("Ongoing"), status_of(code));
    }

    /// Neither the public nor the local listener takes acts, even if a request has all headers of an act.
    void no_other_listener_knows_acts() {
        const std::string code = acting().fresh_supplier();
        const std::string body = with(of(code), basis_of(rehearse("jane", "pause", of(code))));
        auto headers = page_headers("jane");
        headers["Host"] = "localhost";
        headers["Data-Import-Operator"] = "jane";
        const HttpRequest request{"POST", "/operator/acts/pause/", {headers.begin(), headers.end()}, body};
        HttpConnection open(acting().stack().port(), acting().stack().value("CA_FILE"));
        CPPUNIT_ASSERT_EQUAL(404, open.ask(request).status);
        HttpConnection local(Poco::URI(acting().stack().value("METRICS_URL")).getPort());
        const int status = local.ask(request).status;
        CPPUNIT_ASSERT_MESSAGE(std::to_string(status), status == 403 || status == 404 || status == 405);
        HttpConnection looking(Poco::URI(acting().stack().value("METRICS_URL")).getPort());
        CPPUNIT_ASSERT_EQUAL(
            404, looking.ask({"GET", "/operator/acts/", {{"Host", "localhost"}, {"Connection", "close"}}, ""})
                     .status);
        CPPUNIT_ASSERT_EQUAL(std::string("Ongoing"), status_of(code));
    }

    void acts_of_a_minute_are_limited() {
        const std::string code = acting().fresh_supplier();
        acting().ctl("operator add olaf --role operator");
        acting().database().rows("DELETE FROM data_import.operator_act WHERE operator = 'olaf'");
        acting().database().rows(
            "INSERT INTO data_import.operator_act (operator, key, content, status, answer) "
            "SELECT 'olaf', gen_random_uuid(), '', 200, '{}' FROM generate_series(1, 1000)");
        check_refused(act("olaf", "pause", of(code)), 429, "throttled");
        acting().database().rows(
            "UPDATE data_import.operator_act SET at = now() - interval '25 hours' WHERE operator = 'olaf'");
        done("olaf", "pause", of(code));
        CPPUNIT_ASSERT_EQUAL(991L,
                             acting().database().count(
                                 "SELECT count(*) FROM data_import.operator_act WHERE operator = 'olaf'"));
        acting().database().rows("DELETE FROM data_import.operator_act WHERE operator = 'olaf'");
        acting().ctl("operator remove olaf");
    }

    void the_role_may_do_nothing_else() {
        AdminSession session = acting().database();
        session.rows("SET ROLE \"data-import-operator\"");
        for (const char* sql :
             {"SELECT key_sha256 FROM data_import.api_key", "DELETE FROM data_import.note",
              "UPDATE data_import.import_supplier SET status = 'Paused'",
              "DELETE FROM data_import.access_event", "SELECT * FROM data_import.operator_act",
              "SELECT data_import.account_erase('A', '1')",
              "INSERT INTO data_import.operator (name, role, added_by) VALUES ('x', 'signer', 'x')"})
            CPPUNIT_ASSERT_THROW_MESSAGE(sql, session.rows(sql), std::runtime_error);
        for (const char* role : {"data-import", "data-import-platform", "data-import-reader"}) {
            AdminSession other = acting().database();
            other.rows("SET ROLE \"" + std::string(role) + '"');
            for (const char* sql :
                 {"SELECT data_import.begin_operator_act('jane', NULL, '', 1)",
                  "SELECT data_import.change_import_supplier('S1', 'Paused', NULL, NULL)",
                  "SELECT data_import.create_api_key('x', '', '{S1}', 'x', 'x')",
                  "SELECT data_import.record_action('status_set', 'x', 'x', 'S1', NULL, NULL, NULL)",
                  "SELECT * FROM data_import.operator"})
                CPPUNIT_ASSERT_THROW_MESSAGE(sql, other.rows(sql), std::runtime_error);
        }
    }

private:
    /// Returns olaf's role.
    static std::string role_of_olaf() {
        return acting().database().value(
            "SELECT coalesce((SELECT role FROM data_import.operator WHERE name = 'olaf'), 'none')");
    }

    /// Changes olaf's rights by the command `change` during an act of his. Fails unless his role is still
    /// `role` while the act runs. Returns his role after the act.
    static std::string rights_after(const char* change, const std::string& role) {
        // `changed` is declared before `act`, and so is destroyed after `act`: the destructor of `changed`
        // waits for the change, and the change waits for the lock that `act` holds
        std::future<void> changed;
        AdminSession act = acting().database();
        act.rows("BEGIN");
        act.rows("SELECT * FROM data_import.begin_operator_act('olaf', NULL, '', 1)");
        changed = std::async(std::launch::async, [change] { acting().ctl(change); });
        CPPUNIT_ASSERT(wait_until([] { return acting().waits_for_acts() == 1; }, 30s));
        CPPUNIT_ASSERT_EQUAL(role, role_of_olaf());
        act.rows("COMMIT");
        changed.get();
        return role_of_olaf();
    }

    /// Signs the report. Only the first answer has the report's files; the answer to a repeat has none of
    /// them.
    static void check_signature(const std::string& code) {
        acting().ctl("operator add olaf --role operator");
        check_refused(rehearse("olaf", "sign-report", of(code)), 403, "not_permitted");
        acting().ctl("operator remove olaf");
        const std::string too_early = with(of(code), basis_of(rehearse("jane", "sign-report", of(code))));
        acting().database().rows(
            "UPDATE data_import.accepted_difference SET reason = 'another reason' WHERE import_supplier = $1",
            {code});
        check_refused(post("jane", "sign-report", too_early), 409, "changed_meanwhile");
        const std::string body = with(of(code), basis_of(rehearse("jane", "sign-report", of(code))));
        const auto headers = page_headers("jane");
        const Answer made = send("POST", "sign-report/", headers, body);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(made), 200, made.status);
        for (const char* form : {"html", "json"}) {
            const std::filesystem::path file =
                acting().stack().run_directory() / (text_of(made, "file") + "." + form);
            std::ofstream(file) << text_of(made, form);
            CPPUNIT_ASSERT(acting().ctl("report verify " + file.string()).find("that jane signed") !=
                           std::string::npos);
        }
        CPPUNIT_ASSERT_EQUAL(
            std::string("jane (page of operators)"),
            acting().database().value(
                "SELECT operator_name FROM data_import.signed_report WHERE import_supplier = $1", {code}));
        const Answer again = send("POST", "sign-report/", headers, body);
        CPPUNIT_ASSERT_EQUAL(text_of(made, "html_sha256"), text_of(again, "html_sha256"));
        CPPUNIT_ASSERT_EQUAL(std::string(), text_of(again, "html"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(OperatorActsTest);

}  // namespace data_import::tests
