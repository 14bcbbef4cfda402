// PgBouncer as a pooler between the service and PostgreSQL. It may keep sessions, but must not share them.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/playground.h"
#include "../../support/processes.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

/// PgBouncer in a directory of its own below that of the stack's database.
class PgBouncer {
public:
    /// `size` is the size of the pool; the default is PgBouncer's.
    PgBouncer(AdminSession database, const std::string& mode, int size = 20)
        : cluster_(database.value("SHOW unix_socket_directories")), place_(cluster_ + "/pgbouncer-" + mode) {
        as_server("mkdir -p " + place_);
        std::ofstream(configuration())
            << "[databases]\ndata-import = host=" << cluster_
            << " port=5432 user=data-import\n[pgbouncer]\nunix_socket_dir = " << place_
            << "\nlisten_port = 6432\nauth_type = any\npool_mode = " << mode << "\npidfile = " << place_
            << "/pid\nlogfile = " << place_ << "/log\ndefault_pool_size = " << size << "\n";
        as_server("/usr/sbin/pgbouncer --daemon --quiet " + configuration());
        if (!wait_until([this] { return is_up(); }, 10s))
            throw std::runtime_error("pgbouncer does not start");
    }
    ~PgBouncer() {
        kill(pid_, SIGKILL);
        std::filesystem::remove_all(place_);
    }
    PgBouncer(const PgBouncer&) = delete;
    PgBouncer& operator=(const PgBouncer&) = delete;

    [[nodiscard]] std::string conninfo() const {
        return "host=" + place_ + " port=6432 dbname=data-import user=data-import";
    }

private:
    /// True if PgBouncer has made its socket and has written its process id, which may come after the socket.
    /// 0 is not taken for a process id, because a signal to 0 would go to all processes of this group.
    [[nodiscard]] bool is_up() {
        std::ifstream(place_ + "/pid") >> pid_;
        return pid_ > 0 && std::filesystem::exists(place_ + "/.s.PGSQL.6432");
    }

    [[nodiscard]] std::string configuration() const { return place_ + "/pgbouncer.ini"; }

    static void as_server(const std::string& command) {
        must_run((geteuid() == 0 ? "cd / && runuser -u postgres -- " : "") + command + " >/dev/null");
    }

    std::string cluster_;
    std::string place_;
    pid_t pid_ = 0;
};

}  // namespace

class PoolerTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(PoolerTest);
    CPPUNIT_TEST(one_that_shares_sessions_is_refused);
    CPPUNIT_TEST(one_that_keeps_sessions_is_fine);
    CPPUNIT_TEST(a_pool_with_too_few_sessions_is_told);
    CPPUNIT_TEST(a_pool_without_a_session_is_told);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override { playground().prepare(); }

    void tearDown() override {
        playground().configure({"access_refresh = 1", "import_workers = 1"}, 1);
        pooler_.reset();
    }

    void one_that_shares_sessions_is_refused() {
        const std::uintmax_t log_end = playground().stack().log_size();
        connect_through("transaction");
        const Answer answer = playground().post_note("through a pooler");
        const CommandResult doctor = run_command(playground().stack()->value("CTL") + " doctor");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 503, answer.status);
        CPPUNIT_ASSERT_EQUAL(503, playground().status_of("/readyz"));
        const std::string log = playground().stack().log_from(log_end);
        CPPUNIT_ASSERT_MESSAGE(log, log.find("pool_mode = session") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(1, doctor.status);
        CPPUNIT_ASSERT_MESSAGE(doctor.output,
                               doctor.output.find("systemctl reload pgbouncer   # set pool_mode = session") !=
                                   std::string::npos);
    }

    void one_that_keeps_sessions_is_fine() {
        connect_through("session");
        for (int number = 0; number < 10; ++number) {
            const Answer answer = playground().post_note("note " + std::to_string(number));
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 201, answer.status);
        }
        CPPUNIT_ASSERT_EQUAL(200, playground().status_of("/readyz"));
    }

    // the service has nine workers, and five more during a reload
    void a_pool_with_too_few_sessions_is_told() {
        connect_through("session", 8);
        const CommandResult few = run_command(playground().stack()->value("CTL") + " doctor");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(few.output, 1, few.status);
        CPPUNIT_ASSERT_MESSAGE(
            few.output,
            few.output.find("pgbouncer   # set default_pool_size = 14 for each host") != std::string::npos);
        connect_through("session", 20);
        const CommandResult enough = run_command(playground().stack()->value("CTL") + " doctor");
        CPPUNIT_ASSERT_MESSAGE(
            enough.output,
            enough.output.find("the pooler has the 14 that the workers need") != std::string::npos);
    }

    void a_pool_without_a_session_is_told() {
        pooler_ = std::make_unique<PgBouncer>(playground().database(), "session", 1);
        AdminSession other(pooler_->conninfo());
        CPPUNIT_ASSERT_EQUAL(std::string("1"), other.value("SELECT 1"));
        const std::uintmax_t log_end = playground().stack().log_size();
        configure();
        const Answer answer = playground().post_note("in vain");
        const CommandResult doctor = run_command(playground().stack()->value("CTL") + " doctor");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 503, answer.status);
        const std::string log = playground().stack().log_from(log_end);
        CPPUNIT_ASSERT_MESSAGE(
            log, log.find("a pooler before PostgreSQL has no session left") != std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(doctor.output,
                               doctor.output.find("set default_pool_size = 14 ") != std::string::npos);
    }

private:
    void connect_through(const std::string& mode, int size = 20) {
        pooler_.reset();
        pooler_ = std::make_unique<PgBouncer>(playground().database(), mode, size);
        configure();
    }

    void configure() const {
        playground().configure(
            {"access_refresh = 1", "import_workers = 1", "database = " + pooler_->conninfo()}, 1);
    }

    std::unique_ptr<PgBouncer> pooler_;
};

CPPUNIT_TEST_SUITE_REGISTRATION(PoolerTest);

}  // namespace data_import::tests
