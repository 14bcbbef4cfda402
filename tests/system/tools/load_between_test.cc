// Tests of data-import-load when a proxy, balancer, firewall or captive portal answers in the place of the
// service. A function of the test plays that program (Between). Also tests API keys that are read from a
// pipe.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <random>

#include "../../support/command.h"
#include "../../support/played_service.h"
#include "base/util/gzip.h"

namespace data_import::tests {

namespace {

const std::string bulk = "/v1/data-import/bulk/";
const std::string graphql = "/v1/graphql/";
const std::string page = "text/html; charset=utf-8";

struct Asked {
    std::string path;
    std::string body;   ///< as sent
    std::string plain;  ///< `body`, unpacked
    int before = 0;     ///< number of earlier requests for the same path
};

using Reply = PlayedService::Reply;

/// A program between the client and the service. Returns its own answer, or nothing if it lets the request
/// pass.
using Between = std::function<std::optional<Reply>(const Asked&)>;

std::optional<Reply> pass(const Asked&) {
    return std::nullopt;
}

/// Plays a service with a program in front of it. `between` plays that program, and answers some requests
/// itself. The service accepts every request that `between` lets pass.
class Taker {
public:
    explicit Taker(Between between) : between_(std::move(between)) {}

    Reply answer(const PlayedService::Request& request) {
        const std::lock_guard lock(mutex_);
        const std::string path = request.path.substr(0, request.path.find('?'));
        if (auto reply = between_({path, request.body, request.plain, asked_[path]++})) {
            ++stopped_;
            return *reply;
        }
        if (path == graphql) {
            ++tokens_;
            return PlayedService::token();
        }
        if (path != bulk) return {};
        const std::string count = std::to_string(std::ranges::count(request.plain, '\n'));
        return {200, R"({"lines": )" + count + R"(, "accepted": )" + count + R"(, "refused": 0})" + '\n'};
    }

    [[nodiscard]] int stopped() const { return stopped_; }
    [[nodiscard]] int tokens() const { return tokens_; }
    [[nodiscard]] const std::map<std::string, int>& asked() const { return asked_; }

private:
    const Between between_;
    std::mutex mutex_;
    std::map<std::string, int> asked_;
    int stopped_ = 0;
    int tokens_ = 0;
};

/// Runs data-import-load against a played service. Each request first reaches a program such as a proxy; the
/// constructor's parameter `between` plays this program.
class Run {
public:
    struct Options {
        int lines = 60;
        std::size_t bytes = 20;   ///< number of random letters in each line, which compress badly
        std::string before = {};  ///< text of bash in front of the command
        std::string key = {};     ///< argument of --api-key-file in bash syntax; empty: the file `key`
        std::string more = {};    ///< further arguments of data-import-load in bash syntax
        int retries = 2;
    };

    Run(const Between& between, const Options& options) : service_(between) {
        const PlayedService played([this](const auto& request) { return service_.answer(request); });
        played.add("notes.ndjson", notes(options));
        // bash runs the command, because `key` may be a process substitution, such as `<(cat key)`
        result_ = played.run("", "bash -c '" + options.before + " \"$0\" --url " + played.url() +
                                     " --no-journal --retries " + std::to_string(options.retries) +
                                     " --connections 2 --report report.ndjson --api-key-file " +
                                     (options.key.empty() ? "key" : options.key) + ' ' + options.more +
                                     " notes.ndjson'");
    }

    [[nodiscard]] const Taker& service() const { return service_; }
    void require(int status, const std::string& said) const {
        const std::string all = result_.output + result_.errors;
        CPPUNIT_ASSERT_EQUAL_MESSAGE(all, status, result_.status);
        CPPUNIT_ASSERT_MESSAGE(all + "lacks " + said, all.find(said) != std::string::npos);
    }

private:
    static std::string notes(const Options& options) {
        std::string notes;
        std::minstd_rand random;
        for (int line = 1; line <= options.lines; ++line) {
            std::string text;
            while (text.size() < options.bytes) text += static_cast<char>('a' + random() % 26);
            const std::string number = std::to_string(line);
            notes += R"({"path": "/v1/data-import/notes/create/", "body": {"import_supplier": "ACME", )"
                     R"("external_account_number": ")" +
                     number + R"(", "notes": [{"body": ")" + text + " line " + number + R"( end"}]}})" + '\n';
        }
        return notes;
    }

    Taker service_;
    CommandResult result_;
};

std::string html(const std::string& title) {
    return "<!doctype html>\n<HTML><head><Title>\n " + title + "\n</Title><style>p {}</style></head>\n" +
           "<body><h1>Sorry</h1></body></html>";
}

Between refusing(int status, const std::function<bool(const Asked&)>& is_refused) {
    return [=](const Asked& asked) {
        return is_refused(asked) ? std::optional(Reply{status, html("Blocked"), page}) : std::nullopt;
    };
}

Between always(const Reply& reply) {
    return [=](const Asked& asked) { return asked.path == graphql ? std::nullopt : std::optional(reply); };
}

}  // namespace

class LoadBetweenTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LoadBetweenTest);
    CPPUNIT_TEST(longer_requests_than_a_proxy_takes_are_divided);
    CPPUNIT_TEST(a_request_with_a_line_that_a_firewall_blocks_is_divided);
    CPPUNIT_TEST(a_line_that_is_too_long_for_a_proxy_is_told);
    CPPUNIT_TEST(lines_come_alone_where_bulk_requests_are_blocked);
    CPPUNIT_TEST(a_page_of_a_balancer_passes);
    CPPUNIT_TEST(a_page_of_a_balancer_is_named);
    CPPUNIT_TEST(an_error_of_a_gateway_is_named);
    CPPUNIT_TEST(a_redirect_is_named);
    CPPUNIT_TEST(a_page_in_the_place_of_a_success_is_named);
    CPPUNIT_TEST(a_captive_portal_ends_the_run);
    CPPUNIT_TEST(a_packing_that_is_not_understood_is_named);
    CPPUNIT_TEST(packed_answers_are_unpacked);
    CPPUNIT_TEST(the_end_of_a_long_wait_is_told);
    CPPUNIT_TEST(a_key_comes_out_of_a_pipe);
    CPPUNIT_TEST(standard_input_is_not_read_for_two);
    CPPUNIT_TEST_SUITE_END();

public:
    void longer_requests_than_a_proxy_takes_are_divided() {
        constexpr std::size_t most = 20'000;
        for (const int status : {413, 403}) {
            const Run run(refusing(status, [](const Asked& asked) { return asked.body.size() > most; }),
                          {.lines = 200, .bytes = 2000});
            run.require(0, "200 requests: 200 accepted");
            CPPUNIT_ASSERT(run.service().stopped() > 0);
            // few requests are refused, because the client learns how long a body may be for the proxy
            CPPUNIT_ASSERT_LESS(20, run.service().stopped());
            CPPUNIT_ASSERT_EQUAL(std::size_t(2), run.service().asked().size());
        }
    }

    void a_request_with_a_line_that_a_firewall_blocks_is_divided() {
        const auto is_blocked = [](const Asked& asked) {
            return asked.plain.find("line 37 end") != std::string::npos;
        };
        const Run run(refusing(403, is_blocked), {});
        run.require(3, "60 requests: 59 accepted, 1 not delivered");
        run.require(3,
                    "403 broken_answer: 1, such as notes.ndjson line 37: 403 from something in between: "
                    "text/html, title 'Blocked'");
    }

    void a_line_that_is_too_long_for_a_proxy_is_told() {
        constexpr std::size_t most = 20'000;
        const Run run(refusing(413, [](const Asked& asked) { return asked.body.size() > most; }),
                      {.lines = 10, .bytes = 40'000});
        run.require(3, "10 requests: 0 accepted, 10 not delivered");
        run.require(3, "a proxy before the service takes no request of this size");
    }

    void lines_come_alone_where_bulk_requests_are_blocked() {
        for (const int status : {403, 404, 405, 415}) {
            const Run run(refusing(status, [](const Asked& asked) { return asked.path == bulk; }), {});
            run.require(0, "60 requests: 60 accepted");
        }
    }

    void a_page_of_a_balancer_passes() {
        for (const int status : {429, 502, 503, 504}) {
            const Run run(
                refusing(status, [](const Asked& asked) { return asked.path == bulk && asked.before == 0; }),
                {});
            run.require(0, "60 requests: 60 accepted");
        }
    }

    void a_page_of_a_balancer_is_named() {
        for (const int status : {429, 502, 503, 504, 500, 520}) {
            const Run run(always({status, html("No healthy\tupstream"), page, {{"Server", "balancer/1"}}}),
                          {.retries = 0});
            run.require(3, std::to_string(status) +
                               " from something in between: text/html, title 'No healthy upstream', by "
                               "'balancer/1'; ask who runs the proxy or balancer");
        }
    }

    void an_error_of_a_gateway_is_named() {
        const Run run(always({503, R"({"message": "no route"})"}), {.retries = 0});
        run.require(3, R"(503 from something in between: application/json, '{"message": "no route"}')");
    }

    void a_redirect_is_named() {
        for (const int status : {301, 302, 307, 308}) {
            const Run run(always({status, html("Moved"), page, {{"Location", "https://new.example/x"}}}),
                          {.retries = 0});
            run.require(3, std::to_string(status) +
                               " from something in between: a redirect to https://new.example/x; is --url");
        }
    }

    void a_page_in_the_place_of_a_success_is_named() {
        const Run run(always({200, "<p>Please <b>accept</b> our<script>x</script> terms", page}),
                      {.retries = 0});
        run.require(3, "200 from something in between: text/html, 'Please accept our terms'");
    }

    void a_captive_portal_ends_the_run() {
        for (const int status : {200, 302, 403, 404, 511}) {
            const Run run(
                [=](const Asked&) {
                    return std::optional(Reply{status, html("Login"), page, {{"Location", "/login"}}});
                },
                {.retries = 0});
            run.require(status < 500 ? 1 : 3,
                        std::to_string(status) + " from something in between: " +
                            (status == 302 ? "a redirect to /login" : "text/html, title 'Login'"));
        }
    }

    void a_packing_that_is_not_understood_is_named() {
        const Run run(always({200, "\x1b\x02", "application/x-ndjson", {{"Content-Encoding", "br"}}}),
                      {.retries = 0});
        run.require(3, "200 from something in between: application/x-ndjson, packed with br");
    }

    void packed_answers_are_unpacked() {
        const Between packing = [](const Asked& asked) -> std::optional<Reply> {
            if (asked.path != bulk) return std::nullopt;
            const std::string last = R"({"lines": 1, "accepted": 1, "refused": 0})"
                                     "\n";
            return Reply{200, util::gzipped(last), "application/x-ndjson", {{"Content-Encoding", "gzip"}}};
        };
        Run(packing, {.lines = 1}).require(0, "1 request: 1 accepted");
    }

    void the_end_of_a_long_wait_is_told() {
        const Reply busy{429, html("Slow down"), page, {{"Retry-After", "7200"}}};
        Run(always(busy), {.lines = 1, .retries = 0}).require(3, "; it asks to wait until 20");
        const Reply closed{503,
                           R"({"detail": "Away.", "code": "service_unavailable", "errors": []})",
                           "application/json",
                           {{"Retry-After", "Fri, 31 Dec 2100 23:00:00 GMT"}}};
        Run(always(closed), {.lines = 1, .retries = 0}).require(3, "Away. It asks to wait until 2");
    }

    void a_key_comes_out_of_a_pipe() {
        const Run::Options ways[] = {
            {.before = "cat key |", .key = "/dev/stdin"},
            {.before = "cat key |", .key = "/dev/fd/0"},
            {.key = "<(cat key)"},
            {.before = "mkfifo -m 600 fifo; cat key >fifo &", .key = "fifo"},
            {.key = "/dev/stdin <key"},
        };
        for (const Run::Options& way : ways) {
            // the first token is refused as expired, so that the client needs the key a second time
            const Run run(
                [](const Asked& asked) {
                    const Reply expired{401, R"({"detail": "x", "code": "token_expired", "errors": []})"};
                    return asked.path == bulk && asked.before == 0 ? std::optional(expired) : std::nullopt;
                },
                way);
            run.require(0, "60 requests: 60 accepted");
            CPPUNIT_ASSERT_EQUAL(2, run.service().tokens());
        }
    }

    void standard_input_is_not_read_for_two() {
        Run(pass, {.before = "cat key |", .key = "/dev/stdin", .more = "-"})
            .require(2, "standard input cannot be both the API key file and a FILE (-)");
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(LoadBetweenTest);

}  // namespace data_import::tests
