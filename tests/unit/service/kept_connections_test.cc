// Connections that workers keep for nginx's next requests, and hand on to other workers.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/util/file_descriptor.h"
#include "service/fastcgi/kept_connections.h"
#include "service/fastcgi/waiter.h"

namespace {

using namespace data_import;
using namespace std::chrono_literals;

/// A connection between nginx and a worker.
struct Connection {
    Connection() {
        int ends[2];
        CPPUNIT_ASSERT_EQUAL(0, ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
        nginx = util::FileDescriptor(ends[0]);
        worker = util::FileDescriptor(ends[1]);
    }

    void say(const std::string& bytes) const {
        CPPUNIT_ASSERT_EQUAL(static_cast<ssize_t>(bytes.size()),
                             ::send(nginx.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL));
    }

    [[nodiscard]] bool is_closed() const {
        char byte = 0;
        return ::recv(nginx.get(), &byte, 1, MSG_DONTWAIT) == 0;
    }

    util::FileDescriptor nginx;
    util::FileDescriptor worker;
};

std::string said_on(const util::FileDescriptor& connection) {
    char bytes[100];
    const ssize_t count = ::recv(connection.get(), bytes, sizeof bytes, MSG_DONTWAIT);
    return count > 0 ? std::string(bytes, static_cast<std::size_t>(count)) : std::string();
}

std::vector<util::FileDescriptor> many_descriptors(std::size_t count) {
    const Connection connection;
    std::vector<util::FileDescriptor> descriptors;
    while (descriptors.size() < count) descriptors.emplace_back(::dup(connection.worker.get()));
    return descriptors;
}

}  // namespace

class KeptConnectionsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(KeptConnectionsTest);
    CPPUNIT_TEST(a_left_connection_is_taken_once);
    CPPUNIT_TEST(more_than_fit_into_a_message_are_all_left);
    CPPUNIT_TEST(connections_without_room_stay);
    CPPUNIT_TEST(a_request_is_found);
    CPPUNIT_TEST(a_connection_that_nginx_has_closed_is_closed);
    CPPUNIT_TEST(a_request_that_nobody_waits_for_is_told_apart);
    CPPUNIT_TEST(another_worker_finds_a_connection_that_was_handed_on);
    CPPUNIT_TEST(a_request_that_was_found_is_handed_on_too);
    CPPUNIT_TEST(the_connection_answered_longest_ago_is_first);
    CPPUNIT_TEST(a_request_wakes_the_worker_that_watches);
    CPPUNIT_TEST(a_request_that_was_found_wakes_too);
    CPPUNIT_TEST(without_others_none_is_kept);
    CPPUNIT_TEST(the_last_worker_keeps_all_until_they_are_answered);
    CPPUNIT_TEST(a_worker_that_keeps_no_more_answers_the_kept_ones);
    CPPUNIT_TEST(only_idle_connections_are_handed_on);
    CPPUNIT_TEST(the_oldest_of_too_many_are_closed);
    CPPUNIT_TEST_SUITE_END();

public:
    void a_left_connection_is_taken_once() {
        Connection connection;
        std::vector<util::FileDescriptor> left;
        left.push_back(std::move(connection.worker));
        queue_.push(left);
        CPPUNIT_ASSERT(left.empty());
        connection.say("hello");
        const std::vector<util::FileDescriptor> taken = queue_.take().connections;
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, taken.size());
        CPPUNIT_ASSERT_EQUAL(std::string("hello"), said_on(taken.front()));
        CPPUNIT_ASSERT(queue_.take().connections.empty());
    }

    void more_than_fit_into_a_message_are_all_left() {
        constexpr std::size_t many = 300;
        std::vector<util::FileDescriptor> left = many_descriptors(many);
        queue_.push(left);
        CPPUNIT_ASSERT(left.empty());
        CPPUNIT_ASSERT_EQUAL(many, queue_.take().connections.size());
    }

    void connections_without_room_stay() {
        std::size_t count = 0;
        std::vector<util::FileDescriptor> left;
        for (; left.empty() && count < 10'000; ++count) {
            left = many_descriptors(1);
            queue_.push(left);
        }
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, left.size());
        CPPUNIT_ASSERT_EQUAL(count - 1, queue_.take().connections.size());
    }

    void a_request_is_found() {
        Connection quiet;
        Connection busy;
        kept_.keep(std::move(quiet.worker));
        kept_.keep(std::move(busy.worker));
        kept_.look();
        CPPUNIT_ASSERT(!kept_.next());
        busy.say("request");
        kept_.look();
        const std::optional<fastcgi::ReadyConnection> ready = kept_.next();
        CPPUNIT_ASSERT(ready.has_value());
        CPPUNIT_ASSERT(!ready->is_gone);
        CPPUNIT_ASSERT_EQUAL(std::string("request"), said_on(ready->connection));
        CPPUNIT_ASSERT(!kept_.next());
        CPPUNIT_ASSERT(!quiet.is_closed());
    }

    void a_connection_that_nginx_has_closed_is_closed() {
        Connection connection;
        const util::FileDescriptor other(::dup(connection.worker.get()));
        kept_.keep(std::move(connection.worker));
        kept_.watch();
        connection.nginx.close();
        CPPUNIT_ASSERT(waiter_.wait(0ms) == fastcgi::Event::connection);
        kept_.look();
        CPPUNIT_ASSERT(!kept_.next());
        CPPUNIT_ASSERT(waiter_.wait(0ms) == fastcgi::Event::none);
    }

    void a_request_that_nobody_waits_for_is_told_apart() {
        Connection connection;
        kept_.keep(std::move(connection.worker));
        connection.say("request");
        connection.nginx.close();
        kept_.look();
        const std::optional<fastcgi::ReadyConnection> ready = kept_.next();
        CPPUNIT_ASSERT(ready.has_value());
        CPPUNIT_ASSERT(ready->is_gone);
    }

    void another_worker_finds_a_connection_that_was_handed_on() {
        Connection connection;
        kept_.keep(std::move(connection.worker));
        kept_.watch();
        CPPUNIT_ASSERT(kept_.hand_on());
        CPPUNIT_ASSERT(other_waiter_.wait(0ms) == fastcgi::Event::connection);
        connection.say("request");
        other_.look();
        CPPUNIT_ASSERT(other_.next().has_value());
        kept_.look();
        CPPUNIT_ASSERT(!kept_.next());
        CPPUNIT_ASSERT_MESSAGE("it still wakes the one who had it",
                               waiter_.wait(0ms) == fastcgi::Event::none);
    }

    void a_request_that_was_found_is_handed_on_too() {
        Connection connection;
        kept_.keep(std::move(connection.worker));
        connection.say("request");
        kept_.look();
        CPPUNIT_ASSERT(kept_.hand_on());
        CPPUNIT_ASSERT(!kept_.next());
        other_.look();
        const std::optional<fastcgi::ReadyConnection> ready = other_.next();
        CPPUNIT_ASSERT(ready.has_value());
        CPPUNIT_ASSERT_EQUAL(std::string("request"), said_on(ready->connection));
    }

    /// The worker `kept_` hands on the connections `left` and `idle` to the worker `other_`. After that,
    /// `other_` keeps the connection `answered`. So other_.next() returns `left`, `idle` and `answered`, in
    /// this order.
    void the_connection_answered_longest_ago_is_first() {
        Connection left;
        left.say("left");
        kept_.keep(std::move(left.worker));
        Connection idle;
        kept_.look();
        kept_.keep(std::move(idle.worker));
        CPPUNIT_ASSERT(kept_.hand_on());
        Connection answered;
        answered.say("answered");
        other_.keep(std::move(answered.worker));
        idle.say("idle");
        other_.look();
        for (const std::string expected : {"left", "idle", "answered"}) {
            const std::optional<fastcgi::ReadyConnection> ready = other_.next();
            CPPUNIT_ASSERT(ready.has_value());
            CPPUNIT_ASSERT_EQUAL(expected, said_on(ready->connection));
        }
    }

    void a_request_that_was_found_wakes_too() {
        Connection connection;
        kept_.keep(std::move(connection.worker));
        connection.say("request");
        kept_.look();
        kept_.watch();
        CPPUNIT_ASSERT(waiter_.wait(0ms) == fastcgi::Event::connection);
    }

    void a_request_wakes_the_worker_that_watches() {
        Connection connection;
        kept_.keep(std::move(connection.worker));
        kept_.watch();
        CPPUNIT_ASSERT(waiter_.wait(0ms) == fastcgi::Event::none);
        connection.say("request");
        CPPUNIT_ASSERT(waiter_.wait(0ms) == fastcgi::Event::connection);
        CPPUNIT_ASSERT(other_waiter_.wait(0ms) == fastcgi::Event::none);
    }

    void without_others_none_is_kept() {
        fastcgi::KeptConnections none(nullptr, waiter_, most);
        Connection connection;
        none.keep(std::move(connection.worker));
        CPPUNIT_ASSERT(connection.is_closed());
        none.look();
        CPPUNIT_ASSERT(!none.next());
        CPPUNIT_ASSERT(none.hand_on());
    }

    void the_last_worker_keeps_all_until_they_are_answered() {
        Connection before;
        Connection after;
        Connection answered;
        kept_.keep(std::move(before.worker));
        CPPUNIT_ASSERT(kept_.hand_on());
        queue_.shut();
        kept_.keep(std::move(after.worker));
        CPPUNIT_ASSERT(!kept_.hand_on());
        before.say("before");
        after.say("after");
        kept_.look();
        for (const std::string expected : {"before", "after"}) {
            const std::optional<fastcgi::ReadyConnection> ready = kept_.next();
            CPPUNIT_ASSERT(ready.has_value());
            CPPUNIT_ASSERT_EQUAL(expected, said_on(ready->connection));
        }
        kept_.keep(std::move(answered.worker));
        answered.say("again");
        kept_.look();
        const std::optional<fastcgi::ReadyConnection> ready = kept_.next();
        CPPUNIT_ASSERT(ready.has_value());
        CPPUNIT_ASSERT_EQUAL(std::string("again"), said_on(ready->connection));
        CPPUNIT_ASSERT_EQUAL(ssize_t{-1}, ::send(answered.nginx.get(), "more", 4, MSG_NOSIGNAL));
    }

    void a_worker_that_keeps_no_more_answers_the_kept_ones() {
        Connection before;
        Connection after;
        kept_.keep(std::move(before.worker));
        kept_.keep_no_more();
        kept_.keep(std::move(after.worker));
        before.say("request");
        CPPUNIT_ASSERT(!kept_.hand_on());
        kept_.look();
        for (const Connection* connection : {&before, &after})
            CPPUNIT_ASSERT_EQUAL(ssize_t{-1}, ::send(connection->nginx.get(), "more", 4, MSG_NOSIGNAL));
        std::optional<fastcgi::ReadyConnection> ready = kept_.next();
        CPPUNIT_ASSERT(ready.has_value());
        CPPUNIT_ASSERT_EQUAL(std::string("request"), said_on(ready->connection));
        ready = kept_.next();
        CPPUNIT_ASSERT(ready.has_value());
        ready.reset();
        CPPUNIT_ASSERT(after.is_closed());
    }

    void only_idle_connections_are_handed_on() {
        Connection quiet;
        Connection busy;
        busy.say("request");
        kept_.keep(std::move(quiet.worker));
        kept_.keep(std::move(busy.worker));
        kept_.look();
        CPPUNIT_ASSERT(kept_.hand_on_idle());
        CPPUNIT_ASSERT(kept_.next().has_value());
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, queue_.take().connections.size());
    }

    void the_oldest_of_too_many_are_closed() {
        std::vector<Connection> connections(most + 3);
        connections[1].say("request");
        for (Connection& connection : connections) kept_.keep(std::move(connection.worker));
        kept_.watch();
        kept_.look();
        for (std::size_t number = 0; number < connections.size(); ++number)
            CPPUNIT_ASSERT_EQUAL(number == 0 || number == 2, connections[number].is_closed());
        CPPUNIT_ASSERT(kept_.next().has_value());
        CPPUNIT_ASSERT(!kept_.next());
    }

private:
    static constexpr std::size_t most = 3;

    fastcgi::ConnectionQueue queue_;
    fastcgi::Waiter waiter_;
    fastcgi::Waiter other_waiter_;
    fastcgi::KeptConnections kept_{&queue_, waiter_, most};
    fastcgi::KeptConnections other_{&queue_, other_waiter_, most};
};

CPPUNIT_TEST_SUITE_REGISTRATION(KeptConnectionsTest);
