#include "fault_thread.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "../support/processes.h"
#include "base/util/datetime.h"

namespace data_import::soak {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds longest_recovery = 60s;

/// Throws if a name is neither that of a fault nor `none`.
void check_names(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        const bool is_known =
            name == "none" || std::ranges::find(all_faults(), name, &Fault::name) != all_faults().end();
        if (!is_known)
            throw std::runtime_error("there is no fault " + name + ": soak-test --list names them");
    }
}

std::vector<Fault> chosen(const std::vector<std::string>& names) {
    check_names(names);
    std::vector<Fault> faults;
    for (const Fault& fault : all_faults()) {
        const bool is_wanted = names.empty() || std::ranges::find(names, fault.name) != names.end();
        const bool is_possible = fault.name != disk_fault || std::getenv("SMALL_DISK") != nullptr;
        if (is_wanted && is_possible) faults.push_back(fault);
    }
    return faults;
}

}  // namespace

FaultThread::FaultThread(Victim victim, const std::vector<std::string>& names, std::uint64_t seed,
                         const std::filesystem::path& log)
    : victim_(std::move(victim)), random_(seed), faults_(chosen(names)), log_(log), thread_([this] {
          work();
      }) {}

void FaultThread::stop() {
    stopping_ = true;
    if (thread_.joinable()) thread_.join();
}

/// Causes the faults in random order. Each happens once before any happens twice, like cards that are dealt.
void FaultThread::work() {
    while (!stopping_ && !faults_.empty()) {
        for (const Fault& fault : shuffled()) {
            pause();
            if (stopping_) break;
            happen(fault);
        }
    }
}

/// Shuffles without std::shuffle, whose order differs between platforms.
std::vector<Fault> FaultThread::shuffled() {
    std::vector<Fault> cards = faults_;
    for (std::size_t last = cards.size(); last > 1; --last) {
        const long other = draw(random_, 0, static_cast<long>(last) - 1);
        std::swap(cards[last - 1], cards[static_cast<std::size_t>(other)]);
    }
    return cards;
}

void FaultThread::happen(const Fault& fault) {
    const std::string name(fault.name);
    write(name + " begins");
    try {
        write(name + " is healed: " + fault.happen(victim_));
        if (!tests::wait_until([this] { return victim_.is_ready(); }, longest_recovery))
            throw std::runtime_error("the service is not ready a minute later");
    } catch (const std::exception& reason) {
        failures_.push_back(name + ": " + reason.what());
        write(failures_.back());
    }
    ++counts_[name];
    ++happened_;
}

void FaultThread::write(const std::string& line) {
    log_ << util::to_text(util::now()) << ' ' << line << std::endl;
}

void FaultThread::pause() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(draw(random_, 300, 2500));
    while (!stopping_ && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(20ms);
}

}  // namespace data_import::soak
