// Asks vendors about payment instructions, and retries after temporary failures (contract, section 8).
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/net/connection.h"
#include "base/util/backoff.h"
#include "data/payment_vendors/configuration.h"
#include "data/payment_vendors/details.h"

namespace data_import::payment_vendors {

/// The meaning of a vendor's answer, or of a missing answer, to a question about a payment instruction.
enum class VendorVerdict {
    active,    ///< the payment instruction exists at the vendor and may be used
    unknown,   ///< the vendor has no such payment instruction
    inactive,  ///< the vendor has the payment instruction, with another status than active
    failed,    ///< no answer, or a senseless one: a later retry may succeed
    refused,   ///< the vendor takes no requests of this service, or cannot be trusted: retries do not help
};

struct Question {
    std::string_view reference;
    std::string_view type;
    std::string_view request_id;
};

struct VendorAnswer {
    VendorVerdict verdict = VendorVerdict::failed;
    bool timed_out = false;  ///< the request failed because the last call ran out of time
    /// The fields of the answer that are kept; nothing unless the verdict is `active`.
    std::optional<Details> details{};
    std::string reason{};  ///< why the request failed or was refused, for the log; holds nothing of the body
    int status = 0;        ///< status of the last HTTP answer; 0 without one
    unsigned calls = 0;    ///< number of HTTP requests that were made
};

/// Judges one HTTP exchange by the status of the answer:
/// - 200: the body of the answer decides. Only an `active` instruction has details.
/// - 401 and 403: `refused`.
/// - 429, and other 4xx statuses that say nothing about the instruction, such as 405 and 413: `failed`.
/// - All other 4xx statuses: `unknown`.
/// - All other statuses, such as 204, a redirect or 500: `failed`.
/// - No answer: `refused` if the vendor cannot be trusted or TLS cannot be set up, otherwise `failed`.
[[nodiscard]] VendorAnswer judge(net::Exchange exchange);

/// The waits before retries: they grow, and last at least as long as the vendor has asked for.
inline constexpr util::Backoff backoff{.first = std::chrono::milliseconds(200),
                                       .longest = std::chrono::seconds(5)};

/// Returns `PATH/instructions/REFERENCE?type=TYPE`; nothing for a reference that cannot be the segment of a
/// path (one dot, two dots).
[[nodiscard]] std::optional<std::string> target_of(const Vendor& vendor, const Question& question);

/// Resources that the clients of all vendors in a process share. Starts a thread, so it has to be made after
/// the fork.
class Surroundings {
public:
    [[nodiscard]] net::Watchdog& watchdog() { return watchdog_; }
    [[nodiscard]] net::Resolver& resolver() { return resolver_; }

private:
    net::Watchdog watchdog_;
    net::Resolver resolver_;
};

/// Returns a text for each vendor, in their order: the reason why the vendor cannot be reached, or an empty
/// text. Connects to all vendors at the same time, up to the end of the TLS handshake, and takes at most
/// `limit` for each. Must not be called while a client is at work, because Poco keeps only the last TLS
/// context of the process.
[[nodiscard]] std::vector<std::string> why_not_reached(const std::vector<Vendor>& vendors,
                                                       std::chrono::milliseconds limit);

/// The client of one vendor, with its connection. For one thread.
class Client {
public:
    using Deadline = net::Connection::Deadline;

    /// `vendor` and `surroundings` have to outlive the client.
    Client(const Vendor& vendor, std::size_t max_answer_bytes, Surroundings& surroundings);

    /// Asks the vendor until there is an answer or a refusal, or until no retry or no time is left. The time
    /// ends after the vendor's total_timeout, or at `latest` if that is earlier. `on_call` gets the result of
    /// each HTTP request. Throws only exceptions of the standard library.
    [[nodiscard]] VendorAnswer ask(const Question& question, Deadline latest,
                                   const std::function<void(const VendorAnswer&)>& on_call = {});

private:
    [[nodiscard]] net::Exchange exchange(const std::string& target, std::string_view request_id,
                                         Deadline deadline);
    [[nodiscard]] std::chrono::milliseconds delay(unsigned retry,
                                                  std::optional<std::chrono::seconds> retry_after);

    const Vendor& vendor_;
    const std::size_t max_answer_bytes_;
    Surroundings& surroundings_;
    /// The connection to the vendor; nothing until TLS is set up.
    std::optional<net::Connection> connection_;
    std::mt19937_64 random_;
};

/// All payment vendors and their clients, for one thread of one worker. Connections, and the thread that
/// watches them, are made when they are first needed. So the object may be made before a fork, and in a
/// process that never asks a vendor.
class Clients {
public:
    Clients(std::vector<Vendor> vendors, std::size_t max_answer_bytes);

    /// Returns the vendor with this code, or null.
    [[nodiscard]] const Vendor* find(std::string_view code) const;

    /// Returns the client of `vendor`, which has to be the object that find() has returned, not a copy.
    [[nodiscard]] Client& client_of(const Vendor& vendor);

private:
    std::vector<Vendor> vendors_;
    std::size_t max_answer_bytes_;
    std::unique_ptr<Surroundings> surroundings_;
    std::map<const Vendor*, Client> clients_;  // destroyed first, because clients use the members above
};

}  // namespace data_import::payment_vendors
