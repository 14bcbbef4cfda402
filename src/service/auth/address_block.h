// Address blocks. A limit by address counts all requests from one block together (contract, section 7).
#pragma once

#include <string>
#include <string_view>

namespace data_import::auth {

/// Returns `192.0.2.7/32` for an IPv4 address, also one written as IPv6 (`::ffff:192.0.2.7`). Returns the /64
/// of an IPv6 address (`2001:db8:0:1::/64`), which belongs to one client as a whole. Returns `::/128` for a
/// text that is no address.
[[nodiscard]] std::string address_block(std::string_view address);

}  // namespace data_import::auth
