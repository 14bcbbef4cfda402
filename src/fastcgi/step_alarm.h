// The end of a worker that hangs.
#pragma once

#include <unistd.h>

#include <chrono>

namespace data_import::fastcgi {

/// A step of the work that takes longer than `limit` is ended by SIGALRM, and the process with it: it hangs.
/// Reading one request is a step, answering those that were taken together is another. From step to step the
/// alarm is put off once a second. Without a step there is none: who only waits may be frozen for long.
class StepAlarm {
public:
    explicit StepAlarm(std::chrono::seconds limit) : limit_(limit + accuracy) {}

    void begin_step() {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_) return;
        next_ = now + accuracy;
        ::alarm(static_cast<unsigned>(limit_.count()));
    }

    void end_steps() {
        if (next_ == std::chrono::steady_clock::time_point()) return;
        next_ = {};
        ::alarm(0);
    }

private:
    static constexpr std::chrono::seconds accuracy{1};

    std::chrono::seconds limit_;
    std::chrono::steady_clock::time_point next_{};
};

}  // namespace data_import::fastcgi
