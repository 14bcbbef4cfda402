// Lets suppliers import while faults happen, keeps a ledger of the acknowledged imports, and compares it with
// the database at the end. tests/soak/run brings up the stack and starts this program.
//
//     RUN_DIR=... SECONDS_OF_LOAD=120 [SEED=N] [CLIENTS=N] [CONSUMERS=4] [FAULTS="NAME ..."] soak
//     soak --list
//
// Prints what was found, and `N passed, N failed, N skipped` as the last line; exit status 1 when anything
// failed.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <memory>
#include <random>
#include <sstream>
#include <thread>

#include "../support/load.h"
#include "../support/processes.h"
#include "client.h"
#include "consumers.h"
#include "fault_thread.h"
#include "removals.h"
#include "report.h"
#include "tally.h"

namespace {

using namespace data_import;
using namespace data_import::soak;
using namespace std::chrono_literals;

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t interruption = 0;

void interrupt(int signal) {
    interruption = signal;
}

/// The longest time that open imports may take to be acknowledged after the last fault.
constexpr std::chrono::milliseconds longest_settling = 180s;

std::string variable(const char* name, const std::string& otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr || *value == '\0' ? otherwise : value;
}

std::uint64_t seed_of_run() {
    const std::string given = variable("SEED", "");
    return given.empty() ? std::random_device()() % 1'000'000 : std::stoull(given);
}

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

/// Shows one text after another in the same line of a terminal, and removes the last one at the end.
class ProgressLine {
public:
    void show(const std::string& text) {
        if (!is_terminal_) return;
        std::cout << "\r\033[K" << text << std::flush;
        is_there_ = true;
    }
    ~ProgressLine() {
        if (is_there_) std::cout << "\r\033[K" << std::flush;
    }

private:
    const bool is_terminal_ = isatty(STDOUT_FILENO) == 1;
    bool is_there_ = false;
};

/// The clients of a run, one thread each.
class Suppliers {
public:
    Suppliers(Run& run, int count) : run_(run) {
        for (int number = 0; number < count; ++number)
            clients_.push_back(std::make_unique<Client>(run, number));
        for (const auto& client : clients_) {
            threads_.emplace_back([this, worker = client.get()] {
                worker->work();
                ++finished_;
            });
        }
    }

    ~Suppliers() {
        run_.settling = run_.giving_up = true;
        for (std::thread& thread : threads_) thread.join();
    }
    Suppliers(const Suppliers&) = delete;
    Suppliers& operator=(const Suppliers&) = delete;

    /// Lets the clients repeat open imports until they are acknowledged, or until it has taken too long.
    [[nodiscard]] Ledger settle() {
        run_.settling = true;
        const auto is_over = [this] { return finished_ == threads_.size() || interruption != 0; };
        run_.giving_up = !tests::wait_until(is_over, longest_settling);
        if (interruption != 0) std::_Exit(128 + interruption);
        Ledger ledger;
        for (std::thread& thread : threads_) thread.join();
        threads_.clear();
        for (const auto& client : clients_) ledger.add(client->take_ledger());
        return ledger;
    }

private:
    Run& run_;
    std::vector<std::unique_ptr<Client>> clients_;
    std::vector<std::thread> threads_;
    std::atomic<std::size_t> finished_ = 0;
};

void wait_out(std::chrono::seconds length, const Run& run, const FaultThread& faults) {
    ProgressLine line;
    const auto begin = Clock::now();
    while (Clock::now() - begin < length && interruption == 0) {
        const auto passed = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin);
        line.show("soak: " + std::to_string(passed.count()) + " of " + std::to_string(length.count()) +
                  " s, " + std::to_string(run.acknowledged) + " imports acknowledged, " +
                  std::to_string(faults.happened()) + " faults");
        std::this_thread::sleep_for(200ms);
    }
}

int run_soak(const std::filesystem::path& run_directory) {
    const std::uint64_t seed = seed_of_run();
    const std::chrono::seconds length(std::stol(variable("SECONDS_OF_LOAD", "120")));
    std::cout << "soak: " << length.count() << " s of load, SEED=" << seed << std::endl;
    const tests::Stack stack(run_directory);
    const Book book = make_book(stack);
    const Contract contract(tests::ask(stack, tests::get_request("/v1/openapi.json")).body);
    Run run{.stack = stack, .book = book, .contract = contract, .seed = seed};
    Consumers consumers(stack, book, std::stoi(variable("CONSUMERS", "4")), seed);
    Suppliers suppliers(run, std::stoi(variable("CLIENTS", "12")));
    FaultThread faults(Victim(run_directory, book, seed), words_of(variable("FAULTS", "")), seed,
                       run_directory / "faults.log");
    Removals removals(stack, book, seed);
    wait_out(length / 2, run, faults);
    if (interruption == 0) consumers.add_late_ones();
    wait_out(length - length / 2, run, faults);
    faults.stop();
    // the program may end here, because faults.stop() has let each process go on that a fault had halted
    if (interruption != 0) std::_Exit(128 + interruption);
    removals.stop();
    const Ledger ledger = suppliers.settle();
    const ConsumerFindings found = consumers.finish();
    return report(stack, ledger, tally(stack, book, ledger), faults, removals, found);
}

void list_faults() {
    for (const Fault& fault : all_faults()) std::cout << fault.name << '\t' << fault.sentence << '\n';
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
    try {
        if (argc == 2 && std::string(argv[1]) == "--list") {
            list_faults();
            return 0;
        }
        const char* run_directory = std::getenv("RUN_DIR");
        if (argc != 1 || run_directory == nullptr) {
            std::cerr << "usage: RUN_DIR=DIRECTORY soak [--list]\n";
            return 2;
        }
        return run_soak(run_directory);
    } catch (const std::exception& error) {
        std::cerr << "soak: " << error.what() << '\n';
        return 1;
    }
}
