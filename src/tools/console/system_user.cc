#include "tools/console/system_user.h"

#include <grp.h>
#include <pwd.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "base/util/failure.h"
#include "tools/console/failure.h"

namespace data_import::console {

namespace {

struct SystemUser {
    uid_t user = 0;
    gid_t group = 0;
    std::string name;
    std::string home;
};

constexpr std::size_t entry_bytes = 16384;

SystemUser find_user(const std::string& name) {
    std::vector<char> buffer(entry_bytes);
    passwd entry{};
    passwd* found = nullptr;
    getpwnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found);
    if (found == nullptr) {
        throw Failure("there is no system user " + name +
                      "; set admin_user to the one that administers PostgreSQL");
    }
    return {entry.pw_uid, entry.pw_gid, entry.pw_name, entry.pw_dir};
}

bool is_only(uid_t user) {
    uid_t real = 0;
    uid_t effective = 0;
    uid_t saved = 0;
    return getresuid(&real, &effective, &saved) == 0 && real == user && effective == user && saved == user;
}

}  // namespace

std::string operator_name() {
    const char* caller = std::getenv("SUDO_USER");
    if (getuid() == 0 && caller != nullptr && *caller != '\0') return caller;
    std::vector<char> buffer(entry_bytes);
    passwd entry{};
    passwd* found = nullptr;
    getpwuid_r(getuid(), &entry, buffer.data(), buffer.size(), &found);
    return found == nullptr ? "uid " + std::to_string(getuid()) : std::string(entry.pw_name);
}

std::optional<std::pair<uid_t, gid_t>> user_to_become(const std::string& name) {
    if (geteuid() != 0 || name.empty()) return std::nullopt;
    const SystemUser user = find_user(name);
    if (user.user == 0) return std::nullopt;
    return std::pair(user.user, user.group);
}

void become_user(const std::string& name) {
    if (geteuid() != 0) return;
    const SystemUser user = find_user(name);
    if (user.user == 0) return;
    const bool changed =
        initgroups(user.name.c_str(), user.group) == 0 && setgid(user.group) == 0 && setuid(user.user) == 0;
    if (!changed) util::fail<Failure>("becoming system user " + name + " failed");
    if (!is_only(user.user) || setuid(0) == 0)
        throw Failure("becoming system user " + name + " had no effect");
    // libpq looks for its own files in HOME
    setenv("HOME", user.home.c_str(), 1);
}

}  // namespace data_import::console
