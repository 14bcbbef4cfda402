#include "data/store/shard_groups.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <stdexcept>

#include "base/util/log.h"
#include "data/database/conninfo.h"
#include "data/database/failures.h"

namespace data_import::store {

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds look_every{10};
constexpr std::chrono::seconds look_for_lost_node_every{1};
constexpr int most_tries = 3;  ///< the most calls of `work` in at_place(), if the shard group keeps moving

constexpr std::size_t key_digits = 32;

/// The SQLSTATE with which a node refuses an import, because the node does not have the shard group, or the
/// account is in another shard group.
constexpr std::string_view elsewhere = "DI010";

std::uint32_t read_byte(std::string_view digits) {
    std::uint32_t byte = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (fault != std::errc() || end != digits.data() + digits.size())
        throw std::invalid_argument("an account key has 32 hexadecimal digits");
    return byte;
}

/// Reads the key, 32 hexadecimal digits, as four little-endian 32-bit numbers.
std::array<std::uint32_t, 4> words_of(std::string_view account_key) {
    if (account_key.size() != key_digits)
        throw std::invalid_argument("an account key has 32 hexadecimal digits");
    std::array<std::uint32_t, 4> words{};
    for (std::size_t byte = 0; byte < key_digits / 2; ++byte)
        words.at(byte / 4) |= read_byte(account_key.substr(2 * byte, 2)) << (8 * (byte % 4));
    return words;
}

/// Does a round of the hash: subtracts `turned` from `from`, mixes the rotated bits of `turned` into `from`,
/// and adds `added` to `turned`.
void mix(std::uint32_t& from, std::uint32_t& turned, std::uint32_t added, int bits) {
    from -= turned;
    from ^= std::rotl(turned, bits);
    turned += added;
}

void finish(std::uint32_t& word, std::uint32_t other, int bits) {
    word ^= other;
    word -= std::rotl(other, bits);
}

}  // namespace

std::vector<Node> find_nodes(database::Database& database, database::Deadline deadline) {
    return database
        .execute({.name = "nodes_of_shard_groups",
                  .sql = "SELECT DISTINCT host, port FROM data_import.shard_groups() ORDER BY host, port"},
                 deadline)
        .each([](const database::Row& row) {
            return Node{.host = row.text(0), .port = static_cast<int>(row.integer(1))};
        });
}

// Computes Bob Jenkins's lookup3 for 16 bytes, with the start value of PostgreSQL's hash_bytes.
std::int32_t hash_of_account(std::string_view account_key) {
    const std::array<std::uint32_t, 4> words = words_of(account_key);
    constexpr std::uint32_t start = 0x9e3779b9U + key_digits / 2 + 3923095U;
    std::uint32_t a = start + words[0];
    std::uint32_t b = start + words[1];
    std::uint32_t c = start + words[2];
    mix(a, c, b, 4);
    mix(b, a, c, 6);
    mix(c, b, a, 8);
    mix(a, c, b, 16);
    mix(b, a, c, 19);
    mix(c, b, a, 4);
    a += words[3];
    finish(c, b, 14);
    finish(a, c, 11);
    finish(b, a, 25);
    finish(c, b, 16);
    finish(a, c, 4);
    finish(b, a, 14);
    finish(c, b, 24);
    return static_cast<std::int32_t>(c);
}

ShardGroups::ShardGroups(database::Database& database, const database::Options& options)
    : database_(database), options_(options) {
    options_.knows_shards = true;
}

Place ShardGroups::place_of(std::string_view account_key, database::Deadline deadline) {
    if (!are_there(deadline)) return coordinator();
    const std::int32_t hash = hash_of_account(account_key);
    const auto group = std::ranges::lower_bound(groups_, hash, {}, &Group::last_hash);
    return group == groups_.end() || hash < group->first_hash ? coordinator() : group->place;
}

bool ShardGroups::are_there(database::Deadline deadline) {
    if (steady_clock::now() >= next_look_) look(deadline);
    return !groups_.empty();
}

bool ShardGroups::has_moved(const database::Database& node, const std::exception& failure) {
    if (&node == &database_) return false;
    const auto* refused = dynamic_cast<const database::Refused*>(&failure);
    if ((refused != nullptr && refused->sqlstate() == elsewhere) ||
        dynamic_cast<const database::SchemaMissing*>(&failure) != nullptr) {
        next_look_ = {};
        return true;
    }
    // The administrator may have replaced a lost node by another server, so the map is read again soon.
    if (dynamic_cast<const database::Unavailable*>(&failure) != nullptr)
        next_look_ = std::min(next_look_, looked_at_ + look_for_lost_node_every);
    return false;
}

void ShardGroups::at_place(std::string_view account_key, database::Deadline deadline,
                           const std::function<void(const Place&)>& work) {
    for (int attempt = 1;; ++attempt) {
        const Place place = place_of(account_key, deadline);
        try {
            return work(place);
        } catch (const std::exception& failure) {
            if (!has_moved(*place.database, failure) || attempt == most_tries) throw;
        }
    }
}

// If the lookup fails, the last map stays in use. That is safe: a node refuses accounts that it does not
// have.
void ShardGroups::look(database::Deadline deadline) {
    looked_at_ = steady_clock::now();
    next_look_ = looked_at_ + look_every;
    try {
        const database::Rows rows = database_.execute(
            {.name = "shard_groups",
             .sql = "SELECT first_hash, last_hash, schema_name, host, port FROM data_import.shard_groups()"},
            deadline);
        std::vector<Group> groups;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            groups.push_back({static_cast<std::int32_t>(rows.integer(row, 0)),
                              static_cast<std::int32_t>(rows.integer(row, 1)),
                              {&node(std::string(rows.text(row, 3)), static_cast<int>(rows.integer(row, 4))),
                               std::string(rows.text(row, 2))}});
        }
        groups_ = std::move(groups);
    } catch (const database::SchemaMissing&) {
        groups_.clear();  // the database is not migrated yet
    } catch (const std::exception& failure) {
        next_look_ = looked_at_ + look_for_lost_node_every;
        util::log(util::Severity::warning, "cannot see where the shard groups are",
                  {{"reason", failure.what()}});
    }
}

database::Database& ShardGroups::node(const std::string& host, int port) {
    database::Options options = options_;
    options.conninfo = database::conninfo_at(options_.conninfo, host, port);
    std::unique_ptr<database::Database>& known = nodes_[options.conninfo];
    if (!known) known = std::make_unique<database::Database>(options);
    return *known;
}

}  // namespace data_import::store
