// key create | list | set | revoke
#include <unistd.h>

#include <iostream>

#include "auth/api_key.h"
#include "ctl/acting_operator.h"
#include "ctl/handlers.h"
#include "ctl/json_text.h"
#include "ctl/table.h"
#include "ctl/usage.h"
#include "store/api_keys.h"

namespace data_import::ctl {

namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

[[noreturn]] void fail_unknown(const std::string& id) {
    throw Failure("there is no API key " + id + "; " + std::string(program_name) +
                  " key list shows those that there are");
}

void need_known(const std::vector<std::string>& unknown) {
    if (unknown.empty()) return;
    throw Failure("there is no import supplier " + joined(unknown) + "; " + std::string(program_name) +
                  " supplier list shows those that there are");
}

store::ApiKey need_key(Context& context, const std::string& id) {
    auto key = store::find_api_key(context.database(), id, Context::soon());
    if (!key) fail_unknown(id);
    return *std::move(key);
}

void write_members(json::Writer& writer, const store::ApiKey& key) {
    writer.key("id")
        .string(key.id)
        .key("organisation")
        .string(key.organisation)
        .key("suppliers")
        .begin_array();
    for (const std::string& supplier : key.suppliers) writer.string(supplier);
    writer.end_array().key("created_at").string(key.created_at).key("created_by").string(key.created_by);
    member(writer, "revoked_at", key.revoked_at);
    member(writer, "revoked_by", key.revoked_by);
    member(writer, "last_used_on", key.last_used_on);
}

/// Needs nothing but what is known already: a key that exists and was never shown would be of no use to
/// anyone.
void print_new_key(const Context& context, const std::string& id, const std::string& text,
                   const Invocation& invocation) {
    const std::string organisation = invocation.option("--organisation").value();
    if (context.json()) {
        json::Writer writer;
        writer.begin_object().key("api_key").string(text).key("id").string(id);
        writer.key("organisation").string(organisation).key("suppliers").begin_array();
        for (const std::string& supplier : invocation.options("--supplier")) writer.string(supplier);
        return Context::print(writer.end_array().end_object().take() + "\n");
    }
    Context::print(text + "\n");
    if (isatty(STDERR_FILENO) == 0) return;
    std::cout.flush();
    std::cerr << "API key " << id << " of " << in_one_line(organisation) << "; it is not shown again"
              << std::endl;
}

void print_key(const Context& context, const store::ApiKey& key, const std::string& outcome) {
    if (!context.json())
        return Context::print("API key " + key.id + " of " + key.organisation + " " + outcome + "\n");
    json::Writer writer;
    writer.begin_object();
    write_members(writer, key);
    Context::print(writer.end_object().take() + "\n");
}

std::string date_of(const std::optional<std::string>& time) {
    constexpr std::size_t date_length = 10;
    return time ? time->substr(0, date_length) : "";
}

}  // namespace

void create_key(Context& context, const Invocation& invocation) {
    const auth::NewApiKey fresh = auth::generate_api_key();
    const auto result = store::create_api_key(context.database(), invocation.option("--organisation").value(),
                                              fresh.sha256_hex, invocation.options("--supplier"),
                                              acting_operator(context), Context::soon());
    need_known(result.unknown_suppliers);
    print_new_key(context, result.id, fresh.text, invocation);
}

void list_keys(Context& context, const Invocation&) {
    const auto keys = store::list_api_keys(context.database(), Context::soon());
    if (!context.json()) {
        Table table({"ID", "ORGANISATION", "SUPPLIERS", "CREATED", "BY", "LAST USED", "REVOKED"});
        for (const auto& key : keys) {
            table.add({key.id, key.organisation, joined(key.suppliers), date_of(key.created_at),
                       key.created_by, key.last_used_on.value_or(""), date_of(key.revoked_at)});
        }
        return Context::print(table.text("there are no API keys"));
    }
    json::Writer writer;
    writer.begin_array();
    for (const auto& key : keys) {
        writer.begin_object();
        write_members(writer, key);
        writer.end_object();
    }
    Context::print(writer.end_array().take() + "\n");
}

void set_key(Context& context, const Invocation& invocation) {
    const std::string& id = invocation.argument("ID");
    const auto result = store::set_api_key_scope(context.database(), id, invocation.options("--supplier"),
                                                 acting_operator(context), Context::soon());
    need_known(result.unknown_suppliers);
    const store::ApiKey key = need_key(context, id);
    if (result.id.empty()) throw Failure("API key " + id + " is revoked for good; create another one");
    print_key(context, key, "may now touch " + joined(key.suppliers));
}

void revoke_key(Context& context, const Invocation& invocation) {
    const std::string& id = invocation.argument("ID");
    if (!store::revoke_api_key(context.database(), id, acting_operator(context), Context::soon()))
        fail_unknown(id);
    print_key(context, need_key(context, id), "is revoked");
}

}  // namespace data_import::ctl
