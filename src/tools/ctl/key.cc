// The commands `key create | list | set | revoke, token issue`.
#include <unistd.h>

#include <iostream>

#include "base/util/joined.h"
#include "data/json/writer.h"
#include "data/keys/api_key.h"
#include "data/keys/key_ring.h"
#include "data/keys/token.h"
#include "data/store/api_keys.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/known_supplier.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

using store::ApiKey;

std::string date_of(const std::optional<std::string>& time) {
    constexpr std::size_t date_length = 10;
    return time ? time->substr(0, date_length) : "";
}

const Columns<ApiKey> columns = {
    {"id", "ID", &ApiKey::id},
    {"organisation", "ORGANISATION", &ApiKey::organisation},
    {"suppliers", "SUPPLIERS", &ApiKey::suppliers},
    {"created_at", "CREATED", &ApiKey::created_at, [](const ApiKey& key) { return date_of(key.created_at); }},
    {"created_by", "BY", &ApiKey::created_by},
    {"revoked_at", "REVOKED", &ApiKey::revoked_at, [](const ApiKey& key) { return date_of(key.revoked_at); },
     1},
    {"revoked_by", "", &ApiKey::revoked_by},
    {"last_used_on", "LAST USED", &ApiKey::last_used_on},
};

[[noreturn]] void fail_unknown(const std::string& id) {
    throw Failure("there is no API key " + id + "; " + std::string(program_name) +
                  " key list shows those that there are");
}

void need_known(Context& context, const std::vector<std::string>& unknown) {
    if (!unknown.empty()) throw Failure(unknown_suppliers(context, unknown));
}

ApiKey need_key(Context& context, const std::string& id) {
    auto key = store::find_api_key(context.database(), id, Context::soon());
    if (!key) fail_unknown(id);
    return *std::move(key);
}

/// Prints a new key, which the database has stored already. Makes no query, because if a query failed here,
/// the key would be stored without ever having been shown.
void print_new_key(const Context& context, const std::string& id, const std::string& text,
                   const Invocation& invocation) {
    const std::string organisation = invocation.option("--organisation").value();
    if (context.json())
        return Context::print(object({{"api_key", text},
                                      {"id", id},
                                      {"organisation", organisation},
                                      {"suppliers", invocation.options("--supplier")}}));
    Context::print(text + "\n");
    if (isatty(STDERR_FILENO) == 0) return;
    std::cout.flush();
    std::cerr << "API key " << id << " of " << in_one_line(organisation) << "; it is not shown again"
              << std::endl;
}

void print_key(const Context& context, const ApiKey& key, const std::string& outcome) {
    Context::print(context.json() ? columns.json(key)
                                  : "API key " + key.id + " of " + key.organisation + " " + outcome + "\n");
}

void create_key(Context& context, const Invocation& invocation) {
    const keys::NewApiKey fresh = keys::generate_api_key();
    const auto result = store::create_api_key(context.database(), invocation.option("--organisation").value(),
                                              fresh.sha256_hex, invocation.options("--supplier"),
                                              context.acting_operator(), Context::soon());
    need_known(context, result.unknown_suppliers);
    print_new_key(context, result.id, fresh.text, invocation);
}

void list_keys(Context& context, const Invocation&) {
    const auto keys = store::list_api_keys(context.database(), Context::soon());
    Context::print(context.json() ? columns.json(keys) : columns.text(keys, "there are no API keys"));
}

void set_key(Context& context, const Invocation& invocation) {
    const std::string& id = invocation.argument("ID");
    const auto result = store::set_api_key_scope(context.database(), id, invocation.options("--supplier"),
                                                 context.acting_operator(), Context::soon());
    need_known(context, result.unknown_suppliers);
    const ApiKey key = need_key(context, id);
    if (result.id.empty()) throw Failure("API key " + id + " is revoked forever; create another one");
    print_key(context, key, "may now use " + util::joined(key.suppliers));
}

void revoke_key(Context& context, const Invocation& invocation) {
    const std::string& id = invocation.argument("ID");
    if (!store::revoke_api_key(context.database(), id, context.acting_operator(), Context::soon()).is_known)
        fail_unknown(id);
    print_key(context, need_key(context, id), "is revoked");
}

void issue_token(Context& context, const Invocation& invocation) {
    // The ring is loaded before the database is used, because this process is no longer root after that, and
    // cannot read the signing keys.
    const auto ring = keys::KeyRing::load(context.settings().keys_directory);
    const std::string id = invocation.option("--key").value();
    const ApiKey key = need_key(context, id);
    if (key.revoked_at) throw Failure("API key " + id + " is revoked forever; create another one");
    const auto lifetime = context.settings().token_lifetime;
    const std::string token = keys::issue_token(ring, {id, key.organisation}, lifetime);
    store::record_issued_token(context.database(), id, context.acting_operator(), Context::soon());
    Context::print(context.json() ? object({{"token", token}, {"expires_in", lifetime.count()}})
                                  : token + "\n");
}

}  // namespace

std::vector<Command> key_commands() {
    const Argument key_id{"ID", check_key_id};
    const Option scope{
        "--supplier", "CODE", check_supplier_code, "An import supplier that the key may touch.", true, true};
    return {command("key create", {},
                    {{"--organisation", "ORG", check_name, "The owner of the key.", true}, scope}, create_key,
                    "Creates an API key and prints only the key. It is shown only this once.",
                    "--organisation \"Acme Energy\" --supplier ACME"),
            command("key list", {}, {}, list_keys, "Lists the API keys."),
            command("key set", {key_id}, {scope}, set_key,
                    "Gives an API key another scope: these suppliers and no others.",
                    "3 --supplier ACME --supplier BETA"),
            command("key revoke", {key_id}, {}, revoke_key,
                    "Revokes an API key and all tokens issued for it, for good.", "3")};
}

std::vector<Command> token_commands() {
    return {command("token issue", {},
                    {{"--key", "ID", check_key_id, "The API key that the token is for.", true}}, issue_token,
                    "Prints a token for an API key and nothing else, for tests and support.", "--key 3")};
}

}  // namespace data_import::ctl
