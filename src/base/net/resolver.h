// Looks host names up by a deadline.
#pragma once

#include <Poco/Net/IPAddress.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace data_import::net {

/// Resolves host names for one thread. A program that forks has to make its Resolver after the fork.
///
/// Each look-up runs in a thread of its own, because the system's look-up knows no deadline. Nobody waits for
/// this thread after the deadline. Each name has at most one such thread, so look-ups that hang do not fill
/// the process with threads.
class Resolver {
public:
    using Deadline = std::chrono::steady_clock::time_point;
    /// Returns the addresses of a host, however long that takes. Called in other threads. An exception counts
    /// as no addresses.
    using LookUp = std::function<std::vector<Poco::Net::IPAddress>(const std::string& host)>;

    Resolver();  ///< looks names up by the system's resolver
    explicit Resolver(LookUp look_up);

    /// Returns the addresses of a host, at least one, in the system's order. If `host` is an address, returns
    /// that address. Throws Poco::TimeoutException, Poco::Net::HostNotFoundException, std::system_error (no
    /// more threads).
    [[nodiscard]] std::vector<Poco::Net::IPAddress> resolve(const std::string& host, Deadline deadline);

private:
    struct Lookup;

    LookUp look_up_;
    /// Look-ups that were late, by host; a later call waits for them again.
    std::map<std::string, std::shared_ptr<Lookup>> running_;
};

}  // namespace data_import::net
