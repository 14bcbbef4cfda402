// The attacks: what clients of one organisation, or of none, do to the service while others work.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "client.h"

namespace data_import::bench {

// Import suppliers with accounts EXT-000001 and so on, made by the script that brings the stack up; how many
// accounts.
inline constexpr std::string_view victim_supplier = "VICTIM";
inline constexpr std::string_view victim_listing_supplier = "VICTIMLIST";
inline constexpr std::string_view attacker_supplier = "ATTACKER";
inline constexpr std::string_view attacker_listing_supplier = "ATTACKERLIST";
inline constexpr std::size_t supplier_accounts = 1000;

struct Surroundings {
    std::uint16_t port = 0;
    std::string network;              ///< attackers come from `network`.1 and so on
    std::vector<std::string> tokens;  ///< of the attackers; all that their key was given
    std::string wrong_key;
    Clock::duration pause{};      ///< after an answer that is not 2xx
    Clock::duration reconnect{};  ///< ... for which the connection was closed
};

using Conducts = std::vector<Conduct>;

struct Attack {
    std::string_view name;
    std::string_view victim;  ///< what the victim does: see victims.h
    std::string_view sentence;
    Conducts (*clients)(const Surroundings& surroundings);
};

[[nodiscard]] std::span<const Attack> attacks();
/// Throws std::runtime_error where there is none of this name.
[[nodiscard]] const Attack& attack_named(std::string_view name);

/// Imports of `bytes` as notes of some 200 bytes.
[[nodiscard]] std::string import_body(std::string_view supplier, std::size_t bytes);

inline constexpr std::string_view notes_path = "/v1/data-import/notes/create/";
inline constexpr std::string_view bulk_path = "/v1/data-import/bulk/";
inline constexpr std::string_view payment_path = "/v1/data-import/payment-instruction/create/";
inline constexpr std::string_view listing_path = "/v1/data-import/all-account-import-processes/";
inline constexpr std::string_view token_path = "/v1/graphql/";

}  // namespace data_import::bench
