// audit
#include "ctl/handlers.h"
#include "ctl/json_text.h"
#include "ctl/table.h"
#include "store/access_events.h"

namespace data_import::ctl {

namespace {

using store::AccessEvent;

constexpr std::size_t whole_seconds = 19;  // of 2024-05-31T08:30:00.123456Z

std::string joined(const std::vector<std::string>& codes) {
    std::string text;
    for (const std::string& code : codes) text += (text.empty() ? "" : ", ") + code;
    return text;
}

std::string details_of(const AccessEvent& event) {
    if (event.used_on) return "on " + *event.used_on;
    if (event.signing_key) return *event.signing_key;
    if (!event.new_scope) return "";
    return event.old_scope ? joined(*event.old_scope) + " -> " + joined(*event.new_scope)
                           : joined(*event.new_scope);
}

std::string table_of(const std::vector<AccessEvent>& events) {
    Table table({"TIME", "WHAT", "BY", "HOST", "KEY", "ORGANISATION", "DETAILS"});
    for (const AccessEvent& event : events) {
        table.add({event.at.substr(0, whole_seconds) + 'Z', in_words(event.action), event.by.system_user,
                   event.by.host, event.api_key_id.value_or(""), event.organisation.value_or(""),
                   details_of(event)});
    }
    return table.text("nothing was done about access, and no key was used");
}

std::optional<std::string> unless_empty(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

void write_scope(json::Writer& writer, std::string_view name,
                 const std::optional<std::vector<std::string>>& scope) {
    writer.key(name);
    if (!scope) {
        writer.null();
        return;
    }
    writer.begin_array();
    for (const std::string& code : *scope) writer.string(code);
    writer.end_array();
}

std::string json_of(const std::vector<AccessEvent>& events) {
    json::Writer writer;
    writer.begin_array();
    for (const AccessEvent& event : events) {
        writer.begin_object().key("at").string(event.at).key("action").string(event.action);
        member(writer, "system_user", unless_empty(event.by.system_user));
        member(writer, "host", unless_empty(event.by.host));
        member(writer, "api_key", event.api_key_id);
        member(writer, "organisation", event.organisation);
        write_scope(writer, "old_scope", event.old_scope);
        write_scope(writer, "new_scope", event.new_scope);
        member(writer, "signing_key", event.signing_key);
        member(writer, "used_on", event.used_on);
        writer.end_object();
    }
    return writer.end_array().take() + "\n";
}

}  // namespace

void list_access_events(Context& context, const Invocation& invocation) {
    const auto events =
        store::list_access_events(context.database(), invocation.option("--since"), Context::soon());
    Context::print(context.json() ? json_of(events) : table_of(events));
}

}  // namespace data_import::ctl
