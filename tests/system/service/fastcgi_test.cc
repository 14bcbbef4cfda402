// Answers of a worker to a peer on its socket that does not behave as nginx does.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <Poco/Net/SocketAddress.h>
#include <Poco/Net/StreamSocket.h>
#include <Poco/Timespan.h>

#include "../../support/fastcgi_records.h"
#include "../../support/json_match.h"
#include "../../support/playground.h"

namespace data_import::tests {

namespace {

/// Everything that the worker writes to its standard output.
std::string output(Poco::Net::StreamSocket& socket) {
    std::string received;
    char chunk[4096];
    for (int count = 0; (count = socket.receiveBytes(chunk, sizeof(chunk))) > 0;)
        received.append(chunk, static_cast<std::size_t>(count));
    std::string text;
    for (std::size_t place = 0; place + 8 <= received.size();) {
        const auto byte = [&](std::size_t index) {
            return static_cast<std::size_t>(static_cast<unsigned char>(received[place + index]));
        };
        const std::size_t length = byte(4) * 256 + byte(5);
        if (received[place + 1] == standard_output) text += received.substr(place + 8, length);
        place += 8 + length + byte(6);
    }
    return text;
}

std::string ask_worker(const std::string& bytes, bool then_close) {
    const std::string path = playground().stack()->run_directory() / "sockets/import.sock";
    Poco::Net::StreamSocket socket(Poco::Net::SocketAddress(Poco::Net::AddressFamily::UNIX_LOCAL, path));
    socket.setReceiveTimeout(Poco::Timespan(10, 0));
    socket.sendBytes(bytes.data(), static_cast<int>(bytes.size()));
    if (then_close) socket.shutdownSend();
    return output(socket);
}

}  // namespace

class FastCgiTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(FastCgiTest);
    CPPUNIT_TEST(a_body_that_does_not_come_is_408);
    CPPUNIT_TEST(a_body_that_breaks_off_is_not_answered);
    CPPUNIT_TEST(a_body_of_another_length_is_400);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        playground().prepare();
        playground().configure({"access_refresh = 1", "import_workers = 2", "read_timeout = 1"}, 2);
    }

    void a_body_that_does_not_come_is_408() {
        check(ask_worker(head_of_request("20") + record(standard_input, "{\"import"), false), 408,
              "request_timeout");
    }

    /// nginx leaves a body unfinished only when it could not send the request to its end, and then it repeats
    /// the request.
    void a_body_that_breaks_off_is_not_answered() {
        CPPUNIT_ASSERT_EQUAL(std::string(),
                             ask_worker(head_of_request("20") + record(standard_input, "{\"import"), true));
    }

    void a_body_of_another_length_is_400() {
        for (const std::string announced : {"7", "9"}) {
            check(ask_worker(head_of_request(announced) + record(standard_input, "{\"import") +
                                 record(standard_input, ""),
                             false),
                  400, "bad_request");
        }
    }

private:
    static void check(const std::string& output, int status, const std::string& code) {
        CPPUNIT_ASSERT_MESSAGE(output, output.starts_with("Status: " + std::to_string(status) + ' '));
        const std::size_t body = output.find("\r\n\r\n");
        CPPUNIT_ASSERT_MESSAGE(output, body != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(code, parse_error_body(output.substr(body + 4)).code);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(FastCgiTest);

}  // namespace data_import::tests
