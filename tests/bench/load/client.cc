#include "client.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>

namespace data_import::bench {

namespace {

using namespace std::chrono_literals;

/// The greatest number of bytes that a client sends or reads at a time, before other clients go on.
constexpr std::size_t turn_bytes = 256 * 1024;
constexpr Clock::duration slow_step = 100ms;

std::size_t bytes_in(Clock::duration time, std::size_t bytes_per_second) {
    const double seconds = std::chrono::duration<double>(time).count();
    return static_cast<std::size_t>(seconds * static_cast<double>(bytes_per_second));
}

}  // namespace

Client::Client(Loop& loop, Conduct conduct, Record record)
    : loop_(loop), conduct_(std::move(conduct)), record_(std::move(record)) {}

void Client::on_time() {
    if (!start_) return begin();
    advance();
    if (start_ && is_slow()) loop_.wake(*this, Clock::now() + slow_step);
}

void Client::begin() {
    start_ = Clock::now();
    written_ = received_ = 0;
    is_write_broken_ = false;
    reader_ = AnswerReader();
    if (conduct_.request->differs()) {
        if (copy_.empty()) copy_ = conduct_.request->bytes;
        conduct_.request->fill_in(copy_, conduct_.accounts);
    }
    if (!connection_) connect();
    if (is_slow()) loop_.wake(*this, *start_ + slow_step);
    advance();
}

void Client::connect_ahead() {
    if (conduct_.manner == Manner::ask && conduct_.keeps_connection) connect();
}

void Client::connect() {
    is_open_ = false;
    connection_ = std::make_unique<Connection>(conduct_.place, session_.get());
    loop_.watch(*connection_, *this);
}

void Client::advance() {
    if (!connection_) return;
    if (!start_) {
        // no request is open, so no answer can come; read() is called because it carries on a TLS handshake
        // that is not finished yet, and because it shows whether the server has closed the connection
        std::string_view bytes;
        if (connection_->read(1, bytes) == Step::broken) connection_.reset();
        return;
    }
    if (!is_open_) {
        const Step step = connection_->open();
        if (step == Step::later) return;
        if (step == Step::broken) return finish(cut_off);
        is_open_ = true;
    }
    send();
    if (conduct_.manner == Manner::leave && written_ == bytes().size()) return leave();
    receive();
}

std::size_t Client::allowance() const {
    return bytes_in(Clock::now() - *start_, conduct_.bytes_per_second);
}

std::size_t Client::sendable() const {
    const std::size_t whole = bytes().size();
    if (conduct_.manner == Manner::stall) return std::min(whole, conduct_.at_once);
    if (conduct_.manner == Manner::drip) return std::min(whole, conduct_.at_once + allowance());
    return whole;
}

void Client::send() {
    const std::size_t end = sendable();
    const std::size_t turn = written_ + turn_bytes;
    Step step = is_write_broken_ ? Step::broken : Step::done;
    while (step == Step::done && written_ < std::min(end, turn))
        step = connection_->write(std::string_view(bytes()).substr(written_, end - written_), written_);
    is_write_broken_ = step == Step::broken;
    if (step == Step::done && written_ < end) loop_.wake(*this, Clock::now());
}

void Client::receive() {
    const std::size_t most = conduct_.manner == Manner::sip ? allowance() : received_ + turn_bytes;
    while (received_ < most) {
        std::string_view bytes;
        const Step step = connection_->read(most - received_, bytes);
        if (step == Step::broken) return finish(cut_off);
        if (step == Step::later) return;
        received_ += bytes.size();
        reader_.feed(bytes);
        if (reader_.is_broken()) return finish(cut_off);
        if (reader_.is_complete()) return finish_with_answer();
    }
    if (!is_slow()) loop_.wake(*this, Clock::now());
}

/// Reads all bytes that have arrived before it closes the connection: unread bytes would make the kernel send
/// a reset, which could overtake the request.
void Client::leave() {
    std::string_view bytes;
    while (connection_->read(turn_bytes, bytes) == Step::done) {
    }
    session_ = connection_->session();
    ::shutdown(connection_->descriptor(), SHUT_WR);
    connection_.reset();
    finish(gone);
}

void Client::finish_with_answer() {
    const bool is_good = reader_.status() >= 200 && reader_.status() < 300;
    const bool is_expected = reader_.beginning().find(conduct_.expected) != std::string::npos;
    finish(is_good && !is_expected ? unexpected : reader_.status());
}

void Client::finish(int status) {
    const Exchange exchange{*start_, Clock::now(), status};
    keep_or_drop_connection(status);
    plan_next(status);
    start_.reset();
    record_(exchange);
}

/// Keeps the connection only if the whole request was sent, because the server takes no further request after
/// half a body.
void Client::keep_or_drop_connection(int status) {
    const bool is_usable = status != cut_off && reader_.keeps_connection() && written_ == bytes().size();
    if (!connection_ || (is_usable && conduct_.keeps_connection)) return;
    if (status != cut_off) session_ = connection_->session();
    connection_.reset();
}

void Client::plan_next(int status) {
    const bool is_good = (status >= 200 && status < 300) || status == gone;
    has_given_up_ = !is_good && conduct_.gives_up(status);
    if (has_given_up_) return;
    const Clock::time_point now = Clock::now();
    Clock::time_point next = now + (is_good       ? conduct_.think
                                    : connection_ ? conduct_.pause
                                                  : conduct_.reconnect);
    if (conduct_.interval > Clock::duration::zero()) next = std::max(now, *start_ + conduct_.interval);
    loop_.wake(*this, next);
}

Loop::Loop() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    if (!epoll_) throw std::runtime_error("no epoll");
}

Client& Loop::add(Conduct conduct, Client::Record record, Clock::time_point first) {
    clients_.push_back(std::make_unique<Client>(*this, std::move(conduct), std::move(record)));
    wake(*clients_.back(), first);
    return *clients_.back();
}

void Loop::watch(const Connection& connection, Client& client) {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    event.data.ptr = &client;
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, connection.descriptor(), &event) != 0)
        throw std::runtime_error("cannot watch a connection");
}

void Loop::wake(Client& client, Clock::time_point when) {
    client.wanted_ = when;
    alarms_.push({when, &client});
}

void Loop::run(Clock::time_point until, const std::function<bool()>& enough) {
    constexpr Clock::duration look = 100ms;
    for (Clock::time_point next_look = Clock::now() + look; Clock::now() < until;) {
        const Clock::time_point alarm = alarms_.empty() ? until : alarms_.top().when;
        wait_until(std::min({until, next_look, alarm}));
        call_alarms();
        if (Clock::now() < next_look) continue;
        if (enough()) return;
        next_look = Clock::now() + look;
    }
}

void Loop::wait_until(Clock::time_point when) {
    std::array<epoll_event, 64> events{};
    const auto left = std::max(when - Clock::now(), Clock::duration::zero());
    const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
    const timespec timeout{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
    const int count =
        ::epoll_pwait2(epoll_.get(), events.data(), static_cast<int>(events.size()), &timeout, nullptr);
    if (count < 0 && errno != EINTR) throw std::runtime_error("cannot wait");
    for (int index = 0; index < count; ++index)
        static_cast<Client*>(events[static_cast<std::size_t>(index)].data.ptr)->on_event();
}

/// Alarms that are set during this call wait for the next call, so that events of connections come first.
void Loop::call_alarms() {
    const Clock::time_point now = Clock::now();
    while (!alarms_.empty() && alarms_.top().when <= now) {
        const Alarm alarm = alarms_.top();
        alarms_.pop();
        if (alarm.client->wanted() == alarm.when) alarm.client->on_time();
    }
}

}  // namespace data_import::bench
