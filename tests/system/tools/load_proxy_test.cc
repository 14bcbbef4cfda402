// data-import-load through an HTTP proxy. Every line reaches the service through a tunnel of the proxy. If a
// proxy opens no tunnel, the client names the proxy and its reason.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "../../support/command.h"
#include "../../support/http_proxy.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

using Clock = std::chrono::steady_clock;

const Stack& stack() {
    return world().stack();
}

/// An address that leads to the service only through the proxy.
const std::string far_url = "https://localhost:9";
const std::string far_authority = "localhost:9";

constexpr int lines = 300;

void require(const CommandResult& result, int status, const std::string& said) {
    const std::string all = result.output + result.errors;
    CPPUNIT_ASSERT_EQUAL_MESSAGE(all, status, result.status);
    CPPUNIT_ASSERT_MESSAGE(all + "lacks " + said, all.find(said) != std::string::npos);
}

}  // namespace

class LoadProxyTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LoadProxyTest);
    CPPUNIT_TEST(lines_come_through_the_proxy_that_is_given);
    CPPUNIT_TEST(lines_come_through_the_proxy_of_the_environment);
    CPPUNIT_TEST(interim_answers_of_the_proxy_are_passed_over);
    CPPUNIT_TEST(exempt_servers_are_reached_without);
    CPPUNIT_TEST(totals_are_declared_and_verified_through_it);
    CPPUNIT_TEST(a_proxy_gets_user_and_password);
    CPPUNIT_TEST(a_proxy_that_asks_for_user_and_password_ends_the_run);
    CPPUNIT_TEST(a_proxy_that_opens_no_tunnel_is_named);
    CPPUNIT_TEST(a_proxy_that_says_nothing_is_named);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        supplier_ = world().take_fresh();
        run_ctl(stack(), "supplier create " + supplier_ + " --name Proxy");
        import_accounts(world().database(), supplier_, supplier_, 1);
        directory_ = world().directory() / ("proxy-" + supplier_);
        std::filesystem::create_directory(directory_);
        std::ofstream(directory_ / "key")
            << run_ctl(stack(), "key create --organisation Proxy --supplier " + supplier_);
        std::filesystem::permissions(directory_ / "key", std::filesystem::perms::owner_read);
        std::ofstream book(directory_ / "book.ndjson");
        for (int number = 1; number <= lines; ++number)
            book << R"({"path": "/v1/data-import/notes/create/", "body": {"import_supplier": ")" << supplier_
                 << R"(", "external_account_number": ")" << account() << R"(", "notes": [{"body": ")"
                 << number << R"(", "created_at": "2024-01-01T00:00:00Z"}]}})" << '\n';
    }

    void lines_come_through_the_proxy_that_is_given() {
        const HttpProxy proxy({.target = stack().port()});
        require(load("--proxy http://" + proxy.address()), 0, "300 accepted");
        require_stored_through(proxy);
    }

    void lines_come_through_the_proxy_of_the_environment() {
        for (const std::string variable : {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}) {
            const HttpProxy proxy({.target = stack().port()});
            require(load("--single --connections 3",
                         variable + "=http://" + proxy.address() + "/ no_proxy=example.com"),
                    0, "300 accepted");
            require_stored_through(proxy);
        }
    }

    void interim_answers_of_the_proxy_are_passed_over() {
        const HttpProxy proxy(
            {.target = stack().port(),
             .interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"});
        require(load("--proxy http://" + proxy.address()), 0, "300 accepted");
        require_stored_through(proxy);
    }

    void exempt_servers_are_reached_without() {
        const HttpProxy proxy({.target = stack().port(), .refusal = "403 Forbidden"});
        const std::string variables = "HTTPS_PROXY=http://" + proxy.address();
        for (const char* const list : {"127.0.0.1", "example.com,127.0.0.0/8", "*"})
            require(load("", variables + " NO_PROXY='" + list + "'", stack().value("BASE_URL")), 0,
                    "300 accepted");
        CPPUNIT_ASSERT(proxy.asked().empty());
        require(load("--retries 0 --proxy " + proxy.address(), "no_proxy='*'", stack().value("BASE_URL")), 3,
                "the proxy " + proxy.address());
    }

    void totals_are_declared_and_verified_through_it() {
        const HttpProxy proxy({.target = stack().port()});
        const std::string given = "--proxy " + proxy.address();
        require(load(given), 0, "300 accepted");
        const std::size_t tunnels = proxy.asked().size();
        require(run("--totals --declare " + given), 0, "EQUAL");
        require(run("--verify " + given), 0, "EQUAL");
        CPPUNIT_ASSERT(proxy.asked().size() > tunnels);
    }

    void a_proxy_gets_user_and_password() {
        const HttpProxy proxy({.target = stack().port(), .credentials = "user:p@ss:word"});
        require(load("--proxy http://user:p%40ss%3Aword@" + proxy.address()), 0, "300 accepted");
        require_stored_through(proxy);
    }

    void a_proxy_that_asks_for_user_and_password_ends_the_run() {
        const HttpProxy proxy({.target = stack().port(), .credentials = "user:right"});
        const auto begin = Clock::now();
        require(load("--proxy http://" + proxy.address()), 1,
                "the proxy " + proxy.address() +
                    " asks for a user and a password, as in http://USER:PASSWORD@" + proxy.address());
        const CommandResult wrong = load("", "https_proxy=http://user:secret@" + proxy.address());
        require(wrong, 1, "the proxy " + proxy.address() + " does not accept the user and the password");
        CPPUNIT_ASSERT(wrong.errors.find("secret") == std::string::npos);
        CPPUNIT_ASSERT(Clock::now() - begin < 10s);
        CPPUNIT_ASSERT_EQUAL(0L, stored());
    }

    void a_proxy_that_opens_no_tunnel_is_named() {
        const HttpProxy closed({.target = stack().port(), .refusal = "403 Forbidden"});
        require(load("--retries 1 --proxy " + closed.address()), 3,
                "the proxy " + closed.address() + " refused to connect to " + far_authority +
                    " (HTTP/1.1 403 Forbidden)");
        require(load("--retries 1 --proxy 127.0.0.1:9"), 3, ": the proxy 127.0.0.1:9: Connection refused");
        require(load("--retries 1 --proxy proxy.invalid:3128"), 3, "the proxy proxy.invalid:3128: ");
        const HttpProxy to_nowhere({.target = 9});
        require(load("--retries 1 --proxy " + to_nowhere.address()), 3, "not delivered");
    }

    void a_proxy_that_says_nothing_is_named() {
        const HttpProxy proxy({.is_silent = true});
        require(load("--retries 0 --timeout 1 --proxy " + proxy.address()), 3,
                "no answer within 1 s through the proxy " + proxy.address());
    }

private:
    [[nodiscard]] std::string account() const { return supplier_ + "00001"; }

    [[nodiscard]] CommandResult run(const std::string& arguments, const std::string& variables = "",
                                    const std::string& url = far_url) const {
        return run_command("cd " + shell_word(directory_.string()) + " && " + variables + ' ' +
                           (build_directory() / "data-import-load").string() + " --url " + url +
                           " --ca-file " + stack().value("CA_FILE") + " --api-key-file key " + arguments +
                           " book.ndjson");
    }

    [[nodiscard]] CommandResult load(const std::string& arguments, const std::string& variables = "",
                                     const std::string& url = far_url) const {
        return run("--no-journal " + arguments, variables, url);
    }

    [[nodiscard]] long stored() const {
        return world().database().count(
            "SELECT count(*) FROM data_import.note WHERE account_key = data_import.account_key($1, $2)",
            {supplier_, account()});
    }

    void require_stored_through(const HttpProxy& proxy) const {
        CPPUNIT_ASSERT_EQUAL(long{lines}, stored());
        const auto asked = proxy.asked();
        CPPUNIT_ASSERT(!asked.empty());
        for (const std::string& authority : asked) CPPUNIT_ASSERT_EQUAL(far_authority, authority);
    }

    std::string supplier_;
    std::filesystem::path directory_;
};

CPPUNIT_TEST_SUITE_REGISTRATION(LoadProxyTest);

}  // namespace data_import::tests
