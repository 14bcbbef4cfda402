// Tests ctl::FirstUserAction: a step that runs with the rights of the user who started the program. run()
// does the step. The destructor undoes the step, unless the program has called keep().
#include "tools/ctl/first_user_action.h"

#include <cppunit/extensions/HelperMacros.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "tools/console/bounded.h"
#include "tools/ctl/command.h"

namespace data_import::tests {

class FirstUserActionTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(FirstUserActionTest);
    CPPUNIT_TEST(nothing_happens_before_it_is_told);
    CPPUNIT_TEST(a_step_that_is_not_kept_is_undone);
    CPPUNIT_TEST(a_step_that_is_kept_stays);
    CPPUNIT_TEST(a_step_that_fails_says_why);
    CPPUNIT_TEST(a_step_ends_while_a_later_one_waits);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        file_ = std::filesystem::temp_directory_path() / ("first-user-step-" + std::to_string(getpid()));
    }
    void tearDown() override { std::filesystem::remove(file_); }

    void nothing_happens_before_it_is_told() {
        { const ctl::FirstUserAction action(make(), remove()); }
        CPPUNIT_ASSERT(!std::filesystem::exists(file_));
    }

    void a_step_that_is_not_kept_is_undone() {
        {
            ctl::FirstUserAction action(make(), remove());
            action.run();
            CPPUNIT_ASSERT(std::filesystem::exists(file_));
        }
        CPPUNIT_ASSERT(!std::filesystem::exists(file_));
    }

    void a_step_that_is_kept_stays() {
        {
            ctl::FirstUserAction action(make(), remove());
            action.run();
            action.keep();
        }
        CPPUNIT_ASSERT(std::filesystem::exists(file_));
    }

    void a_step_that_fails_says_why() {
        ctl::FirstUserAction action([] { throw std::runtime_error("the disk is full"); }, remove());
        try {
            action.run();
        } catch (const ctl::Failure& failure) {
            CPPUNIT_ASSERT_EQUAL(std::string("the disk is full"), std::string(failure.what()));
            return;
        }
        CPPUNIT_FAIL("a step that failed is taken for done");
    }

    void a_step_ends_while_a_later_one_waits() {
        const std::string ended = console::run_bounded(
            [this]() -> std::string {
                auto first = std::make_unique<ctl::FirstUserAction>(make(), remove());
                const ctl::FirstUserAction second(make(), remove());
                first->run();
                first.reset();
                return std::filesystem::exists(file_) ? "it is not undone" : "";
            },
            std::chrono::seconds(5));
        CPPUNIT_ASSERT_EQUAL(std::string(), ended);
    }

private:
    [[nodiscard]] std::function<void()> make() const {
        return [file = file_] { std::ofstream(file) << "x"; };
    }
    [[nodiscard]] std::function<void()> remove() const {
        return [file = file_] { std::filesystem::remove(file); };
    }

    std::filesystem::path file_;
};

CPPUNIT_TEST_SUITE_REGISTRATION(FirstUserActionTest);

}  // namespace data_import::tests
