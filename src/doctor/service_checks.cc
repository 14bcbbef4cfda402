// Checks of the service: its sockets, whether each pool answers, and whether the running program is the
// installed one.
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include "config/drain.h"
#include "console/bounded.h"
#include "console/system_user.h"
#include "doctor/doctor.h"
#include "doctor/fastcgi_probe.h"
#include "metrics/board.h"
#include "vendor/configuration.h"

namespace data_import::doctor {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto patience = 3s;
constexpr const char* restart = "systemctl restart data-import";
// systemd makes the sockets only where it starts their unit
constexpr const char* restart_with_sockets = "systemctl restart data-import.socket data-import.service";
constexpr const char* start = "systemctl start data-import";
constexpr const char* log_of_service = "journalctl -u data-import -n 50";

fs::path socket_of(const Context& context, const std::string& pool) {
    return context.settings().socket_directory / (pool + ".sock");
}

/// Some user whom the sockets are for: a member of their group. Empty where there is none by that name.
std::string member_of(const std::string& group) {
    if (getpwnam(group.c_str()) != nullptr) return group;
    const struct group* entry = getgrnam(group.c_str());
    return entry == nullptr || entry->gr_mem[0] == nullptr ? "" : entry->gr_mem[0];
}

/// Whether nginx's workers get through all directories to the socket, tried as one of them.
std::string why_nginx_cannot_connect(const Context& context, const fs::path& socket) {
    const std::string user = member_of(context.settings().socket_group);
    if (geteuid() != 0 || user.empty()) return "";
    return console::run_bounded(
        [&]() -> std::string {
            console::become_user(user);
            try {
                static_cast<void>(ask_socket(socket, "/healthz", 1s));
                return "";
            } catch (const NotConnected& failure) {
                return "user " + user + " cannot connect to it: " + failure.what();
            }
        },
        patience);
}

/// The fault of the mode or the group, by which the kernel decides; empty for a right one.
std::string socket_fault(const Context& context, const fs::path& socket) {
    struct stat status {};
    if (stat(socket.c_str(), &status) != 0) return "";
    constexpr mode_t group_connects = S_IRGRP | S_IWGRP;
    if ((status.st_mode & S_IRWXO) != 0) return "is open to everybody";
    if ((status.st_mode & group_connects) != group_connects) return "is closed to its group";
    const std::string& wanted = context.settings().socket_group;
    const struct group* entry = wanted.empty() ? nullptr : getgrnam(wanted.c_str());
    if (entry != nullptr && entry->gr_gid != status.st_gid)
        return "does not belong to socket_group " + wanted;
    return "";
}

bool has_other_sockets(const fs::path& socket) {
    std::error_code ignored;
    return std::any_of(sharing::pool_names.begin(), sharing::pool_names.end(), [&](std::string_view pool) {
        return fs::is_socket(socket.parent_path() / (std::string(pool) + ".sock"), ignored);
    });
}

Finding not_connected(const Context& context, const std::string& subject, const fs::path& socket, int error) {
    const std::string path = socket.string();
    if (error == EACCES) return unseen(subject, path + " is closed to this user", as_root(context));
    if (error == ENOENT && has_other_sockets(socket)) {
        return fault(subject, path + " is not there, and the others are: nginx cannot reach this pool",
                     restart_with_sockets);
    }
    if (error == ENOENT) return fault(subject, path + " is not there: the service does not run", start);
    if (error == ECONNREFUSED)
        return fault(subject, "nobody listens on " + path + ": the service does not run", start);
    return fault(subject, path + ": " + std::strerror(error), restart);
}

Finding check_pool(const Context& context, const std::string& pool) {
    const std::string subject = "pool " + pool;
    const fs::path socket = socket_of(context, pool);
    try {
        const SocketAnswer answer = ask_socket(socket, "/healthz", patience);
        if (const std::string wrong = socket_fault(context, socket); !wrong.empty())
            return fault(subject, socket.string() + " " + wrong, restart);
        if (const std::string wrong = why_nginx_cannot_connect(context, socket); !wrong.empty())
            return fault(subject, socket.string() + ": " + wrong,
                         "chmod a+x " + socket.parent_path().string() + " && " + restart);
        if (answer.text.starts_with("Status: 200")) return ok(subject, "answers");
        if (answer.text.empty()) {
            return warning(subject,
                           "does not answer within " + std::to_string(patience.count()) +
                               " s: all its workers are busy, or hang",
                           std::string(log_of_service) + "; raise " + pool + "_workers where they are busy");
        }
        return fault(subject, "answers " + answer.text.substr(0, answer.text.find('\r')), log_of_service);
    } catch (const NotConnected& failure) {
        return not_connected(context, subject, socket, failure.error());
    }
}

/// Seconds of the value of a metric without labels.
std::optional<long> value_of(const std::string& metrics, const std::string& name) {
    const std::size_t at = metrics.find("\n" + name + " ");
    if (at == std::string::npos) return std::nullopt;
    return std::strtol(metrics.c_str() + at + name.size() + 2, nullptr, 10);
}

long changed_at(const fs::path& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 ? status.st_mtim.tv_sec : 0;
}

/// The latest change of a directory, whose files come and go, and of those in it that are read.
long directory_changed_at(const fs::path& directory) {
    long latest = changed_at(directory);
    std::error_code ignored;
    for (fs::directory_iterator entry(directory, ignored), end; !ignored && entry != end;
         entry.increment(ignored)) {
        if (entry->path().extension() == ".conf") latest = std::max(latest, changed_at(entry->path()));
    }
    return latest;
}

/// The last change of the files that vendors.d names; 0 if the configuration is faulty, which another check
/// tells.
long files_of_vendors_changed_at(const Context& context) {
    long latest = 0;
    try {
        for (const vendor::Vendor& one :
             vendor::load_vendors(context.config_file(), context.settings().request_timeout))
            latest = std::max({latest, changed_at(one.secret_file), changed_at(one.ca_file)});
    } catch (const config::ConfigError&) {
    }
    return latest;
}

/// The latest change of the files that the service reads at a reload.
long configuration_changed_at(const Context& context) {
    const fs::path directory = context.config_file().parent_path();
    return std::max({changed_at(context.config_file()), directory_changed_at(directory / "conf.d"),
                     directory_changed_at(directory / "vendors.d"), files_of_vendors_changed_at(context)});
}

/// The process that answers. Sockets of socket units are systemd's own.
pid_t master_behind(pid_t listener) {
    constexpr pid_t systemd = 1;
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

}  // namespace

Findings check_pools(Context& context) {
    Findings findings;
    for (const std::string_view pool : sharing::pool_names)
        findings.push_back(check_pool(context, std::string(pool)));
    return findings;
}

Findings check_running_program(Context& context) {
    const std::string subject = "running service";
    try {
        const SocketAnswer answer =
            ask_socket(socket_of(context, name_of(sharing::PoolKind::import)), "local:metrics", 5s);
        Findings findings;
        if (is_replaced(master_behind(answer.listener))) {
            findings.push_back(
                warning(subject, "is an older program than the one that is installed", restart));
        }
        const std::optional<long> read_at = value_of(answer.text, "data_import_configuration_time_seconds");
        if (!read_at) {
            findings.push_back(
                warning(subject, "does not tell when it read its configuration", log_of_service));
        } else if (configuration_changed_at(context) > *read_at) {
            findings.push_back(warning(subject, "has not read the configuration since it was changed",
                                       "systemctl reload data-import"));
        }
        if (fs::exists(config::drain_mark(context.settings()))) {
            findings.push_back(warning(subject, "is drained: balancers that ask /readyz send it nothing",
                                       own_command(context, "drain --off")));
        }
        if (findings.empty())
            findings.push_back(ok(subject, "is the one that is installed, with its configuration"));
        return findings;
    } catch (const NotConnected&) {
        return {};  // the pools have said it
    }
}

}  // namespace data_import::doctor
