// Checks that nginx has the site enabled and a right configuration, and that requests reach the workers
// through nginx.
#include <Poco/Exception.h>
#include <Poco/Net/HTTPClientSession.h>
#include <Poco/Net/HTTPRequest.h>
#include <Poco/Net/HTTPResponse.h>
#include <Poco/Net/NetSSL.h>
#include <Poco/Net/SecureStreamSocket.h>
#include <Poco/Net/X509Certificate.h>
#include <Poco/URI.h>
#include <openssl/ssl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <optional>
#include <regex>

#include "base/util/certificate.h"
#include "base/util/shell_command.h"
#include "data/json/reader.h"
#include "tools/console/bounded.h"
#include "tools/console/nginx_site.h"
#include "tools/doctor/certificate_files.h"
#include "tools/doctor/doctor.h"

namespace data_import::doctor {

namespace {

namespace fs = std::filesystem;

constexpr int patience = 5;  ///< longest wait for an answer, in seconds
/// Bytes of an answer that are read: enough for head and body of an error.
constexpr std::size_t most_of_answer = 4096;
constexpr const char* wake_service = "systemctl restart data-import; journalctl -u data-import -n 50";
/// The first line of a connection that a proxy opens on its own behalf, not for a client (section 2.1 of
/// HAProxy's PROXY protocol).
constexpr std::string_view proxy_line = "PROXY UNKNOWN\r\n";

std::string too_late() {
    return " does not answer within " + std::to_string(patience) +
           " s: the service hangs, or all its workers are busy";
}

int status_of(Poco::Net::HTTPClientSession& session, const std::string& path) {
    Poco::Net::HTTPRequest request("GET", path, "HTTP/1.1");
    session.setTimeout(Poco::Timespan(patience, 0));
    session.setProxyConfig({});
    session.sendRequest(request);
    Poco::Net::HTTPResponse response;
    session.receiveResponse(response);
    return response.getStatus();
}

/// The answer of /readyz, in short, and the certificate that came with it.
struct Readiness {
    int status = 0;           ///< status of the answer; 0 if it is no HTTP
    bool is_late = false;     ///< nginx took the request, and no answer came in time
    bool is_reached = false;  ///< a worker has answered, and not nginx in its place
    std::string detail;       ///< the error's sentence; empty if the answer is no error
    util::Certificate certificate;
};

/// Connects by TLS. Accepts any certificate, because other checks look at its names and its issuer.
Poco::Net::SecureStreamSocket connect(const console::SiteFacts& facts, const std::string& name,
                                      const Poco::Net::Context::Ptr& any) {
    const Poco::Timespan limit(patience, 0);
    Poco::Net::StreamSocket socket;
    socket.connect({facts.address, static_cast<Poco::UInt16>(facts.port)}, limit);
    socket.setReceiveTimeout(limit);
    if (facts.takes_proxy_protocol) socket.sendBytes(proxy_line.data(), static_cast<int>(proxy_line.size()));
    return Poco::Net::SecureStreamSocket::attach(socket, name, any);
}

Poco::Net::Context::Ptr any_certificate() {
    return new Poco::Net::Context(Poco::Net::Context::TLS_CLIENT_USE, "", Poco::Net::Context::VERIFY_NONE);
}

/// Returns the host name for a request, by which nginx chooses this site among all sites of the address.
std::string name_of(const console::SiteFacts& facts) {
    return facts.names.empty() ? facts.address : facts.names.front();
}

/// Returns the member `detail` of an error; empty if there is none. The body must not be chunked.
std::string detail_of(const std::string& answer) {
    try {
        const json::Document error =
            json::read(answer.substr(std::min(answer.find("\r\n\r\n"), answer.size())));
        const auto detail = error.root().find("detail");
        return detail ? std::string(detail->text()) : "";
    } catch (const std::exception&) {
        return "";
    }
}

/// Asks the site for /readyz over TLS. Returns the answer in short.
Readiness readiness_of(const console::SiteFacts& facts) {
    const std::string name = name_of(facts);
    Poco::Net::SecureStreamSocket socket = connect(facts, name, any_certificate());
    const std::string request = "GET /readyz HTTP/1.0\r\nHost: " + name + "\r\n\r\n";
    socket.sendBytes(request.data(), static_cast<int>(request.size()));
    std::string answer(most_of_answer, '\0');
    std::size_t taken = 0;
    bool is_late = false;
    try {
        for (int count = 1; count > 0 && taken < answer.size(); taken += static_cast<std::size_t>(count)) {
            count = socket.receiveBytes(answer.data() + taken, static_cast<int>(answer.size() - taken));
        }
    } catch (const Poco::TimeoutException&) {
        is_late = true;
    }
    answer.resize(taken);
    constexpr std::size_t place_of_status = std::string_view("HTTP/1.1 ").size();
    return {.status = taken > place_of_status ? std::atoi(answer.c_str() + place_of_status) : 0,
            .is_late = is_late,
            .is_reached = answer.find("could be reached") == std::string::npos,
            .detail = detail_of(answer),
            .certificate = util::Certificate::of(*socket.peerCertificate().certificate())};
}

/// Returns whether the listener speaks HTTP/2. nginx ends the handshake with a client that offers only
/// protocols which the listener does not speak.
bool speaks_http2(const console::SiteFacts& facts) {
    constexpr std::string_view only_http2("\x02h2");
    const Poco::Net::Context::Ptr context = any_certificate();
    SSL_CTX_set_alpn_protos(context->sslContext(), reinterpret_cast<const unsigned char*>(only_http2.data()),
                            static_cast<unsigned>(only_http2.size()));
    try {
        static_cast<void>(connect(facts, name_of(facts), context));
        return true;
    } catch (const Poco::Exception&) {
        return false;
    }
}

/// Warns of HTTP/2. The site itself does not switch it on, but nginx speaks it for all sites of an address if
/// one of them does.
Findings check_protocol(const console::Site& site, const console::SiteFacts& facts) {
    if (!speaks_http2(facts)) return {};
    return {warning(
        "https",
        "clients get HTTP/2 there, and some of them hang or fail over HTTP/2 when a long body is refused",
        util::with_remark("grep --recursive --line-number http2 " + site.config.parent_path().string(),
                          "remove it from all listeners of this port"))};
}

/// Returns the program that has the port; empty if the program is nginx, or cannot be seen. ss reads the
/// files of all processes, which may take longer than the doctor waits on a busy machine.
std::string stranger_on(int port) {
    try {
        const console::ProgramResult sockets =
            console::run_program({"ss", "--no-header", "--listening", "--tcp", "--numeric", "--processes",
                                  "sport = :" + std::to_string(port)},
                                 std::chrono::seconds(patience));
        const std::string listener = sockets.status == 0 ? listener_in(sockets.output) : "";
        return listener == "nginx" ? "" : listener;
    } catch (const console::TimeOver&) {
        return "";
    }
}

std::string belongs_to(int port, const std::string& stranger) {
    return "port " + std::to_string(port) + " belongs to " + stranger + ": nginx cannot have it";
}

/// Returns the remedy for a port that another program has. `places` says where another port can be chosen.
std::string free_port(int port, const std::string& places) {
    return util::with_remark(
        "ss -ltnp 'sport = :" + std::to_string(port) + "'",
        "stop that program, then systemctl restart nginx; or choose another port for " + places);
}

Finding answered(const Context& context, const console::Site& site, const std::string& url,
                 const Readiness& readiness) {
    const std::string subject = "https";
    const int status = readiness.status;
    if (readiness.is_late) return fault(subject, url + too_late(), wake_service);
    if (status == 200) return ok(subject, url + " answers 200");
    const std::string text = url + " answers " + std::to_string(status);
    if (!readiness.is_reached || status == 502 || status == 504)
        return fault(subject, text + ": nginx does not reach the workers", "systemctl start data-import");
    if (status == 503 && fs::exists(config::drain_mark(context.settings())))
        return warning(subject, text + ": this host is drained", own_command(context, "drain --off"));
    if (status == 503) return fault(subject, text + ": " + readiness.detail, "");
    return fault(
        subject,
        text +
            ": another site of nginx answers there, because it is the default of the address or has the name",
        util::with_remark(util::shell_command("editor", {site.available.string()}) + " && " + reload_nginx,
                          "server_name must be the name that clients use, and no other site may have it"));
}

/// Returns the fault of a server that passes acts to the workers; empty if it has none.
std::string fault_of(const console::ActingServer& server) {
    if (!server.is_encrypted) return "has a listener without ssl";
    if (!server.signs_in)
        return "signs nobody in, so that everybody can act: it has neither auth_basic, auth_request nor "
               "ssl_verify_client on";
    if (server.person.empty()) return "passes no DATA_IMPORT_OPERATOR, so that nobody can act";
    if (server.person_is_of_client)
        return "takes the name of the person from " + server.person + ", which the client chooses";
    return "";
}

}  // namespace

std::string remedy_of_refusal(const std::string& refusal) {
    static const std::regex missing("open\\(\\) \"[^\"]*/snippets/data-import/[^\"]*\" failed \\(2:");
    static const std::regex place(" in (/[^ ]+):([0-9]+)$");
    std::smatch parts;
    if (std::regex_search(refusal, parts, missing)) {
        return util::with_remark(
            "apt-get install --reinstall -o Dpkg::Options::=--force-confmiss data-import && " +
                std::string(reload_nginx),
            "or correct the include");
    }
    if (std::regex_search(refusal, parts, place))
        return util::shell_command("editor +" + parts[2].str(), {parts[1].str()}) + " && " + reload_nginx;
    return reload_nginx;
}

std::string listener_in(const std::string& sockets) {
    static const std::regex user("users:\\(\\(\"([^\"]+)\"");
    if (sockets.find("users:((\"nginx\"") != std::string::npos) return "nginx";
    std::smatch parts;
    return std::regex_search(sockets, parts, user) ? parts[1].str() : "";
}

/// Returns whether nginx refuses its configuration only because this user may not read all of its files. Any
/// other refusal is a fault for every user.
bool is_for_want_of_rights(const std::string& refusal) {
    return geteuid() != 0 && refusal.find("Permission denied") != std::string::npos;
}

/// Returns whether this user may not read all of nginx's configuration. Throws Failure if nginx refuses it
/// for another reason.
bool is_closed_to_this_user(const console::NginxConfiguration& nginx) {
    if (!nginx.refusal) return false;
    if (is_for_want_of_rights(*nginx.refusal)) return true;
    throw console::Failure("nginx refuses its configuration: " + *nginx.refusal);
}

const console::NginxConfiguration& nginx_configuration(const Context& context) {
    static std::optional<console::NginxConfiguration> read;
    static std::exception_ptr failure;
    if (!read && !failure) {
        try {
            read = console::read_configuration(console::Site(context.settings().nginx_config));
        } catch (...) {
            failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
    return *read;
}

Findings check_site(Context& context) {
    const console::Site site(context.settings().nginx_config);
    const std::string enable = own_command(context, "nginx enable");
    std::error_code ignored;
    const bool is_default = site.config == "/etc/nginx/nginx.conf";
    if (!is_default && !fs::exists(site.config, ignored)) {
        return {fault("nginx site", "nginx_config " + site.config.string() + " does not exist",
                      edit_setting(context, "nginx_config"))};
    }
    if (!site.is_there())
        return {fault("nginx site", site.available.string() + " is missing",
                      "apt-get install --reinstall data-import")};
    if (site.is_obstructed())
        return {fault("nginx site", site.link.string() + " leads elsewhere",
                      util::shell_command("rm", {site.link.string()}) + " && " + enable)};
    if (!site.is_enabled()) return {fault("nginx site", "is not enabled", enable)};
    const auto& refusal = nginx_configuration(context).refusal;
    if (!refusal) return {ok("nginx site", "is enabled, and nginx accepts its configuration")};
    if (is_for_want_of_rights(*refusal))
        return {unseen("nginx site", "is enabled; this user cannot read all of nginx's configuration",
                       as_root(context))};
    return {fault("nginx site", "nginx refuses its configuration: " + *refusal, remedy_of_refusal(*refusal))};
}

Findings check_certificate(Context& context) {
    if (!console::Site(context.settings().nginx_config).is_enabled()) return {};
    const console::NginxConfiguration& nginx = nginx_configuration(context);
    if (is_closed_to_this_user(nginx))
        return {unseen("certificate", "only root can read it", as_root(context))};
    return check_certificate_files(context, console::read_site(nginx.dump));
}

Findings check_https(Context& context) {
    const console::Site site(context.settings().nginx_config);
    if (!site.is_enabled()) return {};
    const console::NginxConfiguration& nginx = nginx_configuration(context);
    if (is_closed_to_this_user(nginx))
        return {unseen("https", "only root can see where nginx listens", as_root(context))};
    const console::SiteFacts facts = console::read_site(nginx.dump);
    if (facts.port == 0)
        return {fault("https", "the site has no listener with ssl",
                      util::shell_command("editor", {site.available.string()}))};
    const std::string url = "https://" + facts.address + ":" + std::to_string(facts.port) + "/readyz";
    if (const std::string stranger = stranger_on(facts.port); !stranger.empty()) {
        return {fault("https", belongs_to(facts.port, stranger),
                      free_port(facts.port, "listen in " + site.available.string()))};
    }
    try {
        Poco::Net::initializeSSL();
        const Readiness readiness = readiness_of(facts);
        Findings findings{answered(context, site, url, readiness)};
        const bool is_own_site = readiness.status == 200 || readiness.status == 503;
        if (is_own_site) {
            append(findings, check_shown_certificate(facts, readiness.certificate));
            append(findings, check_protocol(site, facts));
        }
        return findings;
    } catch (const Poco::TimeoutException&) {
        return {fault("https", url + " takes no connection within " + std::to_string(patience) + " s",
                      "systemctl restart nginx; journalctl -u nginx -n 50")};
    } catch (const Poco::Exception& failure) {
        return {fault("https", url + " does not answer: " + failure.displayText(), "systemctl start nginx")};
    }
}

Findings judge_acting_servers(const std::vector<console::ActingServer>& servers, std::size_t workers) {
    constexpr const char* subject = "acts of operators";
    constexpr const char* example =
        "diff /usr/share/doc/data-import/examples/operators-page.conf /etc/nginx/conf.d/operators-page.conf";
    Findings findings;
    for (const console::ActingServer& server : servers) {
        const std::string name = "nginx's server " + (server.name.empty() ? "without a name" : server.name);
        const std::string wrong = fault_of(server);
        findings.push_back(wrong.empty()
                               ? ok(subject, name + " signs people in as " + server.person)
                               : fault(subject, name + ' ' + wrong,
                                       util::with_remark(example, "correct it as the example has it")));
    }
    if (servers.empty() && workers > 0)
        findings.push_back(warning(
            subject,
            "operator_workers is " + std::to_string(workers) + ", and no server of nginx passes acts on",
            util::with_remark(example, "let the server pass /operator/acts/ on as the example does")));
    return findings;
}

Findings check_operators(Context& context) {
    if (!console::Site(context.settings().nginx_config).is_enabled()) return {};
    const console::NginxConfiguration& nginx = nginx_configuration(context);
    if (is_closed_to_this_user(nginx)) return {};
    return judge_acting_servers(console::acting_servers(nginx.dump), context.settings().operator_workers);
}

Findings check_metrics(Context& context) {
    if (!console::Site(context.settings().nginx_config).is_enabled()) return {};
    const std::string& url = context.settings().metrics_url;
    try {
        const Poco::URI address(url);
        Poco::Net::HTTPClientSession session(address.getHost(), address.getPort());
        const int status = status_of(session, address.getPathAndQuery());
        if (status == 200) return {ok("metrics", url + " answers 200")};
        if (status == 502 || status == 504)
            return {warning("metrics",
                            url + " answers " + std::to_string(status) + ": nginx does not reach the workers",
                            "systemctl start data-import")};
        return {
            warning("metrics", url + " answers " + std::to_string(status), own_command(context, "metrics"))};
    } catch (const Poco::TimeoutException&) {
        return {warning("metrics", url + too_late(), wake_service)};
    } catch (const Poco::Exception& failure) {
        const int port = Poco::URI(url).getPort();
        if (const std::string stranger = stranger_on(port); !stranger.empty())
            return {
                warning("metrics", belongs_to(port, stranger), free_port(port, "metrics_url and the site"))};
        return {warning(
            "metrics", url + " does not answer: " + failure.displayText(),
            util::with_remark("systemctl start nginx", "or set metrics_url to where the site listens"))};
    }
}

}  // namespace data_import::doctor
