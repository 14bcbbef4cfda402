// signing-key rotate | list
#include "auth/key_ring.h"
#include "ctl/handlers.h"
#include "ctl/json_text.h"
#include "ctl/table.h"

namespace data_import::ctl {

namespace {

/// A kid begins with the time of the key's creation, `20240531T083000Z`; another kid tells none.
std::string created_at(std::string_view kid) {
    constexpr std::size_t basic_length = 16;
    if (kid.size() < basic_length || kid[8] != 'T' || kid[15] != 'Z') return "";
    const auto part = [&](std::size_t begin, std::size_t length) {
        return std::string(kid.substr(begin, length));
    };
    return part(0, 4) + "-" + part(4, 2) + "-" + part(6, 2) + "T" + part(9, 2) + ":" + part(11, 2) + ":" +
           part(13, 2) + "Z";
}

}  // namespace

void rotate_signing_key(Context& context, const Invocation&) {
    const std::string kid = auth::KeyRing::create_key(context.settings().keys_directory);
    if (!context.json()) return Context::print("signing key " + kid + " made; it signs from now on\n");
    json::Writer writer;
    writer.begin_object().key("kid").string(kid).key("created_at").string(created_at(kid));
    Context::print(writer.key("signs").boolean(true).end_object().take() + "\n");
}

void list_signing_keys(Context& context, const Invocation&) {
    const auto ring = auth::KeyRing::load(context.settings().keys_directory);
    const std::string signing = ring.signing_key().kid;
    json::Writer writer;
    writer.begin_array();
    Table table({"KID", "CREATED", "USE"});
    for (const auto& key : ring.keys()) {
        const bool signs = key.kid == signing;
        table.add({key.kid, created_at(key.kid), signs ? "signs and verifies" : "verifies"});
        writer.begin_object().key("kid").string(key.kid).key("created_at").string(created_at(key.kid));
        writer.key("signs").boolean(signs).end_object();
    }
    writer.end_array();
    Context::print(context.json() ? writer.take() + "\n" : table.text("there are no signing keys"));
}

}  // namespace data_import::ctl
