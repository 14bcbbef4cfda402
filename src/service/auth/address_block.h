// Address blocks. A limit by address counts all requests from one block together (contract, section 7).
#pragma once

#include <string>
#include <string_view>

namespace data_import::auth {

/// Returns the block of addresses that stands for the client with this address. For an IPv4 address, this is
/// the address itself: `192.0.2.7/32`. The IPv6 form of an IPv4 address (`::ffff:192.0.2.7`) gives the same
/// block. For any other IPv6 address, the block is its /64 (`2001:db8:0:1::/64`), because one client can use
/// all addresses of a /64. For a text that is no address, the block is `::/128`.
[[nodiscard]] std::string address_block(std::string_view address);

}  // namespace data_import::auth
