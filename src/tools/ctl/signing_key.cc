// The commands `signing-key rotate | list | remove`.
#include <iostream>
#include <memory>

#include "base/util/datetime.h"
#include "data/keys/key_ring.h"
#include "data/store/access_events.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/first_user_action.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

using keys::KeyRing;
using keys::SigningKey;
using std::chrono::sys_seconds;
using store::SigningKeyAction;

std::string time_text(const std::optional<sys_seconds>& time) {
    if (!time) return "";
    const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(time->time_since_epoch());
    return util::to_text(util::Instant{microseconds.count()});
}

std::chrono::seconds longest_lifetime(const Context& context) {
    return std::max(context.settings().token_lifetime, context.settings().refresh_token_lifetime);
}

bool is_removable(const KeyRing& ring, const SigningKey& key, std::chrono::seconds lifetime) {
    const auto end = ring.needed_until(key.kid, lifetime);
    return end && *end <= std::chrono::system_clock::now();
}

/// Returns the key ring; nothing if there is no key yet. Throws if a key cannot be read.
std::optional<KeyRing> present_ring(const std::filesystem::path& directory) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
        if (entry.path().extension() == ".key") return KeyRing::load(directory);
    }
    return std::nullopt;
}

/// Adds and removes keys of the ring, and records all changes in one transaction.
///
/// Child processes that stay root change the key files, because the files belong to root. This process
/// becomes PostgreSQL's administrator when it uses the database.
class RingChange {
public:
    explicit RingChange(Context& context)
        : context_(context), directory_(context.settings().keys_directory) {}

    void add(SigningKeyAction action, const SigningKey& key) {
        const auto store = [this, key] { KeyRing::store_key(directory_, key); };
        const auto remove = [this, key] { KeyRing::remove_key(directory_, key.kid); };
        changes_.push_back({action, key.kid,
                            action == SigningKeyAction::made
                                ? std::make_unique<FirstUserAction>(store, remove)
                                : std::make_unique<FirstUserAction>(remove, store)});
    }

    /// Makes all changes. If it throws, the ring is as it was.
    void carry_out() {
        context_.database().transaction(
            [this] {
                for (const KeyChange& change : changes_) {
                    store::record_signing_key(context_.database(), change.action, change.kid,
                                              context_.acting_operator(), Context::soon());
                    change.work->run();
                }
            },
            Context::soon());
        for (const KeyChange& change : changes_) change.work->keep();
    }

private:
    struct KeyChange {
        SigningKeyAction action;
        std::string kid;
        std::unique_ptr<FirstUserAction> work;
    };

    Context& context_;
    std::filesystem::path directory_;
    std::vector<KeyChange> changes_;
};

/// Makes the first key. If the key cannot be recorded, only warns, because an installation gets its first key
/// before its database.
void make_first_key(Context& context, const SigningKey& key) {
    KeyRing::store_key(context.settings().keys_directory, key);
    try {
        store::record_signing_key(context.database(), SigningKeyAction::made, key.kid,
                                  context.acting_operator(), Context::soon());
    } catch (const std::exception& reason) {
        std::cerr << program_name << ": the first signing key is made, but the audit does not tell of it ("
                  << in_one_line(reason.what()) << ")" << std::endl;
    }
}

/// Prints the id of the new key, the time at which it begins to sign, and the ids of the removed keys.
/// `delay` is the time from the making of the key until it begins to sign. For the first key, `delay` is 0,
/// because this key signs at once.
void print_rotation(const Context& context, const SigningKey& key, const std::vector<SigningKey>& removed,
                    std::chrono::seconds delay) {
    const auto signs_from = *keys::creation_time(key.kid) + delay;
    if (!context.json()) {
        std::string text = "signing key " + key.kid + " made; it signs from " + time_text(signs_from) +
                           " on: copy it to the other hosts before, where there are any\n";
        for (const SigningKey& old : removed)
            text += "signing key " + old.kid + " removed; its last token has expired\n";
        return Context::print(text);
    }
    std::vector<std::string> kids;
    for (const SigningKey& old : removed) kids.push_back(old.kid);
    Context::print(object({{"kid", key.kid},
                           {"created_at", time_text(keys::creation_time(key.kid))},
                           {"signs_from", time_text(signs_from)},
                           {"removed", kids}}));
}

/// Prints that no new key was made, because `key` is there already. As JSON, prints null.
void print_present(const Context& context, const SigningKey& key) {
    if (!context.json()) return Context::print("signing key " + key.kid + " is there already\n");
    Context::print("null\n");
}

/// A signing key, and the ring that it belongs to.
struct RingKey {
    const KeyRing& ring;
    const SigningKey& key;
    std::chrono::seconds lifetime;  ///< the longest lifetime of a token
};

std::string use_of(const RingKey& row) {
    const auto& [ring, key, lifetime] = row;
    if (key.kid == ring.signing_key().kid) return "signs and verifies";
    if (key.kid == ring.keys().back().kid)
        return "signs from " + time_text(*keys::creation_time(key.kid) + keys::signing_delay);
    if (is_removable(ring, key, lifetime)) return "none: the next rotation removes it";
    const auto end = ring.needed_until(key.kid, lifetime);
    return end ? "verifies; needed until " + time_text(end) : "verifies";
}

std::optional<std::string> needed_until(const RingKey& row) {
    const auto end = row.ring.needed_until(row.key.kid, row.lifetime);
    return end ? std::optional(time_text(end)) : std::nullopt;
}

const Columns<RingKey> columns = {
    {"kid", "KID", [](const RingKey& row) { return row.key.kid; }},
    {"created_at", "CREATED", [](const RingKey& row) { return time_text(keys::creation_time(row.key.kid)); }},
    {"", "USE", use_of},
    {"signs", "", [](const RingKey& row) { return row.key.kid == row.ring.signing_key().kid; }},
    {"needed_until", "", needed_until},
    {"removable", "", [](const RingKey& row) { return is_removable(row.ring, row.key, row.lifetime); }},
};

void rotate_signing_key(Context& context, const Invocation& invocation) {
    const auto ring = present_ring(context.settings().keys_directory);
    if (ring && invocation.has("--first")) return print_present(context, ring->signing_key());
    const SigningKey key = KeyRing::new_key();
    std::vector<SigningKey> removed;
    if (!ring) {
        make_first_key(context, key);
        return print_rotation(context, key, removed, std::chrono::seconds(0));
    }
    RingChange change(context);
    change.add(SigningKeyAction::made, key);
    for (const SigningKey& old : ring->keys()) {
        if (!is_removable(*ring, old, longest_lifetime(context))) continue;
        change.add(SigningKeyAction::removed, old);
        removed.push_back(old);
    }
    change.carry_out();
    print_rotation(context, key, removed, keys::signing_delay);
}

void remove_signing_key(Context& context, const Invocation& invocation) {
    const std::string& kid = invocation.argument("KID");
    const KeyRing ring = KeyRing::load(context.settings().keys_directory);
    const SigningKey* key = ring.find(kid);
    if (key == nullptr) {
        throw Failure("there is no signing key " + kid + "; " + std::string(program_name) +
                      " signing-key list shows those that there are");
    }
    if (ring.keys().size() == 1) {
        throw Failure("signing key " + kid + " is the only one; " + std::string(program_name) +
                      " signing-key rotate makes another one first");
    }
    RingChange change(context);
    change.add(SigningKeyAction::removed, *key);
    change.carry_out();
    Context::print(context.json()
                       ? object({{"kid", kid}, {"removed", true}})
                       : "signing key " + kid + " removed; its tokens are refused within seconds\n");
}

void list_signing_keys(Context& context, const Invocation&) {
    const KeyRing ring = KeyRing::load(context.settings().keys_directory);
    std::vector<RingKey> rows;
    for (const SigningKey& key : ring.keys()) rows.push_back({ring, key, longest_lifetime(context)});
    Context::print(context.json() ? columns.json(rows) : columns.text(rows, "there are no signing keys"));
}

}  // namespace

std::vector<Command> signing_key_commands() {
    return {
        command("signing-key rotate", {},
                {{"--first", "", nullptr, "Does nothing if there is a key already."}}, rotate_signing_key,
                "Creates a new key, which begins to sign tokens after a minute. Older keys still verify "
                "tokens; a later rotation removes them when their last token has expired. If several hosts "
                "share the database, keys_directory must hold the same files on all of them: copy the new "
                "key within that minute."),
        command("signing-key list", {}, {}, list_signing_keys, "Lists the keys that sign and verify tokens."),
        command("signing-key remove", {{"KID", check_name}}, {}, remove_signing_key,
                "Removes a signing key: all tokens that it has signed are refused within seconds. Use it if "
                "somebody else may have the key, and rotate first.",
                "20240531T083000.123456Z-1a2b3c4d")};
}

}  // namespace data_import::ctl
