#include "behaviours.h"

#include <Poco/URI.h>

#include <algorithm>
#include <array>

#include "data/json/writer.h"

namespace data_import::vendor_simulator {

namespace {

using namespace std::chrono_literals;
using json::Writer;

constexpr std::string_view json_head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
constexpr std::chrono::milliseconds drip = 50ms;

double number_of(const Lookup& lookup, double otherwise) {
    return lookup.argument.empty() ? otherwise : std::stod(lookup.argument);
}

void write_card(Writer& writer) {
    writer.key("card").begin_object().key("number").string("4111 1111 1111 1111");
    writer.key("brand").string("VISA").key("expires").string("2031-12").end_object();
}

void write_account(Writer& writer) {
    writer.key("account").begin_object().key("iban").string("DE89 3704 0044 0532 0130 00");
    writer.key("account_number").string("0532013000").key("bank").string("Küstenbank").end_object();
}

/// A vendor's answer about an instruction that exists.
std::string details(const Lookup& lookup, std::string_view status = "active") {
    Writer writer;
    writer.begin_object().key("reference").string(lookup.reference).key("type").string(lookup.type);
    if (!status.empty()) writer.key("status").string(status);
    lookup.type == "CARD" ? write_card(writer) : write_account(writer);
    writer.key("holder").string("Käthe Großmann").key("created_at").string("2024-01-31T10:00:00Z");
    return writer.end_object().take();
}

/// Card numbers and other numbers that the service must not keep, in all forms and places that vendors use.
constexpr std::string_view secret_numbers = R"({
    "status": "active",
    "type": "CARD",
    "number": 5500005555555559,
    "pan": "4111111111111111",
    "card_number": "4012-8888-8888-1881",
    "primary": {"account": {"number": "3782 822463 10005"}, "cvc": "737"},
    "history": ["6011111111111117", {"note": "moved from 4242424242424242 (old card) to 4000056655665556."}],
    "iban": "GB33BUKB20201555555555",
    "sepa": {"IBAN": "DE89 3704 0044 0532 0130 00", "account_number": 532013000, "accountNumber": "0987654321"},
    "escaped": "\u0034\u0031\u0031\u0031 1111 1111 1111",
    "track": "%B4111111111111111^GROSSMANN/KAETHE^3112101000000000000?",
    "4222222222222": "a number as a name",
    "last_four": "1111",
    "holder": "Käthe Großmann"
})";

void good(Conversation& peer, const Lookup& lookup) {
    peer.reply(200, details(lookup));
}

/// Answers `Connection: keep-alive` and closes the connection all the same, so that the next request on it
/// fails.
void forgets(Conversation& peer, const Lookup& lookup) {
    peer.reply(200, details(lookup), "application/json", "Connection: keep-alive\r\n");
    peer.close();
}

/// Answers 404 for the type UNKNOWN. For other types, sends the answer twice, so that the second
/// answer confirms an instruction that nobody asked for.
void chatty(Conversation& peer, const Lookup& lookup) {
    if (lookup.type == "UNKNOWN") return peer.reply(404, R"({"error":"no such instruction"})");
    const std::string body = details(lookup);
    const std::string answer =
        std::string(json_head) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    peer.send(answer + answer);
}

void chunked(Conversation& peer, const Lookup& lookup) {
    const std::string body = details(lookup);
    peer.send(std::string(json_head) + "Transfer-Encoding: chunked\r\n\r\n");
    for (std::size_t at = 0; at < body.size(); at += 7) {
        const std::string piece = body.substr(at, 7);
        peer.send(std::to_string(piece.size()) + "\r\n" + piece + "\r\n");
    }
    peer.send("0\r\n\r\n");
}

void until_close(Conversation& peer, const Lookup& lookup) {
    peer.send("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + details(lookup));
    peer.close();
}

void inactive(Conversation& peer, const Lookup& lookup) {
    peer.reply(200, details(lookup, "cancelled"));
}

void redirect(Conversation& peer, const Lookup& lookup) {
    std::string reference;
    Poco::URI::encode(lookup.reference, "/?#", reference);
    peer.reply(302, "", "", "Location: /redirected/instructions/" + reference + "\r\n");
}

/// Sends interim answers (1xx) before the answer, as a proxy on the way may do.
void interim(Conversation& peer, const Lookup& lookup) {
    peer.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n");
    peer.send("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n");
    good(peer, lookup);
}

template <int Status>
void bodiless(Conversation& peer, const Lookup&) {
    peer.send("HTTP/1.1 " + std::to_string(Status) + " X\r\n\r\n");
}

template <int Status>
void moved(Conversation& peer, const Lookup& lookup) {
    peer.reply(Status, "", "", "Location: https://moved.example/" + lookup.reference + "\r\n");
}

void retry_after(Conversation& peer, const Lookup& lookup) {
    peer.reply(429, R"({"error":"slow down"})", "application/json",
               "Retry-After: " + (lookup.argument.empty() ? "1" : lookup.argument) + "\r\n");
}

void flaky(Conversation& peer, const Lookup& lookup) {
    if (static_cast<double>(lookup.call) <= number_of(lookup, 1))
        return peer.reply(503, R"({"error":"busy"})");
    good(peer, lookup);
}

void flaky_resets(Conversation& peer, const Lookup& lookup) {
    if (static_cast<double>(lookup.call) <= number_of(lookup, 1)) peer.reset();
    good(peer, lookup);
}

void slow(Conversation& peer, const Lookup& lookup) {
    peer.wait(std::chrono::milliseconds(static_cast<long>(1000 * number_of(lookup, 1))));
    good(peer, lookup);
}

void hangs(Conversation& peer, const Lookup&) {
    peer.wait_until_gone();
}

void hangs_in_body(Conversation& peer, const Lookup&) {
    peer.send(std::string(json_head) + "Content-Length: 100\r\n\r\n{\"status\":");
    peer.wait_until_gone();
}

void drips_head(Conversation& peer, const Lookup&) {
    peer.send(std::string(json_head) + "X-Endless: ");
    peer.send_for_ever("x", drip);
}

void drips_body(Conversation& peer, const Lookup&) {
    peer.send(std::string(json_head) + "Content-Length: 100000\r\n\r\n");
    peer.send_for_ever(" ", drip);
}

void drips_chunks(Conversation& peer, const Lookup&) {
    peer.send(std::string(json_head) + "Transfer-Encoding: chunked\r\n\r\n");
    peer.send_for_ever("1\r\n \r\n", drip);
}

void closes(Conversation& peer, const Lookup&) {
    peer.close();
}

void resets(Conversation& peer, const Lookup&) {
    peer.reset();
}

/// Resets the connection after the head of the answer. Pauses before, so that the peer has read the head when
/// the RST arrives.
void resets_after_head(Conversation& peer, const Lookup&) {
    peer.send(std::string(json_head) + "Content-Length: 100\r\n\r\n");
    peer.wait(drip);
    peer.reset();
}

void resets_in_body(Conversation& peer, const Lookup&) {
    peer.send(std::string(json_head) + "Content-Length: 100\r\n\r\n{\"status\":\"active\"");
    peer.wait(drip);
    peer.reset();
}

/// Sends less than Content-Length says. The bytes that arrive are good JSON, so that only the length shows
/// that something is missing.
void cut_body(Conversation& peer, const Lookup& lookup) {
    const std::string body = details(lookup);
    peer.send(std::string(json_head) + "Content-Length: " + std::to_string(body.size() + 20) + "\r\n\r\n" +
              body);
    peer.close();
}

void cut_chunks(Conversation& peer, const Lookup&) {
    peer.send(std::string(json_head) + "Transfer-Encoding: chunked\r\n\r\n13\r\n{\"status\":\"active\"}\r\n");
    peer.close();
}

void cut_connection(Conversation& peer, const Lookup& lookup) {
    peer.send(std::string(json_head) + "Connection: close\r\n\r\n" + details(lookup));
    peer.cut();
}

void bad_chunks(Conversation& peer, const Lookup&) {
    peer.send(std::string(json_head) + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n");
    peer.close();
}

void huge_body(Conversation& peer, const Lookup&) {
    peer.send(std::string(json_head) + "Connection: close\r\n\r\n{\"status\":\"active\",\"padding\":\"");
    peer.send_for_ever(std::string(1 << 16, 'x'), 0ms);
}

void huge_length(Conversation& peer, const Lookup&) {
    peer.send(std::string(json_head) + "Content-Length: 99999999999\r\n\r\n{\"status\":\"active\",");
    peer.send_for_ever(std::string(1 << 16, ' '), 0ms);
}

void huge_head(Conversation& peer, const Lookup&) {
    peer.send(json_head);
    peer.send_for_ever("X-Padding: " + std::string(1 << 14, 'x') + "\r\n", 0ms);
}

void html(Conversation& peer, const Lookup&) {
    peer.reply(200, "<!DOCTYPE html><html><body>Sign in to the guest network</body></html>", "text/html");
}

void no_http(Conversation& peer, const Lookup&) {
    peer.send("220 mail.vendor.test ESMTP ready\r\n\r\n");
    peer.close();
}

void numbers(Conversation& peer, const Lookup&) {
    peer.reply(200, secret_numbers);
}

template <int Status>
void status(Conversation& peer, const Lookup&) {
    peer.reply(Status, R"({"error":"as configured"})");
}

constexpr auto table = std::to_array<Behaviour>({
    {"good", "200, active, with a card's or an account's numbers", good},
    {"chunked", "the same in small chunks", chunked},
    {"until_close", "the same over HTTP/1.0, ended by the end of the connection", until_close},
    {"forgets", "the same, then closes the connection it promised to keep", forgets},
    {"chatty", "the same twice for each request; 404 for the type UNKNOWN", chatty},
    {"numbers", "200, active, with card and account numbers in every form", numbers},
    {"inactive", "200 with another status than active", inactive},
    {"redirect", "302 to /redirected, where requests are counted", redirect},
    {"redirected", "good; where redirects lead", good},
    {"interim", "100, 102 and 103, then good", interim},
    {"204", "that status", bodiless<204>},
    {"304", "that status", bodiless<304>},
    {"307", "that status, to another host", moved<307>},
    {"401", "that status, whatever the token", status<401>},
    {"404", "that status", status<404>},
    {"500", "that status", status<500>},
    {"503", "that status", status<503>},
    {"retry_after", "429 with Retry-After: ARGUMENT (1)", retry_after},
    {"flaky", "503 for the first ARGUMENT (1) calls for a reference, then good", flaky},
    {"flaky_resets", "resets the connection for the first ARGUMENT (1) calls, then good", flaky_resets},
    {"slow", "good after ARGUMENT (1) seconds", slow},
    {"hangs", "never answers", hangs},
    {"hangs_in_body", "stops in the middle of the body", hangs_in_body},
    {"drips_head", "a header that goes on for ever, byte by byte", drips_head},
    {"drips_body", "the body's blanks, one every 50 ms, without end", drips_body},
    {"drips_chunks", "small chunks without end", drips_chunks},
    {"closes", "closes the connection instead of an answer", closes},
    {"resets", "RST instead of an answer", resets},
    {"resets_after_head", "RST after the headers", resets_after_head},
    {"resets_in_body", "RST in the body", resets_in_body},
    {"cut_body", "less body than Content-Length says", cut_body},
    {"cut_chunks", "chunks without the last one", cut_chunks},
    {"cut_connection", "a body without length, and an end of the connection that TLS has not announced",
     cut_connection},
    {"bad_chunks", "chunks whose length is no number", bad_chunks},
    {"huge_body", "a string without end, as fast as it is read", huge_body},
    {"huge_length", "Content-Length of 100 GB, and blanks without end", huge_length},
    {"huge_head", "headers without end", huge_head},
    {"html", "an HTML page with status 200", html},
    {"no_http", "the greeting of a mail server", no_http},
});

/// Removes the part before the first slash from the path and returns it.
std::string take_segment(std::string& path) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    std::string segment = path.substr(0, slash);
    path.erase(0, slash + 1);
    return segment;
}

std::string parameter(const Poco::URI& uri, const std::string& name) {
    for (const auto& [key, value] : uri.getQueryParameters()) {
        if (key == name) return value;
    }
    return "";
}

/// Returns what a request asks for, by `target`, its path and query. The Lookup is empty if the path has no
/// `/instructions/`. If the path begins with `/switched/NAME`, `tallies` has the behaviour that a test has
/// set for NAME. Throws Poco::SyntaxException if the target is invalid.
Lookup understand(const std::string& target, const Tallies& tallies) {
    constexpr std::string_view resource = "/instructions/";
    const std::size_t query = std::min(target.find('?'), target.size());
    const std::size_t end = target.substr(0, query).rfind(resource);
    Lookup lookup;
    if (end == std::string::npos) return lookup;
    Poco::URI::decode(target.substr(end + resource.size(), query - end - resource.size()), lookup.reference);
    lookup.type = parameter(Poco::URI(target), "type");
    std::string path = target.substr(1, end == 0 ? 0 : end - 1);
    if (path.starts_with("switched/")) path = tallies.switched(path.substr(9));
    lookup.behaviour = take_segment(path);
    lookup.argument = take_segment(path);
    return lookup;
}

}  // namespace

std::span<const Behaviour> behaviours() {
    return table;
}

void serve_instruction(Conversation& conversation, const Request& request, const std::string& secret,
                       Tallies& tallies) {
    Lookup lookup = understand(request.target, tallies);
    const auto* behaviour = std::ranges::find(table, lookup.behaviour, &Behaviour::name);
    if (behaviour == table.end()) return conversation.reply(404, R"({"error":"no such behaviour"})");
    lookup.call = tallies.count_call(lookup.reference, request.target);
    if (lookup.behaviour == "redirected") tallies.count_followed();
    const auto authorization = request.headers.find("authorization");
    if (authorization == request.headers.end() || authorization->second != "Bearer " + secret)
        return conversation.reply(401, R"({"error":"wrong token"})");
    behaviour->answer(conversation, lookup);
}

}  // namespace data_import::vendor_simulator
