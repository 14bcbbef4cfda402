// metrics: what an organisation gets of a pool, alone and beside others.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <deque>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "metrics/board.h"

namespace data_import {

namespace {

using namespace std::chrono_literals;
using metrics::Board;
using metrics::PoolKind;
using metrics::Recorder;
using Slot = Recorder::Slot;

/// A pool in which eight workers have one request each.
class PoolOfEight {
public:
    PoolOfEight() {
        board.set_capacity(pool, 8);
        for (int count = 0; count < 8; ++count) workers.push_back(board.start_worker(pool));
    }

    /// The next worker takes a request of the organisation; whether it may work on it.
    bool take(std::string_view organisation) {
        std::optional<Slot> slot = workers.at(slots.size()).take_slot(organisation, 1);
        if (slot) slots.push_back(std::move(*slot));
        return slot.has_value();
    }

    /// That of an organisation which holds nothing.
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

}  // namespace

class SharesTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(SharesTest);
    CPPUNIT_TEST(alone_it_may_use_everything);
    CPPUNIT_TEST(beside_others_it_leaves_half);
    CPPUNIT_TEST(its_share_is_never_refused);
    CPPUNIT_TEST(who_holds_nothing_is_never_refused);
    CPPUNIT_TEST(a_slot_comes_back);
    CPPUNIT_TEST(a_dead_worker_holds_nothing);
    CPPUNIT_TEST(bulk_requests_leave_half_to_all_who_import);
    CPPUNIT_TEST(a_wish_is_forgotten);
    CPPUNIT_TEST(a_refusal_is_counted);
    CPPUNIT_TEST(another_pool_can_ask);
    CPPUNIT_TEST(it_knows_whether_it_is_alone);
    CPPUNIT_TEST_SUITE_END();

public:
    void alone_it_may_use_everything() { CPPUNIT_ASSERT_EQUAL(8, PoolOfEight().take_all("A")); }

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
        // of the worker that is free now A has its share, and half of the pool is B's
        CPPUNIT_ASSERT(!pool.workers[0].take_slot("A", 1).has_value());
        CPPUNIT_ASSERT(pool.workers[0].take_slot("B", 1).has_value());
    }

    void who_holds_nothing_is_never_refused() {
        PoolOfEight pool;
        CPPUNIT_ASSERT_EQUAL(8, pool.take_all("A"));
        CPPUNIT_ASSERT(pool.workers[0].take_slot("B", 1).has_value());
        CPPUNIT_ASSERT(pool.workers[0].take_slot("C", 100).has_value());
    }

    void a_slot_comes_back() {
        PoolOfEight pool;
        pool.want("B");
        CPPUNIT_ASSERT_EQUAL(4, pool.take_all("A"));
        CPPUNIT_ASSERT(!pool.workers[7].take_slot("A", 1).has_value());
        pool.slots.pop_back();
        CPPUNIT_ASSERT(pool.workers[7].take_slot("A", 1).has_value());
    }

    void a_dead_worker_holds_nothing() {
        PoolOfEight pool;
        pool.want("B");
        CPPUNIT_ASSERT_EQUAL(4, pool.take_all("A"));
        pool.board.end_worker(pool.workers[0], metrics::WorkerEnd::died);
        CPPUNIT_ASSERT(pool.workers[7].take_slot("A", 1).has_value());
    }

    void bulk_requests_leave_half_to_all_who_import() {
        for (const auto& [other, taken] : {std::pair(PoolKind::import, 4), std::pair(PoolKind::vendor, 4),
                                           std::pair(PoolKind::listing, 8), std::pair(PoolKind::health, 8)}) {
            PoolOfEight pool;
            pool.board.set_capacity(other, 8);
            const Recorder worker = pool.board.start_worker(other);
            CPPUNIT_ASSERT(worker.take_slot("B", 1).has_value());
            CPPUNIT_ASSERT_EQUAL(taken, pool.take_all("A"));
            CPPUNIT_ASSERT(worker.is_alone("B"));
        }
    }

    void a_wish_is_forgotten() {
        PoolOfEight pool;
        pool.want("B");
        std::this_thread::sleep_for(2100ms);
        CPPUNIT_ASSERT(pool.workers[0].is_alone("A"));
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
        CPPUNIT_ASSERT(!other.is_beyond_share(PoolOfEight::pool, "A", 1));
        CPPUNIT_ASSERT(!other.is_beyond_share(PoolOfEight::pool, "B", 1));
        pool.take_all("A");
        CPPUNIT_ASSERT(other.is_beyond_share(PoolOfEight::pool, "A", 1));
        CPPUNIT_ASSERT(!other.is_beyond_share(PoolOfEight::pool, "B", 1));
    }

    void it_knows_whether_it_is_alone() {
        PoolOfEight pool;
        CPPUNIT_ASSERT(pool.workers[0].is_alone("A"));
        pool.want("A");
        CPPUNIT_ASSERT(pool.workers[0].is_alone("A"));
        CPPUNIT_ASSERT(!pool.workers[0].is_alone("B"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(SharesTest);

}  // namespace data_import
