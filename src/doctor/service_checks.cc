// Checks of the service: its sockets, whether each pool answers, and whether the running program is the
// installed one.
#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "console/bounded.h"
#include "console/system_user.h"
#include "doctor/doctor.h"
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

/// The socket cannot be connected to; `error()` is of errno.
class NotConnected : public std::runtime_error {
public:
    explicit NotConnected(int error) : std::runtime_error(std::strerror(error)), error_(error) {}
    [[nodiscard]] int error() const { return error_; }

private:
    int error_;
};

struct SocketAnswer {
    std::string text;    ///< header fields, blank line, body; empty: the time was over, or the peer closed
    pid_t listener = 0;  ///< the process that listens
};

// FastCGI specification 1.0, section 8.
constexpr char version = 1;
constexpr char begin_request = 1;
constexpr char parameters = 4;
constexpr char standard_input = 5;
constexpr unsigned char standard_output = 6;
constexpr unsigned char end_request = 3;
constexpr std::size_t header_bytes = 8;
constexpr std::size_t longest_answer = 4 * 1024 * 1024;

class Connection {
public:
    Connection(const std::filesystem::path& path, std::chrono::seconds limit)
        : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        const timeval time{limit.count(), 0};
        setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
        setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.string().copy(address.sun_path, sizeof address.sun_path - 1);
        if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return;
        const int error = errno;
        close(socket_);
        throw NotConnected(error);
    }
    ~Connection() { close(socket_); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    [[nodiscard]] pid_t listener() const {
        ucred peer{};
        socklen_t size = sizeof peer;
        return getsockopt(socket_, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : 0;
    }

    void send(const std::string& bytes) const {
        static_cast<void>(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL));
    }

    [[nodiscard]] std::string receive_all() const {
        std::string text;
        std::array<char, 65536> piece{};
        for (ssize_t count = 0;
             text.size() < longest_answer && (count = recv(socket_, piece.data(), piece.size(), 0)) > 0;) {
            text.append(piece.data(), static_cast<std::size_t>(count));
        }
        return text;
    }

private:
    int socket_;
};

/// One record of request 1; the content is shorter than 64 KiB.
std::string record(char type, const std::string& content) {
    const std::size_t length = content.size();
    return std::string{version, type, 0, 1, static_cast<char>(length >> 8), static_cast<char>(length & 0xFF),
                       0,       0} +
           content;
}

/// A pair of at most 127 bytes each.
std::string pair(const std::string& name, const std::string& value) {
    return std::string{static_cast<char>(name.size()), static_cast<char>(value.size())} + name + value;
}

std::string request(const std::string& uri) {
    constexpr char responder = 1;
    return record(begin_request, std::string{0, responder, 0, 0, 0, 0, 0, 0}) +
           record(parameters,
                  pair("REQUEST_METHOD", "GET") + pair("REQUEST_URI", uri) + pair("CONTENT_LENGTH", "0")) +
           record(parameters, "") + record(standard_input, "");
}

/// The answer in the records; empty if the end of the request did not come.
std::string standard_output_of(const std::string& bytes) {
    std::string text;
    for (std::size_t at = 0; at + header_bytes <= bytes.size();) {
        const auto byte = [&](std::size_t place) { return static_cast<unsigned char>(bytes[at + place]); };
        const std::size_t length = static_cast<std::size_t>(byte(4) << 8 | byte(5));
        if (byte(1) == standard_output) text += bytes.substr(at + header_bytes, length);
        if (byte(1) == end_request) return text;
        at += header_bytes + length + byte(6);
    }
    return "";
}

/// A GET by FastCGI, as nginx would send it. Throws NotConnected.
SocketAnswer ask_socket(const std::filesystem::path& socket, const std::string& uri,
                        std::chrono::seconds limit) {
    const Connection connection(socket, limit);
    connection.send(request(uri));
    return {standard_output_of(connection.receive_all()), connection.listener()};
}

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
        return fault(subject, path + " is missing, but the others exist: nginx cannot reach this pool",
                     restart_with_sockets);
    }
    if (error == ENOENT) return fault(subject, path + " is missing: the service does not run", start);
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
    const bool runs_none =
        std::ranges::all_of(findings, [](const Finding& finding) { return finding.remedy == start; });
    if (!runs_none) return findings;
    return {fault("pools",
                  "nobody listens on the sockets in " + context.settings().socket_directory.string() +
                      ": the service does not run",
                  start)};
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
