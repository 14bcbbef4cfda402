// The commands `doctor, nginx enable | disable, drain, metrics`.
#include <Poco/Exception.h>
#include <Poco/Net/HTTPClientSession.h>
#include <Poco/Net/HTTPRequest.h>
#include <Poco/Net/HTTPResponse.h>
#include <Poco/StreamCopier.h>
#include <Poco/URI.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/config/settings.h"
#include "data/json/writer.h"
#include "tools/console/bounded.h"
#include "tools/console/nginx_site.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/doctor/doctor.h"

namespace data_import::ctl {

namespace {

namespace fs = std::filesystem;

/// The result of `nginx enable` or `nginx disable`.
struct SiteResult {
    bool enabled = false;
    bool changed = false;
    bool reloaded = false;
    std::string refusal;  ///< nginx's reason to refuse its configuration; empty if it accepts it
    std::string sockets;  ///< the reason why nginx cannot reach the service's sockets; empty if it can
};

/// Throws Failure with the system's error. If a right is missing, the failure advises to run the command as
/// root.
[[noreturn]] void refuse(const std::string& what, const std::error_code& error) {
    const bool is_closed =
        error == std::errc::permission_denied || error == std::errc::operation_not_permitted;
    throw Failure(what + ": " + error.message() + (is_closed ? "; run it as root" : ""));
}

void make_link(const Site& site) {
    std::error_code error;
    fs::create_directories(site.link.parent_path(), error);
    fs::create_symlink(site.available, site.link, error);
    if (error) refuse(site.link.string() + " cannot be made", error);
}

void remove_link(const Site& site) {
    std::error_code error;
    fs::remove(site.link, error);
    if (error) refuse(site.link.string() + " cannot be removed", error);
}

/// Throws Failure if nginx refuses its configuration before the change. So faults of other sites are not
/// taken for faults of this one.
void check_before(const Site& site) {
    if (const auto refusal = nginx_refusal(site)) {
        throw Failure("nginx refuses its configuration already, nothing was changed: " + *refusal +
                      "; mend that, nginx -t tells when it is right");
    }
}

void check_place(const Site& site) {
    if (!site.is_there())
        throw Failure("there is no " + site.available.string() +
                      "; apt-get install --reinstall data-import brings it");
    if (site.is_obstructed())
        throw Failure(site.link.string() + " is not a link to " + site.available.string() +
                      "; move it away first");
}

std::string text_of_nginx(const SiteResult& outcome) {
    if (outcome.reloaded) return "nginx has read its configuration";
    if (outcome.refusal.empty()) return "nginx does not run: systemctl start nginx";
    return "nginx keeps the configuration that it has read before, because it refuses the present one: " +
           in_one_line(outcome.refusal) + "; when that is mended: systemctl reload nginx";
}

void print(const Context& context, const SiteResult& outcome) {
    if (context.json())
        return Context::print(object({{"enabled", outcome.enabled},
                                      {"changed", outcome.changed},
                                      {"reloaded", outcome.reloaded},
                                      {"refusal", unless_empty(outcome.refusal)},
                                      {"sockets", unless_empty(outcome.sockets)}}));
    const std::string state = outcome.enabled ? "enabled" : "disabled";
    Context::print("the site is " + state + (outcome.changed ? "\n" : " already\n"));
    Context::print(text_of_nginx(outcome) + "\n");
    if (!outcome.sockets.empty())
        Context::print("the workers cannot be reached yet: " + in_one_line(outcome.sockets) + "\n");
}

/// Returns the first obstacle between nginx and the workers; empty if there is none.
std::string nginx_access_problem(Context& context) {
    for (const doctor::Finding& finding : doctor::check_pools(context)) {
        if (finding.health == doctor::Health::fault) return finding.text + "; " + finding.remedy;
    }
    return "";
}

void enable_site(Context& context, const Invocation&) {
    const Site site(context.settings().nginx_config);
    check_place(site);
    if (site.is_dangling()) remove_link(site);  // nginx refuses a link that leads nowhere
    SiteResult outcome{.enabled = true, .changed = !site.is_enabled(), .refusal = "", .sockets = ""};
    if (!outcome.changed) {
        check_before(site);
    } else {
        // Without the site, nginx may refuse a configuration that is right with it: operators-page.conf
        // refers to the site's upstreams.
        make_link(site);
        if (const auto refusal = nginx_refusal(site)) {
            remove_link(site);
            check_before(site);
            throw Failure("nginx refuses the site, which is disabled again: " + *refusal);
        }
    }
    outcome.reloaded = reload_nginx(site);
    outcome.sockets = nginx_access_problem(context);
    print(context, outcome);
}

// Disables the site, also if the service's or nginx's configuration has an error.
void disable_site(Context& context, const Invocation&) {
    const Site site(config::load_valid_rows(context.config_file()).nginx_config);
    SiteResult outcome{.changed = site.is_enabled() || site.is_dangling(), .refusal = "", .sockets = ""};
    if (site.is_obstructed())
        throw Failure(site.link.string() + " is not a link to " + site.available.string() +
                      "; remove it by hand");
    const bool was_refused = nginx_refusal(site).has_value();
    if (outcome.changed) remove_link(site);
    if (const auto refusal = nginx_refusal(site)) {
        if (outcome.changed && !was_refused) {
            make_link(site);
            throw Failure("nginx refuses its configuration without the site, which stays enabled: " +
                          *refusal);
        }
        outcome.refusal = *refusal;
    } else {
        outcome.reloaded = reload_nginx(site);
    }
    print(context, outcome);
}

void examine_installation(Context& context, const Invocation& invocation) {
    const doctor::Findings findings = doctor::examine(context);
    doctor::keep(context, findings);
    const bool is_brief = invocation.has("--commands");
    Context::print(is_brief         ? doctor::commands_of(findings)
                   : context.json() ? doctor::json_of(findings)
                                    : doctor::text_of(findings));
    const auto faults = std::ranges::count(findings, doctor::Health::fault, &doctor::Finding::health);
    if (faults == 0) return;
    const std::string count = std::to_string(faults) + (faults == 1 ? " fault" : " faults");
    if (is_brief) throw Failure(count + "; " + std::string(program_name) + " doctor says which");
    throw Failure(count + (faults == 1 ? "; the line" : "; the lines") + " after -> " +
                  (faults == 1 ? "says" : "say") + " what to do");
}

/// Makes the file that marks the service of this host as drained. Returns false if it exists already.
bool set_mark(const std::filesystem::path& mark) {
    if (std::filesystem::exists(mark)) return false;
    if (!std::ofstream(mark))
        throw Failure(mark.string() + " cannot be made (" + std::strerror(errno) +
                      "): is the service running, and is this root?");
    return true;
}

bool take_mark(const std::filesystem::path& mark) {
    std::error_code error;
    const bool was_there = std::filesystem::remove(mark, error);
    if (error) throw Failure(mark.string() + " cannot be removed: " + error.message());
    return was_there;
}

void drain_host(Context& context, const Invocation& invocation) {
    const std::filesystem::path mark = config::drain_mark(context.settings());
    const bool drained = !invocation.has("--off");
    const bool changed = drained ? set_mark(mark) : take_mark(mark);
    if (context.json()) return Context::print(object({{"drained", drained}}));
    Context::print(
        std::string(drained ? "this host is drained: /readyz answers 503, and requests are still served"
                            : "this host is in service: /readyz answers as usual") +
        (changed ? "\n" : ", as it was\n"));
}

constexpr std::chrono::seconds limit{10};

std::string fetch(const std::string& url) {
    try {
        const Poco::URI address(url);
        if (address.getScheme() != "http") throw Failure("metrics_url must begin with http://");
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

/// Writes a line `name{a="b"} 1.5` as an object with series and value; NaN, +Inf and -Inf become null. Skips
/// other lines.
void write_sample(json::Writer& writer, const std::string& line) {
    const std::size_t blank = line.rfind(' ');
    if (line.empty() || line.front() == '#' || blank == std::string::npos) return;
    writer.begin_object().key("series").string(line.substr(0, blank));
    const std::string value = line.substr(blank + 1);
    writer.key("value").raw(value == "NaN" || value.ends_with("Inf") ? "null" : value).end_object();
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

std::vector<Command> host_commands() {
    return {
        command("doctor", {},
                {{"--commands", "", nullptr,
                  "Prints the commands alone, for a shell. Commands that need a terminal are comments."}},
                examine_installation,
                "Checks this installation. For each fault it prints the command that corrects it, and the "
                "section of the handbook about it."),
        command("nginx enable", {}, {}, enable_site,
                "Adds the site to nginx's configuration, tests it and reloads nginx. If the test fails, "
                "the change is undone."),
        command("nginx disable", {}, {}, disable_site,
                "Removes the site from nginx's configuration and reloads nginx. This also works while "
                "the service's or nginx's configuration is wrong; nginx then keeps the configuration "
                "that it has read before."),
        command("drain", {}, {{"--off", "", nullptr, "Puts the host into service again."}}, drain_host,
                "Makes /readyz answer 503 on this host, so that balancers send it no more requests. "
                "Requests that still come are served. A restart of the machine ends this; a restart of "
                "the service does not."),
        command("metrics", {}, {}, print_metrics,
                "Prints the metrics of the service in Prometheus's text format.")};
}

}  // namespace data_import::ctl
