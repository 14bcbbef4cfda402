// Lines on their way from the reader to the connections, bounded by their number and by their bytes.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>

#include "client/input.h"

namespace data_import::client {

/// Lines count from push() to release(), so that the bound covers those that are being sent, too. One line
/// always fits, whatever its size. For one reader and any number of takers.
class LineQueue {
public:
    LineQueue(std::size_t max_lines, std::size_t max_bytes) : max_lines_(max_lines), max_bytes_(max_bytes) {}

    /// Waits for room. False, with the line dropped, when stopped.
    bool push(Line line, const std::stop_token& stop);
    /// Waits for a line. Nothing when stopped, or when closed and empty.
    [[nodiscard]] std::optional<Line> pop(const std::stop_token& stop);
    /// The room of a line that was taken is free again.
    void release(const Line& line);
    /// No more lines will come.
    void close();

private:
    [[nodiscard]] bool has_room_for(const Line& line) const;

    const std::size_t max_lines_;
    const std::size_t max_bytes_;
    std::mutex mutex_;
    std::condition_variable_any room_;
    std::condition_variable_any lines_or_end_;
    std::deque<Line> lines_;
    std::size_t bytes_ = 0;
    bool closed_ = false;
};

}  // namespace data_import::client
