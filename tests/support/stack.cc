#include "stack.h"

#include <Poco/Net/NetException.h>
#include <Poco/Net/ServerSocket.h>
#include <Poco/URI.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <stdexcept>

#include "command.h"

namespace data_import::tests {

namespace {

constexpr const char* names[] = {"BASE_URL",        "CA_FILE",     "CTL",        "LOAD",      "VENDORS_DIR",
                                 "DATABASE_URL",    "METRICS_URL", "MASTER_PID", "NGINX_PID", "POSTGRES_PID",
                                 "VENDOR_SIMULATOR"};

/// Returns the variables in `names`. Lets bash read the file, because its values may be quoted in any way.
std::map<std::string, std::string> variables_of(const std::filesystem::path& file) {
    std::map<std::string, std::string> variables;
    for (const char* name : names) {
        const std::string line = ". " + shell_word(file.string()) + "; printf %s \"${" + name + "-}\"";
        variables[name] = must_run(line);
    }
    return variables;
}

std::map<std::string, std::string> variables_of_environment() {
    std::map<std::string, std::string> variables;
    for (const char* name : names) {
        if (const char* value = std::getenv(name)) variables[name] = value;
    }
    return variables;
}

/// A new temporary directory that the users of the stack's parts can read.
std::filesystem::path fresh_directory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "data-import-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
    std::filesystem::permissions(pattern, std::filesystem::perms(0755));
    return pattern;
}

}  // namespace

const Stack& Stack::shared() {
    static const Stack stack = [] {
        Stack found(variables_of_environment());
        if (const char* directory = std::getenv("RUN_DIR")) found.run_directory_ = directory;
        return found;
    }();
    return stack;
}

Stack::Stack(std::map<std::string, std::string> variables) : variables_(std::move(variables)) {}

Stack::Stack(const std::filesystem::path& run_directory) : Stack(variables_of(run_directory / "env")) {
    run_directory_ = run_directory;
}

const std::string& Stack::value(const std::string& name) const {
    const auto found = variables_.find(name);
    if (found == variables_.end() || found->second.empty()) {
        throw std::runtime_error(name + " is not set: source the env file of a running stack first");
    }
    return found->second;
}

pid_t Stack::pid(const std::string& name) const {
    return static_cast<pid_t>(std::stol(value(name)));
}

std::uint16_t Stack::port() const {
    return Poco::URI(value("BASE_URL")).getPort();
}

std::filesystem::path build_directory() {
    return std::filesystem::read_symlink("/proc/self/exe")
        .parent_path()
        .parent_path();  // the program stands in BUILD/tests
}

// Unsets DATABASE_URL of the shared stack, which would keep the new stack from making a cluster of its own.
PrivateStack::PrivateStack(const std::vector<std::string>& settings, const std::string& database_url,
                           const std::string& limits, const std::string& vendors)
    : directory_(fresh_directory()),
      command_prefix_("env -u DATABASE_URL -u PLAIN_PORT -u WORKERS LIMITS=" + limits +
                      " VENDORS=" + vendors + " BUILD=" + shell_word(build_directory().string()) +
                      " RUN_DIR=" + shell_word(directory_.string()) + " PORT=" + std::to_string(free_port()) +
                      (database_url.empty() ? "" : " DATABASE_URL=" + shell_word(database_url))) {
    std::filesystem::create_directory(directory_ / "conf.d");
    write_settings(settings);
    try {
        bring_up();
    } catch (...) {
        take_down("");
        throw;
    }
}

PrivateStack::~PrivateStack() {
    take_down(std::getenv("KEEP_STACKS") == nullptr ? " --destroy" : "");
}

void PrivateStack::bring_up() {
    must_run(command_prefix_ + " tests/stack/up");
    stack_ = std::make_unique<Stack>(directory_);
}

void PrivateStack::take_down(const std::string& options) {
    const CommandResult result = run_command(command_prefix_ + " tests/stack/down" + options);
    if (result.status != 0) std::cerr << "tests/stack/down: " << result.errors << std::endl;
}

void PrivateStack::write_settings(const std::vector<std::string>& settings) const {
    std::ofstream file(directory_ / "conf.d/test.conf");
    for (const std::string& line : settings) file << line << '\n';
}

void PrivateStack::configure(const std::vector<std::string>& settings) {
    write_settings(settings);
    kill(stack_->pid("MASTER_PID"), SIGHUP);
}

std::uintmax_t PrivateStack::log_size() const {
    return std::filesystem::file_size(directory_ / "log/data-importd.log");
}

std::string PrivateStack::log_from(std::uintmax_t place) const {
    std::ifstream file(directory_ / "log/data-importd.log");
    file.seekg(static_cast<std::streamoff>(place));
    return {std::istreambuf_iterator<char>(file), {}};
}

std::uint16_t free_port() {
    // Takes a port below those that the kernel gives to clients, because a client could take one of the
    // kernel's ports before the server does.
    static std::mt19937 random(std::random_device{}());
    for (int attempt = 0; attempt < 1000; ++attempt) {
        const auto port = static_cast<std::uint16_t>(10'000 + random() % 10'000);
        try {
            const Poco::Net::ServerSocket socket(Poco::Net::SocketAddress("127.0.0.1", port));
            return port;
        } catch (const Poco::Net::NetException&) {
            continue;  // another program has this port
        }
    }
    throw std::runtime_error("no port of 10000 to 19999 is free");
}

}  // namespace data_import::tests
