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
#include <memory>
#include <optional>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "console/bounded.h"
#include "console/system_user.h"
#include "doctor/doctor.h"
#include "metrics/board.h"
#include "util/shell_command.h"
#include "vendor/configuration.h"

namespace data_import::doctor {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto patience = 3s;
constexpr pid_t systemd = 1;
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

// FastCGI specification 1.0, section 8.
constexpr char version = 1;
constexpr char begin_request = 1;
constexpr char parameters = 4;
constexpr char standard_input = 5;
constexpr unsigned char standard_output = 6;
constexpr unsigned char end_request = 3;
constexpr std::size_t header_bytes = 8;
constexpr std::size_t longest_answer = 4 * 1024 * 1024;

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

class Connection {
public:
    Connection(const std::filesystem::path& path, Clock::time_point end)
        : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)), end_(end) {
        limit(SO_SNDTIMEO);
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

    /// A GET by FastCGI, as nginx would send it.
    void ask(const std::string& uri) const {
        const std::string bytes = request(uri);
        static_cast<void>(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL));
    }

    /// Header fields, blank line, body; empty if the time was over or the peer closed.
    [[nodiscard]] std::string answer() const { return standard_output_of(receive_all()); }

private:
    [[nodiscard]] std::string receive_all() const {
        std::string text;
        std::array<char, 65536> piece{};
        for (ssize_t count = 0;
             text.size() < longest_answer && (count = receive(piece.data(), piece.size())) > 0;) {
            text.append(piece.data(), static_cast<std::size_t>(count));
        }
        return text;
    }

    /// The next call may take the time that is left. What has arrived can be had after the end, too.
    void limit(int option) const {
        const auto left = std::max<Clock::duration>(end_ - Clock::now(), 1ms);
        const auto whole = std::chrono::floor<std::chrono::seconds>(left);
        const timeval time{whole.count(),
                           std::chrono::floor<std::chrono::microseconds>(left - whole).count()};
        setsockopt(socket_, SOL_SOCKET, option, &time, sizeof time);
    }

    ssize_t receive(char* bytes, std::size_t size) const {
        limit(SO_RCVTIMEO);
        return recv(socket_, bytes, size, 0);
    }

    int socket_;
    Clock::time_point end_;
};

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
                const Connection connection(socket, Clock::now() + 1s);
                return "";
            } catch (const NotConnected& failure) {
                return "user " + user + " cannot connect to it: " + failure.what();
            }
        },
        patience);
}

/// The fault of the mode, by which the kernel decides; empty for a right one.
std::string mode_fault(const fs::path& socket) {
    struct stat status {};
    if (stat(socket.c_str(), &status) != 0) return "";
    constexpr mode_t group_connects = S_IRGRP | S_IWGRP;
    if ((status.st_mode & S_IRWXO) != 0) return "is open to everybody";
    if ((status.st_mode & group_connects) != group_connects) return "is closed to its group";
    return "";
}

/// True also if there is no such group or no socket.
bool belongs_to(const fs::path& socket, const std::string& group) {
    struct stat status {};
    const struct group* entry = group.empty() ? nullptr : getgrnam(group.c_str());
    return entry == nullptr || stat(socket.c_str(), &status) != 0 || entry->gr_gid == status.st_gid;
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

/// A pool that has been asked for its health.
struct AskedPool {
    std::string name;
    fs::path socket;
    std::unique_ptr<Connection> connection;  ///< null if it could not be made
    int error = 0;                           ///< errno of that
};

AskedPool ask_pool(const Context& context, const std::string& name, Clock::time_point end) {
    AskedPool pool{.name = name, .socket = socket_of(context, name), .connection = nullptr};
    try {
        pool.connection = std::make_unique<Connection>(pool.socket, end);
        pool.connection->ask("/healthz");
    } catch (const NotConnected& failure) {
        pool.error = failure.error();
    }
    return pool;
}

Finding check_pool(const Context& context, const AskedPool& pool) {
    const std::string subject = "pool " + pool.name;
    const std::string socket = pool.socket.string();
    if (!pool.connection) return not_connected(context, subject, pool.socket, pool.error);
    const std::string answer = pool.connection->answer();
    const bool is_of_systemd = pool.connection->listener() == systemd;
    if (const std::string wrong = mode_fault(pool.socket); !wrong.empty())
        return fault(subject, socket + " " + wrong, renew_sockets(is_of_systemd));
    if (const std::string& group = context.settings().socket_group; !belongs_to(pool.socket, group))
        return fault(subject, socket + " does not belong to socket_group " + group,
                     renew_sockets(is_of_systemd, group));
    if (const std::string wrong = why_nginx_cannot_connect(context, pool.socket); !wrong.empty())
        return fault(
            subject, socket + ": " + wrong,
            "chmod a+x " + pool.socket.parent_path().string() + " && " + renew_sockets(is_of_systemd));
    if (answer.starts_with("Status: 200")) return ok(subject, "answers");
    if (!answer.empty())
        return fault(subject, "answers " + answer.substr(0, answer.find('\r')), log_of_service);
    return warning(subject,
                   "does not answer within " + std::to_string(patience.count()) +
                       " s: all its workers are busy, or hang",
                   util::with_remark(log_of_service, "raise " + pool.name + "_workers where they are busy"));
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

/// The latest change of the files in a directory that are read.
long files_changed_at(const fs::path& directory) {
    long latest = 0;
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

/// Whether the service has read its configuration, at `read_at`, since the last change.
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

/// The process that answers. Sockets of socket units are systemd's own.
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

/// Empty for another installation than the package's, and while the unit of the sockets does not run.
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
    for (const std::string_view name : sharing::pool_names)
        pools.push_back(ask_pool(context, std::string(name), end));
    Findings findings;
    for (const AskedPool& pool : pools) findings.push_back(check_pool(context, pool));
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
        const Connection connection(socket_of(context, name_of(sharing::PoolKind::import)),
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
        return {};  // the pools have said it
    }
}

}  // namespace data_import::doctor
