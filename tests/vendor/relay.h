// Passes bytes from one connection to another, for faults of the network and not of the vendor.
#pragma once

#include <Poco/Net/StreamSocket.h>

#include <chrono>
#include <cstddef>
#include <limits>

namespace data_import::vendor_simulator {

/// The treatment of the bytes that go back to the client.
struct Passage {
    std::size_t at_most = std::numeric_limits<std::size_t>::max();  ///< bytes that are passed on
    std::chrono::milliseconds pause_per_byte{0};                    ///< 0: no pauses
};

/// Passes bytes until one side closes its connection. Throws Poco exceptions.
void relay(Poco::Net::StreamSocket client, Poco::Net::StreamSocket server, const Passage& passage);

}  // namespace data_import::vendor_simulator
