// A payment vendor for tests and for the demonstration: an HTTPS server on loopback that speaks the vendor's
// protocol, well or badly. README.md describes its use.
#include <openssl/rand.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "behaviours.h"
#include "simulator.h"
#include "vendor_files.h"

namespace {

using namespace data_import::vendor_simulator;
using Options = std::map<std::string, std::string>;

constexpr const char* usage =
    "usage: vendor-simulator --directory DIRECTORY [--vendors-directory DIRECTORY] [--vendors "
    "all|demonstration]\n"
    "                        [--while PID]\n"
    "       vendor-simulator --list\n";

struct WrongUsage {};

Options read_options(int argc, char** argv) {
    const std::set<std::string> known = {"--directory", "--vendors-directory", "--vendors", "--while"};
    Options options;
    for (int at = 1; at < argc; at += 2) {
        if (!known.contains(argv[at]) || at + 1 == argc) throw WrongUsage{};
        options[argv[at]] = argv[at + 1];
    }
    if (!options.contains("--directory")) throw WrongUsage{};
    return options;
}

void list_behaviours() {
    for (const Behaviour& behaviour : behaviours())
        std::cout << "/" << behaviour.name << "\t" << behaviour.sentence << '\n';
}

std::string random_text() {
    std::array<unsigned char, 16> bytes{};
    if (RAND_bytes(bytes.data(), bytes.size()) != 1) throw std::runtime_error("no random numbers");
    std::string text;
    for (const unsigned char byte : bytes) {
        text += "0123456789abcdef"[byte / 16];
        text += "0123456789abcdef"[byte % 16];
    }
    return text;
}

/// Writes the secret into a file that only its owner can read.
std::filesystem::path write_secret(const std::filesystem::path& path, const std::string& secret) {
    std::filesystem::remove(path);
    std::ofstream file(path);
    std::filesystem::permissions(path, std::filesystem::perms(0600));
    file << secret << '\n';
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path.string());
    return path;
}

/// Writes the ports into a file. The file appears only when it is complete, because tests take it as the sign
/// that the simulator is ready.
void write_ports(const std::filesystem::path& path, const std::map<std::string, std::uint16_t>& ports) {
    const std::filesystem::path unfinished = path.string() + ".new";
    std::ofstream file(unfinished);
    for (const auto& [name, port] : ports) file << name << '=' << port << '\n';
    file.close();
    if (!file) throw std::runtime_error("cannot write " + unfinished.string());
    std::filesystem::rename(unfinished, path);
}

/// Makes the system call itself, because not every version of the C library declares the function for C++.
int open_process(pid_t process) {
    return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
}

/// Returns at SIGTERM or SIGINT, and when the process to watch (0: none) has ended.
void wait_for_end(const sigset_t& signals, pid_t watched) {
    std::array<pollfd, 2> sources{pollfd{signalfd(-1, &signals, SFD_CLOEXEC), POLLIN, 0},
                                  pollfd{-1, POLLIN, 0}};
    if (watched != 0 && (sources[1].fd = open_process(watched)) < 0) return;
    while (poll(sources.data(), sources.size(), -1) < 0) continue;
}

void run(const Options& options) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigprocmask(SIG_BLOCK, &signals, nullptr);  // before threads start, which inherit the mask
    std::signal(SIGPIPE, SIG_IGN);
    const std::filesystem::path directory = std::filesystem::absolute(options.at("--directory"));
    std::filesystem::create_directories(directory);
    const std::string secret = random_text();
    const Simulator simulator(directory, secret);
    const auto vendors = options.find("--vendors-directory");
    if (vendors != options.end()) {
        write_vendor_files(vendors->second, options.contains("--vendors") && options.at("--vendors") == "all",
                           {.ports = simulator.ports(),
                            .authority = simulator.authority(),
                            .secret = write_secret(directory / "secret", secret),
                            .wrong_secret = write_secret(directory / "wrong-secret", random_text())});
    }
    write_ports(directory / "ports", simulator.ports());
    wait_for_end(signals, options.contains("--while") ? std::stoi(options.at("--while")) : 0);
    std::filesystem::remove(directory / "ports");
    std::_Exit(0);  // waits for no threads: hundreds may hang in connections on purpose
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc == 2 && std::string(argv[1]) == "--list") {
            list_behaviours();
            return 0;
        }
        run(read_options(argc, argv));
        return 0;
    } catch (const WrongUsage&) {
        std::cerr << usage;
        return 2;
    } catch (const std::exception& error) {
        std::cerr << "vendor-simulator: " << error.what() << '\n';
        return 1;
    }
}
