#include "tools/client/schedule.h"

#include <algorithm>
#include <utility>

namespace data_import::client {

namespace {

/// Returns the approximate size in memory. It counts the Job, too, because many short lines take much more
/// than the bytes of their text.
std::size_t size_of(const Job& job) {
    return sizeof(Job) + job.line.text.size() + job.line.request.size();
}

}  // namespace

bool Schedule::has_room_for(const Job& job) const {
    return jobs_.size() < max_jobs_ && (bytes_ == 0 || bytes_ + size_of(job) <= max_bytes_);
}

bool Schedule::push(std::unique_ptr<Job> job, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, stop, [&] { return has_room_for(*job); });
    if (stop.stop_requested()) return false;
    bytes_ += size_of(*job);
    jobs_.push_back(std::move(job));
    jobs_or_end_.notify_one();
    return true;
}

bool Schedule::has_free_one() const {
    return std::ranges::any_of(jobs_, [this](const auto& job) { return !busy_.contains(job->account); });
}

Bundle Schedule::take(std::size_t most_lines, std::size_t most_bytes, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    jobs_or_end_.wait(lock, stop, [this] { return has_free_one() || (closed_ && jobs_.empty()); });
    if (stop.stop_requested()) return {};
    Bundle bundle = take_free_ones(most_lines, most_bytes);
    for (const auto& job : bundle) {
        if (!job->account.empty()) busy_.insert(job->account);
    }
    room_.notify_one();
    return bundle;
}

/// Takes the next requests that fit together and whose account is free. A request that is passed over makes
/// all later requests of its account wait, too, so that they stay in order.
Bundle Schedule::take_free_ones(std::size_t most_lines, std::size_t most_bytes) {
    Bundle bundle;
    std::unordered_set<std::string> waiting;
    std::size_t bytes = 0;
    for (auto job = jobs_.begin(); job != jobs_.end() && bundle.size() < most_lines;) {
        const std::string& account = (*job)->account;
        const bool is_free = !busy_.contains(account) && !waiting.contains(account);
        const bool may_join =
            bundle.empty() || ((*job)->fits_bulk && (*job)->is_document == bundle.front()->is_document);
        if (!is_free || !may_join) {
            if (!account.empty()) waiting.insert(account);
            ++job;
            continue;
        }
        bytes += size_of(**job);
        if (!bundle.empty() && bytes > most_bytes) break;
        bundle.push_back(std::move(*job));
        job = jobs_.erase(job);
        if (!bundle.front()->fits_bulk) break;
    }
    return bundle;
}

void Schedule::release(const Bundle& bundle) {
    const std::lock_guard lock(mutex_);
    for (const auto& job : bundle) {
        bytes_ -= size_of(*job);
        busy_.erase(job->account);
    }
    room_.notify_one();
    jobs_or_end_.notify_all();
}

void Schedule::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    jobs_or_end_.notify_all();
}

}  // namespace data_import::client
