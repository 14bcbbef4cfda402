// client: the command line, the request of a line of input, and the requests that are repeated.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "../../table.h"
#include "tools/client/import_request.h"
#include "tools/client/options.h"
#include "tools/client/session.h"

namespace data_import {

namespace {

using client::Attempt;
using client::AttemptFailure;
using client::Decision;

struct GoodLine {
    std::string line;
    std::string path;
    std::string body;
};

const std::vector<GoodLine> good_lines = {
    {R"({"path": "/v1/notes/", "body": {"a":1}})", "/v1/notes/", R"({"a":1})"},
    {R"({"body":{"a":1},"path":"/v1/notes/"})", "/v1/notes/", R"({"a":1})"},
    {" \t{ \"path\" : \"/v1/\" , \"body\" : { } } \r", "/v1/", "{ }"},
    {R"({"path":"\/v1\/\u0061\/","body":{}})", "/v1/a/", "{}"},
    {R"({"path":"/v1/?force=true&x=%20","body":{}})", "/v1/?force=true&x=%20", "{}"},
    {R"({"path":"/","body":{"n": 18446744073709551616, "e": 5e-05, "d": 1.10}})", "/",
     R"({"n": 18446744073709551616, "e": 5e-05, "d": 1.10})"},
    {R"({"path":"/","body":{"s":"}]\"\\","t":["{",{"u":[]}]}})", "/", R"({"s":"}]\"\\","t":["{",{"u":[]}]})"},
    {R"({"b\u006fdy":{"ü":"😀"},"path":"/"})", "/", R"({"ü":"😀"})"},
    {R"({"reject_reason":"x","reject_code":"","reject_attr":"a.0","path":"/","body":{}})", "/", "{}"}};

struct BadLine {
    std::string line;
    std::string reason;  ///< text that the message about the line has to contain
};

const std::vector<BadLine> bad_lines = {
    {"nonsense", "not a JSON object"},
    {"[]", "not a JSON object but an array: a line holds one request; jq -c"},
    {"{ ", "the object does not end in this line: a line holds one request; jq -c"},
    {R"({"import_supplier":"ACME","notes":[]})", "this looks like the body alone"},
    {"{}", "\"path\" is missing"},
    {"\xEF\xBB\xBF{}", "byte order mark"},
    {R"({"path":"/v1/"})", "\"body\" is missing"},
    {R"({"body":{}})", "\"path\" is missing"},
    {R"({"path":"/v1/","body":[1]})", "\"body\" is not an object"},
    {R"({"path":"/v1/","body":"{}"})", "\"body\" is not an object"},
    {R"({"path":7,"body":{}})", "\"path\" is not a string"},
    {R"({"path":"v1/","body":{}})", "slash"},
    {R"({"path":"https://other.example/","body":{}})", "slash"},
    {R"({"path":"/a b/","body":{}})", "percent-encoded"},
    {R"({"path":"/a\r\nHost: x/","body":{}})", "percent-encoded"},
    {R"({"path":"/ü/","body":{}})", "percent-encoded"},
    {R"({"path":"/a#b","body":{}})", "percent-encoded"},
    {R"({"path":"/a?dry_run=true","body":{}})", "use --dry-run on the command line instead"},
    {R"({"path":"/a?x=1&dry_run=%31","body":{}})", "use --dry-run on the command line instead"},
    {R"({"path":"/a?&dry%5Frun=0","body":{}})", "use --dry-run on the command line instead"},
    {R"({"path":"/a?dry_run","body":{}})", "use --dry-run on the command line instead"},
    {R"({"path":"/a?%64ry_run=+","body":{}})", "use --dry-run on the command line instead"},
    {R"({"path":"/a?x=%zz","body":{}})", "percent-encoding"},
    {R"({"path":"/a?%ff=1","body":{}})", "percent-encoding"},
    {R"({"path":"/\ud800","body":{}})", "\"path\""},
    {R"({"path":"/","path":"/","body":{}})", "twice"},
    {R"({"path":"/","body":{},"body":{}})", "twice"},
    {R"({"path":"/","body":{},"metod":"PUT"})", "unknown member \"metod\""},
    {R"({"path":"/","id":"1","body":{}})", "unknown member \"id\": remove it"},
    {R"({"path":"/","body":{}}{"path":"/","body":{}})",
     "another object follows the first, but a line holds only one: were the line breaks lost?"},
    {R"({"path":"/","body":{}} x)", "something follows the object"},
    {R"({"path":"/","body":{})", "does not end"},
    {R"({"path":"/","body":{"a":[})", "does not end"},
    {R"({"path":"/","body":{"a)", "does not end"},
    {R"({"path":"/","body":})", "value is missing"},
    {R"({"path":"/",})", "name is expected"},
    {R"({"path" "/"})", "name is expected"}};

struct Idempotence {
    std::string path;
    bool idempotent;
};

const std::vector<Idempotence> idempotences = {{"/v1/transactions/create/", true},
                                               {"/t/?check_previously_added=true", true},
                                               {"/t/?check_previously_added=1", true},
                                               {"/t/?check_previously_added=FALSE", false},
                                               {"/t/?x=1&check_previously_added=0", false},
                                               {"/t/?check_previously_added=false&x=1", false},
                                               {"/t/?check_previously_added=%66alse", false},
                                               {"/t/?check%5Fpreviously_added=false", false},
                                               {"/t/?check_previously_added=%74rue", true},
                                               {"/t/?check_previously_added", false},
                                               {"/t/?y=check_previously_added=false", true}};

struct Judgement {
    std::string name;
    AttemptFailure failure;
    bool sent;
    int status;
    std::string code;
    Decision without_key;
    Decision with_key;
};

const std::vector<Judgement> judgements = {
    {"no token", AttemptFailure::no_token, false, 0, "no_token", Decision::stop, Decision::stop},
    {"201", AttemptFailure::none, true, 201, "", Decision::accepted, Decision::accepted},
    {"200", AttemptFailure::none, true, 200, "", Decision::accepted, Decision::accepted},
    {"302", AttemptFailure::none, true, 302, "", Decision::refused, Decision::refused},
    {"400", AttemptFailure::none, true, 400, "validation_error", Decision::refused, Decision::refused},
    {"400 of a vendor", AttemptFailure::none, true, 400, "vendor_unavailable", Decision::refused,
     Decision::refused},
    {"401", AttemptFailure::none, true, 401, "token_expired", Decision::stop, Decision::stop},
    {"404", AttemptFailure::none, true, 404, "account_not_found", Decision::refused, Decision::refused},
    {"408", AttemptFailure::none, true, 408, "request_timeout", Decision::retry, Decision::retry},
    {"413", AttemptFailure::none, true, 413, "payload_too_large", Decision::refused, Decision::refused},
    {"429", AttemptFailure::none, true, 429, "throttled", Decision::retry, Decision::retry},
    {"409", AttemptFailure::none, true, 409, "request_in_progress", Decision::retry, Decision::retry},
    {"422", AttemptFailure::none, true, 422, "idempotency_key_reused", Decision::refused, Decision::refused},
    {"500", AttemptFailure::none, true, 500, "error", Decision::retry_briefly, Decision::retry},
    {"500 of a vendor", AttemptFailure::none, true, 500, "vendor_intermittent", Decision::retry,
     Decision::retry},
    {"502", AttemptFailure::none, true, 502, "bad_gateway", Decision::retry, Decision::retry},
    {"503", AttemptFailure::none, true, 503, "service_unavailable", Decision::retry, Decision::retry},
    {"504", AttemptFailure::none, true, 504, "gateway_timeout", Decision::retry, Decision::retry},
    {"not connected", AttemptFailure::connection, false, 0, "", Decision::retry, Decision::retry},
    {"connection lost", AttemptFailure::connection, true, 0, "", Decision::retry, Decision::retry},
    {"time-out connecting", AttemptFailure::time_out, false, 0, "", Decision::retry, Decision::retry},
    {"time-out", AttemptFailure::time_out, true, 0, "", Decision::retry, Decision::retry},
    {"broken answer", AttemptFailure::broken, true, 0, "", Decision::retry, Decision::retry},
    {"proxy that wants a password", AttemptFailure::proxy, false, 0, "", Decision::stop, Decision::stop},
    {"certificate", AttemptFailure::certificate, false, 0, "", Decision::stop, Decision::stop}};

struct Delay {
    unsigned repeat;
    std::optional<int> retry_after;  ///< seconds
    double chance;
    int milliseconds;
};

const std::vector<Delay> delays = {{1, std::nullopt, 0.0, 125},
                                   {1, std::nullopt, 1.0, 250},
                                   {2, std::nullopt, 1.0, 500},
                                   {8, std::nullopt, 1.0, 30'000},
                                   {8, std::nullopt, 0.0, 15'000},
                                   {100, std::nullopt, 1.0, 30'000},
                                   {1, 0, 0.0, 125},
                                   {1, 2, 0.0, 2'000},
                                   {1, 2, 1.0, 2'125},
                                   {8, 2, 1.0, 30'000},
                                   {1, 86'400, 0.0, 300'000}};

struct Url {
    std::string text;
    std::string expected;  ///< `scheme host port prefix`, or empty for a refusal
};

const std::vector<Url> urls = {{"https://import.example.com", "https import.example.com 443 "},
                               {"https://import.example.com:8443/", "https import.example.com 8443 "},
                               {"https://h/base/v//", "https h 443 /base/v"},
                               {"https://[::1]:8443", "https ::1 8443 "},
                               {"http://127.0.0.1:8080", "http 127.0.0.1 8080 "},
                               {"http://127.9.9.9", "http 127.9.9.9 80 "},
                               {"http://localhost", "http localhost 80 "},
                               {"http://[::1]", "http ::1 80 "},
                               {"http://import.example.com", ""},
                               {"http://10.0.0.1", ""},
                               {"http://localhost.example.com", ""},
                               {"ftp://h", ""},
                               {"h", ""},
                               {"", ""},
                               {"https://", ""},
                               {"https://user:secret@h", ""},
                               {"https://h/v1/", ""},
                               {"https://h/base/v1", ""},
                               {"https://h/v11", "https h 443 /v11"},
                               {"https://h?x=1", ""},
                               {"https://h#x", ""},
                               {"https://h:port", ""}};

std::string described(const client::Target& target) {
    return std::string(target.secure ? "https " : "http ") + target.server.host + " " +
           std::to_string(target.server.port) + " " + target.prefix;
}

client::Options options_of(const std::vector<std::string>& words) {
    return client::options_of(command_line::parse(client::program_table(), words));
}

struct WrongUsage {
    std::vector<std::string> arguments;
    std::string message;  ///< a part of the message
};

const std::vector<WrongUsage> wrong_usages = {
    {{}, "--url URL is missing"},
    {{"--url", "https://h", "f"}, "--api-key-file F is missing"},
    {{"--url", "https://h", "--api-key-file", "t"}, "at least one FILE"},
    {{"--url"}, "--url needs a value"},
    {{"--connections", "257"}, "from 1 to 256"},
    {{"--connections=0"}, "from 1 to 256"},
    {{"--retries", "x"}, "from 0 to 100"},
    {{"--timeout", "1.5"}, "from 1 to 3600"},
    {{"--json=yes"}, "takes no value"},
    {{"--proxy", "socks5://p"}, "--proxy takes http://[USER:PASSWORD@]HOST[:PORT]"},
    {{"--rejects", "r", "--rejects", "s"}, "--rejects is given twice"},
    {{"--api-key", "k"}, "there is no option --api-key"},
    {{"-j"}, "there is no option -j; if it is FILE, put -- before it: -- -j; usage: "},
    {{"--dates", "DD.MM.YY"}, "--dates takes day (DD or D), month (MM or M) and year (YYYY)"},
    {{"--map", "x"}, "--map takes COLUMN=FIELD, such as VKONT=external_account_number, not \"x\""},
    {{"--map", "x=boddy"}, "no import has the field \"boddy\""},
    {{"--check", "--map", "X=body", "--map", "x=amount", "f"}, "--map names two fields of the column x"},
    {{"--check", "--map", "X=body", "--ignore-column", "x", "f"},
     "--map and --ignore-column both name the column x"},
    {{"--url", "https://h", "--api-key-file", "t", "-", "-"}, "only once"},
    {{"--check", "--totals", "f"}, "--check and --totals exclude each other"},
    {{"--totals", "--verify", "f"}, "--totals and --verify exclude each other"},
    {{"--totals", "--declare", "f"}, "--url URL is missing"},
    {{"--verify", "--url", "https://h", "f"}, "--api-key-file F is missing"},
    {{"--declare", "f"}, "--totals"},
    {{"--per-account", "p", "f"}, "--totals"},
    {{"--url", "https://h", "--api-key-file", "t", "--rejects", "r", "--report", "./r", "f"},
     "--rejects and --report would write the same file ./r"},
    {{"--url", "https://h", "--api-key-file", "t", "--report", "j", "--journal", "j", "f"},
     "--report and the journal would write the same file j"},
    {{"--url", "https://h", "--api-key-file", "t", "--rejects", "f.journal", "f"},
     "--rejects and the journal would write the same file f.journal"}};

}  // namespace

class LoadTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LoadTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_lines);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_retries);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_command_lines);
    CPPUNIT_TEST(understands_the_command_line);
    CPPUNIT_TEST(has_defaults);
    CPPUNIT_TEST(chooses_the_proxy);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_lines(TestSuiteBuilderContextType& context) {
        for (const GoodLine& row : good_lines) {
            tests::add_row(context, "line " + row.line, [row] {
                const client::ImportRequest request = client::parse_line(row.line);
                CPPUNIT_ASSERT_EQUAL(row.path, request.path);
                CPPUNIT_ASSERT_EQUAL(row.body, std::string(request.body));
            });
        }
        for (const BadLine& row : bad_lines)
            tests::add_row(context, "no line " + row.line, [row] { refuse(row); });
        for (const Idempotence& row : idempotences) {
            tests::add_row(context, "idempotent " + row.path, [row] {
                const client::ImportRequest request{row.path, "{}"};
                CPPUNIT_ASSERT_EQUAL(row.idempotent, request.is_idempotent());
            });
        }
    }

    static void add_retries(TestSuiteBuilderContextType& context) {
        for (const Judgement& row : judgements) {
            tests::add_row(context, "judge " + row.name, [row] {
                const Attempt attempt{row.failure, row.sent, "", row.status, "", std::nullopt};
                CPPUNIT_ASSERT(client::judge(attempt, row.code, false) == row.without_key);
                CPPUNIT_ASSERT(client::judge(attempt, row.code, true) == row.with_key);
            });
        }
        for (const Delay& row : delays) {
            tests::add_row(context, "delay before repeat " + std::to_string(row.repeat), [row] {
                std::optional<std::chrono::seconds> retry_after;
                if (row.retry_after) retry_after = std::chrono::seconds(*row.retry_after);
                const auto delay = client::backoff.delay(row.repeat, retry_after, row.chance);
                CPPUNIT_ASSERT_EQUAL(std::chrono::milliseconds(row.milliseconds).count(), delay.count());
            });
        }
    }

    static void add_command_lines(TestSuiteBuilderContextType& context) {
        for (const Url& row : urls) {
            tests::add_row(context, "URL " + row.text, [row] {
                std::string seen;
                try {
                    seen = described(client::parse_url(row.text));
                } catch (const std::invalid_argument&) {
                }
                CPPUNIT_ASSERT_EQUAL(row.expected, seen);
            });
        }
        for (const WrongUsage& row : wrong_usages) {
            tests::add_row(context, "wrong usage: " + row.message, [row] { refuse(row); });
        }
    }

    void understands_the_command_line() {
        const client::Options options = options_of({"a",
                                                    "--url=https://h:1",
                                                    "--api-key-file",
                                                    "t",
                                                    "--ca-file",
                                                    "c",
                                                    "--connections",
                                                    "256",
                                                    "--retries",
                                                    "0",
                                                    "--timeout",
                                                    "5",
                                                    "--rejects",
                                                    "r",
                                                    "--json",
                                                    "--proxy",
                                                    "u:p@x:3128",
                                                    "--decimal-comma",
                                                    "-",
                                                    "--",
                                                    "--b"});
        CPPUNIT_ASSERT_EQUAL(std::string("https h 1 "), described(options.target));
        CPPUNIT_ASSERT(options.api_key_file == "t" && options.ca_file == "c" && options.rejects_file == "r");
        CPPUNIT_ASSERT(options.connections == 256 && options.retries == 0 && options.json);
        CPPUNIT_ASSERT(options.timeout == std::chrono::seconds(5));
        CPPUNIT_ASSERT(options.csv.decimal_comma);
        CPPUNIT_ASSERT_EQUAL(std::string("x:3128"), net::authority_of(options.proxy->server));
        CPPUNIT_ASSERT((options.files == std::vector<std::string>{"a", "-", "--b"}));
        using Wanted = command_line::Invocation::Wanted;
        CPPUNIT_ASSERT(command_line::parse(client::program_table(), {"--help"}).wanted() == Wanted::help);
        CPPUNIT_ASSERT(command_line::parse(client::program_table(), {"--version"}).wanted() ==
                       Wanted::version);
    }

    void has_defaults() {
        const client::Options options = options_of({"--url", "https://h", "--api-key-file", "t", "f"});
        CPPUNIT_ASSERT(options.connections == 8 && options.retries == 8 && !options.json);
        CPPUNIT_ASSERT(options.timeout == std::chrono::seconds(120));
        CPPUNIT_ASSERT(options.ca_file.empty() && options.rejects_file.empty());
        CPPUNIT_ASSERT(options.csv == client::CsvReading());
    }

    void chooses_the_proxy() {
        const auto chosen = [](std::vector<std::string> arguments) {
            arguments.insert(arguments.end(), {"--api-key-file", "t", "f"});
            client::Options options = options_of(arguments);
            client::choose_proxy(options, [](const char* name) {
                return std::string_view(name) == "https_proxy" ? "http://variable:1" : nullptr;
            });
            return options.target.proxy ? net::authority_of(options.target.proxy->server) : "none";
        };
        CPPUNIT_ASSERT_EQUAL(std::string("variable:1"), chosen({"--url", "https://h"}));
        CPPUNIT_ASSERT_EQUAL(std::string("given:2"), chosen({"--proxy", "given:2", "--url", "https://h"}));
        CPPUNIT_ASSERT_EQUAL(std::string("given:2"),
                             chosen({"--proxy", "given:2", "--url", "http://127.0.0.1"}));
        CPPUNIT_ASSERT_EQUAL(std::string("none"), chosen({"--url", "http://127.0.0.1"}));
        CPPUNIT_ASSERT_EQUAL(std::string("none"), chosen({"--check"}));
    }

private:
    static void require_part(const std::string& whole, const std::string& part) {
        CPPUNIT_ASSERT_MESSAGE(whole, whole.find(part) != std::string::npos);
    }

    static void refuse(const BadLine& row) {
        try {
            static_cast<void>(client::parse_line(row.line));
        } catch (const client::MalformedLine& error) {
            require_part(error.what(), row.reason);
            return;
        }
        CPPUNIT_FAIL("taken: " + row.line);
    }

    static void refuse(const WrongUsage& row) {
        try {
            static_cast<void>(options_of(row.arguments));
        } catch (const command_line::UsageError& error) {
            require_part(error.what(), row.message);
            return;
        }
        CPPUNIT_FAIL("taken, instead of: " + row.message);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(LoadTest);

}  // namespace data_import
