// Checks of the package's systemd units: whether the service is started again and again, starts at boot, and
// may reach its database over the network.
#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <sstream>
#include <utility>

#include "base/util/joined.h"
#include "data/database/conninfo.h"
#include "data/database/hosts.h"
#include "tools/console/bounded.h"
#include "tools/console/nginx_site.h"
#include "tools/console/text_table.h"
#include "tools/doctor/doctor.h"

namespace data_import::doctor {

namespace {

using namespace std::chrono_literals;

constexpr auto patience = 5s;
constexpr const char* unit = "data-import.service";
constexpr std::size_t longest_message = 300;

/// Returns the value of `NAME=value` in the output of `systemctl show`.
std::string property(const std::string& shown, const std::string& name) {
    std::istringstream lines(shown);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(name + "=")) return line.substr(name.size() + 1);
    }
    return "";
}

/// Returns the output of `systemctl show` for a unit. Empty without systemd, without the unit, and for an
/// installation with another configuration than the unit's.
std::string show(const Context& context, const std::string& name, const std::string& properties) {
    if (context.config_file() != config::default_file) return "";
    const console::ProgramResult shown =
        console::run_program({"systemctl", "show", "--property=LoadState," + properties, name}, patience);
    const bool is_loaded = shown.status == 0 && property(shown.output, "LoadState") != "not-found";
    return is_loaded ? shown.output : "";
}

/// Returns the last message of the unit's own processes in the last ten minutes. Messages of systemd about
/// the unit do not count. Returns an empty text if there is none, or if this user may not read the journal.
///
/// Without --reverse, --lines with --since gives the first lines instead of the last ones (systemd 252).
std::string last_message() {
    const console::ProgramResult read =
        console::run_program({"journalctl", "--quiet", "--no-pager", "--output=cat", "--reverse", "--lines=1",
                              "--since=-10min", std::string("_SYSTEMD_UNIT=") + unit},
                             patience);
    if (read.status != 0) return "";
    const std::string line = read.output.substr(0, read.output.find('\n'));
    return line.size() <= longest_message ? line : line.substr(0, longest_message) + "...";
}

/// Returns the bytes of an IP address; empty for any other text.
std::string bytes_of_address(const std::string& address) {
    std::array<char, sizeof(in6_addr)> bytes{};
    if (inet_pton(AF_INET, address.c_str(), bytes.data()) == 1) return {bytes.data(), sizeof(in_addr)};
    if (inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1) return {bytes.data(), sizeof(in6_addr)};
    return "";
}

/// Returns whether an address is in a network. `address` has the bytes of bytes_of_address(), `network` has
/// the form 192.0.2.0/24.
bool is_within(const std::string& address, const std::string& network) {
    const std::size_t slash = network.find('/');
    const std::string begin = bytes_of_address(network.substr(0, slash));
    if (begin.empty() || begin.size() != address.size()) return false;
    std::size_t bits = slash == std::string::npos ? begin.size() * 8 : std::stoul(network.substr(slash + 1));
    for (std::size_t at = 0; at < begin.size() && bits > 0; ++at) {
        const std::size_t compared = std::min<std::size_t>(bits, 8);
        const auto differing = static_cast<unsigned char>(begin[at] ^ address[at]);
        if (differing >> (8 - compared) != 0) return false;
        bits -= compared;
    }
    return true;
}

/// Returns whether `allowed`, the value of IPAddressAllow, has the address. True for a name, which is not
/// looked up.
bool is_allowed(const std::string& address, const std::string& allowed) {
    const std::string bytes = bytes_of_address(address);
    if (bytes.empty()) return true;
    std::istringstream networks(allowed);
    for (std::string network; networks >> network;) {
        if (is_within(bytes, network)) return true;
    }
    return false;
}

std::vector<std::string> tcp_addresses(const std::string& conninfo) {
    std::vector<std::string> addresses;
    for (const database::Host& host : database::hosts_of(conninfo)) {
        const database::Parameters parameters = database::parse_conninfo(host.conninfo);
        const auto value = [&](const std::string& key) {
            const auto found = parameters.find(key);
            return found == parameters.end() ? "" : found->second;
        };
        const std::string address = value("hostaddr").empty() ? value("host") : value("hostaddr");
        if (!address.empty() && address.front() != '/' && address.front() != '@')
            addresses.push_back(address);
    }
    return addresses;
}

/// Finds a unit that is not enabled, and so does not run after the next boot.
Findings check_boot_of(const Context& context, const std::string& name) {
    const std::string state = property(show(context, name, "UnitFileState"), "UnitFileState");
    if (state != "disabled" && state != "masked") return {};
    const std::string unmask = state == "masked" ? "systemctl unmask " + name + " && " : "";
    return {warning("start at boot", name + " is " + state + ": it does not run after the next boot",
                    unmask + "systemctl enable " + name)};
}

}  // namespace

Findings judge_unit(const std::string& shown, const std::string& last_message) {
    const std::string active = property(shown, "ActiveState");
    const std::string restarts = property(shown, "NRestarts");
    const bool is_restarting = active == "activating" && !restarts.empty() && restarts != "0";
    const bool is_waiting = property(shown, "SubState") == "auto-restart";
    if (active != "failed" && !is_restarting && !is_waiting) return {};
    const std::string text = active == "failed"
                                 ? "does not run: it failed (" + property(shown, "Result") + ")"
                                 : "does not run: systemd starts it again and again";
    return {fault("service", text + (last_message.empty() ? "" : "; its last message: " + last_message),
                  "journalctl -u data-import -n 50")};
}

Findings judge_network(const std::string& shown, const std::string& conninfo) {
    const std::vector<std::string> addresses = tcp_addresses(conninfo);
    if (addresses.empty() || shown.empty()) return {};
    constexpr const char* drop_in = "/etc/systemd/system/data-import.service.d/remote-database.conf";
    constexpr const char* restart = " && systemctl daemon-reload && systemctl restart data-import";
    const std::string subject = "service's session";
    const std::string families = property(shown, "RestrictAddressFamilies");
    const bool has_no_family =
        families.starts_with("AF_UNIX") && families.find("AF_INET") == std::string::npos;
    if (property(shown, "PrivateNetwork") == "yes" || has_no_family) {
        return {fault(
            subject, "the service has no access to the network, and `database` needs it",
            std::string("install -D -m 0644 /usr/share/doc/data-import/examples/remote-database.conf ") +
                drop_in + " && editor " + drop_in + restart)};
    }
    if (property(shown, "IPAddressDeny").empty()) return {};
    std::vector<std::string> denied;
    std::ranges::copy_if(addresses, std::back_inserter(denied), [&](const std::string& address) {
        return !is_allowed(address, property(shown, "IPAddressAllow"));
    });
    if (denied.empty()) return {};
    return {fault(
        subject,
        "`database` names " + util::joined(denied) + ", which IPAddressAllow= of the unit does not allow",
        std::string("editor ") + drop_in + restart)};
}

Findings check_unit(Context& context) {
    const std::string shown = show(context, unit, "ActiveState,SubState,Result,NRestarts");
    if (judge_unit(shown, "").empty()) return {};
    return judge_unit(shown, last_message());
}

Findings check_boot(Context& context) {
    Findings findings = check_boot_of(context, unit);
    if (console::Site(context.settings().nginx_config).is_enabled())
        append(findings, check_boot_of(context, "nginx.service"));
    if (server_of(context.settings(), context.settings().database).is_here())
        append(findings, check_boot_of(context, "postgresql.service"));
    return findings;
}

Findings check_network(Context& context) {
    return judge_network(
        show(context, unit, "PrivateNetwork,RestrictAddressFamilies,IPAddressAllow,IPAddressDeny"),
        context.settings().database);
}

}  // namespace data_import::doctor
