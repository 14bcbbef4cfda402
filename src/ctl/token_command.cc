// token issue
#include "auth/key_ring.h"
#include "auth/token.h"
#include "console/acting_operator.h"
#include "ctl/commands.h"
#include "ctl/values.h"
#include "json/writer.h"
#include "store/api_keys.h"

namespace data_import::ctl {

namespace {

void issue_token(Context& context, const Invocation& invocation) {
    // before the database, because only root and the service can read the signing keys
    const auto ring = auth::KeyRing::load(context.settings().keys_directory);
    const std::string id = invocation.option("--key").value();
    const auto key = store::find_api_key(context.database(), id, Context::soon());
    if (!key) {
        throw Failure("there is no API key " + id + "; " + std::string(program_name) +
                      " key list shows those that there are");
    }
    if (key->revoked_at) throw Failure("API key " + id + " is revoked for good; create another one");
    const auto lifetime = context.settings().token_lifetime;
    const std::string token = auth::issue_token(ring, {id, key->organisation}, lifetime);
    store::record_issued_token(context.database(), id, acting_operator(context), Context::soon());
    if (!context.json()) return Context::print(token + "\n");
    json::Writer writer;
    writer.begin_object().key("token").string(token).key("expires_in").integer(lifetime.count());
    Context::print(writer.end_object().take() + "\n");
}

}  // namespace

std::vector<Command> token_commands() {
    return {{{"token",
              "issue",
              {},
              {{"--key", "ID", check_key_id, "The API key that the token is for.", true}},
              "Prints a token for an API key, alone; for tests and support.",
              "token issue --key 3"},
             issue_token}};
}

}  // namespace data_import::ctl
