#include "client/token_access.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "client/answer.h"
#include "client/api_key_file.h"
#include "codes/codes.h"
#include "json/reader.h"
#include "json/writer.h"
#include "payload/paths.h"

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

std::optional<json::Value> member(const std::optional<json::Value>& object, std::string_view name) {
    if (!object || !object->is(json::Type::object)) return std::nullopt;
    return object->find(name);
}

std::string text_of(const std::optional<json::Value>& value) {
    return value && value->is(json::Type::string) ? std::string(value->text()) : std::string();
}

seconds seconds_of(const std::optional<json::Value>& value) {
    seconds::rep number = 0;
    if (!value || !value->is(json::Type::number)) return seconds(0);
    const std::string_view text = value->text();
    std::from_chars(text.data(), text.data() + text.size(), number);
    return seconds(number);
}

/// `extensions.code` of the first error.
std::string code_of(const json::Value& answer) {
    const auto errors = answer.find("errors");
    if (!errors || !errors->is(json::Type::array) || errors->size() == 0) return {};
    return text_of(member(member(*errors->items().begin(), "extensions"), "code"));
}

Attempt no_token(const std::string& reason) {
    Attempt attempt;
    attempt.failure = Failure::no_token;
    attempt.problem = reason;
    return attempt;
}

/// The failure of a request for a token as the failure of the request that needed it, which was not sent.
/// Nothing if the status is 200.
std::optional<Attempt> failure_of(Attempt attempt) {
    attempt.sent = false;
    if (attempt.failure != Failure::none) return attempt;
    if (attempt.status == 200) return std::nullopt;
    if (attempt.status >= 500) attempt.status = service_unavailable;
    if (attempt.status == service_unavailable || attempt.status == 408 || attempt.status == 429)
        return attempt;
    return no_token("status " + std::to_string(attempt.status) + " of " + token_path +
                    ", which is no answer of the service");
}

}  // namespace

Access::Access(std::string api_key_file) : api_key_file_(std::move(api_key_file)) {
    static_cast<void>(read_api_key(api_key_file_));
}

Attempt Access::send(Session& session, const Question& question) {
    constexpr int most_tokens = 3;  // after several fresh ones were refused, another one does not help
    for (int tokens = 1;; ++tokens) {
        Grant granted = grant(session);
        if (granted.token.empty()) return granted.failed;
        Attempt attempt = session.send(question, granted.token);
        // expired, or the key that it belongs to was replaced meanwhile
        if (attempt.status != 401 || tokens == most_tokens) return attempt;
        forget(granted.token);
    }
}

/// Threads that wait while one asks take its result, a failure too.
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
        api_key = read_api_key(api_key_file_);
    } catch (const std::runtime_error& error) {
        return {"", no_token(error.what())};
    }
    const std::string body = request_body(api_key);
    const Attempt attempt = session.send({.path = token_path, .body = body}, "");
    if (auto failure = failure_of(attempt)) return {"", std::move(*failure)};
    try {
        const json::Document document = json::read(attempt.body);
        const auto payload = member(member(document.root(), "data"), "obtainToken");
        std::string token = text_of(member(payload, "token"));
        if (!token.empty()) {
            const seconds lifetime = seconds_of(member(payload, "expiresIn"));
            renewal_ = asked + lifetime - std::min(early, lifetime / 10);
            return {std::move(token), {}};
        }
        if (document.root().is(json::Type::object) &&
            code_of(document.root()) == codes::name_of(Code::authentication_failed))
            return {
                "",
                no_token("the service does not accept the API key; put a valid one into the API key file")};
    } catch (const json::SyntaxError&) {
        // answered like any other text that is no answer to the question
    }
    return {"", no_token("the answer of " + token_path + " is none of the service")};
}

void Access::forget(const std::string& token) {
    const std::lock_guard lock(mutex_);
    if (present_.token == token) present_.token.clear();
}

}  // namespace data_import::client
