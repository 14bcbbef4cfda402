#include "client/queue.h"

#include <utility>

namespace data_import::client {

bool LineQueue::has_room_for(const Line& line) const {
    return lines_.size() < max_lines_ && (bytes_ == 0 || bytes_ + line.text.size() <= max_bytes_);
}

bool LineQueue::push(Line line, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, stop, [&] { return has_room_for(line); });
    if (stop.stop_requested()) return false;
    bytes_ += line.text.size();
    lines_.push_back(std::move(line));
    lines_or_end_.notify_one();
    return true;
}

std::optional<Line> LineQueue::pop(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    lines_or_end_.wait(lock, stop, [this] { return !lines_.empty() || closed_; });
    if (stop.stop_requested() || lines_.empty()) return std::nullopt;
    std::optional<Line> line = std::move(lines_.front());
    lines_.pop_front();
    room_.notify_one();
    return line;
}

void LineQueue::release(const Line& line) {
    const std::lock_guard lock(mutex_);
    bytes_ -= line.text.size();
    room_.notify_one();
}

void LineQueue::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    lines_or_end_.notify_all();
}

}  // namespace data_import::client
