// The first checks of a request, before anything of its body is looked at: path, transport, token, query and
// share.
#include <cstdint>
#include <string>
#include <utility>

#include "base/util/limits.h"
#include "service/http/checks.h"
#include "service/http/dry_run.h"
#include "service/http/request_run.h"

namespace data_import::http {

namespace {

/// The time between the answers to an organisation's longest bodies that were sent without their length.
constexpr std::chrono::milliseconds turn{500};

/// Returns the part of its pool that a request takes, in units of the pool's capacity: the length of its body
/// and 3 KiB more, or 1 if the pool counts requests.
std::uint64_t work_of(const Request& request, bool by_bytes) {
    constexpr std::uint64_t least = 3 * 1024;
    return by_bytes ? least + request.body.size() : 1;
}

}  // namespace

bool RequestRun::enter() {
    return attempt([this] {
        route(find_route(worker_.endpoints, context_.request.method, context_.request.path));
        context_.is_dry = says_dry_run(*endpoint_, context_.request.query);
        check_transport(context_.request, *endpoint_);
        if (endpoint_->needs_token) authenticate();
        take_query();
        if (!endpoint_->needs_token) return;
        check_key_allowed(context_, *endpoint_);
        delay_answer();
        take_share();
    });
}

bool RequestRun::enter_line() {
    return attempt([this] {
        route(find_line_endpoint(worker_.endpoints, context_.request));
        sent_query_ = decode_query(context_.request.query);
        check_line_query(sent_query_);
        check_transport(context_.request, *endpoint_);
    });
}

void RequestRun::route(Route found) {
    context_.segments = std::move(found.segments);
    endpoint_ = found.endpoint;
}

// Comes after the check of the token, so that only known senders can cause the cost of decoding a long query.
void RequestRun::take_query() {
    sent_query_ = decode_query(context_.request.query);
    context_.is_dry = is_dry_run(*endpoint_, sent_query_);
}

void RequestRun::authenticate() {
    auth::Sender sender = worker_.authenticator.authenticate(context_.request.authorization, worker_.database,
                                                             context_.deadline);
    context_.access = std::move(sender.access);
    context_.token_expires_at = sender.token_expires_at;
}

// Delays the answer to one of the longest bodies if this body was sent without a length, so that such bodies
// of one organisation are answered one after the other.
//
// For bodies with a length, nginx does this: it holds them back. nginx cannot hold back a body without a
// length, because this length is known only when all of the body has arrived.
void RequestRun::delay_answer() {
    has_turn_ = context_.request.is_unsized && context_.request.body.size() >= util::limits::longest_bodies;
    if (has_turn_)
        responder_.last_at_least(worker_.recorder.shares().take_turn(context_.access->organisation, turn,
                                                                     util::limits::huge_bodies));
}

// Called before anything of the body is looked at, because a refusal for the share has to cost next to
// nothing. Such refusals come by the thousand, and are logged together.
void RequestRun::take_share() {
    auto slot = worker_.recorder.shares().take_slot(context_.access->organisation,
                                                    work_of(context_.request, worker_.options.shares_bytes));
    if (slot) return responder_.hold(std::move(*slot));
    ++worker_.beyond_share[context_.access->id];
    log_.is_counted_only = true;
    throw Problem{Code::throttled, std::string(codes::beyond_share)};
}

void RequestRun::give_turn_back() {
    if (has_turn_) worker_.recorder.shares().give_turn_back(context_.access->organisation, turn);
}

}  // namespace data_import::http
