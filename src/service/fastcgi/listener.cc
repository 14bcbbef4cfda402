#include "service/fastcgi/listener.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <systemd/sd-daemon.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>

#include "base/util/failure.h"
#include "base/util/log.h"

namespace data_import::fastcgi {

namespace {

using sharing::PoolKind;

constexpr int backlog = 1024;  // connections beyond it are refused, and nginx answers 502 at once

void prepare(const util::FileDescriptor& socket) {
    const int flags = ::fcntl(socket.get(), F_GETFL);
    if (flags < 0 || ::fcntl(socket.get(), F_SETFL, flags | O_NONBLOCK) < 0 ||
        ::fcntl(socket.get(), F_SETFD, FD_CLOEXEC) < 0) {
        util::fail("cannot prepare a listening socket");
    }
}

sockaddr_un address_of(const std::filesystem::path& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string text = path.string();
    if (text.size() >= sizeof(address.sun_path)) {
        throw std::runtime_error("the path of the socket " + text + " is longer than " +
                                 std::to_string(sizeof(address.sun_path) - 1) +
                                 " characters: choose another socket_directory");
    }
    std::memcpy(address.sun_path, text.data(), text.size());
    return address;
}

void give_to_group(const std::filesystem::path& path, const std::string& group) {
    if (::chmod(path.c_str(), 0660) != 0) util::fail("cannot set the mode of " + path.string());
    if (group.empty()) return;
    const struct group* entry = ::getgrnam(group.c_str());
    if (entry == nullptr) throw std::runtime_error("socket_group = " + group + ": there is no such group");
    if (::chown(path.c_str(), static_cast<uid_t>(-1), entry->gr_gid) != 0) {
        util::fail("cannot give " + path.string() + " to socket_group = " + group +
                   " (the service's user must be a member of it)");
    }
}

void refuse_other_file(const std::filesystem::path& path) {
    std::error_code problem;
    const auto kind = std::filesystem::symlink_status(path, problem).type();
    if (kind == std::filesystem::file_type::not_found || kind == std::filesystem::file_type::socket) return;
    throw std::runtime_error(path.string() + " exists and is not a socket");
}

/// The temporary name of a new socket. The destructor removes the socket unless `keep` gave it its final
/// name.
class TemporaryName {
public:
    explicit TemporaryName(const std::filesystem::path& path) : final_(path), path_(path.string() + ".new") {
        if (::unlink(path_.c_str()) != 0 && errno != ENOENT) util::fail("cannot remove " + path_.string());
    }
    TemporaryName(const TemporaryName&) = delete;
    TemporaryName& operator=(const TemporaryName&) = delete;
    ~TemporaryName() {
        if (!path_.empty()) ::unlink(path_.c_str());
    }

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    void keep() {
        if (::rename(path_.c_str(), final_.c_str()) != 0) util::fail("cannot make " + final_.string());
        path_.clear();
    }

private:
    std::filesystem::path final_;
    std::filesystem::path path_;
};

/// Locks the directory. The lock shows whether another master lives. A trial connection would not show it:
/// workers that outlive a killed master finish their requests and hold its sockets, but not its lock.
util::FileDescriptor lock_directory(const std::filesystem::path& directory) {
    if (::mkdir(directory.c_str(), 0755) != 0 && errno != EEXIST) {
        util::fail("cannot make socket_directory = " + directory.string());
    }
    util::FileDescriptor lock(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!lock) util::fail("cannot open socket_directory = " + directory.string());
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return lock;
    if (errno != EWOULDBLOCK) util::fail("cannot lock socket_directory = " + directory.string());
    throw std::runtime_error("another data-importd is running with socket_directory = " + directory.string());
}

std::string file_name_of(const util::FileDescriptor& socket) {
    sockaddr_un address{};
    socklen_t length = sizeof(address);
    if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &length) != 0) return {};
    if (address.sun_family != AF_UNIX || length <= offsetof(sockaddr_un, sun_path)) return {};
    const std::string path(address.sun_path,
                           ::strnlen(address.sun_path, length - offsetof(sockaddr_un, sun_path)));
    return std::filesystem::path(path).filename().string();
}

bool is_listening(const util::FileDescriptor& socket) {
    int value = 0;
    socklen_t length = sizeof(value);
    return ::getsockopt(socket.get(), SOL_SOCKET, SO_ACCEPTCONN, &value, &length) == 0 && value != 0;
}

std::optional<PoolKind> pool_of(const util::FileDescriptor& socket, const std::string& name,
                                const std::vector<Pool>& pools) {
    const std::string file_name = file_name_of(socket);
    for (const Pool& pool : pools) {
        if (name == name_of(pool.kind)) return pool.kind;
    }
    for (const Pool& pool : pools) {
        if (file_name == pool.socket.filename()) return pool.kind;
    }
    return std::nullopt;
}

/// Takes the listening sockets that systemd passed. Throws std::runtime_error if one of them belongs to no
/// pool, does not listen, or is the second one for its pool.
std::map<PoolKind, util::FileDescriptor> take_passed(const std::vector<Pool>& pools) {
    char** names = nullptr;
    const int count = sd_listen_fds_with_names(1, &names);
    std::map<PoolKind, util::FileDescriptor> passed;
    for (int place = 0; place < count; ++place) {
        const int number = SD_LISTEN_FDS_START + place;
        const std::string name = names[place];
        std::free(names[place]);
        util::FileDescriptor socket(number);
        prepare(socket);
        const auto pool = pool_of(socket, name, pools);
        const std::string described = "the passed socket " + std::to_string(number) + " (`" + name + "`)";
        if (!pool) throw std::runtime_error(described + " belongs to none of the pools of workers");
        if (!is_listening(socket)) throw std::runtime_error(described + " does not listen");
        if (!passed.emplace(*pool, std::move(socket)).second) {
            throw std::runtime_error(described + " is the second one for the pool " + name_of(*pool));
        }
    }
    std::free(names);
    return passed;
}

}  // namespace

Listener Listener::inherited(util::FileDescriptor socket) {
    return {std::move(socket), {}};
}

Listener Listener::none() {
    return {util::FileDescriptor(), {}};
}

Listener Listener::made(const std::filesystem::path& path, const std::string& group) {
    refuse_other_file(path);
    TemporaryName temporary(path);
    const sockaddr_un address = address_of(temporary.path());
    util::FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket) util::fail("cannot make a socket");
    if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
        util::fail("cannot make the socket " + temporary.path().string());
    }
    give_to_group(temporary.path(), group);
    if (::listen(socket.get(), backlog) != 0) util::fail("cannot listen on " + path.string());
    temporary.keep();
    return {std::move(socket), path};
}

void Listener::retire() {
    if (path_.empty() || !socket_) return;
    ::unlink(path_.c_str());
    ::shutdown(socket_.get(), SHUT_RD);
    path_.clear();
}

Listeners::Listeners(const std::vector<Pool>& pools, const config::Settings& settings) {
    std::map<PoolKind, util::FileDescriptor> passed = take_passed(pools);
    for (const Pool& pool : pools) {
        const auto found = passed.find(pool.kind);
        if (found != passed.end()) {
            listeners_.push_back(Listener::inherited(std::move(found->second)));
            continue;
        }
        if (pool.workers == 0) {
            listeners_.push_back(Listener::none());
            continue;
        }
        if (!directory_) directory_ = lock_directory(settings.socket_directory);
        listeners_.push_back(Listener::made(pool.socket, settings.socket_group));
    }
}

void Listeners::retire() {
    for (Listener& listener : listeners_) listener.retire();
}

void Listeners::keep_only(std::size_t pool) {
    for (std::size_t index = 0; index < listeners_.size(); ++index) {
        if (index != pool) listeners_[index].close();
    }
    directory_.close();
}

}  // namespace data_import::fastcgi
