#include "tools/doctor/database_server.h"

#include <algorithm>
#include <utility>

#include "base/util/shell_command.h"
#include "data/database/conninfo.h"
#include "data/database/hosts.h"

namespace data_import::doctor {

namespace {

constexpr const char* cluster = "data-import";  ///< `scope` of examples/patroni.yml
/// A wait that is longer than Patroni's loop_wait. After this wait all hosts know that they have to be
/// restarted.
constexpr const char* until_settings_are_seen = " && sleep 15 && ";

std::string value_of(const database::Parameters& parameters, const std::string& key) {
    const auto found = parameters.find(key);
    return found == parameters.end() ? "" : found->second;
}

bool is_this_machine(const std::string& host) {
    return host.empty() || host.front() == '/' || host.front() == '@' || host == "localhost" ||
           host == "::1" || host.starts_with("127.");
}

/// Returns the commands for a server without Patroni, whose settings PostgreSQL itself manages.
std::string alter_system(const std::string& name, const std::string& value, Effect effect) {
    const std::string change = value.empty() ? "RESET " + name : "SET " + name + " = " + value;
    const std::string unit = effect == Effect::restart ? "restart postgresql" : "reload postgresql";
    return psql("-c 'ALTER SYSTEM " + change + "'") + " && systemctl " + unit;
}

std::string or_without_patroni(std::string command, const std::string& alone) {
    return util::with_remark(std::move(command), "without Patroni: " + alone);
}

}  // namespace

DatabaseServer server_of(const config::Settings& settings, const std::string& conninfo) {
    if (database::hosts_of(settings.database).size() > 1 || database::hosts_of(conninfo).size() > 1)
        return {.is_of_several = true};
    const database::Parameters parameters = database::parse_conninfo(conninfo);
    std::string host = value_of(parameters, "host");
    if (host.empty()) host = value_of(parameters, "hostaddr");
    return {.host = is_this_machine(host) ? "" : host};
}

DatabaseServer server_at(const std::string& host_and_port) {
    const bool has_port = std::ranges::count(host_and_port, ':') == 1;
    const std::string host = host_and_port.substr(0, has_port ? host_and_port.find(':') : std::string::npos);
    return {.host = is_this_machine(host) ? "" : host};
}

std::string psql(const std::string& arguments) {
    return "runuser -u postgres -- psql " + arguments;
}

std::string patronictl(const std::string& arguments) {
    return "patronictl -c /etc/patroni/config.yml " + arguments;
}

std::string on(const DatabaseServer& server, const std::string& command) {
    if (server.is_of_several) return util::with_remark(command, "on the host that accepts writes");
    return server.host.empty() ? command : util::shell_command("ssh -t", {server.host, command});
}

std::string on_and_here(const DatabaseServer& server, const std::string& command, const std::string& own) {
    if (server.is_of_several)
        return util::with_remark(own, "first, on the host that accepts writes: " + command);
    return on(server, command) + " && " + own;
}

std::string change_setting(const DatabaseServer& server, const std::string& name, const std::string& value,
                           Effect effect) {
    const std::string alone = alter_system(name, value, effect);
    if (!server.is_of_several) return on(server, alone);
    const std::string edit =
        patronictl("edit-config --force --pg " + name + "=" + (value.empty() ? "null" : value));
    const std::string restart =
        effect == Effect::restart
            ? until_settings_are_seen + patronictl(std::string("restart --force --pending ") + cluster)
            : "";
    return or_without_patroni(on(server, edit + restart), alone);
}

std::string restart_for_settings(const DatabaseServer& server) {
    const std::string alone = "systemctl restart postgresql";
    if (!server.is_of_several) return on(server, alone);
    return or_without_patroni(on(server, patronictl(std::string("restart --force --pending ") + cluster)),
                              alone);
}

std::string restart_server(const DatabaseServer& server) {
    const std::string alone = "systemctl restart postgresql; journalctl -u 'postgresql*' -n 50";
    if (!server.is_of_several) return on(server, alone);
    const std::string restart = patronictl(std::string("restart --force ") + cluster);
    return or_without_patroni(on(server, restart + "; journalctl -u patroni -n 50"), alone);
}

std::string start_server(const DatabaseServer& server) {
    if (!server.is_of_several) return on(server, "systemctl start postgresql");
    const std::string start = "systemctl start patroni; " + patronictl("list");
    return or_without_patroni(util::with_remark(start, "on its hosts"), "systemctl start postgresql");
}

}  // namespace data_import::doctor
