// Asks a vendor for an instruction, and repeats after failures that may pass (contract, section 8).
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

/// The meaning of a vendor's answer, or of the lack of one, for an instruction.
enum class VendorVerdict {
    active,    ///< it exists and may be used
    unknown,   ///< the vendor does not have it
    inactive,  ///< the vendor has it, with another status than active
    failed,    ///< no answer, or none that makes sense: a later repeat may succeed
    refused,   ///< the vendor takes no requests of this service, or cannot be trusted: repeats do not help
};

struct Question {
    std::string_view reference;
    std::string_view type;
    std::string_view request_id;
};

struct VendorAnswer {
    VendorVerdict verdict = VendorVerdict::failed;
    bool timed_out = false;            ///< failure only: the last call ran out of time
    std::optional<Details> details{};  ///< active instruction only
    std::string reason{};              ///< for the log, of a failure or refusal; holds nothing of the body
    int status = 0;                    ///< status of the last HTTP answer; 0 without one
    unsigned calls = 0;                ///< HTTP requests made
};

/// One HTTP exchange as an answer, without details unless the instruction is active. 4xx says that there is
/// no such instruction, except 401, 403, 429 and those that speak of the request's form or way. These and all
/// others, such as 204 and redirects, are no answer to the question: `failed`.
[[nodiscard]] VendorAnswer judge(net::Exchange exchange);

/// The waits before repeats: growing, and at least the wait that the vendor has asked for.
inline constexpr util::Backoff backoff{.first = std::chrono::milliseconds(200),
                                       .longest = std::chrono::seconds(5)};

/// `PATH/instructions/REFERENCE?type=TYPE`; nothing for a reference that cannot be the segment of a path (one
/// dot, two dots).
[[nodiscard]] std::optional<std::string> target_of(const Vendor& vendor, const Question& question);

/// Resources that the clients of all vendors in a process share. Starts a thread: made after the fork.
class Surroundings {
public:
    [[nodiscard]] net::Watchdog& watchdog() { return watchdog_; }
    [[nodiscard]] net::Resolver& resolver() { return resolver_; }

private:
    net::Watchdog watchdog_;
    net::Resolver resolver_;
};

/// Tries the way to all vendors at the same time: a connection as for a request, up to TLS. Why each of them
/// cannot be reached, in their order; empty for one that can. To be called where no client is at work.
[[nodiscard]] std::vector<std::string> why_not_reached(const std::vector<Vendor>& vendors,
                                                       std::chrono::milliseconds limit);

/// The client of one vendor, with its connection. For one thread.
class Client {
public:
    using Deadline = net::Connection::Deadline;

    /// `vendor` and `surroundings` have to live longer.
    Client(const Vendor& vendor, std::size_t max_answer_bytes, Surroundings& surroundings);

    /// Asks until there is an answer, a refusal, no repeat left or no time: the vendor's total_timeout, or
    /// `latest` where that is earlier. `on_call` gets the result of each HTTP request. Throws only exceptions
    /// of the standard library.
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
    std::optional<net::Connection> connection_;  ///< nothing before TLS could be set up
    std::mt19937_64 random_;
};

/// All payment vendors, for one worker. Makes connections, and the thread that watches them, when the first
/// of them is needed: so it may be made before a fork, and in a process that never asks. For one thread.
class Clients {
public:
    Clients(std::vector<Vendor> vendors, std::size_t max_answer_bytes);

    /// The vendor with this code, or null.
    [[nodiscard]] const Vendor* find(std::string_view code) const;

    /// `vendor` comes from `find`.
    [[nodiscard]] Client& client_of(const Vendor& vendor);

private:
    std::vector<Vendor> vendors_;
    std::size_t max_answer_bytes_;
    std::unique_ptr<Surroundings> surroundings_;
    std::map<const Vendor*, Client> clients_;  // last: they use the members before
};

}  // namespace data_import::payment_vendors
