#include "tools/client/access.h"

#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "base/codes/codes.h"
#include "base/net/transport.h"
#include "base/util/failure.h"
#include "base/util/secret_file.h"
#include "base/util/whole_number.h"
#include "data/json/reader.h"
#include "data/json/writer.h"
#include "data/payload/paths.h"
#include "tools/client/answer.h"
#include "tools/client/stranger.h"
#include "tools/client/summary.h"

namespace data_import::client {

namespace {

using std::chrono::seconds;

const std::string token_path(payload::paths::graphql);
constexpr int service_unavailable = 503;

std::string request_body(const std::string& api_key) {
    json::Writer writer;
    writer.begin_object().key("query").string(
        "mutation ($input: ObtainTokenInput!) { obtainToken(input: $input) { token expiresIn } }");
    writer.key("variables").begin_object().key("input").begin_object().key("APIKey").string(api_key);
    writer.end_object().end_object().end_object();
    return writer.take();
}

bool refuses_key(const json::Value& errors) {
    return errors.size() > 0 && (*errors.items().begin()).at("extensions").at("code").text() ==
                                    codes::name_of(Code::authentication_failed);
}

Attempt no_token(const std::string& reason) {
    Attempt attempt;
    attempt.failure = AttemptFailure::no_token;
    attempt.problem = reason;
    return attempt;
}

/// Judges the result of a request for a token. Returns nothing if its status is 200. Otherwise returns the
/// failure as the result of the request that needed the token and was not sent.
std::optional<Attempt> failure_of(Attempt attempt) {
    attempt.sent = false;
    if (attempt.failure != AttemptFailure::none) return attempt;
    if (attempt.status == 200) return std::nullopt;
    const auto answer = read_answer(attempt.body);
    if (!is_of_service(attempt.status, answer)) attempt.problem = told_of_stranger(attempt);
    if (attempt.status >= 500) attempt.status = service_unavailable;
    if (attempt.status == service_unavailable || attempt.status == 408 || attempt.status == 429)
        return attempt;
    if (!attempt.problem.empty()) return no_token(token_path + " answered " + attempt.problem);
    std::string detail = answer->detail;
    if (detail.ends_with('.')) detail.pop_back();  // because advice is added to the sentence
    return no_token(token_path + " answered " + std::to_string(attempt.status) + ": " + detail);
}

constexpr std::size_t max_key_bytes = 1024;

/// The first bytes of the file with the API key. A regular file can be read again; a pipe or a terminal
/// cannot.
struct KeyText {
    std::string text;
    bool is_regular = true;
};

[[noreturn]] void refuse(const std::string& sentence) {
    throw std::runtime_error(sentence);
}

/// Reads at most one byte more than a key may have, so that a longer key is noticed. The mode of a terminal,
/// where somebody types the key, is not checked, because the system has set it.
KeyText read_start(const std::string& file) {
    try {
        const util::SecretFile input(file);
        const bool is_open = input.allows(S_IRWXO | S_IWGRP) && !input.is_device();
        if (is_open) refuse("the API key file is open to others: chmod 0600 it");
        return {input.read_up_to(max_key_bytes + 1), input.is_regular()};
    } catch (const std::system_error& failure) {
        util::fail("cannot read the API key file, whose name --api-key-file takes, not the key itself",
                   failure.code().value());
    }
}

/// Returns whether the text looks like a JSON Web Token (RFC 7515): three parts with dots between them, the
/// first of which is a JSON object in base64 and so begins with `ey`.
bool is_token(std::string_view text) {
    return text.starts_with("ey") && std::ranges::count(text, '.') == 2;
}

/// Returns the API key in the file, without the white space around the key. Throws std::runtime_error if the
/// file holds no key, if others than owner and group may read it, or if others than the owner may change it.
///
/// Because somebody may have given the key itself as the name of the file, the error quotes neither name nor
/// content.
KeyText read_api_key(const std::string& file) {
    auto [text, is_regular] = read_start(file);
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string::npos) refuse("the API key file is empty");
    text = text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
    const bool is_word = std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
    if (!is_word || text.size() > max_key_bytes)
        refuse("the API key file must hold one API key and nothing else");
    if (is_token(text))
        refuse("the API key file holds a token, not an API key: the client obtains its tokens itself");
    return {std::move(text), is_regular};
}

std::string reason_of(const Attempt& attempt, const ImportAnswer& answer) {
    if (attempt.failure != AttemptFailure::none) return failure_text(attempt);
    if (!attempt.problem.empty()) return attempt.problem;
    std::string reason = "the service answers " + std::to_string(attempt.status);
    if (!answer.code.empty()) reason += " " + answer.code + ": " + answer.detail;
    for (const ErrorItem& error : answer.errors) reason += " " + error.attr + ": " + error.detail;
    return reason;
}

}  // namespace

Access::Access(std::string api_key_file) : api_key_file_(std::move(api_key_file)) {
    KeyText read = read_api_key(api_key_file_);
    if (!read.is_regular) kept_key_ = std::move(read.text);
}

Attempt Access::send(Session& session, const Question& question) {
    // The most tokens to try. If the service refuses all of them, one more will not help.
    constexpr int most_tokens = 3;
    for (int tokens = 1;; ++tokens) {
        Grant granted = grant(session);
        if (granted.token.empty()) return granted.failed;
        Attempt attempt = session.send(question, granted.token);
        // 401: the token has expired, or its API key was replaced
        if (attempt.status != 401 || tokens == most_tokens) return attempt;
        forget(granted.token);
    }
}

/// Returns a token. While one thread requests a token, the others wait and take the result, even if it is a
/// failure.
Access::Grant Access::grant(Session& session) {
    std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) {
        const std::uint64_t tries_before = tries_.load();
        lock.lock();
        if (tries_.load() != tries_before) return present_;
    }
    if (has_token()) return present_;
    present_ = obtain(session);
    ++tries_;
    return present_;
}

Access::Grant Access::obtain(Session& session) {
    constexpr seconds early{60};
    const auto asked = Clock::now();
    std::string api_key;
    try {
        api_key = kept_key_.empty() ? read_api_key(api_key_file_).text : kept_key_;
    } catch (const std::runtime_error& error) {
        return {"", no_token(error.what())};
    }
    const std::string body = request_body(api_key);
    const Attempt attempt = session.send({.path = token_path, .body = body}, "");
    if (auto failure = failure_of(attempt)) return {"", std::move(*failure)};
    try {
        const json::Document document = json::read(attempt.body);
        const json::Value root = document.root();
        if (const auto errors = root.find("errors"); errors && refuses_key(*errors))
            return {
                "",
                no_token("the service does not accept the API key; put a valid one into the API key file")};
        const json::Value payload = root.at("data").at("obtainToken");
        const seconds lifetime(util::whole_number<seconds::rep>(payload.at("expiresIn").text()).value());
        renewal_ = asked + lifetime - std::min(early, lifetime / 10);
        std::string token(payload.at("token").text());
        if (!token.empty()) return {std::move(token), {}};
    } catch (const std::exception&) {
        // The answer is no JSON, or has no token: the lines below report that.
    }
    if (!is_of_service(attempt.status, read_answer(attempt.body)))
        return {"", no_token(token_path + " answered " + told_of_stranger(attempt))};
    return {"", no_token("the answer of " + token_path + " is not from a data-import service")};
}

void Access::forget(const std::string& token) {
    const std::lock_guard lock(mutex_);
    if (present_.token == token) present_.token.clear();
}

Inquiry::Inquiry(const Options& options, const Stop& stop)
    : options_(options),
      stop_(stop),
      access_(options.api_key_file),
      context_(options.target.secure ? net::make_context(options.ca_file) : nullptr),
      session_(options.target, context_, options.timeout, watchdog_) {}

std::string Inquiry::ask(const Question& question) {
    for (unsigned retries = 0;; ++retries) {
        Attempt attempt = access_.send(session_, question);
        const auto told = read_answer(attempt.body);
        const bool is_passed_on = question.receive && attempt.status == 200;
        if (!is_passed_on) distrust_stranger(attempt, told);
        const ImportAnswer answer = told.value_or(ImportAnswer());
        const Decision decision = judge(attempt, answer.code, false);
        if (decision == Decision::accepted) return std::move(attempt.body);
        if (attempt.failure == AttemptFailure::none && attempt.status == 404)
            throw NotFound(printable(reason_of(attempt, answer)));
        const bool may_retry = decision == Decision::retry && !attempt.begun && retries < options_.retries;
        if (!may_retry || !wait_before(retries + 1, attempt.retry_after, stop_))
            throw std::runtime_error(printable(with_wait(reason_of(attempt, answer), attempt.retry_after)));
    }
}

}  // namespace data_import::client
