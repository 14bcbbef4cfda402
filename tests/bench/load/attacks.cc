#include "attacks.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace data_import::bench {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kilobyte = 1000;
constexpr std::size_t large_body = 9'900 * kilobyte;
/// The number of bytes after which a client stalls. It is more than nginx buffers in memory, so that most of
/// the body lies in nginx's temporary files.
constexpr std::size_t stalled_at = 9'400 * kilobyte;

/// The time that clients which hold connections wait before they connect again after a refusal. Hundreds of
/// clients that connect again at once would be another attack.
constexpr Clock::duration holder_reconnect = 1s;

Conduct asks(const Surroundings& around, SharedRequest request) {
    Conduct conduct;
    conduct.place = {around.port, around.network + ".1", 0};
    conduct.request = std::move(request);
    conduct.accounts = supplier_accounts;
    conduct.pause = around.pause;
    conduct.reconnect = around.reconnect;
    return conduct;
}

Conducts times(std::size_t count, const Conduct& conduct) {
    return Conducts(count, conduct);
}

const std::string& token_of(const Surroundings& around) {
    return around.tokens.front();
}

/// A token with a well-formed key id and a wrong signature.
std::string garbage_of(std::string token) {
    for (std::size_t at = token.size() - 20; at < token.size(); ++at)
        token[at] = token[at] == 'A' ? 'B' : 'A';
    return token;
}

SharedRequest import_of(const Surroundings& around, std::size_t bytes) {
    return post(notes_path, token_of(around), import_body(attacker_supplier, bytes));
}

SharedRequest big_listing(const Surroundings& around) {
    return get(std::string(listing_path) + std::string(attacker_listing_supplier) + '/', token_of(around));
}

Conducts nobody(const Surroundings&) {
    return {};
}

Conducts graphql_variables(const Surroundings& around) {
    return times(32, asks(around, post(token_path, "", bench::graphql_variables(800'000))));
}

Conduct distinct_keys(const Surroundings& around) {
    return asks(around,
                post(notes_path, token_of(around), bench::distinct_keys(attacker_supplier, large_body)));
}

Conducts distinct_keys_8(const Surroundings& around) {
    return times(8, distinct_keys(around));
}

Conducts distinct_keys_64(const Surroundings& around) {
    return times(64, distinct_keys(around));
}

Conducts large_notes(const Surroundings& around) {
    const std::string body = notes(attacker_supplier, account_mark, 1000, 900 * 1024);
    return times(64, asks(around, post(notes_path, token_of(around), body)));
}

Conducts hit_and_run(const Surroundings& around) {
    Conduct conduct = asks(around, import_of(around, 58 * kilobyte));
    conduct.manner = Manner::leave;
    conduct.keeps_connection = false;
    conduct.interval = 160ms;
    return times(64, conduct);
}

/// Uses four addresses, so that nginx's limit of connections per address does not stop the attack.
Conducts many_tokens(const Surroundings& around) {
    constexpr std::size_t connections = 960;
    Conducts all;
    for (std::size_t number = 0; number < connections; ++number) {
        const std::string& token = around.tokens[number % around.tokens.size()];
        const std::string body = notes(attacker_supplier, account_mark, 1, 200);
        all.push_back(asks(around, post(notes_path, token, body)));
        all.back().place.source = around.network + '.' + std::to_string(number % 4 + 1);
    }
    return all;
}

Conducts slow_vendor(const Surroundings& around) {
    return times(64, asks(around, post(payment_path, token_of(around), payment(attacker_supplier, "slow"))));
}

Conducts listings(const Surroundings& around) {
    return times(64, asks(around, big_listing(around)));
}

Conducts no_token_bodies(const Surroundings& around) {
    return times(64, asks(around, post(notes_path, "", bench::distinct_keys(attacker_supplier, large_body))));
}

/// Sends requests with long addresses and without a token. Shows whether a longer address makes the service
/// do more work before it looks for a token.
Conducts long_addresses(const Surroundings& around) {
    constexpr std::size_t bytes = 15'000;
    std::string parameters = "/healthz?";
    while (parameters.size() < bytes) parameters += "a&";
    Conducts all = times(8, asks(around, get("/" + std::string(bytes, '/'), "")));
    const Conducts asking = times(8, asks(around, get(parameters, "")));
    all.insert(all.end(), asking.begin(), asking.end());
    return all;
}

Conducts stalled_bodies_with(const Surroundings& around, const std::string& token) {
    Conduct conduct =
        asks(around, post(notes_path, token, bench::distinct_keys(attacker_supplier, large_body)));
    conduct.manner = Manner::stall;
    conduct.reconnect = holder_reconnect;
    conduct.at_once = stalled_at;
    return times(300, conduct);
}

Conducts stalled_bodies(const Surroundings& around) {
    return stalled_bodies_with(around, "");
}

Conducts stalled_bodies_garbage(const Surroundings& around) {
    return stalled_bodies_with(around, garbage_of(token_of(around)));
}

Conducts stalled_bodies_token(const Surroundings& around) {
    return stalled_bodies_with(around, token_of(around));
}

Conducts one_lock(const Surroundings& around) {
    const std::string one = std::string(account_digits - 1, '0') + '1';
    const std::string large = notes(attacker_supplier, one, 1000, 200 * kilobyte);
    const std::string small = notes(attacker_supplier, one, 1, 200);
    Conducts all = times(32, asks(around, post(notes_path, token_of(around), large)));
    all.insert(all.end(), 32, asks(around, post(notes_path, token_of(around), small)));
    return all;
}

/// The attack uses the victim's own token: requests that wait for one account must not slow down other
/// requests of the same organisation.
Conducts one_account(const Surroundings& around) {
    const std::string body = notes(victim_supplier, std::string(victim_own_account), 1000, 90 * kilobyte);
    return times(24, asks(around, post(notes_path, around.victim_token, body)));
}

/// Gives each organisation so few connections that the service refuses none of their requests.
Conducts six_organisations(const Surroundings& around) {
    constexpr std::size_t connections = 16;
    Conducts all;
    for (std::size_t number = 0; number < around.sharer_tokens.size(); ++number) {
        const std::string supplier = std::string(sharer_supplier) + std::to_string(number + 1);
        const Conduct conduct = asks(
            around, post(notes_path, around.sharer_tokens[number], import_body(supplier, 20 * kilobyte)));
        all.insert(all.end(), connections, conduct);
    }
    return all;
}

/// Returns clients that ask for a long listing and read the answer slowly.
///
/// The clients' receive buffers are small, because a larger buffer would take in much of the answer at once.
Conducts slow_readers(const Surroundings& around) {
    Conduct conduct = asks(around, big_listing(around));
    conduct.manner = Manner::sip;
    conduct.bytes_per_second = 10 * kilobyte;
    conduct.place.receive_buffer = 4096;
    return times(64, conduct);
}

Conduct drips(const Surroundings& around, SharedRequest request, std::size_t at_once) {
    Conduct conduct = asks(around, std::move(request));
    conduct.manner = Manner::drip;
    conduct.reconnect = holder_reconnect;
    conduct.at_once = at_once;
    conduct.bytes_per_second = 1;
    return conduct;
}

Conducts slow_headers(const Surroundings& around) {
    return times(300, drips(around, import_of(around, 20 * kilobyte), 40));
}

Conducts slow_bodies(const Surroundings& around) {
    SharedRequest request = post(notes_path, "", import_body(attacker_supplier, 20 * kilobyte));
    return times(300, drips(around, request, request->head_bytes));
}

Conducts slow_bodies_token(const Surroundings& around) {
    SharedRequest request = import_of(around, 20 * kilobyte);
    return times(300, drips(around, request, request->head_bytes));
}

/// Sends 20 requests for tokens a second from the victim's address. More requests would use up the 300 that
/// nginx allows one address at once, and nginx would refuse the victim's requests.
Conducts wrong_keys(const Surroundings& around) {
    Conduct conduct = asks(around, post(token_path, "", obtain_token(around.wrong_key)));
    conduct.interval = 200ms;
    return times(4, conduct);
}

Conducts mid_bodies_95(const Surroundings& around) {
    return times(64, asks(around, import_of(around, 95 * kilobyte)));
}

Conducts mid_bodies_20(const Surroundings& around) {
    return times(64, asks(around, import_of(around, 20 * kilobyte)));
}

/// Each client imports for accounts of its own, so that the requests do not wait for account locks.
Conducts bulk_8(const Surroundings& around) {
    constexpr std::size_t clients = 8;
    constexpr std::size_t accounts = supplier_accounts / clients;
    Conducts all;
    for (std::size_t number = 0; number < clients; ++number) {
        const std::string lines = bulk_lines(attacker_supplier, 1000, number * accounts, accounts);
        all.push_back(asks(around, post(bulk_path, token_of(around), lines, "application/x-ndjson")));
    }
    return all;
}

// clang-format off
constexpr auto table = std::to_array<Attack>({
    {"nobody", "notes", "no attack: how much this machine varies by itself", nobody},
    {"graphql-variables", "notes", "no token, 32 GraphQL bodies of 9.6 MB with 800,000 variables", graphql_variables},
    {"distinct-keys-8", "notes", "8 bodies of 9.9 MB, one object of distinct keys", distinct_keys_8},
    {"distinct-keys-64", "notes", "64 bodies of 9.9 MB, one object of distinct keys", distinct_keys_64},
    {"large-notes", "notes", "64 bodies of 900 KiB, 1000 notes each", large_notes},
    {"bulk-8", "notes", "8 bulk requests of 1 MB, 1000 lines of 5 notes each", bulk_8},
    {"hit-and-run", "notes", "400 bodies of 58 KB a second, the connection closed behind each", hit_and_run},
    {"many-tokens", "notes", "all tokens that one key gets when it asks 200 times, 960 requests in flight", many_tokens},
    {"slow-vendor", "payment", "64 payment instructions at a vendor that answers after 1 s", slow_vendor},
    {"listings", "listing", "64 listings of 60,000 accounts", listings},
    {"no-token-bodies", "notes", "64 bodies of 9.9 MB without a token", no_token_bodies},
    {"long-addresses", "notes", "16 clients without a token, addresses of 15,000 slashes or parameters", long_addresses},
    {"stalled-bodies", "notes", "300 bodies that stop at 9.4 of 9.9 MB, without a token", stalled_bodies},
    {"stalled-bodies-garbage", "notes", "the same with a token of a wrong signature", stalled_bodies_garbage},
    {"stalled-bodies-token", "notes", "the same with a good token", stalled_bodies_token},
    {"one-lock", "notes", "64 clients for one account, half of them with 1000 notes", one_lock},
    {"one-account", "notes", "24 clients with 1000 notes for one account, by the victim's own key", one_account},
    {"slow-readers", "listing", "64 listings of 60,000 accounts read at 10 kB/s", slow_readers},
    {"slow-readers-notes", "notes", "the same, and others import", slow_readers},
    {"slow-headers", "notes", "300 connections whose header comes a byte a second", slow_headers},
    {"slow-bodies", "notes", "300 connections whose body comes a byte a second, without a token", slow_bodies},
    {"slow-bodies-token", "notes", "the same with a good token", slow_bodies_token},
    {"wrong-keys", "token", "20 wrong API keys a second from the victim's address", wrong_keys},
    {"mid-bodies-95", "notes", "64 clients with bodies of 95 KB", mid_bodies_95},
    {"mid-bodies-20", "notes", "64 clients with bodies of 20 KB", mid_bodies_20},
    {"six-organisations", "notes", "16 clients each of six organisations with bodies of 20 KB, for 130 s at least",
        six_organisations, true, 130s},
});
// clang-format on

}  // namespace

std::span<const Attack> attacks() {
    return table;
}

const Attack& attack_named(std::string_view name) {
    const auto* found = std::ranges::find(table, name, &Attack::name);
    if (found == table.end()) throw std::runtime_error("there is no attack " + std::string(name));
    return *found;
}

std::string import_body(std::string_view supplier, std::size_t bytes) {
    constexpr std::size_t note_bytes = 200;
    return notes(supplier, account_mark, bytes / note_bytes, bytes);
}

}  // namespace data_import::bench
