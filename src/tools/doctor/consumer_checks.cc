// Finds consumers that nobody uses although accounts wait for them, and consumers whose adding was
// interrupted.
#include <algorithm>
#include <chrono>

#include "base/util/joined.h"
#include "base/util/readable.h"
#include "base/util/shell_command.h"
#include "tools/doctor/doctor.h"

namespace data_import::doctor {

namespace {

constexpr std::chrono::seconds patience{5};
constexpr std::chrono::hours long_unused{24};
constexpr std::chrono::minutes usual_adding{15};

/// One consumer's figures, for all suppliers together.
struct Queue {
    store::Consumer consumer;
    std::int64_t waiting = 0;
    std::int64_t oldest_seconds = 0;
    std::string last_used;  ///< time when the consumer last took news; if it never did, when it was added
};

void add(Queue& queue, const store::ConsumerProgress& one) {
    queue.waiting += one.waiting;
    queue.oldest_seconds = std::max(queue.oldest_seconds, one.oldest_waiting_seconds);
    queue.last_used = std::max(queue.last_used, one.taken_at.value_or(""));
}

std::vector<Queue> queues_of(const std::vector<store::ConsumerProgress>& progress) {
    std::vector<Queue> queues;
    for (const store::ConsumerProgress& one : progress) {
        if (queues.empty() || queues.back().consumer.name != one.consumer.name)
            queues.push_back({.consumer = one.consumer, .last_used = one.consumer.added_at});
        add(queues.back(), one);
    }
    return queues;
}

bool is_older(const std::string& time, std::chrono::microseconds age, util::Instant now) {
    const auto at = util::parse_datetime(time);
    return at && now.microseconds - at->microseconds > age.count();
}

std::string accounts_text(std::int64_t waiting) {
    return util::grouped(waiting) + (waiting == 1 ? " account waits" : " accounts wait");
}

/// Returns the command that goes on with the interrupted adding of a consumer.
std::string adding_of(const Context& context, const store::Consumer& consumer) {
    std::string options = " --from " + consumer.begins;
    if (consumer.suppliers) {
        for (const std::string& code : *consumer.suppliers)
            options += ' ' + util::shell_command("--supplier", {code});
    }
    return own_command(context, "consumer add", {consumer.name}, options);
}

Finding interrupted(const Context& context, const Queue& queue) {
    const std::string& name = queue.consumer.name;
    return warning("consumer " + name,
                   "its adding began at " + queue.consumer.added_at +
                       " and is not done: it was interrupted, or still goes on. Until the end it may miss "
                       "records",
                   adding_of(context, queue.consumer));
}

/// Reports a consumer that seems to be unused. The remedy only lists the consumers, because a removal would
/// lose the accounts that wait for this consumer, and only the company knows whether it is needed.
Finding unused(const Context& context, const Queue& queue) {
    const std::string& name = queue.consumer.name;
    return warning("consumer " + name,
                   "it has taken nothing since " + queue.last_used + ", and " + accounts_text(queue.waiting) +
                       " for it (each takes up some 300 bytes, and imports go on collecting)",
                   util::with_remark(own_command(context, "consumer list"),
                                     "start what takes by this name; if nobody needs it any more: " +
                                         own_command(context, "consumer remove", {name})));
}

}  // namespace

Findings judge_consumers(const Context& context, const std::vector<store::ConsumerProgress>& progress,
                         util::Instant now) {
    Findings findings;
    const std::vector<Queue> queues = queues_of(progress);
    for (const Queue& queue : queues) {
        const bool is_waiting_long =
            std::chrono::seconds(queue.oldest_seconds) > long_unused && queue.waiting > 0;
        if (!queue.consumer.is_ready && is_older(queue.consumer.added_at, usual_adding, now))
            findings.push_back(interrupted(context, queue));
        else if (is_waiting_long && is_older(queue.last_used, long_unused, now))
            findings.push_back(unused(context, queue));
    }
    if (findings.empty() && !queues.empty())
        findings.push_back(ok("consumers", util::joined(queues, [](const Queue& queue) {
                                  return queue.consumer.name + ": " + accounts_text(queue.waiting);
                              })));
    return findings;
}

/// Returns nothing if the database cannot be asked, because another check reports that.
Findings check_consumers(Context& context) {
    try {
        return judge_consumers(
            context,
            store::read_consumer_progress(context.database().execute(
                store::find_consumer_progress(), std::chrono::steady_clock::now() + patience)),
            util::now());
    } catch (const std::runtime_error&) {
        return {};
    }
}

}  // namespace data_import::doctor
