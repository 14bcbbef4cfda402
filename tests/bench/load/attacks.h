// The attacks: requests of clients of one organisation, or of none, while others work.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "client.h"

namespace data_import::bench {

// Import suppliers with accounts EXT-000001 and so on, made by the script that brings the stack up, and the
// number of accounts.
inline constexpr std::string_view victim_supplier = "VICTIM";
inline constexpr std::string_view victim_listing_supplier = "VICTIMLIST";
inline constexpr std::string_view attacker_supplier = "ATTACKER";
inline constexpr std::string_view attacker_listing_supplier = "ATTACKERLIST";
inline constexpr std::size_t supplier_accounts = 1000;
/// One more supplier of the victim.
inline constexpr std::string_view victim_own_account = "001001";
/// Suppliers SHARER1 and so on, each of an organisation of its own.
inline constexpr std::string_view sharer_supplier = "SHARER";

struct Surroundings {
    std::uint16_t port = 0;
    std::string network;              ///< attackers come from `network`.1 and so on
    std::vector<std::string> tokens;  ///< of the attackers: all tokens that their key was given
    std::string victim_token;
    std::vector<std::string> sharer_tokens;  ///< one of each organisation
    std::string wrong_key;
    Clock::duration pause{};      ///< after an answer that is not 2xx
    Clock::duration reconnect{};  ///< ... for which the connection was closed
};

using Conducts = std::vector<Conduct>;

struct Attack {
    std::string_view name;
    std::string_view victim;  ///< the requests of the victim: see victims.h
    std::string_view sentence;
    Conducts (*clients)(const Surroundings& surroundings);
    /// True if all clients keep to their limits: none of them may be answered 429. They share a busy machine
    /// with the victim, so that its p99 is compared with theirs.
    bool is_harmless = false;
    std::chrono::seconds at_least{};  ///< it is played for
};

[[nodiscard]] std::span<const Attack> attacks();
/// Throws std::runtime_error if no attack has this name.
[[nodiscard]] const Attack& attack_named(std::string_view name);

/// Imports of `bytes` as notes of some 200 bytes.
[[nodiscard]] std::string import_body(std::string_view supplier, std::size_t bytes);

inline constexpr std::string_view notes_path = "/v1/data-import/notes/create/";
inline constexpr std::string_view bulk_path = "/v1/data-import/bulk/";
inline constexpr std::string_view payment_path = "/v1/data-import/payment-instruction/create/";
inline constexpr std::string_view listing_path = "/v1/data-import/all-account-import-processes/";
inline constexpr std::string_view token_path = "/v1/graphql/";

}  // namespace data_import::bench
