#include "control.h"

#include <Poco/URI.h>

#include <optional>

#include "data/json/writer.h"

namespace data_import::vendor_simulator {

namespace {

using json::Writer;

/// Returns the part of the target after the prefix, percent-decoded; nothing if the target does not begin
/// with the prefix.
std::optional<std::string> behind(const std::string& target, std::string_view prefix) {
    if (!target.starts_with(prefix)) return std::nullopt;
    std::string rest;
    Poco::URI::decode(target.substr(prefix.size()), rest);
    return rest;
}

std::string totals_text(const Totals& totals) {
    Writer writer;
    writer.begin_object().key("calls").integer(totals.calls);
    writer.key("connections").integer(totals.connections).key("followed").integer(totals.followed);
    return writer.end_object().take();
}

std::string calls_text(const Calls& calls) {
    Writer writer;
    writer.begin_object().key("calls").integer(calls.count).key("last_target").string(calls.last_target);
    return writer.end_object().take();
}

std::string connections_text(long connections) {
    Writer writer;
    return writer.begin_object().key("connections").integer(connections).end_object().take();
}

std::optional<std::string> answer(const Request& request, Tallies& tallies) {
    if (request.method == "PUT") {
        const auto setting = behind(request.target, "/switches/");
        const std::size_t slash = setting ? setting->find('/') : std::string::npos;
        if (slash == std::string::npos) return std::nullopt;
        tallies.set_switch(setting->substr(0, slash), setting->substr(slash + 1));
        return "{}";
    }
    if (request.method != "GET") return std::nullopt;
    if (request.target == "/totals") return totals_text(tallies.totals());
    if (const auto name = behind(request.target, "/calls/")) return calls_text(tallies.calls(*name));
    if (const auto name = behind(request.target, "/listeners/"))
        return connections_text(tallies.connections(*name));
    return std::nullopt;
}

}  // namespace

void serve_control(Conversation& conversation, const Request& request, Tallies& tallies) {
    const std::optional<std::string> body = answer(request, tallies);
    conversation.reply(body ? 200 : 404, body.value_or("{}"));
}

}  // namespace data_import::vendor_simulator
