#include "service/auth/address_block.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace data_import::auth {

namespace {

std::string ipv4_block(const void* address) {
    std::array<char, INET_ADDRSTRLEN> text{};
    inet_ntop(AF_INET, address, text.data(), text.size());
    return std::string(text.data()) + "/32";
}

std::string ipv6_block(in6_addr address) {
    constexpr std::size_t bytes_of_network = 8;
    constexpr std::size_t bytes_before_ipv4 = 12;
    if (IN6_IS_ADDR_V4MAPPED(&address)) return ipv4_block(&address.s6_addr[bytes_before_ipv4]);
    std::fill(std::begin(address.s6_addr) + bytes_of_network, std::end(address.s6_addr), std::uint8_t{0});
    std::array<char, INET6_ADDRSTRLEN> text{};
    inet_ntop(AF_INET6, &address, text.data(), text.size());
    return std::string(text.data()) + "/64";
}

}  // namespace

std::string address_block(std::string_view address) {
    const std::string text(address);
    in_addr ipv4{};
    if (inet_pton(AF_INET, text.c_str(), &ipv4) == 1) return ipv4_block(&ipv4);
    in6_addr ipv6{};
    if (inet_pton(AF_INET6, text.c_str(), &ipv6) == 1) return ipv6_block(ipv6);
    return "::/128";
}

}  // namespace data_import::auth
