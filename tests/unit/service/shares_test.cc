// sharing, http: an organisation's share of a pool, when it works alone and when others work, too.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <deque>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "service/http/responders.h"
#include "service/metrics/board.h"

namespace data_import {

namespace {

using namespace std::chrono_literals;
using metrics::Board;
using metrics::Recorder;
using sharing::PoolKind;
using sharing::Slot;

/// A pool in which eight workers have one request each.
class PoolOfEight {
public:
    explicit PoolOfEight(std::uint64_t never_refused = 0) {
        board.set_capacity(pool, 8, never_refused);
        for (int count = 0; count < 8; ++count) workers.push_back(board.start_worker(pool));
    }

    /// The next worker takes a request of the organisation. Returns whether it may work on it.
    bool take(std::string_view organisation) {
        std::optional<Slot> slot = workers.at(slots.size()).shares().take_slot(organisation, 1);
        if (slot) slots.push_back(std::move(*slot));
        return slot.has_value();
    }

    /// Takes a slot and gives it back, so that other organisations leave this one its share for a while.
    void want(std::string_view organisation) {
        CPPUNIT_ASSERT(take(organisation));
        slots.pop_back();
    }

    int take_all(std::string_view organisation) {
        int taken = 0;
        while (slots.size() < workers.size() && take(organisation)) ++taken;
        return taken;
    }

    static constexpr PoolKind pool = PoolKind::bulk;
    Board board;
    std::vector<Recorder> workers;
    std::deque<Slot> slots;
};

/// A client that sends its next request as soon as it has the answer.
class HastyClient : public http::Responder {
public:
    explicit HastyClient(PoolOfEight& pool) : pool_(pool) {}

    void send(const http::Reply&) override { end(); }
    void begin(int, std::string_view, const http::Headers&) override {}
    void write(std::string_view) override { CPPUNIT_ASSERT(!may_send_the_next()); }
    void end() override { was_taken_ = may_send_the_next(); }
    [[nodiscard]] bool begun() const override { return false; }
    [[nodiscard]] bool was_taken() const { return was_taken_; }

private:
    [[nodiscard]] bool may_send_the_next() const {
        return pool_.workers[7].shares().take_slot("A", 1).has_value();
    }

    PoolOfEight& pool_;
    bool was_taken_ = false;
};

/// A responder that holds the last slot.
http::RecordingResponder holding(PoolOfEight& pool, http::Responder& client) {
    http::RecordingResponder responder(client);
    responder.hold(std::move(pool.slots.back()));
    pool.slots.pop_back();
    return responder;
}

}  // namespace

class SharesTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(SharesTest);
    CPPUNIT_TEST(alone_it_may_use_everything);
    CPPUNIT_TEST(beside_others_it_leaves_half);
    CPPUNIT_TEST(turns_of_an_organisation_follow_each_other);
    CPPUNIT_TEST(turns_of_clients_that_have_gone_end);
    CPPUNIT_TEST(turns_are_kept_for_the_organisations_that_wait_longest);
    CPPUNIT_TEST(an_answer_lasts_by_its_length);
    CPPUNIT_TEST(its_share_is_never_refused);
    CPPUNIT_TEST(an_organisation_without_a_slot_is_never_refused);
    CPPUNIT_TEST(a_slot_comes_back);
    CPPUNIT_TEST(a_slot_is_back_when_the_answer_ends);
    CPPUNIT_TEST(a_long_answer_rests_while_others_wait);
    CPPUNIT_TEST(a_long_answer_rests_for_so_long_in_all);
    CPPUNIT_TEST(rests_leave_an_answer_its_time);
    CPPUNIT_TEST(a_short_answer_never_rests);
    CPPUNIT_TEST(a_dead_worker_holds_nothing);
    CPPUNIT_TEST(bulk_requests_leave_half_to_all_importers);
    CPPUNIT_TEST(a_demand_is_forgotten);
    CPPUNIT_TEST(a_refusal_is_counted);
    CPPUNIT_TEST(another_pool_can_ask);
    CPPUNIT_TEST(it_knows_whether_it_is_alone);
    CPPUNIT_TEST(a_slow_vendor_leaves_workers_to_another);
    CPPUNIT_TEST(the_first_requests_wait_for_their_turn);
    CPPUNIT_TEST(a_turn_comes_when_another_request_ends);
    CPPUNIT_TEST(a_turn_comes_after_a_long_wait_in_any_case);
    CPPUNIT_TEST(a_request_that_pauses_leaves_its_part_to_others);
    CPPUNIT_TEST(requests_for_locked_accounts_are_limited);
    CPPUNIT_TEST_SUITE_END();

public:
    void alone_it_may_use_everything() { CPPUNIT_ASSERT_EQUAL(8, PoolOfEight().take_all("A")); }

    void a_slow_vendor_leaves_workers_to_another() {
        PoolOfEight pool;
        std::deque<sharing::Asking> asking;
        const auto ask_by_all = [&] {
            asking.clear();
            for (const Recorder& worker : pool.workers) {
                if (auto one = worker.shares().ask_vendor("slow")) asking.push_back(std::move(*one));
            }
            return asking.size();
        };
        CPPUNIT_ASSERT_EQUAL(std::size_t{8}, ask_by_all());
        std::this_thread::sleep_for(1100ms);
        CPPUNIT_ASSERT_EQUAL(std::size_t{6}, ask_by_all());
        CPPUNIT_ASSERT(pool.workers[6].shares().ask_vendor("quick").has_value());
        CPPUNIT_ASSERT(!pool.workers[7].shares().ask_vendor("slow").has_value());
        asking.pop_front();
        CPPUNIT_ASSERT(pool.workers[7].shares().ask_vendor("slow").has_value());
        pool.board.end_worker(pool.workers[3], metrics::WorkerEnd::died);
        CPPUNIT_ASSERT(pool.workers[7].shares().ask_vendor("slow").has_value());
    }

    void beside_others_it_leaves_half() {
        PoolOfEight pool;
        pool.want("B");
        CPPUNIT_ASSERT_EQUAL(4, pool.take_all("A"));
    }

    void its_share_is_never_refused() {
        PoolOfEight pool;
        pool.want("B");
        CPPUNIT_ASSERT_EQUAL(4, pool.take_all("A"));
        CPPUNIT_ASSERT_EQUAL(4, pool.take_all("B"));
        pool.slots.pop_back();
        // a worker is free now, but A already has its share, and half of the pool belongs to B
        CPPUNIT_ASSERT(!pool.workers[0].shares().take_slot("A", 1).has_value());
        CPPUNIT_ASSERT(pool.workers[0].shares().take_slot("B", 1).has_value());
    }

    void an_organisation_without_a_slot_is_never_refused() {
        PoolOfEight pool;
        CPPUNIT_ASSERT_EQUAL(8, pool.take_all("A"));
        CPPUNIT_ASSERT(pool.workers[0].shares().take_slot("B", 1).has_value());
        CPPUNIT_ASSERT(pool.workers[0].shares().take_slot("C", 100).has_value());
    }

    void a_slot_comes_back() {
        PoolOfEight pool;
        pool.want("B");
        CPPUNIT_ASSERT_EQUAL(4, pool.take_all("A"));
        CPPUNIT_ASSERT(!pool.workers[7].shares().take_slot("A", 1).has_value());
        pool.slots.pop_back();
        CPPUNIT_ASSERT(pool.workers[7].shares().take_slot("A", 1).has_value());
    }

    void a_slot_is_back_when_the_answer_ends() {
        PoolOfEight pool;
        pool.want("B");
        CPPUNIT_ASSERT_EQUAL(4, pool.take_all("A"));
        HastyClient client_of_a_whole_answer(pool);
        holding(pool, client_of_a_whole_answer).send({.status = 200, .body = "{}"});
        CPPUNIT_ASSERT(client_of_a_whole_answer.was_taken());
        CPPUNIT_ASSERT(pool.take("A"));
        HastyClient client_of_a_stream(pool);
        http::RecordingResponder stream = holding(pool, client_of_a_stream);
        stream.begin(200, "application/json", {});
        stream.write("[]");
        stream.end();
        CPPUNIT_ASSERT(client_of_a_stream.was_taken());
    }

    void a_long_answer_rests_while_others_wait() {
        PoolOfEight pool;
        HastyClient client(pool);
        bool others_wait = false;
        std::vector<std::chrono::microseconds> pauses;
        http::PacedResponder responder(
            client, [&] { return others_wait; }, 1s,
            [&](std::chrono::microseconds pause) { pauses.push_back(pause); });
        pool.want("B");
        CPPUNIT_ASSERT_EQUAL(4, pool.take_all("A"));
        responder.begin(200, "application/json", {});
        responder.write("[1");
        responder.write(",2");
        CPPUNIT_ASSERT_MESSAGE("alone it hurries", pauses.empty());
        others_wait = true;
        std::this_thread::sleep_for(500us);
        responder.write(",3");
        std::this_thread::sleep_for(10ms);
        responder.write("]");
        responder.end();
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, pauses.size());
        CPPUNIT_ASSERT_MESSAGE("the more the longer a part took", pauses[0] >= 15 * 500us);
        CPPUNIT_ASSERT_MESSAGE("up to a limit", pauses[1] == http::PacedResponder::longest_pause);
    }

    void a_long_answer_rests_for_so_long_in_all() {
        PoolOfEight pool;
        HastyClient client(pool);
        pool.want("B");
        CPPUNIT_ASSERT_EQUAL(4, pool.take_all("A"));
        std::chrono::microseconds rested{};
        http::PacedResponder responder(
            client, [] { return true; }, 50ms, [&](std::chrono::microseconds pause) { rested += pause; });
        responder.begin(200, "application/json", {});
        for (int part = 0; part < 6; ++part) {
            responder.write("1");
            std::this_thread::sleep_for(http::PacedResponder::longest_pause / 5);
        }
        CPPUNIT_ASSERT(rested == 50ms);
    }

    void rests_leave_an_answer_its_time() {
        CPPUNIT_ASSERT(http::PacedResponder::most_rest(600s) == 60s);
        CPPUNIT_ASSERT_MESSAGE("never for longer", http::PacedResponder::most_rest(86400s) == 60s);
        CPPUNIT_ASSERT_MESSAGE("a tenth of little time", http::PacedResponder::most_rest(1s) == 100ms);
    }

    void a_short_answer_never_rests() {
        PoolOfEight pool;
        HastyClient client(pool);
        pool.want("B");
        CPPUNIT_ASSERT_EQUAL(4, pool.take_all("A"));
        http::PacedResponder responder(
            client, [] { return true; }, 1s, [](auto) { CPPUNIT_FAIL("it rests"); });
        responder.begin(200, "application/json", {});
        responder.write("[]");
        responder.end();
    }

    void a_dead_worker_holds_nothing() {
        PoolOfEight pool;
        pool.want("B");
        CPPUNIT_ASSERT_EQUAL(4, pool.take_all("A"));
        pool.board.end_worker(pool.workers[0], metrics::WorkerEnd::died);
        CPPUNIT_ASSERT(pool.workers[7].shares().take_slot("A", 1).has_value());
    }

    /// An organisation may have six requests in flight before one is refused. Four of them are worked on,
    /// because four is the share; the other two wait.
    void the_first_requests_wait_for_their_turn() {
        PoolOfEight pool(6);
        pool.want("B");
        std::deque<Slot> slots;
        int working = 0;
        while (auto slot = pool.workers[slots.size() % 8].shares().take_slot("A", 1)) {
            working += slot->begin_work(false) ? 1 : 0;
            slots.push_back(std::move(*slot));
        }
        CPPUNIT_ASSERT_EQUAL(std::size_t{6}, slots.size());
        CPPUNIT_ASSERT_EQUAL(4, working);
        CPPUNIT_ASSERT_MESSAGE("those of others do not count",
                               pool.workers[0].shares().take_slot("B", 1).has_value());
        slots.pop_back();
        CPPUNIT_ASSERT(pool.workers[0].shares().take_slot("A", 1).has_value());
    }

    void a_turn_comes_when_another_request_ends() {
        PoolOfEight pool(6);
        pool.want("B");
        CPPUNIT_ASSERT_EQUAL(6, pool.take_all("A"));
        Slot& waiting = pool.slots.back();
        CPPUNIT_ASSERT(!waiting.begin_work(false));
        pool.slots.pop_front();
        CPPUNIT_ASSERT(waiting.begin_work(false));
        CPPUNIT_ASSERT_MESSAGE("it has its part already", waiting.begin_work(false));
    }

    void a_turn_comes_after_a_long_wait_in_any_case() {
        PoolOfEight pool(6);
        pool.want("B");
        CPPUNIT_ASSERT_EQUAL(6, pool.take_all("A"));
        CPPUNIT_ASSERT(!pool.slots.back().begin_work(false));
        CPPUNIT_ASSERT(pool.slots.back().begin_work(true));
    }

    void a_request_that_pauses_leaves_its_part_to_others() {
        PoolOfEight pool(6);
        pool.want("B");
        CPPUNIT_ASSERT_EQUAL(6, pool.take_all("A"));
        for (Slot& slot : pool.slots) slot.pause_work();
        CPPUNIT_ASSERT(pool.slots.back().begin_work(false));
        CPPUNIT_ASSERT_EQUAL_MESSAGE("all are in flight", 6, static_cast<int>(pool.slots.size()));
        pool.slots.back().pause_work();
        pool.slots.back().pause_work();
        for (std::size_t index = 0; index < 4; ++index) CPPUNIT_ASSERT(pool.slots[index].begin_work(false));
        CPPUNIT_ASSERT(!pool.slots.back().begin_work(false));
    }

    void requests_for_locked_accounts_are_limited() {
        PoolOfEight pool(6);
        std::deque<Slot> slots;
        for (int count = 0; count < 1000; ++count) {
            slots.push_back(std::move(*pool.workers[0].shares().take_slot("A", 1)));
            slots.back().pause_work();
        }
        CPPUNIT_ASSERT_MESSAGE("alone", pool.workers[0].shares().may_wait_for_account("A"));
        pool.want("B");
        CPPUNIT_ASSERT_MESSAGE("another came", !pool.workers[0].shares().may_wait_for_account("A"));
        slots.clear();
        for (int count = 0; count < 6; ++count) {
            slots.push_back(std::move(*pool.workers[0].shares().take_slot("A", 1)));
            slots.back().pause_work();
            CPPUNIT_ASSERT(pool.workers[0].shares().may_wait_for_account("A"));
        }
        slots.push_back(std::move(*pool.workers[0].shares().take_slot("A", 1)));
        CPPUNIT_ASSERT(!pool.workers[0].shares().may_wait_for_account("A"));
        PoolOfEight other;
        other.want("B");
        CPPUNIT_ASSERT(other.take("A"));
        CPPUNIT_ASSERT(other.workers[0].shares().may_wait_for_account("A"));
        CPPUNIT_ASSERT(other.take("A"));
        CPPUNIT_ASSERT_MESSAGE("one at least", !other.workers[0].shares().may_wait_for_account("A"));
    }

    void bulk_requests_leave_half_to_all_importers() {
        for (const auto& [other, taken] : {std::pair(PoolKind::import, 4), std::pair(PoolKind::vendor, 4),
                                           std::pair(PoolKind::listing, 8), std::pair(PoolKind::health, 8)}) {
            PoolOfEight pool;
            pool.board.set_capacity(other, 8);
            const Recorder worker = pool.board.start_worker(other);
            CPPUNIT_ASSERT(worker.shares().take_slot("B", 1).has_value());
            CPPUNIT_ASSERT_EQUAL(taken == 8, pool.workers.front().shares().is_alone("A"));
            CPPUNIT_ASSERT_EQUAL(taken, pool.take_all("A"));
            CPPUNIT_ASSERT(worker.shares().is_alone("B"));
        }
    }

    void a_demand_is_forgotten() {
        PoolOfEight pool;
        pool.want("B");
        std::this_thread::sleep_for(2100ms);
        CPPUNIT_ASSERT(pool.workers[0].shares().is_alone("A"));
        CPPUNIT_ASSERT_EQUAL(8, pool.take_all("A"));
    }

    void a_refusal_is_counted() {
        PoolOfEight pool;
        pool.want("B");
        pool.take_all("A");
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{1},
                             pool.board.read().pools[index_of(PoolOfEight::pool)].beyond_share);
    }

    void another_pool_can_ask() {
        PoolOfEight pool;
        const Recorder other = pool.board.start_worker(PoolKind::health);
        CPPUNIT_ASSERT(!other.shares().is_beyond_share(PoolOfEight::pool, "A", 1));
        CPPUNIT_ASSERT(!other.shares().is_beyond_share(PoolOfEight::pool, "B", 1));
        pool.take_all("A");
        CPPUNIT_ASSERT(other.shares().is_beyond_share(PoolOfEight::pool, "A", 1));
        CPPUNIT_ASSERT(!other.shares().is_beyond_share(PoolOfEight::pool, "B", 1));
    }

    void turns_of_an_organisation_follow_each_other() {
        PoolOfEight pool;
        const Recorder other = pool.board.start_worker(PoolKind::vendor);
        CPPUNIT_ASSERT(pool.workers[0].shares().take_turn("A", 1h, 8) == 0us);
        const auto second = pool.workers[1].shares().take_turn("A", 1h, 8);
        CPPUNIT_ASSERT(second > 59min && second <= 1h);
        const auto third = other.shares().take_turn("A", 1h, 8);
        CPPUNIT_ASSERT(third > 119min && third <= 2h);
        CPPUNIT_ASSERT(pool.workers[0].shares().take_turn("B", 1us, 8) == 0us);
        std::this_thread::sleep_for(1ms);
        CPPUNIT_ASSERT(pool.workers[0].shares().take_turn("B", 1us, 8) == 0us);
    }

    void turns_of_clients_that_have_gone_end() {
        PoolOfEight pool;
        const auto shares = pool.workers[0].shares();
        for (int number = 0; number < 100; ++number) CPPUNIT_ASSERT(shares.take_turn("A", 1h, 8) <= 7h);
        for (int number = 0; number < 8; ++number) shares.give_turn_back("A", 1h);
        CPPUNIT_ASSERT(shares.take_turn("A", 1h, 8) <= 1h);
        shares.give_turn_back("nobody", 1h);
    }

    /// If very many organisations have turns, those whose turns end first are forgotten.
    void turns_are_kept_for_the_organisations_that_wait_longest() {
        PoolOfEight pool;
        static_cast<void>(pool.workers[0].shares().take_turn("A", 1h, 8));
        for (int number = 0; number < 1000; ++number)
            CPPUNIT_ASSERT(pool.workers[0].shares().take_turn("other " + std::to_string(number), 1us, 8) ==
                           0us);
        CPPUNIT_ASSERT(pool.workers[0].shares().take_turn("A", 1h, 8) > 59min);
    }

    void an_answer_lasts_by_its_length() {
        struct Heads : http::Responder {
            http::Headers headers;
            void send(const http::Reply& reply) override { headers = reply.headers; }
            void begin(int, std::string_view, const http::Headers& all) override { headers = all; }
            void write(std::string_view) override {}
            void end() override {}
            [[nodiscard]] bool begun() const override { return false; }
        };
        const auto rate = [](std::chrono::microseconds time, std::size_t bytes, bool is_stream) {
            Heads heads;
            http::RecordingResponder responder(heads);
            responder.last_at_least(time);
            if (is_stream)
                responder.begin(200, "", {{"Content-Length", std::to_string(bytes)}});
            else
                responder.send({.body = std::string(bytes, 'x')});
            return heads.headers.back().second;
        };
        CPPUNIT_ASSERT_EQUAL(std::string("300"), rate(1s, 100, false));
        CPPUNIT_ASSERT_EQUAL(std::string("200"), rate(1500ms, 100, false));
        CPPUNIT_ASSERT_EQUAL(std::string("200"), rate(2s, 100, true));
        CPPUNIT_ASSERT_EQUAL(std::string("1"), rate(1h, 100, false));
        // no header with a rate is added for 0 s, so the last header is Content-Length
        CPPUNIT_ASSERT_EQUAL(std::string("100"), rate(0s, 100, true));
    }

    void it_knows_whether_it_is_alone() {
        PoolOfEight pool;
        CPPUNIT_ASSERT(pool.workers[0].shares().is_alone("A"));
        pool.want("A");
        CPPUNIT_ASSERT(pool.workers[0].shares().is_alone("A"));
        CPPUNIT_ASSERT(!pool.workers[0].shares().is_alone("B"));
        CPPUNIT_ASSERT(!pool.workers[0].shares().is_shared());
        pool.want("B");
        CPPUNIT_ASSERT(pool.workers[0].shares().is_shared());
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(SharesTest);

}  // namespace data_import
