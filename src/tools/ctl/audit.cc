// The command `audit`.
#include <iostream>

#include "base/util/joined.h"
#include "data/store/access_events.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

using store::AccessEvent;

/// Returns an RFC 3339 time in UTC as `2024-05-31 08:30:00 UTC`.
std::string second_of(const std::string& time) {
    constexpr std::size_t date = 10;
    constexpr std::size_t whole_seconds = 19;
    return time.substr(0, date) + " " + time.substr(date + 1, whole_seconds - date - 1) + " UTC";
}

/// Returns the account, consumer or supplier of an action, and the action's details: `account 4711 of ACME: 3
/// records`.
std::string action_on(const AccessEvent& event) {
    std::string text = event.kind ? in_words(*event.kind) + " of " : "";
    if (event.account) text += "account " + *event.account + " of ";
    text += event.consumer ? "consumer " + *event.consumer : *event.import_supplier;
    return event.details ? text + ": " + *event.details : text;
}

std::string details_of(const AccessEvent& event) {
    if (event.used_on) return "on " + *event.used_on;
    if (event.signing_key) return *event.signing_key;
    if (event.report)
        return event.report->import_supplier + ", by " + event.report->signed_by + ", SHA-256 " +
               event.report->html_sha256 + " (HTML), " + event.report->json_sha256 + " (JSON)";
    if (event.import_supplier || event.consumer) return action_on(event);
    if (!event.new_scope) return event.details.value_or("");
    return event.old_scope ? util::joined(*event.old_scope) + " -> " + util::joined(*event.new_scope)
                           : util::joined(*event.new_scope);
}

auto of_report(std::string store::SignedReport::*member) {
    return [member](const AccessEvent& event) {
        return event.report ? std::optional((*event.report).*member) : std::nullopt;
    };
}

const Columns<AccessEvent> columns = {
    {"at", "TIME", &AccessEvent::at, [](const AccessEvent& event) { return second_of(event.at); }},
    {"action", "WHAT", &AccessEvent::action, [](const AccessEvent& event) { return in_words(event.action); }},
    {"system_user", "BY", [](const AccessEvent& event) { return unless_empty(event.by.system_user); }},
    {"host", "HOST", [](const AccessEvent& event) { return unless_empty(event.by.host); }},
    {"api_key", "KEY", &AccessEvent::api_key_id},
    {"organisation", "ORGANISATION", &AccessEvent::organisation},
    {"", "DETAILS", details_of},
    {"old_scope", "", &AccessEvent::old_scope},
    {"new_scope", "", &AccessEvent::new_scope},
    {"signing_key", "", &AccessEvent::signing_key},
    {"used_on", "", &AccessEvent::used_on},
    {"import_supplier", "", &AccessEvent::import_supplier},
    {"external_account_number", "", &AccessEvent::account},
    {"kind", "", &AccessEvent::kind},
    {"consumer", "", &AccessEvent::consumer},
    {"details", "", &AccessEvent::details},
    {"signed_by", "", of_report(&store::SignedReport::signed_by)},
    {"html_sha256", "", of_report(&store::SignedReport::html_sha256)},
    {"json_sha256", "", of_report(&store::SignedReport::json_sha256)},
};

constexpr std::size_t most_events = 10'000;

/// Reads the events since a time. Without a time, reads the last `most_events`, so that a long history is
/// listed only if somebody asks for it.
std::vector<AccessEvent> read_events(Context& context, const std::optional<std::string>& since) {
    if (since) return store::list_access_events(context.database(), since, std::nullopt, Context::late());
    auto events = store::list_access_events(context.database(), since, most_events + 1, Context::soon());
    if (events.size() > most_events) {
        events.erase(events.begin());
        std::cerr << program_name << ": these are the last " << events.size()
                  << " entries; --since T lists all from T on\n";
    }
    return events;
}

void list_access_events(Context& context, const Invocation& invocation) {
    const auto events = read_events(context, invocation.option("--since"));
    Context::print(
        context.json()
            ? columns.json(events)
            : columns.text(
                  events,
                  "nothing was done about access, suppliers, totals, personal data or consumers, no key "
                  "was used, and no report was signed"));
}

}  // namespace

std::vector<Command> audit_commands() {
    return {command(
        "audit", {}, {{"--since", "T", check_instant, "All entries after T; without it the last 10,000."}},
        list_access_events,
        "Lists who created, changed and revoked which API key, on which days each key was used, who "
        "changed the signing keys, who signed which report, who set the status of which supplier (also by "
        "force), who created which supplier and planned its end, staged failed accounts again, put accounts "
        "on "
        "hold and released them, who may act on the page of operators and which acts there were refused, "
        "accepted differences, corrected totals (with the figures before and after), and reset or "
        "erased accounts, added or removed consumers, exported records, and on which host somebody looked at "
        "the records of which account. The newest entries come last.",
        "--since 2024-05-31T08:30:00Z")};
}

}  // namespace data_import::ctl
