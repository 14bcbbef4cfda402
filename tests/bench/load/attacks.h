// The attacks: requests of clients of one organisation, or without a token, while other organisations work.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "client.h"

namespace data_import::bench {

// Import suppliers and the number of their accounts EXT-000001, EXT-000002 and so on. The script
// tests/bench/attacks makes them.
inline constexpr std::string_view victim_supplier = "VICTIM";
inline constexpr std::string_view victim_listing_supplier = "VICTIMLIST";
inline constexpr std::string_view attacker_supplier = "ATTACKER";
inline constexpr std::string_view attacker_listing_supplier = "ATTACKERLIST";
inline constexpr std::size_t supplier_accounts = 1000;
/// The number of an account of `victim_supplier`. In the attack `one-account`, all clients import notes for
/// this account, with the victim's token. The victim itself uses only the accounts 1 to `supplier_accounts`.
inline constexpr std::string_view victim_own_account = "001001";
/// Suppliers SHARER1 and so on, each of an organisation of its own.
inline constexpr std::string_view sharer_supplier = "SHARER";

struct Surroundings {
    std::uint16_t port = 0;
    std::string network;              ///< attackers come from `network`.1 and so on
    std::vector<std::string> tokens;  ///< all tokens that the attackers' key was given
    std::string victim_token;
    std::vector<std::string> sharer_tokens;  ///< one token for each supplier SHARER1 and so on
    std::string wrong_key;
    Clock::duration pause{};      ///< the attackers' wait after an answer that is not 2xx
    Clock::duration reconnect{};  ///< the attackers' wait if an answer that is not 2xx closed the connection
};

using Conducts = std::vector<Conduct>;

struct Attack {
    std::string_view name;
    std::string_view victim;  ///< the requests of the victim: a mode of victim.h
    std::string_view sentence;
    Conducts (*clients)(const Surroundings& surroundings);
    /// True if all of the attack's clients keep to their limits, so that none of them may be answered 429.
    /// The victim's p99 is then compared with the p99 of these clients, because all share a busy machine.
    bool is_harmless = false;
    std::chrono::seconds at_least{};  ///< the least duration of the attack
};

[[nodiscard]] std::span<const Attack> attacks();
/// Throws std::runtime_error if no attack has this name.
[[nodiscard]] const Attack& attack_named(std::string_view name);

/// The body of an import, about `bytes` long, with notes of some 200 bytes each.
[[nodiscard]] std::string import_body(std::string_view supplier, std::size_t bytes);

inline constexpr std::string_view notes_path = "/v1/data-import/notes/create/";
inline constexpr std::string_view bulk_path = "/v1/data-import/bulk/";
inline constexpr std::string_view payment_path = "/v1/data-import/payment-instruction/create/";
inline constexpr std::string_view listing_path = "/v1/data-import/all-account-import-processes/";
inline constexpr std::string_view token_path = "/v1/graphql/";

}  // namespace data_import::bench
