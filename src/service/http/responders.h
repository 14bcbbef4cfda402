// Responders between an endpoint and the transport.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "service/http/request.h"
#include "service/metrics/board.h"

namespace data_import::http {

/// The bytes of an answer that a socket takes at once, whether its peer reads or not.
inline constexpr std::size_t taken_at_once = 32UL * 1024;

/// Passes an answer on, and remembers its status, its size, and how many records were stored. Gives the slot
/// of the request back before the client has the whole answer, so that the client's next request is not
/// refused because of this slot.
///
/// An answer that is sent in one piece and is longer than `taken_at_once` keeps its slot until nginx has read
/// the answer, because the worker has to wait for nginx.
class RecordingResponder : public Responder {
public:
    explicit RecordingResponder(Responder& target) : target_(target) {}

    void hold(sharing::Slot slot) { slot_.emplace(std::move(slot)); }
    /// Returns the slot of the request; null if it has none, or has given it back.
    [[nodiscard]] sharing::Slot* slot() { return slot_ ? &*slot_ : nullptr; }

    /// Makes nginx hand the answer over so slowly that it ends `time` after the request began, accurate to a
    /// second. No worker waits meanwhile. An answer in parts without the header Content-Length is not slowed
    /// down, because the rate depends on the length.
    void last_at_least(std::chrono::microseconds time) { least_time_ = time; }

    void send(const Reply& reply) override {
        status_ = reply.status;
        stored_ = reply.stored;
        bytes_ = reply.body.size();
        if (bytes_ <= taken_at_once) slot_.reset();
        if (least_time_.count() == 0) {
            target_.send(reply);
        } else {
            Reply slow = reply;
            slow.headers.push_back(limit_of_rate(reply.body.size()));
            target_.send(slow);
        }
        slot_.reset();
    }
    void begin(int status, std::string_view content_type, const Headers& headers) override {
        status_ = status;
        const auto length = std::ranges::find(headers, "Content-Length", &Headers::value_type::first);
        if (least_time_.count() == 0 || length == headers.end())
            return target_.begin(status, content_type, headers);
        Headers slow = headers;
        slow.push_back(limit_of_rate(std::stoull(length->second)));
        target_.begin(status, content_type, slow);
    }
    void write(std::string_view bytes) override {
        bytes_ += bytes.size();
        target_.write(bytes);
    }
    void end() override {
        slot_.reset();
        target_.end();
    }
    [[nodiscard]] bool begun() const override { return target_.begun(); }
    [[nodiscard]] bool is_abandoned() const override { return target_.is_abandoned(); }
    [[nodiscard]] int status() const { return status_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    /// Returns the number of records that the request stored.
    [[nodiscard]] std::size_t stored() const { return stored_; }

private:
    /// Returns the header that makes nginx send the answer so slowly that sending takes `least_time_`. One
    /// second is added, because nginx counts whole seconds, and sends the bytes of the first second at once.
    [[nodiscard]] Headers::value_type limit_of_rate(std::size_t body_bytes) const {
        constexpr std::uint64_t head_bytes = 500;
        const auto seconds = std::chrono::ceil<std::chrono::seconds>(least_time_).count() + 1;
        const std::uint64_t rate = (head_bytes + body_bytes) / static_cast<std::uint64_t>(seconds);
        return {"X-Accel-Limit-Rate", std::to_string(std::max<std::uint64_t>(rate, 1))};
    }

    Responder& target_;
    std::chrono::microseconds least_time_{};
    int status_ = 0;
    std::size_t stored_ = 0;
    std::size_t bytes_ = 0;
    std::optional<sharing::Slot> slot_ = {};
};

/// Pauses between the parts of a long answer while other organisations want to work, so that their requests
/// get the processors. Each part except the first is held back during a pause before it is sent. The pause is
/// fifteen times as long as making this part took, and at most `longest_pause`. In the attack `listings` of
/// `make attacks`, the victim's p99 is 7.7 ms with these pauses, and 19.5 ms without.
class PacedResponder : public Responder {
public:
    using Pause = std::function<void(std::chrono::microseconds)>;

    static constexpr std::chrono::microseconds longest_pause{20'000};
    /// Returns the greatest sum of all pauses of one answer: a tenth of the answer's time limit `time`, and
    /// at most a minute. The sum is limited so that pauses cannot make the answer time out.
    [[nodiscard]] static constexpr std::chrono::microseconds most_rest(std::chrono::seconds time) {
        return std::min<std::chrono::microseconds>(std::chrono::seconds{60},
                                                   std::chrono::microseconds(time) / 10);
    }

    /// `target` takes the answer. `has_others` returns whether another organisation wants to work in the
    /// pool. `most_in_all` is the greatest sum of all pauses of the answer. `pause` sleeps for the time that
    /// is its argument; tests give another function.
    PacedResponder(
        Responder& target, std::function<bool()> has_others, std::chrono::microseconds most_in_all,
        Pause pause = [](auto time) { std::this_thread::sleep_for(time); })
        : target_(target), has_others_(std::move(has_others)), left_(most_in_all), pause_(std::move(pause)) {}

    void send(const Reply& reply) override { target_.send(reply); }
    void begin(int status, std::string_view content_type, const Headers& headers) override {
        target_.begin(status, content_type, headers);
    }
    void write(std::string_view bytes) override {
        if (last_part_ && has_others_()) rest(std::chrono::steady_clock::now() - *last_part_);
        target_.write(bytes);
        last_part_ = std::chrono::steady_clock::now();
    }
    void end() override { target_.end(); }
    [[nodiscard]] bool begun() const override { return target_.begun(); }
    [[nodiscard]] bool is_abandoned() const override { return target_.is_abandoned(); }

private:
    void rest(std::chrono::steady_clock::duration work) {
        constexpr int times = 15;
        const auto wanted = std::chrono::duration_cast<std::chrono::microseconds>(work) * times;
        const auto pause = std::min({wanted, longest_pause, left_});
        if (pause == pause.zero()) return;
        left_ -= pause;
        pause_(pause);
    }

    Responder& target_;
    std::function<bool()> has_others_;
    std::chrono::microseconds left_;
    Pause pause_;
    std::optional<std::chrono::steady_clock::time_point> last_part_;
};

/// Holds an answer back until the transaction that it reports is committed.
class HeldAnswer : public Responder {
public:
    void send(const Reply& reply) override { reply_ = reply; }
    void begin(int, std::string_view, const Headers&) override { refuse_stream(); }
    void write(std::string_view) override { refuse_stream(); }
    void end() override { refuse_stream(); }
    [[nodiscard]] bool begun() const override { return reply_.has_value(); }
    [[nodiscard]] const Reply& reply() const { return reply_.value(); }

private:
    [[noreturn]] static void refuse_stream() {
        throw std::logic_error("an answer to a POST cannot be a stream");
    }

    std::optional<Reply> reply_;
};

}  // namespace data_import::http
