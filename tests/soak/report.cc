#include "report.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <set>
#include <string_view>

namespace data_import::soak {

namespace {

/// Counts the checks, and prints the findings.
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

/// The service's log lines about the request to which this is the answer.
std::string logged(const std::filesystem::path& log, const std::string& answer) {
    constexpr std::string_view header = "X-Request-Id: ";
    constexpr std::size_t id_length = 32;
    const std::size_t at = answer.find(header);
    if (at == std::string::npos) return {};
    const std::string id = answer.substr(at + header.size(), id_length);
    std::string found;
    std::ifstream file(log);
    for (std::string line; std::getline(file, line);) {
        if (line.find(id) != std::string::npos) found += "\n    " + line;
    }
    return found;
}

std::vector<std::string> wrong_answers(const Ledger& ledger, const std::filesystem::path& log) {
    std::vector<std::string> findings;
    for (const auto& [sort, complaint] : ledger.complaints) {
        findings.push_back(std::to_string(complaint.count) + " times " + sort + "\n    " + complaint.example +
                           logged(log, complaint.example));
    }
    return findings;
}

/// Finds a wait of a minute or more, which is far longer than any fault and the service's limit for an
/// answer.
std::vector<std::string> hanging(const Ledger& ledger) {
    if (ledger.longest_wait < 60) return {};
    return {std::to_string(ledger.longest_wait) + " s: " + ledger.longest_request};
}

/// Finds in the service's log the workers that crashed: a signal such as SIGSEGV or SIGABRT ended them. The
/// soak test sends none of these signals.
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

/// Finds kinds of records without an acknowledged import, for which the run has tested nothing.
std::vector<std::string> untried(const Ledger& ledger) {
    std::set<Kind> tried;
    for (const Entry& entry : ledger.entries) {
        if (entry.state == State::acknowledged) tried.insert(entry.kind);
    }
    std::vector<std::string> findings;
    for (const Kind kind : all_kinds()) {
        if (!tried.contains(kind)) findings.emplace_back(kind);
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

}  // namespace

int report(const tests::Stack& stack, const Ledger& ledger, const Verdict& verdict, const FaultThread& faults,
           const Removals& removals, const ConsumerFindings& consumers) {
    const std::filesystem::path log = stack.run_directory() / "log/data-importd.log";
    Checks checks;
    checks.check("everything acknowledged is there", verdict.missing);
    checks.check("records of every kind were acknowledged", untried(ledger));
    checks.check("nothing is there twice", verdict.doubled);
    checks.check("every request is there as a whole or not at all", verdict.half);
    checks.check("nothing is there that was refused, sent by nobody, or belongs elsewhere", verdict.unwanted);
    checks.check("everything that may be repeated was acknowledged in the end", verdict.open);
    checks.check("progress and control totals tell what a scan of the records does", verdict.wrong_figures);
    checks.check("all answers are documented ones, and belong to their requests", wrong_answers(ledger, log));
    checks.check("no request hung", hanging(ledger));
    checks.check("the service was ready again after every fault", faults.failures());
    checks.check("consumers have every record, once, and no other", consumers.differences);
    checks.check("no account was taken by two sessions at once", consumers.shared);
    checks.check("nothing waits for consumers in the end", consumers.wrong_counters);
    checks.check("no worker crashed by itself", crashes(log));
    const char* reason = std::getenv("NO_SMALL_DISK");
    if (reason != nullptr && *reason != '\0') checks.skip(std::string(disk_fault), reason);
    print_summary(ledger, verdict, faults);
    print_counts("resets and erasures", removals.counts());
    print_counts("consumers", consumers.counts);
    return checks.finish(stack.run_directory());
}

}  // namespace data_import::soak
