// The load generator of tests/bench/attacks and tests/bench/steady. These two scripts name the variables that
// the environment must have.
//
//     attack NAME      plays an attack while a victim works, and prints one line about the victim
//     attack steady    loads the service until a signal
//     attack --list    prints a line for each attack: its name, the victim's requests, a description
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "load/attacks.h"
#include "load/disturbance.h"
#include "load/steady_load.h"

namespace {

using namespace data_import::bench;

void list() {
    for (const Attack& attack : attacks())
        std::printf("%-22s  %-7s  %s\n", attack.name.data(), attack.victim.data(), attack.sentence.data());
}

void raise_descriptor_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

void run(std::string_view what) {
    if (what == "--list") return list();
    raise_descriptor_limit();
    std::signal(SIGPIPE, SIG_IGN);
    const std::string line = what == "steady" ? load_steadily() : measure_disturbance(attack_named(what));
    std::printf("%s\n", line.c_str());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: attack NAME|steady|--list\n");
        return 2;
    }
    try {
        run(argv[1]);
        return 0;
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "attack: %s\n", failure.what());
    }
    return 1;
}
