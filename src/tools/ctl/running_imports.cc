#include "tools/ctl/running_imports.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <vector>

#include "base/util/joined.h"
#include "data/store/consumers.h"

namespace data_import::ctl {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto look_interval = 100ms;
constexpr auto quiet_wait = 5s;
constexpr auto longest_wait = 10min;

/// Returns the processes of PostgreSQL that the transactions in `running` belong to: `process 4711` or
/// `processes 4711, 4712`. `running` has a text for each transaction: its process and its id, such as `4711
/// 5/1234`. On Citus the id of the node stands before the process.
std::string processes(const std::vector<std::string>& running) {
    return (running.size() == 1 ? "process " : "processes ") +
           util::joined(running, [](const std::string& one) { return one.substr(0, one.rfind(' ')); });
}

bool is_prepared(const std::string& one) {
    return one.find("prepared ") != std::string::npos;
}

void tell_wait(const std::vector<std::string>& running) {
    std::cerr << program_name << ": waiting for " << running.size()
              << (running.size() == 1 ? " transaction" : " transactions")
              << " that began before and may import (" << processes(running)
              << " of PostgreSQL); Ctrl-C ends the wait, and the same command goes on later" << std::endl;
}

}  // namespace

void await_running_imports(Context& context, const Interruption& interruption,
                           const std::function<void(const std::string& reason)>& stop) {
    const auto began = Clock::now();
    bool is_told = false;
    std::vector<std::string> running = store::running_imports(context.database(), Context::soon());
    // On Citus, a node may have prepared the change that the caller made, but not committed it yet. An import
    // that begins on this node before the commit does not see the change. So after the commit, the imports
    // that run at that moment are waited for, too.
    bool is_asked_again = !std::ranges::any_of(running, is_prepared);
    while (!running.empty()) {
        if (Clock::now() - began > longest_wait)
            stop(processes(running) + " of PostgreSQL did not end in ten minutes");
        if (!is_told && Clock::now() - began > quiet_wait) {
            tell_wait(running);
            is_told = true;
        }
        if (interruption.comes_within(look_interval)) stop("interrupted");
        const auto now = store::running_imports(context.database(), Context::soon());
        std::erase_if(running,
                      [&](const std::string& one) { return std::ranges::find(now, one) == now.end(); });
        if (running.empty() && !is_asked_again) {
            is_asked_again = true;
            running = now;
        }
    }
}

}  // namespace data_import::ctl
