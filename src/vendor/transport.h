// TCP and TLS to a vendor, by a deadline.
#pragma once

#include <Poco/Net/Context.h>
#include <Poco/Net/StreamSocket.h>

#include <chrono>
#include <stdexcept>

#include "util/watchdog.h"
#include "vendor/configuration.h"
#include "vendor/resolver.h"

namespace data_import::vendor {

/// TLS cannot be set up with this vendor, and trying again will not help.
class Untrusted : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// TLS 1.2 at least; chain and name are verified, by the vendor's CA file or the system's certificates.
/// Throws Untrusted.
[[nodiscard]] Poco::Net::Context::Ptr make_context(const Vendor& vendor);

/// A socket with TLS to the vendor, through its proxy where it has one, which `watch` guards from its first
/// moment and is stopped at the end. Throws Untrusted, Poco::TimeoutException, other Poco::Exception,
/// std::system_error.
[[nodiscard]] Poco::Net::StreamSocket open_socket(const Vendor& vendor,
                                                  const Poco::Net::Context::Ptr& context, Resolver& resolver,
                                                  util::Watchdog::Watch& watch,
                                                  std::chrono::steady_clock::time_point deadline);

}  // namespace data_import::vendor
