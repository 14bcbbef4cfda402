// Tests that operators find the traces of a single request. These traces stand in the history of the account
// that the request is for, in what `request show` prints for the id of the request, and in the service's log.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/load.h"
#include "../../support/playground.h"
#include "../../support/processes.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string id_of(const Answer& answer) {
    return answer.header("X-Request-Id").value();
}

}  // namespace

class TraceTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(TraceTest);
    CPPUNIT_TEST(a_refusal_is_found_by_account_and_by_request);
    CPPUNIT_TEST(lines_of_a_bulk_request_are_found_like_requests);
    CPPUNIT_TEST(the_records_of_a_request_are_found);
    CPPUNIT_TEST(those_of_unknown_accounts_are_found_by_number);
    CPPUNIT_TEST(each_line_of_a_bad_file_is_kept);
    CPPUNIT_TEST(a_worker_keeps_refusals_before_it_ends);
    CPPUNIT_TEST(refusals_that_are_not_kept_are_told);
    CPPUNIT_TEST(forgotten_refusals_are_told);
    CPPUNIT_TEST(an_erased_account_is_told);
    CPPUNIT_TEST(a_mistyped_number_leads_to_the_account);
    CPPUNIT_TEST(the_last_of_unknown_accounts_stay_for_each_key);
    CPPUNIT_TEST(the_last_twenty_of_a_flood_stay);
    CPPUNIT_TEST(they_expire_with_the_import_log);
    CPPUNIT_TEST(the_log_line_of_a_refusal_names_its_sender);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        code_ = world().take_fresh();
        run_ctl(world().stack(), "supplier create " + code_ + " --name X");
        import_accounts(world().database(), code_, code_ + "-A-", 2);
        account_ = code_ + "-A-00001";
        token_ = token_for(world().stack(), "Org " + code_, code_);
    }

    void a_refusal_is_found_by_account_and_by_request() {
        const Answer refused = ask(world().stack(), notes({{"good"}, {""}}));
        CPPUNIT_ASSERT_EQUAL(400, refused.status);
        const std::string id = id_of(refused);
        for (const std::string& command :
             {"import log --account " + account_, "import log --supplier " + code_ + " --account " + account_,
              "account show " + code_ + " " + account_, "request show " + id,
              "request show " + id + " --supplier " + code_ + " --account " + account_}) {
            const std::string text = eventually(command, id);
            CPPUNIT_ASSERT_MESSAGE(text,
                                   holds(text, "400 validation_error  /v1/data-import/notes/create/\n"));
            CPPUNIT_ASSERT_MESSAGE(text, holds(text, "account " + account_ + " of " + code_ + "\n"));
            CPPUNIT_ASSERT_MESSAGE(text, holds(text, "blank notes.1.body: "));
        }
        const std::string json = run_ctl(world().stack(), "request show --json " + id);
        CPPUNIT_ASSERT_MESSAGE(json, holds(json, R"("organisation":"Org )" + code_));
        CPPUNIT_ASSERT_MESSAGE(json, holds(json, R"("errors":[{"code":"blank","attr":"notes.1.body",)"
                                                 R"("detail":"This value must not be)"));
        CPPUNIT_ASSERT_MESSAGE(json, holds(json, R"("stored":[])"));
    }

    void lines_of_a_bulk_request_are_found_like_requests() {
        HttpRequest request = notes({{"x"}});
        const std::string line = R"({"path":"/v1/data-import/notes/create/","body":)";
        request.target = "/v1/data-import/bulk/";
        for (auto& [name, value] : request.headers) {
            if (name == "Content-Type") value = "application/x-ndjson";
        }
        request.body = line + notes({{"stored"}}).body + "}\n" + line + notes({{""}}).body + "}\n";
        const Answer answer = ask(world().stack(), request);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 207, answer.status);
        const std::string text = eventually("request show " + id_of(answer), "line 2");
        CPPUNIT_ASSERT_MESSAGE(text, holds(text, "blank notes.0.body"));
        CPPUNIT_ASSERT_MESSAGE(text, holds(text, "  notes  1        201 "));
    }

    void the_records_of_a_request_are_found() {
        const Answer stored = ask(world().stack(), notes({{"one"}, {"two"}}));
        CPPUNIT_ASSERT_EQUAL(201, stored.status);
        for (const std::string& more : {std::string(), " --supplier " + code_ + " --account " + account_}) {
            const std::string json = run_ctl(world().stack(), "request show --json " + id_of(stored) + more);
            CPPUNIT_ASSERT_MESSAGE(json, holds(json, R"("stored":[{"import_supplier":")" + code_ +
                                                         R"(","external_account_number":")" + account_ +
                                                         R"(","kind":"notes","records":2,"status":201,)"));
        }
        const CommandResult other =
            run_command(world().stack().value("CTL") + " request show " + id_of(stored) + " --supplier " +
                        code_ + " --account " + code_ + "-A-00002");
        CPPUNIT_ASSERT_EQUAL(1, other.status);
        CPPUNIT_ASSERT_MESSAGE(other.errors, holds(other.errors, "nothing is known"));
    }

    void those_of_unknown_accounts_are_found_by_number() {
        const std::string known = account_;
        account_ = code_ + "-unknown";
        const Answer unknown = ask(world().stack(), notes({{"x"}}));
        account_ = known;
        CPPUNIT_ASSERT_EQUAL(404, unknown.status);
        const std::string text = eventually("import log --account " + code_ + "-unknown", id_of(unknown));
        CPPUNIT_ASSERT_MESSAGE(
            text, holds(text, "account " + code_ + "-unknown of " + code_ + ", which is not known here\n"));
        CPPUNIT_ASSERT_MESSAGE(text, holds(text, "account stage " + code_ + " " + code_ + "-unknown\n"));
        const std::string of_request =
            eventually("request show --json " + id_of(unknown), "account_not_found");
        CPPUNIT_ASSERT_MESSAGE(of_request, holds(of_request, R"("import_supplier":")" + code_ +
                                                                 R"(","external_account_number":")" + code_ +
                                                                 R"(-unknown","is_known":false)"));
        const std::string list = "import log --unknown --supplier " + code_;
        const std::string csv = run_ctl(world().stack(), list + " --csv");
        CPPUNIT_ASSERT_MESSAGE(csv, holds(csv, "\n" + code_ + "," + code_ + "-unknown,1,20") &&
                                        holds(csv, "," + id_of(unknown)));
        CPPUNIT_ASSERT_MESSAGE(csv, !holds(csv, account_));
        run_ctl(world().stack(), "account stage " + code_ + " " + code_ + "-unknown");
        const std::string staged = run_ctl(world().stack(), "import log --account " + code_ + "-unknown");
        CPPUNIT_ASSERT_MESSAGE(staged, holds(staged, id_of(unknown)) && !holds(staged, "not known"));
        CPPUNIT_ASSERT_EQUAL(std::string("no refusal of an unknown account is kept"),
                             run_ctl(world().stack(), list));
    }

    void a_worker_keeps_refusals_before_it_ends() {
        std::vector<std::string> ids;
        for (int request = 0; request < 10; ++request)
            ids.push_back(id_of(ask(world().stack(), notes({{""}}))));
        must_run("kill -HUP " + world().stack().value("MASTER_PID"));
        for (const std::string& id : ids) eventually("request show " + id, "blank notes.0.body");
    }

    /// RefusalLog::most_at_once is the greatest number of lines in a bulk request. So a worker keeps the
    /// refusal of each line even if all lines of a bulk request are refused.
    void each_line_of_a_bad_file_is_kept() {
        constexpr int lines = 300;
        const std::string id = id_of(ask(world().stack(), bad_lines(lines)));
        const std::string last = code_ + "-B-" + std::to_string(lines - 1);
        eventually("import log --account " + last, id);
        for (const int line : {0, 1, lines / 2, lines - 1}) {
            const std::string number = code_ + "-B-" + std::to_string(line);
            const std::string text = run_ctl(world().stack(), "import log --account " + number);
            CPPUNIT_ASSERT_MESSAGE(text,
                                   holds(text, "request " + id + ", line " + std::to_string(line + 1) + ","));
            CPPUNIT_ASSERT_MESSAGE(text, !holds(text, "only counted"));
        }
        CPPUNIT_ASSERT_EQUAL(std::to_string(lines), member_of("request show --json " + id, "refused_lines"));
    }

    /// The test deletes some of the refused lines, as if there had been more of them than are kept.
    void refusals_that_are_not_kept_are_told() {
        const std::string id = id_of(ask(world().stack(), bad_lines(30)));
        eventually("import log --account " + code_ + "-B-29", id);
        for (const char* change :
             {"DELETE FROM data_import.account_refusal WHERE import_supplier = $1 AND line <= 10",
              "UPDATE data_import.account_refusal_count SET kept = kept - 10 WHERE import_supplier = $1"})
            world().database().rows(change, {code_});
        const std::string told = "10 of the 30 refusals of " + code_ + " since ";
        const std::string journal = "\n  journalctl -u data-import IMPORT_SUPPLIER=" + code_ + " ";
        for (const auto& [command, which] : std::vector<std::pair<std::string, std::string>>{
                 {"import log --supplier " + code_ + " --account " + code_ + "-B-0",
                  "ACCOUNT=" + code_ + "-B-0"},
                 {"import log --account " + code_ + "-B-29", "ACCOUNT=" + code_ + "-B-29"},
                 {"import log --unknown --supplier " + code_, "CODE=account_not_found"},
                 {"account show " + code_ + " " + account_, "ACCOUNT=" + account_}}) {
            const std::string text = run_ctl(world().stack(), command);
            CPPUNIT_ASSERT_MESSAGE(text, holds(text, told) && holds(text + "\n", journal + which + "\n"));
        }
        const std::string none = run_ctl(world().stack(), "import log --account " + code_ + "-B-0");
        CPPUNIT_ASSERT_MESSAGE(none, none.starts_with("no refusal of such an account is kept\n"));
        CPPUNIT_ASSERT_MESSAGE(none, holds(none, " refusals since ") && holds(none, "import ACCOUNT="));
        const std::string request = run_ctl(world().stack(), "request show " + id);
        CPPUNIT_ASSERT_MESSAGE(request, holds(request, "\n20 of 30 refused lines are kept."));
    }

    /// The purge deletes all but the last two refusals of unknown accounts. It also lowers the number of kept
    /// refusals in account_refusal_count, so `import log` says that 4 of the 6 refusals were only counted.
    void forgotten_refusals_are_told() {
        eventually("import log --account " + code_ + "-B-5", id_of(ask(world().stack(), bad_lines(6))));
        world().database().rows("SELECT data_import.refusals_of_unknown_purge(2)");
        const std::string text =
            run_ctl(world().stack(), "import log --supplier " + code_ + " --account " + code_ + "-B-0");
        CPPUNIT_ASSERT_MESSAGE(text, holds(text, "4 of the 6 refusals of " + code_ + " since "));
    }

    void an_erased_account_is_told() {
        run_ctl(world().stack(), "account erase " + code_ + " " + account_);
        CPPUNIT_ASSERT_EQUAL(404, ask(world().stack(), notes({{"x"}})).status);
        const auto counted = [&] {
            return world().database().count(
                "SELECT coalesce(sum(kept), 0) FROM data_import.account_refusal_count "
                "WHERE import_supplier = $1",
                {code_});
        };
        CPPUNIT_ASSERT(wait_until([&] { return counted() == 1; }, 20s));
        CPPUNIT_ASSERT_EQUAL(0L, kept());
        const std::string text = run_ctl(world().stack(), "import log --account " + account_);
        CPPUNIT_ASSERT_MESSAGE(text,
                               holds(text, "account " + account_ + " of " + code_ + " was erased at 20"));
        CPPUNIT_ASSERT_MESSAGE(text, holds(text, "imports into it are answered account_not_found"));
        CPPUNIT_ASSERT_MESSAGE(text, !holds(text, "account stage") && !holds(text, "only counted"));
    }

    void a_mistyped_number_leads_to_the_account() {
        const std::string typed = code_ + "-A-001";
        const std::string question = "did you mean " + account_;
        for (const auto& [command, status] : std::vector<std::pair<std::string, int>>{
                 {"import log --account " + typed, 0},
                 {"account show " + code_ + " " + code_ + "-A-1", 1},
                 {"account hold " + code_ + " " + code_ + "-A00001", 1}}) {
            const CommandResult said = run_command(world().stack().value("CTL") + " " + command);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(command, status, said.status);
            CPPUNIT_ASSERT_MESSAGE(command + ": " + said.output + said.errors,
                                   holds(said.output + said.errors, question));
        }
        const std::string none = run_ctl(world().stack(), "import log --account " + code_ + "-A-9");
        CPPUNIT_ASSERT_MESSAGE(none, holds(none, "no account has the number " + code_ + "-A-9; upper"));
        const std::string service = world().database().value(
            "SELECT service_account_number FROM data_import.account WHERE account_key = "
            "data_import.account_key($1, $2)",
            {code_, account_});
        const std::string text = run_ctl(world().stack(), "import log --account " + service);
        CPPUNIT_ASSERT_MESSAGE(text, holds(text, "account show " + code_ + " " + account_));
    }

    void the_last_of_unknown_accounts_stay_for_each_key() {
        const auto kept_of_unknown = [&] {
            return world().database().count(
                "SELECT count(*) FROM data_import.account_refusal WHERE api_key_id = 900000001");
        };
        world().database().rows(
            "INSERT INTO data_import.account_refusal (account_key, request_id, line, import_supplier, "
            "was_known, "
            "at, api_key_id, endpoint, status, code, error_count, item_codes, attrs) "
            "SELECT gen_random_uuid(), gen_random_uuid(), 0, $1, number > 100, now() - make_interval(secs => "
            "number), "
            "900000001, '/', 404, 'c', 0, '{}', '{}' FROM generate_series(1, 103) AS number",
            {code_});
        world().database().rows("SELECT data_import.refusals_of_unknown_purge(40)");
        CPPUNIT_ASSERT_EQUAL(43L, kept_of_unknown());
        world().database().rows("DELETE FROM data_import.account_refusal WHERE api_key_id = 900000001");
    }

    void the_last_twenty_of_a_flood_stay() {
        for (int number = 0; number < 50; ++number)
            CPPUNIT_ASSERT_EQUAL(400, ask(world().stack(), notes({{""}})).status);
        const std::string last = id_of(ask(world().stack(), notes({{""}})));
        eventually("import log --account " + account_, last);
        CPPUNIT_ASSERT_EQUAL(20L, kept());
    }

    void they_expire_with_the_import_log() {
        eventually("import log --account " + account_, id_of(ask(world().stack(), notes({{""}}))));
        world().database().rows(
            "UPDATE data_import.account_refusal SET at = at - interval '15 days' WHERE account_key = "
            "data_import.account_key($1, $2)",
            {code_, account_});
        world().database().rows(
            "SELECT data_import.housekeeping(14, 30, '1 day') "
            "FROM pg_advisory_xact_lock(data_import.lock_number('housekeeping', ''))");
        CPPUNIT_ASSERT_EQUAL(0L, kept());
    }

    void the_log_line_of_a_refusal_names_its_sender() {
        Playground& playground = tests::playground();
        playground.prepare();
        const std::uintmax_t log_end = playground.stack().log_size();
        const Answer refused = playground.post_note("");
        CPPUNIT_ASSERT_EQUAL(400, refused.status);
        std::string log;
        const std::string expected =
            "import_supplier=ACME account=" + playground.account() + " item_code=blank attr=notes.0.body";
        CPPUNIT_ASSERT_MESSAGE(log, wait_until(
                                        [&] {
                                            log = playground.stack().log_from(log_end);
                                            return holds(log, expected);
                                        },
                                        10s));
        CPPUNIT_ASSERT_MESSAGE(log, holds(log, "request_id=" + id_of(refused)));
    }

private:
    /// A bulk request of `lines` notes for unknown accounts, CODE-B-0 and so on.
    [[nodiscard]] HttpRequest bad_lines(int lines) const {
        HttpRequest request = notes({{"x"}});
        request.target = "/v1/data-import/bulk/";
        for (auto& [name, value] : request.headers) {
            if (name == "Content-Type") value = "application/x-ndjson";
        }
        request.body.clear();
        for (int line = 0; line < lines; ++line)
            request.body += R"({"path":"/v1/data-import/notes/create/","body":)" +
                            notes_request(token_, code_, code_ + "-B-" + std::to_string(line), {{"x"}}).body +
                            "}\n";
        return request;
    }

    /// The value of a member in the JSON that a command prints.
    static std::string member_of(const std::string& command, const std::string& name) {
        const std::string text = run_ctl(world().stack(), command);
        const std::size_t begin = text.find("\"" + name + "\":") + name.size() + 3;
        return text.substr(begin, text.find_first_of(",}", begin) - begin);
    }

    [[nodiscard]] HttpRequest notes(const std::vector<SentNote>& notes) const {
        return notes_request(token_, code_, account_, notes);
    }

    /// Waits until the output of the command contains `part`, because workers hand refusals over only about
    /// once a second. Returns the output.
    static std::string eventually(const std::string& command, const std::string& part) {
        CommandResult said;
        const bool is_there = wait_until(
            [&] {
                said = run_command(world().stack().value("CTL") + " " + command);
                return said.status == 0 && holds(said.output, part);
            },
            20s);
        CPPUNIT_ASSERT_MESSAGE(command + ": " + said.output + said.errors, is_there);
        return said.output;
    }

    [[nodiscard]] long kept() const {
        return world().database().count(
            "SELECT count(*) FROM data_import.account_refusal "
            "WHERE account_key = data_import.account_key($1, $2)",
            {code_, account_});
    }

    std::string code_;
    std::string account_;
    std::string token_;
};

CPPUNIT_TEST_SUITE_REGISTRATION(TraceTest);

}  // namespace data_import::tests
