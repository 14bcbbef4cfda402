#include "processes.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

namespace data_import::tests {

namespace {

std::string proc(pid_t process, const std::string& file) {
    return "/proc/" + std::to_string(process) + '/' + file;
}

/// The rest of the line of /proc/PID/status that begins with the name.
std::string status_line(pid_t process, const std::string& name) {
    std::ifstream stream(proc(process, "status"));
    for (std::string line; std::getline(stream, line);) {
        if (line.rfind(name + ':', 0) == 0) return line.substr(name.size() + 1);
    }
    return "";
}

}  // namespace

std::vector<pid_t> children_of(pid_t parent) {
    std::ifstream stream(proc(parent, "task/" + std::to_string(parent) + "/children"));
    std::vector<pid_t> children;
    for (pid_t child = 0; stream >> child;) children.push_back(child);
    return children;
}

bool has_socket(pid_t process, const std::string& part) {
    std::set<std::string> sockets;
    std::ifstream table("/proc/net/unix");
    for (std::string line; std::getline(table, line);) {
        // the columns of the table: Num RefCount Protocol Flags Type St Inode Path
        std::istringstream words(line);
        std::string inode;
        for (int word = 0; word < 7; ++word) words >> inode;
        if (line.find(part) != std::string::npos) sockets.insert("socket:[" + inode + "]");
    }
    std::error_code error;
    std::filesystem::directory_iterator file("/proc/" + std::to_string(process) + "/fd", error);
    for (const std::filesystem::directory_iterator end; !error && file != end; file.increment(error)) {
        const auto target = std::filesystem::read_symlink(file->path(), error);
        if (!error && sockets.contains(target.string())) return true;
        error.clear();
    }
    return false;
}

bool is_running(pid_t process) {
    const std::string state = status_line(process, "State");
    return !state.empty() && state.find('Z') == std::string::npos;
}

long memory_of(pid_t process, const std::string& name) {
    long kilobytes = 0;
    std::istringstream(status_line(process, name)) >> kilobytes;
    return kilobytes;
}

/// Returns the sum of fields 14 and 15 of /proc/PID/stat, the times in user mode and in system mode. Fields 1
/// and 2 are the pid and the name in brackets.
long processor_ticks(pid_t process) {
    std::ifstream stream(proc(process, "stat"));
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
    std::string skipped;
    for (int field = 3; field < 14; ++field) fields >> skipped;
    long in_user_mode = 0;
    long in_system_mode = 0;
    fields >> in_user_mode >> in_system_mode;
    return in_user_mode + in_system_mode;
}

bool wait_until(const std::function<bool()>& condition, std::chrono::milliseconds timeout) {
    const auto end = std::chrono::steady_clock::now() + timeout;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
}

}  // namespace data_import::tests
