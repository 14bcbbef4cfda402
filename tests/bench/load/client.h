// Clients of the service, all in one thread. Each client sends one request after another. A client behaves as
// an honest client does, or misbehaves in a certain manner, for example by sending only a part of a body.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "answer_reader.h"
#include "connection.h"
#include "request.h"

namespace data_import::bench {

using Clock = std::chrono::steady_clock;

/// Results in the place of an HTTP status.
inline constexpr int cut_off = -1;     ///< the connection failed or ended early, or the answer was no HTTP
inline constexpr int unanswered = -2;  ///< no answer had come when the run ended
inline constexpr int unexpected = -3;  ///< 2xx without the expected text
inline constexpr int gone = -4;        ///< the client did not wait for an answer

struct Exchange {
    Clock::time_point start;
    Clock::time_point end;
    int status = 0;

    [[nodiscard]] bool is_good() const { return status >= 200 && status < 300; }
};

/// The ways in which a client sends a request and takes the answer. `at_once` and `bytes_per_second` are
/// members of Conduct.
enum class Manner {
    ask,    ///< sends the request, and reads the answer
    leave,  ///< sends the request, and closes the connection without waiting for the answer
    stall,  ///< sends the first `at_once` bytes of the request, and keeps the connection open
    drip,   ///< sends the first `at_once` bytes of the request, and the rest at `bytes_per_second`
    sip     ///< sends the request, and reads the answer at `bytes_per_second`
};

struct Conduct {
    Place place;
    SharedRequest request;
    std::size_t accounts = 1;
    Manner manner = Manner::ask;
    std::size_t at_once = 0;
    std::size_t bytes_per_second = 0;
    /// The time from a good answer to the next request; in Manner::leave, from the end of a request to the
    /// next request. A good answer has a status 2xx, and a body whose first bytes contain the text
    /// `expected`.
    Clock::duration think{};
    /// The least time between the starts of two requests. Replaces `think`, `pause` and `reconnect`, unless
    /// `interval` is 0.
    Clock::duration interval{};
    /// The time from an answer that is not good to the next request, if the connection stays open.
    Clock::duration pause{};
    /// The time from an answer that is not good, or from the loss of the connection, to the next request, if
    /// the connection is closed.
    Clock::duration reconnect{};
    bool keeps_connection = true;
    /// A text that the first bytes of a good answer's body contain; empty: the body is not looked at.
    std::string expected;
    /// Called after a request without a good answer. `status` is the answer's HTTP status, or `cut_off` or
    /// `unexpected`. If the function returns true, the client sends no more requests.
    std::function<bool(int status)> gives_up = [](int) { return false; };
};

class Loop;

class Client {
public:
    using Record = std::function<void(const Exchange&)>;

    Client(Loop& loop, Conduct conduct, Record record);

    /// Opens the connection before the first request, if the manner is `ask` and the connection is kept.
    void connect_ahead();
    /// Called when epoll reports an event of the connection.
    void on_event() { advance(); }
    /// Called by the loop at the time that the client gave to Loop::wake().
    void on_time();
    /// Returns the time at which the request began that has no answer yet; nothing if no request is open.
    [[nodiscard]] std::optional<Clock::time_point> waiting_since() const { return start_; }
    [[nodiscard]] bool has_given_up() const { return has_given_up_; }
    [[nodiscard]] Clock::time_point wanted() const { return wanted_; }

private:
    friend class Loop;

    void begin();
    void connect();
    void advance();
    void send();
    void receive();
    void leave();
    void finish(int status);
    void finish_with_answer();
    void keep_or_drop_connection(int status);
    void plan_next(int status);
    [[nodiscard]] bool is_slow() const {
        return conduct_.manner == Manner::drip || conduct_.manner == Manner::sip;
    }
    [[nodiscard]] std::size_t allowance() const;
    [[nodiscard]] std::size_t sendable() const;
    [[nodiscard]] const std::string& bytes() const { return copy_.empty() ? conduct_.request->bytes : copy_; }

    Loop& loop_;
    Conduct conduct_;
    Record record_;
    /// The bytes of the request with numbers in place of its marks (see request.h); empty if it has no marks.
    std::string copy_;
    std::unique_ptr<Connection> connection_;
    Session session_;
    AnswerReader reader_;
    std::optional<Clock::time_point> start_;
    Clock::time_point wanted_;
    bool is_open_ = false;
    bool is_write_broken_ = false;
    bool has_given_up_ = false;
    std::size_t written_ = 0;
    std::size_t received_ = 0;
};

class Loop {
public:
    Loop();

    /// Adds a client that sends its first request at `first`.
    Client& add(Conduct conduct, Client::Record record, Clock::time_point first);
    /// Runs until `until`, or until `enough` returns true; it calls `enough` ten times a second.
    void run(
        Clock::time_point until, const std::function<bool()>& enough = [] { return false; });
    [[nodiscard]] const std::vector<std::unique_ptr<Client>>& clients() const { return clients_; }

    // for clients
    void watch(const Connection& connection, Client& client);
    void wake(Client& client, Clock::time_point when);

private:
    struct Alarm {
        Clock::time_point when;
        Client* client;
        bool operator<(const Alarm& other) const { return when > other.when; }
    };
    void wait_until(Clock::time_point when);
    void call_alarms();

    util::FileDescriptor epoll_;
    std::vector<std::unique_ptr<Client>> clients_;
    std::priority_queue<Alarm> alarms_;
};

}  // namespace data_import::bench
