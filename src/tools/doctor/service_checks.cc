// Checks of the service: its sockets, whether each pool answers, and whether the running program is the
// installed one.
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "base/config/pools.h"
#include "base/util/shell_command.h"
#include "data/payment_vendors/configuration.h"
#include "tools/console/bounded.h"
#include "tools/console/system_user.h"
#include "tools/doctor/doctor.h"
#include "tools/doctor/pool_connection.h"

namespace data_import::doctor {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto patience = 3s;
constexpr pid_t systemd = 1;
constexpr const char* restart = "systemctl restart data-import";
// The command also restarts data-import.socket, because systemd makes the sockets when that unit starts.
constexpr const char* restart_with_sockets = "systemctl restart data-import.socket data-import.service";
constexpr const char* start = "systemctl start data-import";
constexpr const char* log_of_service = "journalctl -u data-import -n 50";

fs::path socket_of(const Context& context, const std::string& pool) {
    return context.settings().socket_directory / (pool + ".sock");
}

/// Returns some user who is in the group: the user of the same name, or else the first member that the group
/// lists. Empty if there is none.
std::string member_of(const std::string& group) {
    if (getpwnam(group.c_str()) != nullptr) return group;
    const struct group* entry = getgrnam(group.c_str());
    return entry == nullptr || entry->gr_mem[0] == nullptr ? "" : entry->gr_mem[0];
}

/// Tries to connect to the socket as a user of socket_group, as nginx's workers do. Returns the reason if
/// this fails. Empty if it succeeds, if this process is not root, or if the group has no user.
std::string why_nginx_cannot_connect(const Context& context, const fs::path& socket) {
    const std::string user = member_of(context.settings().socket_group);
    if (geteuid() != 0 || user.empty()) return "";
    return console::run_bounded(
        [&]() -> std::string {
            console::become_user(user);
            try {
                const PoolConnection connection(socket, Clock::now() + 1s);
                return "";
            } catch (const NotConnected& failure) {
                return "user " + user + " cannot connect to it: " + failure.what();
            }
        },
        patience);
}

/// Returns the fault of the socket's mode, by which the kernel decides who may connect; empty if the mode is
/// right.
std::string mode_fault(const fs::path& socket) {
    struct stat status {};
    if (stat(socket.c_str(), &status) != 0) return "";
    constexpr mode_t group_connects = S_IRGRP | S_IWGRP;
    if ((status.st_mode & S_IRWXO) != 0) return "is open to everybody";
    if ((status.st_mode & group_connects) != group_connects) return "is closed to its group";
    return "";
}

/// Returns whether the socket has this group; true also if there is no such group or no socket.
bool belongs_to(const fs::path& socket, const std::string& group) {
    struct stat status {};
    const struct group* entry = group.empty() ? nullptr : getgrnam(group.c_str());
    return entry == nullptr || stat(socket.c_str(), &status) != 0 || entry->gr_gid == status.st_gid;
}

bool has_other_sockets(const fs::path& socket) {
    std::error_code ignored;
    return std::any_of(config::pool_names.begin(), config::pool_names.end(), [&](std::string_view pool) {
        return fs::is_socket(socket.parent_path() / (std::string(pool) + ".sock"), ignored);
    });
}

/// The listeners on the sockets of all pools together.
struct Listener {
    bool is_there = false;       ///< a program listens on the socket of at least one pool
    bool is_of_systemd = false;  ///< systemd has made at least one of the sockets
};

Finding not_connected(const Context& context, const std::string& subject, const fs::path& socket, int error,
                      const Listener& of_others) {
    const std::string path = socket.string();
    if (error == EACCES) return unseen(subject, path + " is closed to this user", as_root(context));
    if (error == ENOENT && has_other_sockets(socket)) {
        return fault(subject, path + " is missing, but the others exist: nginx cannot reach this pool",
                     restart_with_sockets);
    }
    if (error == ENOENT) return fault(subject, path + " is missing: the service does not run", start);
    if (error == ECONNREFUSED && of_others.is_there) {
        return fault(subject,
                     "nobody listens on " + path +
                         ", but on the others: it is not the socket that was opened there, and nginx cannot "
                         "reach this pool",
                     renew_sockets(of_others.is_of_systemd));
    }
    if (error == ECONNREFUSED)
        return fault(subject, "nobody listens on " + path + ": the service does not run", start);
    return fault(subject, path + ": " + std::strerror(error), restart);
}

/// A pool that has been asked for its health.
struct AskedPool {
    std::string name;
    fs::path socket;
    std::unique_ptr<PoolConnection> connection;  ///< connection to the pool; null if none could be made
    int error = 0;                               ///< errno of the attempt to connect; 0 if it succeeded
};

AskedPool ask_pool(const Context& context, const std::string& name, Clock::time_point end) {
    AskedPool pool{.name = name, .socket = socket_of(context, name), .connection = nullptr};
    try {
        pool.connection = std::make_unique<PoolConnection>(pool.socket, end);
        pool.connection->ask("/healthz");
    } catch (const NotConnected& failure) {
        pool.error = failure.error();
    }
    return pool;
}

Finding check_pool(const Context& context, const AskedPool& pool, const Listener& of_others) {
    const std::string subject = "pool " + pool.name;
    const std::string socket = pool.socket.string();
    if (!pool.connection) return not_connected(context, subject, pool.socket, pool.error, of_others);
    const std::string answer = pool.connection->answer();
    const bool is_of_systemd = pool.connection->listener() == systemd;
    if (const std::string wrong = mode_fault(pool.socket); !wrong.empty())
        return fault(subject, socket + " " + wrong, renew_sockets(is_of_systemd));
    if (const std::string& group = context.settings().socket_group; !belongs_to(pool.socket, group))
        return fault(subject, socket + " does not belong to socket_group " + group,
                     renew_sockets(is_of_systemd, group));
    if (const std::string wrong = why_nginx_cannot_connect(context, pool.socket); !wrong.empty())
        return fault(subject, socket + ": " + wrong,
                     util::shell_command("chmod a+x", {pool.socket.parent_path().string()}) + " && " +
                         renew_sockets(is_of_systemd));
    if (answer.starts_with("Status: 200")) return ok(subject, "answers");
    if (!answer.empty())
        return fault(subject, "answers " + answer.substr(0, answer.find('\r')), log_of_service);
    return warning(subject,
                   "does not answer within " + std::to_string(patience.count()) +
                       " s: all its workers are busy, or hang",
                   util::with_remark(log_of_service, "raise " + pool.name + "_workers where they are busy"));
}

/// Returns the value of a metric without labels, in whole seconds; nothing if the metric is missing.
std::optional<long> value_of(const std::string& metrics, const std::string& name) {
    const std::size_t at = metrics.find("\n" + name + " ");
    if (at == std::string::npos) return std::nullopt;
    return std::strtol(metrics.c_str() + at + name.size() + 2, nullptr, 10);
}

long changed_at(const fs::path& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 ? status.st_mtim.tv_sec : 0;
}

/// Returns when a file `*.conf` of the directory was last changed, in seconds since 1970; 0 if there is none.
long files_changed_at(const fs::path& directory) {
    long latest = 0;
    std::error_code ignored;
    for (fs::directory_iterator entry(directory, ignored), end; !ignored && entry != end;
         entry.increment(ignored)) {
        if (entry->path().extension() == ".conf") latest = std::max(latest, changed_at(entry->path()));
    }
    return latest;
}

/// Returns when a secret_file or ca_file of a vendor was last changed, in seconds since 1970; 0 if the
/// configuration is faulty, which another check reports.
long files_of_vendors_changed_at(const Context& context) {
    long latest = 0;
    try {
        for (const payment_vendors::Vendor& one :
             payment_vendors::load_vendors(context.config_file(), context.settings().request_timeout))
            latest = std::max({latest, changed_at(one.secret_file), changed_at(one.ca_file)});
    } catch (const config::ConfigError&) {
    }
    return latest;
}

/// Checks that the service has read its configuration since the last change. `read_at` is the time when the
/// service read it, in seconds since 1970.
Findings check_configuration_read(const Context& context, long read_at) {
    const std::string subject = "running service";
    constexpr const char* reload = "systemctl reload data-import";
    const fs::path directory = context.config_file().parent_path();
    const long files =
        std::max({changed_at(context.config_file()), files_changed_at(directory / "conf.d"),
                  files_changed_at(directory / "vendors.d"), files_of_vendors_changed_at(context)});
    if (files > read_at)
        return {warning(subject, "has not read the configuration since it was changed", reload)};
    if (std::max(changed_at(directory / "conf.d"), changed_at(directory / "vendors.d")) > read_at)
        return {warning(subject,
                        "may not have read the configuration: since then a file was added to conf.d or "
                        "vendors.d, renamed or removed",
                        reload)};
    return {};
}

/// Returns the main process of the service. If a socket unit has made the socket, systemd is its listener,
/// and is asked for the process.
pid_t master_behind(pid_t listener) {
    if (listener != systemd) return listener;
    const console::ProgramResult answer = console::run_program(
        {"systemctl", "show", "--property=MainPID", "--value", "data-import.service"}, patience);
    return answer.status == 0 ? static_cast<pid_t>(std::strtol(answer.output.c_str(), nullptr, 10))
                              : listener;
}

bool is_replaced(pid_t process) {
    std::error_code error;
    const std::string program = fs::read_symlink("/proc/" + std::to_string(process) + "/exe", error).string();
    return !error && program.ends_with(" (deleted)");
}

/// Returns systemd's list of the package's sockets. Empty for another installation than the package's, and
/// while the unit of the sockets is not active.
std::string sockets_of_systemd(const Context& context) {
    if (context.config_file() != config::default_file) return "";
    const console::ProgramResult shown = console::run_program(
        {"systemctl", "show", "--property=ActiveState,Listen", "data-import.socket"}, patience);
    return shown.status == 0 && shown.output.find("ActiveState=active") != std::string::npos ? shown.output
                                                                                             : "";
}

}  // namespace

Findings judge_socket_directory(const fs::path& setting, const std::string& listens,
                                const std::string& edit) {
    static const std::regex form("(/[^ \n=]*)/[^/ \n]*\\.sock \\(Stream\\)");
    std::smatch parts;
    if (!std::regex_search(listens, parts, form) || fs::path(parts[1].str()) == setting) return {};
    return {fault(
        "pools",
        "socket_directory is " + setting.string() + ", and data-import.socket listens in " + parts[1].str(),
        util::with_remark(
            edit, "socket_directory = " + parts[1].str() + ", or ListenStream= in data-import.socket"))};
}

std::string renew_sockets(bool are_of_systemd, const std::string& group) {
    if (!are_of_systemd) return restart;
    if (group.empty()) return restart_with_sockets;
    return util::with_remark("systemctl edit data-import.socket && " + std::string(restart_with_sockets),
                             "write [Socket] and SocketGroup=" + group + " there, or correct socket_group");
}

Findings check_pools(Context& context) {
    const auto end = Clock::now() + patience;
    std::vector<AskedPool> pools;
    for (const std::string_view name : config::pool_names) {
        if (name == name_of(config::PoolKind::operators) && context.settings().operator_workers == 0)
            continue;
        pools.push_back(ask_pool(context, std::string(name), end));
    }
    Listener listener;
    for (const AskedPool& pool : pools) {
        if (!pool.connection) continue;
        listener = {true, listener.is_of_systemd || pool.connection->listener() == systemd};
    }
    Findings findings;
    for (const AskedPool& pool : pools) findings.push_back(check_pool(context, pool, listener));
    const bool runs_none =
        std::ranges::all_of(findings, [](const Finding& finding) { return finding.remedy == start; });
    if (!runs_none) return findings;
    if (Findings elsewhere = judge_socket_directory(
            context.settings().socket_directory, sockets_of_systemd(context),
            edit_setting(context, "socket_directory") + " && systemctl reload data-import");
        !elsewhere.empty())
        return elsewhere;
    return {fault("pools",
                  "nobody listens on the sockets in " + context.settings().socket_directory.string() +
                      ": the service does not run",
                  start)};
}

Findings check_running_program(Context& context) {
    const std::string subject = "running service";
    try {
        const PoolConnection connection(socket_of(context, config::name_of(config::PoolKind::import)),
                                        Clock::now() + 5s);
        connection.ask("local:metrics");
        Findings findings;
        if (is_replaced(master_behind(connection.listener()))) {
            findings.push_back(
                warning(subject, "is an older program than the one that is installed", restart));
        }
        const std::optional<long> read_at =
            value_of(connection.answer(), "data_import_configuration_time_seconds");
        if (read_at)
            append(findings, check_configuration_read(context, *read_at));
        else
            findings.push_back(
                warning(subject, "does not tell when it read its configuration", log_of_service));
        if (fs::exists(config::drain_mark(context.settings()))) {
            findings.push_back(warning(subject, "is drained: balancers that ask /readyz send it nothing",
                                       own_command(context, "drain --off")));
        }
        if (findings.empty())
            findings.push_back(ok(subject, "is the one that is installed, with its configuration"));
        return findings;
    } catch (const NotConnected&) {
        return {};  // the checks of the pools report why the service cannot be reached
    }
}

}  // namespace data_import::doctor
