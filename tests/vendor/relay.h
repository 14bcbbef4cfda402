// Passes bytes between two connections, and delays or drops bytes. So the simulator imitates faults of the
// network, in addition to faults of a vendor.
#pragma once

#include <Poco/Net/StreamSocket.h>

#include <chrono>
#include <cstddef>
#include <limits>

namespace data_import::vendor_simulator {

/// The treatment of the bytes that go back to the client.
struct Passage {
    /// The number of bytes that are passed on in all. Later bytes are read from the server and dropped.
    std::size_t at_most = std::numeric_limits<std::size_t>::max();
    std::chrono::milliseconds pause_per_byte{0};  ///< pause after each byte; 0: no pauses
};

/// Passes bytes in both directions until `client` or `server` closes its connection. `passage` limits and
/// slows only the bytes to the client. Throws Poco exceptions.
void relay(Poco::Net::StreamSocket client, Poco::Net::StreamSocket server, const Passage& passage);

}  // namespace data_import::vendor_simulator
