// Decisions that nginx makes before it reads a body, and the client address that nginx logs for a request
// that comes through a load balancer.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <regex>
#include <set>
#include <sstream>

#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/json_match.h"
#include "../../support/playground.h"
#include "../../support/processes.h"
#include "../../table.h"

namespace data_import::tests {

namespace {

const std::string notes = "/v1/data-import/notes/create/";
const std::string payment = "/v1/data-import/payment-instruction/create/";
const std::string bulk = "/v1/data-import/bulk/";
const std::string totals = "/v1/data-import/control-totals/ACME/";
const std::string json = "application/json";

/// The head of a request whose body never comes.
struct Announced {
    std::string name;
    std::string method;
    std::string target;
    std::string content_type;
    std::string authorization;  ///< empty: none; GOOD: the token of the playground
    std::string length;         ///< empty: chunked
    int status;
    std::string code;
    std::string said;  ///< a part of the answer's detail
};

const std::vector<Announced> announced = {
    {"no token, long", "POST", notes, json, "", "9900000", 401, "not_authenticated", "Authorization"},
    {"no token, short", "POST", notes, json, "", "20", 401, "not_authenticated", "Authorization"},
    {"no token, unknown length", "POST", notes, json, "", "", 401, "not_authenticated", "Authorization"},
    {"no token for a payment", "POST", payment, json, "", "9900000", 401, "not_authenticated",
     "Authorization"},
    {"no token, charset", "POST", notes, "application/json; charset=UTF-8", "", "20", 401,
     "not_authenticated", ""},
    {"no token, no JSON", "POST", notes, "text/plain", "", "9900000", 415, "unsupported_media_type",
     "application/json"},
    {"no token, no JSON, short", "POST", notes, "text/plain; application/json", "", "20", 415,
     "unsupported_media_type", "application/json"},
    {"no token, no lines", "POST", bulk, json, "", "20", 415, "unsupported_media_type",
     "application/x-ndjson"},
    {"a wrong token, no JSON, long", "POST", notes, "text/plain", "Token a.b.c", "9900000", 415,
     "unsupported_media_type", "application/json"},
    {"a wrong token, no JSON, unknown length", "POST", payment, "text/plain", "Token a.b.c", "", 415,
     "unsupported_media_type", "application/json"},
    {"a wrong token, no lines, long", "POST", bulk, json, "Token a.b.c", "9900000", 415,
     "unsupported_media_type", "application/x-ndjson"},
    {"a wrong token, no JSON, control totals", "PUT", totals, "text/plain", "Token a.b.c", "9900000", 415,
     "unsupported_media_type", "application/json"},
    {"no token, other parameters", "POST", notes, "application/json; charset=latin1;odata.metadata=minimal;",
     "", "20", 401, "not_authenticated", ""},
    {"no token, parameters of lines", "POST", bulk, "application/x-ndjson ; charset = utf8", "", "20", 401,
     "not_authenticated", ""},
    {"a wrong token, parameters, long", "POST", notes, "application/json; charset = utf-8", "Token a.b.c",
     "9900000", 401, "authentication_failed", ""},
    {"no token, another method", "PUT", notes, json, "", "9900000", 405, "method_not_allowed", ""},
    {"a wrong token, long", "POST", notes, json, "Token a.b.c", "9900000", 401, "authentication_failed", ""},
    {"a wrong scheme, long", "POST", notes, json, "Basic abc", "9900000", 401, "authentication_failed",
     "Bearer <token>"},
    {"a wrong token, unknown length", "POST", notes, json, "Token a.b.c", "", 401, "authentication_failed",
     ""},
    {"a wrong token for a payment, long", "POST", payment, json, "Token a.b.c", "200000", 401,
     "authentication_failed", ""},
    {"too large", "POST", notes, json, "GOOD", "10485761", 413, "payload_too_large", "10485760"},
    {"too large for a token", "POST", "/v1/graphql/", json, "", "131073", 413, "payload_too_large", "131072"},
    {"too large for control totals that are asked for", "GET", totals, json, "", "10000000", 413,
     "payload_too_large", ""},
    {"no method of control totals", "DELETE", totals, json, "", "10000000", 405, "method_not_allowed", ""},
    {"control totals without a token", "PUT", totals, json, "", "", 401, "not_authenticated", ""},
    {"no such import", "GET", "/v1/data-import/nonsense/create/", json, "", "0", 404, "not_found", ""},
    {"too large for a GET", "GET", "/v1/data-import/progress/ACME/", json, "GOOD", "131073", 413,
     "payload_too_large", "131072"},
};

std::string bytes_of(const Announced& row, const std::string& token) {
    std::string bytes = row.method + ' ' + row.target +
                        " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + row.content_type + "\r\n";
    if (!row.authorization.empty())
        bytes +=
            "Authorization: " + (row.authorization == "GOOD" ? "Token " + token : row.authorization) + "\r\n";
    bytes += row.length.empty() ? "Transfer-Encoding: chunked\r\n" : "Content-Length: " + row.length + "\r\n";
    return bytes + "\r\n";
}

}  // namespace

class AdmissionTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(AdmissionTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_announced);
    CPPUNIT_TEST(all_imports_may_be_long);
    CPPUNIT_TEST(long_bodies_with_a_token_are_stored);
    CPPUNIT_TEST(a_long_body_hears_that_the_service_does_not_run);
    CPPUNIT_TEST(the_access_log_names_the_method_that_was_sent);
    CPPUNIT_TEST(a_balancer_names_the_client);
    CPPUNIT_TEST(a_balancer_may_speak_the_proxy_protocol);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override { playground().prepare(); }

    static void add_announced(TestSuiteBuilderContextType& context) {
        for (const Announced& row : announced) {
            add_row(context, row.name, [row] {
                // the playground is prepared once for all rows, because their requests are refused and change
                // nothing
                static std::once_flag is_prepared;
                std::call_once(is_prepared, [] { playground().prepare(); });
                const Stack& stack = *playground().stack();
                HttpConnection connection(stack.port(), stack.value("CA_FILE"));
                connection.send(bytes_of(row, playground().token()));
                const Answer answer = connection.receive();
                CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), row.status, answer.status);
                check_any_answer(answer);
                CPPUNIT_ASSERT_EQUAL(row.code, parse_error_body(answer.body).code);
                CPPUNIT_ASSERT_MESSAGE(shown(answer), answer.body.find(row.said) != std::string::npos);
                if (row.status != 405) return;
                const std::string allowed = row.target == totals ? "GET, HEAD, PUT" : "POST";
                CPPUNIT_ASSERT_EQUAL(allowed, answer.header("Allow").value_or(""));
            });
        }
    }

    /// Announces a long body at every import, because nginx's configuration lists the imports separately, and
    /// an import could be missing there.
    void all_imports_may_be_long() {
        const Stack& stack = *playground().stack();
        const std::string document =
            ask(stack, {"GET", "/v1/openapi.json", {{"Host", "localhost"}}, ""}).body;
        const std::regex address("\"(/v1/data-import/[a-z-]+/(?:create|import)/)\"");
        std::set<std::string> imports;
        for (std::sregex_iterator found(document.begin(), document.end(), address), end; found != end;
             ++found)
            imports.insert((*found)[1]);
        CPPUNIT_ASSERT_EQUAL(std::size_t{9}, imports.size());
        for (const std::string& import : imports) {
            HttpConnection connection(stack.port(), stack.value("CA_FILE"));
            connection.send(bytes_of({"", "POST", import, json, "Token a.b.c", "9900000", 401, "", ""}, ""));
            CPPUNIT_ASSERT_EQUAL_MESSAGE(import, 401, connection.receive().status);
        }
    }

    /// Long bodies go to a pool of their own, with a Content-Length and without.
    void long_bodies_with_a_token_are_stored() {
        std::vector<SentNote> many;
        for (int number = 0; number < 300; ++number)
            many.push_back({std::to_string(number) + std::string(1000, 'x')});
        HttpRequest request = notes_request(playground().token(), "ACME", playground().account(), many);
        CPPUNIT_ASSERT_EQUAL(201, ask(*playground().stack(), request).status);
        const std::string chunk = (std::ostringstream() << std::hex << request.body.size()).str();
        request.body = chunk + "\r\n" + request.body + "\r\n0\r\n\r\n";
        request.headers.emplace_back("Transfer-Encoding", "chunked");
        CPPUNIT_ASSERT_EQUAL(201, ask(*playground().stack(), request).status);
        CPPUNIT_ASSERT_EQUAL(
            300L, playground().database().count("SELECT count(*) FROM data_import.note WHERE account_key = "
                                                "data_import.account_key('ACME', $1)",
                                                {playground().account()}));
    }

    /// Bodies of every length are answered 503 while the service does not run. Before nginx reads a long
    /// body, it asks a worker whether the token is valid; now no worker answers. The longest body exceeds 128
    /// KiB, which is the limit of all endpoints but imports, bulk requests and control totals.
    void a_long_body_hears_that_the_service_does_not_run() {
        kill(playground().master(), SIGTERM);
        CPPUNIT_ASSERT(wait_until([&] { return !is_running(playground().master()); }, 60s));
        std::map<std::size_t, Answer> answers;
        for (const std::size_t size : {1000, 110'000, 200'000})
            answers[size] =
                ask(*playground().stack(), notes_request(playground().token(), "ACME", playground().account(),
                                                         {{std::string(size, 'x')}}));
        playground().stack().bring_up();
        for (const auto& [size, answer] : answers) {
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 503, answer.status);
            check_any_answer(answer);
            CPPUNIT_ASSERT_EQUAL(std::string("service_unavailable"), parse_error_body(answer.body).code);
        }
    }

    void the_access_log_names_the_method_that_was_sent() {
        const HttpRequest request{
            "POST", notes + "?logged", {{"Host", "localhost"}, {"Content-Type", json}}, "{}"};
        CPPUNIT_ASSERT_EQUAL(401, ask(*playground().stack(), request).status);
        CPPUNIT_ASSERT(is_logged("method=POST uri=\"" + notes + "?logged\""));
    }

    void a_balancer_names_the_client() {
        NginxChange change(*playground().stack());
        change.write(
            "snippets/data-import/real-ip.conf",
            "set_real_ip_from 127.0.0.0/8;\nreal_ip_header X-Forwarded-For;\nreal_ip_recursive on;\n");
        const HttpRequest request{
            "GET", "/healthz", {{"Host", "localhost"}, {"X-Forwarded-For", "198.51.100.1, 203.0.113.7"}}, ""};
        const bool told = wait_until(
            [&] {
                return ask(*playground().stack(), request).status == 200 && is_logged("remote=203.0.113.7");
            },
            60s);
        CPPUNIT_ASSERT(told);
    }

    void a_balancer_may_speak_the_proxy_protocol() {
        NginxChange change(*playground().stack());
        change.write("snippets/data-import/real-ip.conf",
                     "set_real_ip_from 127.0.0.0/8;\nreal_ip_header proxy_protocol;\n");
        change.replace("sites-available/data-import", " ssl ", " ssl proxy_protocol ");
        CPPUNIT_ASSERT(
            wait_until([] { return is_served(*playground().stack(), " --haproxy-protocol"); }, 60s));
        CPPUNIT_ASSERT(is_logged("uri=\"/healthz\""));
    }

private:
    static bool is_logged(const std::string& text) {
        const std::string log = (playground().stack()->run_directory() / "log/nginx-access.log").string();
        return wait_until(
            [&] { return run_command("grep --quiet --fixed-strings '" + text + "' " + log).status == 0; },
            5s);
    }

    /// Asks with curl, which can send the PROXY protocol. While the listener expects this protocol, it resets
    /// connections that do not begin with it.
    static bool is_served(const Stack& stack, const std::string& options = "") {
        return run_command("curl --silent --fail --noproxy '*' --cacert " + stack.value("CA_FILE") + options +
                           " https://127.0.0.1:" + std::to_string(stack.port()) + "/healthz")
                   .status == 0;
    }

    /// Replaces text in nginx's configuration for as long as this lives.
    class NginxChange {
    public:
        explicit NginxChange(const Stack& stack) : stack_(stack), folder_(stack.run_directory() / "nginx") {}
        ~NginxChange() {
            for (const auto& [file, text] : before_) std::ofstream(file) << text;
            kill(stack_.pid("NGINX_PID"), SIGHUP);
            static_cast<void>(wait_until([&] { return is_served(stack_); }, 60s));
        }
        NginxChange(const NginxChange&) = delete;
        NginxChange& operator=(const NginxChange&) = delete;

        void write(const std::string& name, const std::string& text) {
            const std::filesystem::path file = folder_ / name;
            before_.emplace(file, read(file));
            std::ofstream(file) << text;
            kill(stack_.pid("NGINX_PID"), SIGHUP);
        }

        void replace(const std::string& name, const std::string& from, const std::string& to) {
            std::string text = read(folder_ / name);
            const std::size_t place = text.find(from);
            CPPUNIT_ASSERT_MESSAGE(text, place != std::string::npos);
            write(name, text.replace(place, from.size(), to));
        }

    private:
        static std::string read(const std::filesystem::path& file) {
            std::ifstream stream(file);
            return {std::istreambuf_iterator<char>(stream), {}};
        }

        const Stack& stack_;
        std::filesystem::path folder_;
        std::map<std::filesystem::path, std::string> before_;
    };
};

CPPUNIT_TEST_SUITE_REGISTRATION(AdmissionTest);

}  // namespace data_import::tests
