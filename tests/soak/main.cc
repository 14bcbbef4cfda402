// Suppliers that import, faults that happen meanwhile, and a ledger of what was acknowledged, which is
// compared with the database in the end. tests/soak/run brings up the stack and starts this.
//
//     RUN_DIR=... SECONDS_OF_LOAD=120 [SEED=N] [CLIENTS=N] [FAULTS="NAME ..."] soak
//     soak --list
//
// Prints what was found, and `N passed, N failed, N skipped` as the last line; exit status 1 when anything
// failed.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "../system/load.h"
#include "../system/processes.h"
#include "client.h"
#include "fault_thread.h"
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

/// How long everything that is open may take to be acknowledged, once nothing goes wrong anymore.
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

/// On a terminal, the same line again and again.
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

    /// Whatever is open is repeated; at last it is given up.
    [[nodiscard]] Ledger settle() {
        run_.settling = true;
        const auto all_finished = [this] { return finished_ == threads_.size(); };
        run_.giving_up = !tests::wait_until(all_finished, longest_settling);
        Ledger ledger;
        for (std::size_t number = 0; number < threads_.size(); ++number) {
            threads_[number].join();
            ledger.add(clients_[number]->take_ledger());
        }
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

/// Counts what was checked, and prints what was found.
class Checks {
public:
    void check(const std::string& name, const std::vector<std::string>& findings) {
        ++(findings.empty() ? passed_ : failed_);
        if (findings.empty()) return;
        std::cout << "FAILED: soak: " << name << ": " << findings.size() << '\n';
        for (std::size_t at = 0; at < findings.size() && at < most_shown; ++at)
            std::cout << "    " << findings[at] << '\n';
    }
    void skip(const std::string& name, const std::string& reason) {
        ++skipped_;
        std::cout << "skipped: soak: " << name << "\n    " << reason << '\n';
    }
    [[nodiscard]] int finish(const std::filesystem::path& run_directory) const {
        if (failed_ > 0) std::cout << "folder of the run: " << run_directory.string() << '\n';
        std::cout << passed_ << " passed, " << failed_ << " failed, " << skipped_ << " skipped" << std::endl;
        return failed_ == 0 ? 0 : 1;
    }

private:
    static constexpr std::size_t most_shown = 20;
    int passed_ = 0;
    int failed_ = 0;
    int skipped_ = 0;
};

std::vector<std::string> findings_of(const Ledger& ledger) {
    std::vector<std::string> findings;
    for (const auto& [sort, complaint] : ledger.complaints)
        findings.push_back(std::to_string(complaint.count) + " times " + sort + "\n    " + complaint.example);
    return findings;
}

/// A minute is far more than any fault lasts, and than the service may take for an answer.
std::vector<std::string> hanging(const Ledger& ledger) {
    if (ledger.longest_wait < 60) return {};
    return {std::to_string(ledger.longest_wait) + " s: " + ledger.longest_request};
}

/// Workers end by signals that the faults send, never by others.
std::vector<std::string> crashes(const std::filesystem::path& log) {
    std::vector<std::string> findings;
    std::ifstream file(log);
    for (std::string line; std::getline(file, line);) {
        for (const char* signal :
             {"signal=4", "signal=6", "signal=7", "signal=8", "signal=11", "signal=14"}) {
            const std::size_t at = line.find(signal);
            const std::size_t end = at + std::string_view(signal).size();
            if (at != std::string::npos && (end == line.size() || line[end] == ' ')) findings.push_back(line);
        }
    }
    return findings;
}

/// Kinds of records of which nothing was acknowledged: nothing could be missing then.
std::vector<std::string> untried(const Ledger& ledger) {
    std::set<Kind> tried;
    for (const Entry& entry : ledger.entries) {
        if (entry.state == State::acknowledged) tried.insert(entry.kind);
    }
    std::vector<std::string> findings;
    for (std::size_t kind = 0; kind < kind_names.size(); ++kind) {
        if (!tried.contains(static_cast<Kind>(kind))) findings.emplace_back(kind_names.at(kind));
    }
    return findings;
}

void print_counts(const std::string& what, const std::map<std::string, long>& counts) {
    std::cout << what << ':';
    for (const auto& [name, count] : counts) std::cout << ' ' << count << " x " << name << ';';
    std::cout << '\n';
}

void print_summary(const Ledger& ledger, const Verdict& verdict, const FaultThread& faults) {
    std::map<std::string, long> states;
    for (const Entry& entry : ledger.entries)
        ++states[std::array{"open", "acknowledged", "refused", "unknown"}.at(
            static_cast<std::size_t>(entry.state))];
    print_counts("imports", states);
    print_counts("answers", ledger.answers);
    print_counts("faults", faults.counts());
    std::cout << "longest wait: " << std::fixed << std::setprecision(1) << ledger.longest_wait << " s, "
              << ledger.longest_request << '\n';
    std::cout << verdict.records << " records of " << states["acknowledged"] << " acknowledged imports, "
              << faults.happened() << " faults: " << verdict.missing.size() << " missing, "
              << verdict.doubled.size() << " doubled, " << verdict.half.size() << " half, "
              << verdict.unwanted.size() << " unwanted, " << ledger.complaints.size()
              << " sorts of wrong answers\n";
}

int judge(const tests::Stack& stack, const Book& book, const Ledger& ledger, const FaultThread& faults) {
    const Verdict verdict = tally(stack, book, ledger);
    Checks checks;
    checks.check("everything acknowledged is there", verdict.missing);
    checks.check("records of every kind were acknowledged", untried(ledger));
    checks.check("nothing is there twice", verdict.doubled);
    checks.check("every request is there as a whole or not at all", verdict.half);
    checks.check("nothing is there that was refused, sent by nobody, or belongs elsewhere", verdict.unwanted);
    checks.check("everything that may be repeated was acknowledged in the end", verdict.open);
    checks.check("progress tells the number of rows", verdict.wrong_figures);
    checks.check("all answers are documented ones, and belong to their requests", findings_of(ledger));
    checks.check("no request hung", hanging(ledger));
    checks.check("the service was ready again after every fault", faults.failures());
    checks.check("no worker crashed by itself", crashes(stack.run_directory() / "log/data-importd.log"));
    const std::string reason = variable("NO_SMALL_DISK", "");
    if (!reason.empty()) checks.skip(std::string(disk_fault), reason);
    print_summary(ledger, verdict, faults);
    return checks.finish(stack.run_directory());
}

int run_soak(const std::filesystem::path& run_directory) {
    const std::uint64_t seed = seed_of_run();
    const std::chrono::seconds length(std::stol(variable("SECONDS_OF_LOAD", "120")));
    std::cout << "soak: " << length.count() << " s of load, SEED=" << seed << std::endl;
    const tests::Stack stack(run_directory);
    const Book book = make_book(stack);
    const Contract contract(tests::ask(stack, tests::get_request("/v1/openapi.json")).body);
    Run run{.stack = stack, .book = book, .contract = contract, .seed = seed};
    Suppliers suppliers(run, std::stoi(variable("CLIENTS", "12")));
    FaultThread faults(Victim(run_directory, book, seed), words_of(variable("FAULTS", "")), seed,
                       run_directory / "faults.log");
    wait_out(length, run, faults);
    faults.stop();
    if (interruption != 0) std::_Exit(128 + interruption);  // what was stopped runs again now
    const Ledger ledger = suppliers.settle();
    return judge(stack, book, ledger, faults);
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
