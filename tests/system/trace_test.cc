// Traces of a single request for operators: in the history of its account, by its id, in the log.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <thread>

#include "../support/answer_check.h"
#include "../support/command.h"
#include "../support/load.h"
#include "../support/playground.h"
#include "../support/processes.h"
#include "../support/world.h"

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
    CPPUNIT_TEST(accounts_that_are_not_known_have_none);
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
        CPPUNIT_ASSERT_MESSAGE(json, holds(json, R"("errors":[{"code":"blank","attr":"notes.1.body"}])"));
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

    /// Their number is the client's choice: there would be no end of them.
    void accounts_that_are_not_known_have_none() {
        const std::string known = account_;
        account_ = code_ + "-unknown";
        const Answer unknown = ask(world().stack(), notes({{"x"}}));
        CPPUNIT_ASSERT_EQUAL(404, unknown.status);
        account_ = known;
        eventually("request show " + id_of(unknown), "404 account_not_found");
        CPPUNIT_ASSERT_EQUAL(std::string("nothing was refused of such an account"),
                             run_ctl(world().stack(), "import log --account " + code_ + "-unknown"));
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
        Playground& playground = Playground::shared();
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
    static World& world() { return World::of_shared_stack(); }

    [[nodiscard]] HttpRequest notes(const std::vector<SentNote>& notes) const {
        return notes_request(token_, code_, account_, notes);
    }

    /// The output of the command once it contains `part`: workers hand refusals over about once a second.
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
