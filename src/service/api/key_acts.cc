// Acts on API keys: create-key, revoke-key.
#include <algorithm>

#include "base/util/joined.h"
#include "base/util/limits.h"
#include "base/util/stored_text.h"
#include "data/keys/api_key.h"
#include "data/payload/about.h"
#include "data/payload/account_scoped.h"
#include "data/store/api_keys.h"
#include "service/api/act.h"
#include "service/api/act_rights.h"

namespace data_import::api {

namespace {

constexpr std::size_t most_suppliers = 100;

/// Returns the text of a mail to the supplier. The key is not in it, because the key is sent another way.
std::string mail_text(const std::string& id, const std::string& organisation, const std::string& suppliers) {
    return "Dear colleagues,\n\nwe have made the API key " + id + " for " + organisation +
           ". It imports accounts of " + suppliers +
           ".\n\nYou get the key itself another way; it is shown only once. Keep it in a file that only the "
           "importing program can read. The guide stands at /docs/ of the service: get a token with the key, "
           "send a dry run first, then import.\n\nTell us at once if somebody else may have seen the key: we "
           "revoke it.\n";
}

/// Returns all keys of the organisation, revoked ones too, in the order of their ids.
std::vector<store::ApiKey> keys_of(const ActContext& context, const std::string& organisation) {
    std::vector<store::ApiKey> keys = store::list_api_keys(context.database, context.deadline);
    std::erase_if(keys, [&](const store::ApiKey& key) { return key.organisation != organisation; });
    return keys;
}

/// Refuses the act if the organisation has a key for a supplier that the person may not act on. Each key of
/// an organisation reaches the market participants that the others have imported, and uses up the
/// organisation's limits.
void need_right_for_keys(const ActContext& context, const std::string& organisation,
                         const std::vector<store::ApiKey>& keys) {
    if (std::ranges::all_of(keys, [&](const auto& key) { return may_see(context.rights, key); })) return;
    forbid(organisation +
           " has, or had, an API key for a supplier that you may not act on, so an administrator has to "
           "create its "
           "other keys.");
}

Outcome create_key(const ActContext& context) {
    const std::string organisation = context.text("organisation");
    need_right("organisation", util::check_line(organisation, util::limits::label));
    std::vector<std::string> suppliers = context.texts("import_suppliers");
    std::ranges::sort(suppliers);  // all acts lock suppliers in this order, so that they cannot deadlock
    for (const std::string& code : suppliers) static_cast<void>(context.take_supplier(code));
    const std::vector<store::ApiKey> others = keys_of(context, organisation);
    need_right_for_keys(context, organisation, others);
    const keys::NewApiKey fresh = keys::generate_api_key();
    const store::ScopeResult made = store::create_api_key(context.database, organisation, fresh.sha256_hex,
                                                          suppliers, context.by, context.deadline);
    const std::string text =
        "an API key for " + organisation + ", which imports for " + util::joined(suppliers);
    return {.will = "creates " + text + "; the key is shown once",
            .done = "API key " + made.id + " is created: it is " + text,
            .basis = organisation + '\n' + util::joined(suppliers) + '\n' +
                     (others.empty() ? "" : others.back().id),
            .audit_id = made.event,
            .write = [=, key = fresh.text, id = made.id](json::Writer& writer, Told told) {
                writer.key("id").string_or_null(told == Told::before ? std::nullopt : std::optional(id));
                writer.key("api_key").string_or_null(told == Told::after ? std::optional(key) : std::nullopt);
                writer.key("mail").string_or_null(
                    told == Told::after ? std::optional(mail_text(id, organisation, util::joined(suppliers)))
                                        : std::nullopt);
            }};
}

Outcome revoke_key(const ActContext& context) {
    const std::string id = context.text("id");
    const auto key = store::find_api_key(context.database, id, context.deadline);
    if (!key || !may_see(context.rights, *key))
        throw ActRefused{codes::row_of(Code::not_found).status, codes::name_of(Code::not_found),
                         "There is no API key " + id + " that you may revoke."};
    if (key->revoked_at)
        refuse_act("API key " + id + " was revoked already, by " + key->revoked_by.value_or("") + ".");
    const store::Revocation revoked =
        store::revoke_api_key(context.database, id, context.by, context.deadline);
    if (!revoked.event) refuse_act("API key " + id + " was revoked meanwhile.");
    const std::string text = "API key " + id + " of " + key->organisation;
    return {.will = "revokes " + text + " and all its tokens for good: within seconds imports for " +
                    util::joined(key->suppliers) + " by it are refused",
            .done = text + " is revoked",
            .basis = id + '\n' + util::joined(key->suppliers),
            .audit_id = revoked.event,
            .write = [id](json::Writer& writer, Told) { writer.key("id").string(id); }};
}

bool is_key_id(std::string_view text) {
    return !text.empty() && text.size() <= 18 && text.front() != '0' &&
           std::ranges::all_of(text, [](char digit) { return digit >= '0' && digit <= '9'; });
}

}  // namespace

bool may_see(const store::OperatorRights& rights, const store::ApiKey& key) {
    return std::ranges::all_of(key.suppliers, [&](const auto& code) { return rights.has_supplier(code); });
}

std::vector<Act> key_acts() {
    return {
        {.name = "create-key",
         .path = "local:/operator/acts/create-key/",
         .summary = "Create an API key.",
         .body =
             schema::object()
                 .need("organisation", schema::text(1, util::limits::label), "The owner of the key.")
                 .need("import_suppliers", schema::array(payload::supplier_code()).min(1).max(most_suppliers),
                       "Codes of the suppliers that it may import for."),
         .carry_out = create_key},
        {.name = "revoke-key",
         .path = "local:/operator/acts/revoke-key/",
         .summary = "Revoke an API key and its tokens for good.",
         .body = schema::object().need("id", schema::known_text(18, "the number of a key", is_key_id),
                                       "The key."),
         .carry_out = revoke_key},
    };
}

}  // namespace data_import::api
