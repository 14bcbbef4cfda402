#include "vendor_simulator.h"

#include <Poco/URI.h>

#include <stdexcept>

#include "data/json/reader.h"
#include "http.h"

namespace data_import::tests {

namespace {

/// The text, encoded for one path segment.
std::string encoded(const std::string& text) {
    std::string segment;
    Poco::URI::encode(text, "/?#%+;", segment);
    return segment;
}

long number(const json::Document& body, const std::string& name) {
    return std::stol(std::string(body.root().at(name).text()));
}

}  // namespace

VendorSimulator::VendorSimulator(const Stack& stack) : url_(stack.value("VENDOR_SIMULATOR")) {}

VendorTotals VendorSimulator::totals() const {
    const json::Document body = json::read(ask("GET", "/totals"));
    return {.calls = number(body, "calls"),
            .connections = number(body, "connections"),
            .followed = number(body, "followed")};
}

long VendorSimulator::calls(const std::string& reference) const {
    return number(json::read(ask("GET", "/calls/" + encoded(reference))), "calls");
}

std::string VendorSimulator::last_target(const std::string& reference) const {
    const json::Document body = json::read(ask("GET", "/calls/" + encoded(reference)));
    return std::string(body.root().at("last_target").text());
}

void VendorSimulator::turn(const std::string& name, const std::string& behaviour) const {
    static_cast<void>(ask("PUT", "/switches/" + name + '/' + behaviour));
}

std::string VendorSimulator::ask(const std::string& method, const std::string& target) const {
    const Answer answer = HttpConnection(Poco::URI(url_).getPort()).ask({method, target, {}, ""});
    if (answer.status != 200) throw std::runtime_error("the vendor simulator does not know " + target);
    return answer.body;
}

}  // namespace data_import::tests
