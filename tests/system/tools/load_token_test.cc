// How data-import-load gets its tokens, against a played service.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <Poco/Net/HTTPRequestHandler.h>
#include <Poco/Net/HTTPRequestHandlerFactory.h>
#include <Poco/Net/HTTPServer.h>
#include <Poco/Net/HTTPServerParams.h>
#include <Poco/Net/HTTPServerRequest.h>
#include <Poco/Net/HTTPServerResponse.h>
#include <Poco/Net/ServerSocket.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>

#include "../../support/command.h"
#include "../../support/stack.h"

namespace data_import::tests {

namespace {

namespace net = Poco::Net;

constexpr const char* api_key = "dik_played";
constexpr int lines = 40;

/// The behaviour of the played service.
struct Play {
    int expiring = 0;          ///< tokens that are answered as expired after 10 requests: the first ones
    int lifetime = 3600;       ///< told as expiresIn
    int failures = 0;          ///< requests for a token that are answered `failure` first
    int failure = 503;         ///< status
    std::string refusal = {};  ///< code of the error in each answer to a request for a token; empty: none
    bool takes_none = false;   ///< every token is answered as expired
};

struct Reply {
    int status;
    std::string body;
};

/// Gives out tokens `played-1`, `played-2`, ...
class PlayedService : public net::HTTPRequestHandlerFactory {
public:
    explicit PlayedService(Play play) : play_(std::move(play)) {}

    net::HTTPRequestHandler* createRequestHandler(const net::HTTPServerRequest&) override {
        return new Handler(*this);
    }

    [[nodiscard]] int tokens() const { return tokens_; }
    [[nodiscard]] int accepted() const { return accepted_; }
    [[nodiscard]] const std::string& fault() const { return fault_; }

private:
    class Handler : public net::HTTPRequestHandler {
    public:
        explicit Handler(PlayedService& service) : service_(service) {}

        void handleRequest(net::HTTPServerRequest& request, net::HTTPServerResponse& response) override {
            const std::string body(std::istreambuf_iterator<char>(request.stream()), {});
            const std::string token = request.get("Authorization", "");
            const Reply reply = service_.answer(request.getURI(), token, body);
            response.setStatus(static_cast<net::HTTPResponse::HTTPStatus>(reply.status));
            response.setContentType("application/json");
            if (reply.status == 429 || reply.status == 503) response.set("Retry-After", "0");
            response.sendBuffer(reply.body.data(), reply.body.size());
        }

    private:
        PlayedService& service_;
    };

    Reply answer(const std::string& path, const std::string& token, const std::string& body) {
        const std::lock_guard lock(mutex_);
        if (path == "/v1/data-import/token/") return {200, R"({"organisation": "Played"})"};
        return path == "/v1/graphql/" ? give_token(token, body) : take_notes(token);
    }

    Reply give_token(const std::string& token, const std::string& body) {
        if (!token.empty()) fault_ = "a request for a token has a token";
        if (body.find(api_key) == std::string::npos) fault_ = "a request for a token has no API key";
        if (play_.failures-- > 0) return {play_.failure, R"({"detail": "x", "code": "x", "errors": []})"};
        if (!play_.refusal.empty()) {
            return {200, R"({"errors": [{"message": "x", "extensions": {"code": ")" + play_.refusal +
                             R"("}}], "data": {"obtainToken": null}})"};
        }
        uses_ = 0;
        return {200, R"({"data": {"obtainToken": {"token": "played-)" + std::to_string(++tokens_) +
                         R"(", "expiresIn": )" + std::to_string(play_.lifetime) + "}}}"};
    }

    Reply take_notes(const std::string& token) {
        if (token.find(api_key) != std::string::npos) fault_ = "the API key was sent as a token";
        if (play_.takes_none || token != "Token played-" + std::to_string(tokens_) ||
            (tokens_ <= play_.expiring && ++uses_ > 10))
            return {401, R"({"detail": "expired", "code": "token_expired", "errors": []})"};
        ++accepted_;
        return {201, "[]"};
    }

    Play play_;
    std::mutex mutex_;
    int tokens_ = 0;
    int uses_ = 0;
    int accepted_ = 0;
    std::string fault_;
};

/// A run of the client against the played service.
class Run {
public:
    explicit Run(Play play) : service_(new PlayedService(std::move(play))) {
        const auto directory =
            std::filesystem::temp_directory_path() / ("load-token-" + std::to_string(getpid()));
        std::filesystem::create_directories(directory);
        write_files(directory);
        net::ServerSocket socket(net::SocketAddress("127.0.0.1", 0));
        net::HTTPServer server(service_, socket, new net::HTTPServerParams);
        server.start();
        result = run_command((build_directory() / "data-import-load").string() +
                             " --url http://127.0.0.1:" + std::to_string(socket.address().port()) +
                             " --single --connections 4 --api-key-file " + (directory / "key").string() +
                             ' ' + (directory / "notes.ndjson").string());
        server.stopAll(true);
        std::filesystem::remove_all(directory);
        CPPUNIT_ASSERT_EQUAL(std::string(), service_->fault());
        CPPUNIT_ASSERT((result.output + result.errors).find(api_key) == std::string::npos);
        CPPUNIT_ASSERT((result.output + result.errors).find("played-") == std::string::npos);
    }

    [[nodiscard]] const PlayedService& service() const { return *service_; }

    CommandResult result;

private:
    static void write_files(const std::filesystem::path& directory) {
        std::ofstream(directory / "key") << api_key << '\n';
        std::filesystem::permissions(directory / "key", std::filesystem::perms(0600));
        std::ofstream notes(directory / "notes.ndjson");
        for (int line = 0; line < lines; ++line)
            notes << R"({"path": "/v1/data-import/notes/create/", "body": {"number": )" << line << "}}\n";
    }

    Poco::SharedPtr<PlayedService> service_;
};

}  // namespace

class LoadTokenTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LoadTokenTest);
    CPPUNIT_TEST(one_token_does_for_all_connections);
    CPPUNIT_TEST(an_expired_token_is_replaced);
    CPPUNIT_TEST(a_token_is_replaced_before_it_expires);
    CPPUNIT_TEST(a_service_that_is_away_or_throttles_is_asked_again);
    CPPUNIT_TEST(a_refused_key_ends_the_run);
    CPPUNIT_TEST(tokens_that_are_never_accepted_end_the_run);
    CPPUNIT_TEST(an_address_without_the_service_ends_the_run);
    CPPUNIT_TEST_SUITE_END();

public:
    void one_token_does_for_all_connections() {
        const Run run({});
        check_accepted(run);
        CPPUNIT_ASSERT_EQUAL(1, run.service().tokens());
    }

    /// A request tries three tokens: more that expire at once could refuse a slow one for good.
    void an_expired_token_is_replaced() {
        const Run run({.expiring = 2});
        check_accepted(run);
        CPPUNIT_ASSERT_EQUAL(3, run.service().tokens());
    }

    /// A token of no lifetime at all is good for the request that asked for it.
    void a_token_is_replaced_before_it_expires() {
        const Run run({.lifetime = 0});
        CPPUNIT_ASSERT(run.service().tokens() > 4);
    }

    void a_service_that_is_away_or_throttles_is_asked_again() {
        for (const int failure : {429, 500, 502, 503}) {
            const Run run({.failures = 2, .failure = failure});
            check_accepted(run);
            CPPUNIT_ASSERT_EQUAL(1, run.service().tokens());
        }
    }

    void a_refused_key_ends_the_run() {
        const Run run({.refusal = "authentication_failed"});
        check_stopped(run, "does not accept the API key");
    }

    void tokens_that_are_never_accepted_end_the_run() {
        const Run run({.takes_none = true});
        check_stopped(run, "token_expired");
        CPPUNIT_ASSERT(run.service().tokens() <= 12);
    }

    void an_address_without_the_service_ends_the_run() {
        for (const int failure : {400, 404, 301}) {
            const Run run({.failures = 1000, .failure = failure});
            check_stopped(run, std::to_string(failure));
        }
        const Run run({.refusal = "something"});
        check_stopped(run, "/v1/graphql/");
    }

private:
    static void check_accepted(const Run& run) {
        CPPUNIT_ASSERT_EQUAL_MESSAGE(run.result.output + run.result.errors, 0, run.result.status);
        CPPUNIT_ASSERT_EQUAL(lines, run.service().accepted());
    }

    static void check_stopped(const Run& run, const std::string& reason) {
        CPPUNIT_ASSERT_EQUAL_MESSAGE(run.result.output + run.result.errors, 1, run.result.status);
        CPPUNIT_ASSERT_MESSAGE(run.result.errors, run.result.errors.find("stopped: ") != std::string::npos &&
                                                      run.result.errors.find(reason) != std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(run.result.errors,
                               run.result.errors.find("correct that") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(0, run.service().accepted());
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(LoadTokenTest);

}  // namespace data_import::tests
