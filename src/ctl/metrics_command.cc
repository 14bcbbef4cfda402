// metrics
#include <Poco/Exception.h>
#include <Poco/Net/HTTPClientSession.h>
#include <Poco/Net/HTTPRequest.h>
#include <Poco/Net/HTTPResponse.h>
#include <Poco/StreamCopier.h>
#include <Poco/URI.h>

#include <sstream>

#include "console/bounded.h"
#include "ctl/commands.h"
#include "json/writer.h"

namespace data_import::ctl {

namespace {

constexpr std::chrono::seconds limit{10};

std::string fetch(const std::string& url) {
    try {
        const Poco::URI address(url);
        if (address.getScheme() != "http") throw Failure("metrics_url has to begin with http://");
        Poco::Net::HTTPClientSession session(address.getHost(), address.getPort());
        session.setProxyConfig({});
        Poco::Net::HTTPRequest request("GET", address.getPathAndQuery(), "HTTP/1.1");
        session.sendRequest(request);
        Poco::Net::HTTPResponse response;
        std::istream& stream = session.receiveResponse(response);
        std::string text;
        Poco::StreamCopier::copyToString(stream, text);
        if (response.getStatus() == Poco::Net::HTTPResponse::HTTP_OK) return text;
        throw Failure(url + " answers " + std::to_string(response.getStatus()));
    } catch (const Poco::Exception& failure) {
        throw Failure(url + " does not answer: " + failure.displayText());
    }
}

/// `name{a="b"} 1.5`: the series and its value, as the text has them.
void write_sample(json::Writer& writer, const std::string& line) {
    const std::size_t blank = line.rfind(' ');
    if (line.empty() || line.front() == '#' || blank == std::string::npos) return;
    writer.begin_object().key("series").string(line.substr(0, blank));
    const std::string value = line.substr(blank + 1);
    writer.key("value").raw(value == "NaN" || value == "+Inf" ? "null" : value).end_object();
}

std::string json_of(const std::string& text) {
    json::Writer writer;
    writer.begin_array();
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) write_sample(writer, line);
    return writer.end_array().take() + "\n";
}

void print_metrics(Context& context, const Invocation&) {
    const std::string url = context.settings().metrics_url;
    try {
        const std::string text = run_bounded([&] { return fetch(url); }, limit);
        Context::print(context.json() ? json_of(text) : text);
    } catch (const Failure& failure) {
        throw Failure(std::string(failure.what()) +
                      "; look at metrics_url, and at data-importctl doctor for what is wrong");
    }
}

}  // namespace

std::vector<Command> metrics_commands() {
    return {
        {{"metrics", "", {}, {}, "Prints what the service counts, in Prometheus's text format.", "metrics"},
         print_metrics}};
}

}  // namespace data_import::ctl
