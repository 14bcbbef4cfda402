#include "data/payment_vendors/client.h"

#include <algorithm>
#include <array>
#include <functional>
#include <future>
#include <thread>
#include <utility>

#include "base/util/text.h"
#include "base/util/version.h"
#include "data/json/reader.h"

namespace data_import::payment_vendors {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int ok = 200;
constexpr int unauthorized = 401;
constexpr int forbidden = 403;
constexpr int first_client_error = 400;
constexpr int too_many_requests = 429;
constexpr int first_server_error = 500;

VendorAnswer failed(std::string reason, int status = 0) {
    return {.verdict = VendorVerdict::failed, .reason = std::move(reason), .status = status};
}

/// Judges the body of an answer. A body that is no JSON may come from a proxy on the way to the vendor, and a
/// retry may succeed.
VendorAnswer judge_body(const std::string& body) {
    try {
        const json::Document document = json::read(body);
        if (!document.root().is(json::Type::object)) return failed("the body is not a JSON object", ok);
        const auto status = document.root().find("status");
        const bool is_active = status && status->is(json::Type::string) && status->text() == "active";
        if (!is_active) return {.verdict = VendorVerdict::inactive, .status = ok};
        return {.verdict = VendorVerdict::active, .details = kept_details(document.root()), .status = ok};
    } catch (const json::SyntaxError&) {
        // The exception's text is left out, because it may quote the name of a member of the body.
        return failed("the body is not valid JSON", ok);
    }
}

/// Returns what a connection to the vendor needs. Throws net::NoTls if TLS cannot be set up.
net::Peer peer_of(const Vendor& vendor) {
    return {vendor.server, net::make_context(vendor.ca_file), vendor.proxy};
}

std::string way_problem(const net::Peer& peer, net::Watchdog& watchdog, steady_clock::time_point deadline) {
    try {
        net::Resolver resolver;
        net::Watchdog::Watch watch(watchdog);
        static_cast<void>(net::open_socket(peer, resolver, watch, deadline));
        return "";
    } catch (const Poco::Exception& failure) {
        return failure.displayText();
    } catch (const std::exception& failure) {
        return failure.what();
    }
}

/// Returns whether a 4xx status says something about the instruction. Other 4xx statuses come from a server
/// on the way, or mean that the vendor does not know this protocol at this address.
bool is_verdict(int status) {
    constexpr std::array of_exchange = {405, 406, 407, 408, 411, 412, 413, 414,
                                        415, 416, 417, 421, 425, 426, 428, 431};
    return status >= first_client_error && std::ranges::find(of_exchange, status) == of_exchange.end();
}

VendorAnswer judge_stranger(const net::Exchange& exchange) {
    constexpr std::size_t longest_location = 200;
    std::string reason = "status " + std::to_string(exchange.status) + " is outside the protocol";
    // Leaves out an address that may hold the number of a card or account. The address may end in the
    // instruction's reference, which may be such a number.
    if (!exchange.location.empty() && !may_hold_number(exchange.location))
        reason += ", Location: " + exchange.location.substr(0, longest_location);
    return failed(std::move(reason), exchange.status);
}

VendorAnswer judge_failure(net::Exchange exchange) {
    VendorAnswer answer = failed(std::move(exchange.reason));
    const bool is_final = exchange.failure == net::ExchangeFailure::untrusted ||
                          exchange.failure == net::ExchangeFailure::unknown_authority ||
                          exchange.failure == net::ExchangeFailure::no_tls;
    if (is_final) answer.verdict = VendorVerdict::refused;
    answer.timed_out = exchange.failure == net::ExchangeFailure::timed_out;
    return answer;
}

}  // namespace

VendorAnswer judge(net::Exchange exchange) {
    if (exchange.failure != net::ExchangeFailure::none) return judge_failure(std::move(exchange));
    const int status = exchange.status;
    if (status == ok) return judge_body(exchange.body);
    if (status == unauthorized || status == forbidden)
        return {
            .verdict = VendorVerdict::refused, .reason = "it does not accept the secret", .status = status};
    if (status == too_many_requests) return failed("too many requests", status);
    if (status >= first_server_error) return failed("an error of the vendor", status);
    if (!is_verdict(status)) return judge_stranger(exchange);
    return {.verdict = VendorVerdict::unknown, .status = status};
}

std::optional<std::string> target_of(const Vendor& vendor, const Question& question) {
    if (question.reference == "." || question.reference == "..") return std::nullopt;
    return vendor.path + "/instructions/" + util::percent_encode(question.reference) +
           "?type=" + util::percent_encode(question.type);
}

std::vector<std::string> why_not_reached(const std::vector<Vendor>& vendors, milliseconds limit) {
    net::Watchdog watchdog;
    std::vector<std::future<std::string>> attempts;
    for (const Vendor& vendor : vendors) {
        try {
            // The TLS contexts are made here, one after another, and not in the threads, because Poco keeps
            // the last one for the whole process.
            attempts.push_back(std::async(std::launch::async, way_problem, peer_of(vendor),
                                          std::ref(watchdog), steady_clock::now() + limit));
        } catch (const net::NoTls& error) {
            attempts.push_back(
                std::async(std::launch::deferred, [reason = std::string(error.what())] { return reason; }));
        }
    }
    std::vector<std::string> reasons;
    for (std::future<std::string>& attempt : attempts) reasons.push_back(attempt.get());
    return reasons;
}

Client::Client(const Vendor& vendor, std::size_t max_answer_bytes, Surroundings& surroundings)
    : vendor_(vendor),
      max_answer_bytes_(max_answer_bytes),
      surroundings_(surroundings),
      random_(std::random_device()()) {}

VendorAnswer Client::ask(const Question& question, Deadline latest,
                         const std::function<void(const VendorAnswer&)>& on_call) {
    const auto target = target_of(vendor_, question);
    if (!target) return {.verdict = VendorVerdict::unknown};
    const Deadline deadline = std::min(latest, steady_clock::now() + vendor_.total_timeout);
    for (unsigned call = 1;; ++call) {
        net::Exchange made = exchange(*target, question.request_id, deadline);
        const auto retry_after = made.retry_after;
        VendorAnswer answer = judge(std::move(made));
        answer.calls = call;
        if (on_call) on_call(answer);
        if (answer.verdict != VendorVerdict::failed || call > vendor_.retries) return answer;
        const auto next = steady_clock::now() + delay(call, retry_after);
        if (next >= deadline) return answer;
        std::this_thread::sleep_until(next);
    }
}

net::Exchange Client::exchange(const std::string& target, std::string_view request_id, Deadline deadline) {
    try {
        if (!connection_) {
            connection_.emplace(peer_of(vendor_), net::Limits{vendor_.connect_timeout, max_answer_bytes_},
                                surroundings_.watchdog(), surroundings_.resolver());
        }
    } catch (const net::NoTls& error) {
        return {.failure = net::ExchangeFailure::no_tls, .reason = error.what()};
    }
    return connection_->send({"GET",
                              target,
                              {{"Authorization", "Bearer " + vendor_.secret},
                               {"User-Agent", "data-import/" + std::string(util::version)},
                               {"X-Request-Id", std::string(request_id)}}},
                             deadline);
}

milliseconds Client::delay(unsigned retry, std::optional<std::chrono::seconds> retry_after) {
    return backoff.delay(retry, retry_after, std::uniform_real_distribution<>(0, 1)(random_));
}

Clients::Clients(std::vector<Vendor> vendors, std::size_t max_answer_bytes)
    : vendors_(std::move(vendors)), max_answer_bytes_(max_answer_bytes) {}

const Vendor* Clients::find(std::string_view code) const {
    const auto found = std::ranges::find(vendors_, code, &Vendor::code);
    return found == vendors_.end() ? nullptr : &*found;
}

Client& Clients::client_of(const Vendor& vendor) {
    if (!surroundings_) surroundings_ = std::make_unique<Surroundings>();
    return clients_.try_emplace(&vendor, vendor, max_answer_bytes_, *surroundings_).first->second;
}

}  // namespace data_import::payment_vendors
