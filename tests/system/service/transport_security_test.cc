// The headers in every answer that protect its readers, and the versions of TLS.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/http.h"
#include "../../support/stack.h"
#include "../../support/world.h"
#include "../../table.h"

namespace data_import::tests {

namespace {

/// A request whose answer, good or bad, comes from nginx or from a worker of one of the pools.
struct Row {
    std::string name;
    std::string bytes;  ///< of the request; `{token}` is replaced by a token
    int status;
};

const std::vector<Row> rows = {
    {"a good answer", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 200},
    {"a listing",
     "GET /v1/data-import/all-account-import-processes/EMPTY/ HTTP/1.1\r\nHost: localhost\r\n"
     "Authorization: Token {token}\r\n\r\n",
     200},
    {"a refusal of a worker",
     "GET /v1/data-import/all-account-import-processes/EMPTY/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 401},
    {"a path that is not there", "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n", 404},
    {"a method that is not allowed", "DELETE /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 405},
    {"a body that is too large",
     "POST /v1/graphql/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
     "Content-Length: 99999999999\r\n\r\n",
     413},
    {"a broken request", "nonsense\r\n\r\n", 400},
    {"a request for a token",
     "POST /v1/graphql/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
     "27\r\n\r\n"
     "{\"query\": \"{ apiVersion }\"}",
     200},
};

std::string filled(std::string bytes) {
    const std::size_t place = bytes.find("{token}");
    if (place != std::string::npos) bytes.replace(place, 7, *world().shared("token"));
    return bytes;
}

void check_headers(const Row& row) {
    HttpConnection connection(Stack::shared().port(), Stack::shared().value("CA_FILE"));
    connection.send(filled(row.bytes));
    const Answer answer = connection.receive();
    CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), row.status, answer.status);
    check_any_answer(answer);
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"Server", "nginx"},
        {"X-Content-Type-Options", "nosniff"},
        {"Cache-Control", "no-store"},
        {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
        {"Strict-Transport-Security", "max-age=31536000"}};
    for (const auto& [name, value] : expected)
        CPPUNIT_ASSERT_EQUAL_MESSAGE(name + shown(answer), value, answer.header(name).value_or(""));
    CPPUNIT_ASSERT_MESSAGE(shown(answer), !answer.header("X-Powered-By"));
}

std::string handshake(const std::string& options) {
    const std::string port = std::to_string(Stack::shared().port());
    return run_command("openssl s_client -connect 127.0.0.1:" + port + " -servername localhost " + options +
                       " </dev/null 2>&1")
        .output;
}

/// True if the server speaks `version` of TLS. `options` make `openssl s_client` offer only this version; for
/// versions below 1.2, they have to set OpenSSL's security level to 0.
bool speaks(const std::string& version, const std::string& options) {
    return handshake(options).find("New, " + version + ", Cipher is") != std::string::npos;
}

}  // namespace

class TransportSecurityTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(TransportSecurityTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(tls_begins_with_1_2);
    CPPUNIT_TEST(ciphers_are_authenticated_and_forward_secret);
    CPPUNIT_TEST(clients_that_offer_more_get_http_1_1);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) add_row(context, row.name, [row] { check_headers(row); });
    }

    void tls_begins_with_1_2() {
        CPPUNIT_ASSERT(speaks("TLSv1.3", "-tls1_3"));
        CPPUNIT_ASSERT(speaks("TLSv1.2", "-tls1_2"));
        CPPUNIT_ASSERT(!speaks("TLSv1.1", "-tls1_1 -cipher DEFAULT@SECLEVEL=0"));
        CPPUNIT_ASSERT(!speaks("TLSv1", "-tls1 -cipher DEFAULT@SECLEVEL=0"));
    }

    void clients_that_offer_more_get_http_1_1() {
        const std::string both = handshake("-alpn h2,http/1.1");
        CPPUNIT_ASSERT_MESSAGE(both, both.find("ALPN protocol: http/1.1") != std::string::npos);
        const std::string only_http2 = handshake("-alpn h2");
        CPPUNIT_ASSERT_MESSAGE(only_http2, only_http2.find("no application protocol") != std::string::npos);
    }

    void ciphers_are_authenticated_and_forward_secret() {
        CPPUNIT_ASSERT(speaks("TLSv1.2", "-tls1_2 -cipher ECDHE+AESGCM"));
        for (const char* cipher :
             {"ECDHE+AES+SHA1", "AES128-GCM-SHA256", "AES256-SHA", "DHE+AESGCM", "aNULL", "3DES"}) {
            CPPUNIT_ASSERT_MESSAGE(
                cipher, !speaks("TLSv1.2", "-tls1_2 -cipher " + std::string(cipher) + ":@SECLEVEL=0"));
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(TransportSecurityTest);

}  // namespace data_import::tests
