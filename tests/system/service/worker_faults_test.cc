// Workers and the master that are killed, replaced and stopped while requests come in.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <thread>

#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/json_match.h"
#include "../../support/playground.h"
#include "../../support/processes.h"

namespace data_import::tests {

namespace {

/// A master that is a child of this program, so that the test can ask for its exit status. It replaces the
/// stack's own master, which was stopped before.
class OwnMaster {
public:
    explicit OwnMaster(const std::filesystem::path& run_directory) : process_(fork()) {
        CPPUNIT_ASSERT(process_ >= 0);
        if (process_ == 0) become(run_directory);
        std::ofstream(run_directory / "data-importd.pid") << process_ << '\n';
    }
    ~OwnMaster() {
        if (process_ > 0) kill(process_, SIGKILL), wait();
    }
    OwnMaster(const OwnMaster&) = delete;
    OwnMaster& operator=(const OwnMaster&) = delete;

    [[nodiscard]] pid_t process() const { return process_; }

    /// The status as waitpid gives it.
    int wait() {
        int status = -1;
        while (waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
        process_ = -1;
        return status;
    }

private:
    [[noreturn]] static void become(const std::filesystem::path& run_directory) {
        const int log = open((run_directory / "log/data-importd.log").c_str(), O_WRONLY | O_APPEND);
        dup2(log, STDOUT_FILENO);
        dup2(log, STDERR_FILENO);
        const std::string program = build_directory() / "data-importd";
        const std::string configuration = run_directory / "data-import.conf";
        execl(program.c_str(), program.c_str(), "--config", configuration.c_str(),
              static_cast<char*>(nullptr));
        _exit(127);
    }

    pid_t process_;
};

}  // namespace

class WorkerFaultsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(WorkerFaultsTest);
    CPPUNIT_TEST(a_killed_worker_costs_its_request_and_is_replaced);
    CPPUNIT_TEST(a_killed_worker_costs_its_batch_and_no_more);
    CPPUNIT_TEST(all_workers_killed_are_all_replaced);
    CPPUNIT_TEST(sighup_replaces_the_workers_and_loses_no_request);
    CPPUNIT_TEST(steady_load_of_long_bodies_lets_workers_go);
    CPPUNIT_TEST(sighup_with_a_wrong_configuration_changes_nothing);
    CPPUNIT_TEST(a_worker_is_replaced_after_max_requests);
    CPPUNIT_TEST(sigterm_finishes_running_requests_and_exits_0);
    CPPUNIT_TEST_SUITE_END();

public:
    // Replaces the workers by a SIGHUP. The SIGHUP also resets the delay before a dead worker is replaced,
    // which grows with each young worker that dies.
    void setUp() override { playground().prepare(); }

    void a_killed_worker_costs_its_request_and_is_replaced() { killed_workers_cost_at_most(1); }

    void a_killed_worker_costs_its_batch_and_no_more() { killed_workers_cost_at_most(4); }

    void all_workers_killed_are_all_replaced() {
        const std::vector<pid_t> before = playground().workers();
        for (const pid_t worker : before) kill(worker, SIGKILL);
        CPPUNIT_ASSERT(wait_for_new_workers(before));
        CPPUNIT_ASSERT_EQUAL(201, playground().post_note("after all").status);
    }

    void sighup_replaces_the_workers_and_loses_no_request() {
        const std::vector<pid_t> before = playground().workers();
        const pid_t master = playground().master();
        Load load(*playground().stack(), playground().load(8, false));
        for (int count = 0; count < 3; ++count) {
            wait_for_answers(load, 100);
            kill(master, SIGHUP);
        }
        CPPUNIT_ASSERT_MESSAGE("not all workers were replaced", wait_for_new_workers(before));
        wait_for_answers(load, 100);
        load.stop();
        CPPUNIT_ASSERT_EQUAL_MESSAGE(load.examples(), 0, load.failed());
        playground().check_stored(load, true);
        CPPUNIT_ASSERT(is_running(master));
    }

    /// No two of these requests fit into a batch, and there is always another one waiting.
    void steady_load_of_long_bodies_lets_workers_go() {
        playground().configure({"access_refresh = 1", "import_workers = 6", "batch_bytes = 1KiB"},
                               Playground::import_workers);
        const std::vector<pid_t> before = playground().workers();
        Load::Options options = playground().load(24, false);
        options.padding = 1000;
        Load load(*playground().stack(), options);
        wait_for_answers(load, 200);
        kill(playground().master(), SIGHUP);
        CPPUNIT_ASSERT_MESSAGE("not all workers were replaced", wait_for_new_workers(before));
        wait_for_answers(load, 200);
        load.stop();
        CPPUNIT_ASSERT_EQUAL_MESSAGE(load.examples(), 0, load.failed());
        playground().check_stored(load, true);
    }

    void sighup_with_a_wrong_configuration_changes_nothing() {
        const std::uintmax_t log_end = playground().stack().log_size();
        const std::vector<pid_t> before = playground().workers();
        playground().stack().configure({"import_worker = 3"});
        const auto logged = [&] {
            return playground().stack().log_from(log_end).find("import_worker") != std::string::npos;
        };
        CPPUNIT_ASSERT_MESSAGE("the log does not name the wrong setting", wait_until(logged, 60s));
        CPPUNIT_ASSERT(is_running(playground().master()));
        CPPUNIT_ASSERT(playground().workers() == before);
        CPPUNIT_ASSERT_EQUAL(201, playground().post_note("still there").status);
    }

    void a_worker_is_replaced_after_max_requests() {
        playground().configure({"access_refresh = 1", "import_workers = 2", "max_requests = 20"}, 2);
        const std::vector<pid_t> before = playground().workers();
        Load load(*playground().stack(), playground().load(4, false));
        wait_for_answers(load, 300);
        load.stop();
        CPPUNIT_ASSERT_EQUAL_MESSAGE(load.examples(), 0, load.failed());
        CPPUNIT_ASSERT_EQUAL(std::ptrdiff_t{2}, std::count_if(before.begin(), before.end(), [](pid_t worker) {
                                 return !is_running(worker);
                             }));
        playground().check_stored(load, true);
    }

    void sigterm_finishes_running_requests_and_exits_0() {
        kill(playground().master(), SIGTERM);
        CPPUNIT_ASSERT(wait_until([&] { return !is_running(playground().master()); }, 60s));
        OwnMaster master(playground().stack()->run_directory());
        CPPUNIT_ASSERT(wait_until([&] { return playground().status_of("/readyz") == 200; }, 60s));
        Load load(*playground().stack(), playground().load(24, false));
        wait_for_answers(load, 200);
        const std::vector<pid_t> workers = children_of(master.process());
        kill(master.process(), SIGTERM);
        const int status = master.wait();
        load.stop();
        playground().stack().bring_up();
        CPPUNIT_ASSERT_MESSAGE("ended by a signal", WIFEXITED(status));
        CPPUNIT_ASSERT_EQUAL(0, WEXITSTATUS(status));
        CPPUNIT_ASSERT(std::none_of(workers.begin(), workers.end(), is_running));
        check_nobody_answered(load);
        playground().check_stored(load, true);
    }

private:
    static void killed_workers_cost_at_most(int batch) {
        constexpr int kills = 3;
        playground().configure(
            {"access_refresh = 1", "import_workers = 6", "batch = " + std::to_string(batch)},
            Playground::import_workers);
        Load load(*playground().stack(), playground().load(8, false));
        for (int count = 0; count < kills; ++count) {
            wait_for_answers(load, 50);
            const pid_t victim = busiest_worker();
            kill(victim, SIGKILL);
            CPPUNIT_ASSERT_MESSAGE("the worker was not replaced", wait_for_new_workers({victim}));
        }
        wait_for_answers(load, 50);
        load.stop();
        check_cost(load, kills * batch);
        playground().check_stored(load, false);
    }

    /// The worker that has worked most, so that it has probably taken a request.
    static pid_t busiest_worker() {
        const std::vector<pid_t> workers = playground().workers();
        return *std::max_element(workers.begin(), workers.end(), [](pid_t one, pid_t other) {
            return processor_ticks(one) < processor_ticks(other);
        });
    }

    static bool wait_for_new_workers(const std::vector<pid_t>& before) {
        return wait_until([&] { return playground().replaced(before, Playground::worker_count); }, 60s);
    }

    /// Fails unless all failures are answers 503. This answer is right, because no worker has taken the
    /// request, and so nothing was stored.
    static void check_nobody_answered(const Load& load) {
        for (const auto& [status, count] : load.failures())
            CPPUNIT_ASSERT_EQUAL_MESSAGE(load.examples(), 503, status);
    }

    /// Fails if more than `most` requests are answered 502, or if a request fails by a status other than 502
    /// and 429.
    ///
    /// Because the session of a dead worker may hold the account for long while the disk is slow, 429 is
    /// allowed.
    static void check_cost(const Load& load, int most) {
        for (const auto& [status, count] : load.failures()) {
            if (status == 429) continue;
            CPPUNIT_ASSERT_EQUAL_MESSAGE(load.examples(), 502, status);
            CPPUNIT_ASSERT_MESSAGE(load.examples(), count <= most);
        }
    }

    static void wait_for_answers(const Load& load, int more) {
        const int enough = load.answered() + more;
        CPPUNIT_ASSERT_MESSAGE("no answers under load",
                               wait_until([&] { return load.answered() >= enough; }, 60s));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(WorkerFaultsTest);

}  // namespace data_import::tests
