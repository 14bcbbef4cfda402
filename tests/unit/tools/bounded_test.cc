// ctl: work and programs that end when their time is up.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

#include "tools/console/bounded.h"

namespace data_import {

using namespace std::chrono_literals;

class BoundedTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(BoundedTest);
    CPPUNIT_TEST(returns_the_result_of_the_work);
    CPPUNIT_TEST(changes_nothing_of_the_process);
    CPPUNIT_TEST(throws_the_exception_of_the_work);
    CPPUNIT_TEST(tells_that_the_work_died);
    CPPUNIT_TEST(ends_work_that_hangs);
    CPPUNIT_TEST(runs_programs);
    CPPUNIT_TEST(tells_that_there_is_no_such_program);
    CPPUNIT_TEST(ends_programs_that_hang_and_their_children);
    CPPUNIT_TEST_SUITE_END();

public:
    void returns_the_result_of_the_work() {
        CPPUNIT_ASSERT_EQUAL(std::string(), console::run_bounded([] { return std::string(); }, 10s));
        const std::string large(1'000'000, 'x');
        CPPUNIT_ASSERT_EQUAL(large, console::run_bounded([&] { return large; }, 10s));
    }

    void changes_nothing_of_the_process() {
        int value = 1;
        static_cast<void>(console::run_bounded([&] { return value = 2, std::string("x"); }, 10s));
        CPPUNIT_ASSERT_EQUAL(1, value);
    }

    void throws_the_exception_of_the_work() {
        try {
            static_cast<void>(
                console::run_bounded([]() -> std::string { throw std::runtime_error("why"); }, 10s));
            CPPUNIT_FAIL("nothing thrown");
        } catch (const console::Failure& failure) {
            CPPUNIT_ASSERT_EQUAL(std::string("why"), std::string(failure.what()));
        }
    }

    void tells_that_the_work_died() {
        const auto dies = []() -> std::string {
            raise(SIGKILL);
            return "";
        };
        CPPUNIT_ASSERT_THROW(static_cast<void>(console::run_bounded(dies, 10s)), console::Failure);
    }

    void ends_work_that_hangs() {
        const auto hangs = []() -> std::string {
            for (;;) pause();
        };
        CPPUNIT_ASSERT_THROW(static_cast<void>(console::run_bounded(hangs, 50ms)), console::TimeOver);
    }

    void runs_programs() {
        const console::ProgramResult result =
            console::run_program({"sh", "-c", "echo out; echo err >&2; exit 3"}, 10s);
        CPPUNIT_ASSERT_EQUAL(3, result.status);
        CPPUNIT_ASSERT_EQUAL(std::string("out\nerr\n"), result.output);
    }

    void tells_that_there_is_no_such_program() {
        CPPUNIT_ASSERT_EQUAL(127, console::run_program({"there-is-no-such-program"}, 10s).status);
    }

    // the grandchild holds the pipe open: waiting for its end would take a minute
    void ends_programs_that_hang_and_their_children() {
        CPPUNIT_ASSERT_THROW(
            static_cast<void>(console::run_program({"sh", "-c", "sleep 60 & sleep 60"}, 100ms)),
            console::TimeOver);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(BoundedTest);

}  // namespace data_import
