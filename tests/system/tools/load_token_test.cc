// How data-import-load gets its tokens from a fake of the service.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <mutex>
#include <string>

#include "../../support/command.h"
#include "../../support/played_service.h"

namespace data_import::tests {

namespace {

constexpr int lines = 40;

/// The behaviour of the fake of the service.
struct Play {
    int expiring = 0;     ///< number of tokens, from the first on, that expire after 10 requests
    int lifetime = 3600;  ///< told as expiresIn
    int failures = 0;     ///< number of requests for a token, from the first on, that get an error
    int failure = 503;    ///< HTTP status of the error that the first `failures` requests for a token get
    std::string refusal = {};  ///< code of the error in each answer to a request for a token; empty: none
    bool takes_none = false;   ///< each request with a token is refused with token_expired
};

using Reply = PlayedService::Reply;

/// Gives out tokens `played-1`, `played-2`, ...
class TokenGiver {
public:
    explicit TokenGiver(Play play) : play_(std::move(play)) {}

    Reply answer(const PlayedService::Request& request) {
        const std::lock_guard lock(mutex_);
        if (request.path == "/v1/data-import/token/") return {200, R"({"organisation": "Played"})"};
        return request.path == "/v1/graphql/" ? give_token(request) : take_note(request.token);
    }

    [[nodiscard]] int tokens() const { return tokens_; }
    [[nodiscard]] int accepted() const { return accepted_; }
    [[nodiscard]] const std::string& fault() const { return fault_; }

private:
    Reply give_token(const PlayedService::Request& request) {
        if (!request.token.empty()) fault_ = "a request for a token has a token";
        if (request.plain.find(PlayedService::api_key) == std::string::npos)
            fault_ = "a request for a token has no API key";
        if (play_.failures-- > 0) return PlayedService::refused(play_.failure);
        if (!play_.refusal.empty()) {
            return {200, R"({"errors": [{"message": "x", "extensions": {"code": ")" + play_.refusal +
                             R"("}}], "data": {"obtainToken": null}})"};
        }
        uses_ = 0;
        return PlayedService::token("played-" + std::to_string(++tokens_), play_.lifetime);
    }

    Reply take_note(const std::string& token) {
        if (token.find(PlayedService::api_key) != std::string::npos)
            fault_ = "the API key was sent as a token";
        if (play_.takes_none || token != "Token played-" + std::to_string(tokens_) ||
            (tokens_ <= play_.expiring && ++uses_ > 10))
            return PlayedService::refused(401, "token_expired");
        ++accepted_;
        return {};
    }

    Play play_;
    std::mutex mutex_;
    int tokens_ = 0;
    int uses_ = 0;
    int accepted_ = 0;
    std::string fault_;
};

/// A run of the client against the fake of the service.
class Run {
public:
    explicit Run(Play play) : service_(std::move(play)) {
        const PlayedService played([this](const auto& request) { return service_.answer(request); });
        std::string notes;
        for (int line = 0; line < lines; ++line)
            notes += R"({"path": "/v1/data-import/notes/create/", "body": {"number": )" +
                     std::to_string(line) + "}}\n";
        played.add("notes.ndjson", notes);
        result = played.load("--single --connections 4 notes.ndjson");
        CPPUNIT_ASSERT_EQUAL(std::string(), service_.fault());
        const std::string all = result.output + result.errors;
        CPPUNIT_ASSERT(all.find(PlayedService::api_key) == std::string::npos);
        CPPUNIT_ASSERT(all.find("played-") == std::string::npos);
    }

    [[nodiscard]] const TokenGiver& service() const { return service_; }

    CommandResult result;

private:
    TokenGiver service_;
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

    /// Only two tokens expire, because the client tries at most three tokens for one request. If more tokens
    /// expired, a slow request could use up all three and be refused for good.
    void an_expired_token_is_replaced() {
        const Run run({.expiring = 2});
        check_accepted(run);
        CPPUNIT_ASSERT_EQUAL(3, run.service().tokens());
    }

    /// All tokens have a lifetime of 0, so the client must not use a token for a later request.
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
