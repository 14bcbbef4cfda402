// Sessions that cannot be opened because the time of the request is up. Such a failure does not count as a
// fault of the database.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/util/file_descriptor.h"
#include "data/database/database.h"

namespace data_import::tests {

namespace {

using namespace std::chrono_literals;

/// Accepts connections, and sends nothing.
class SilentServer {
public:
    SilentServer() : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        std::string name = std::filesystem::temp_directory_path() / "data-import-silent-XXXXXX";
        CPPUNIT_ASSERT(::mkdtemp(name.data()) != nullptr);
        directory_ = name;
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const std::string path = directory_ / ".s.PGSQL.5432";
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        CPPUNIT_ASSERT(::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
        CPPUNIT_ASSERT(::listen(socket_.get(), 8) == 0);
    }
    SilentServer(const SilentServer&) = delete;
    SilentServer& operator=(const SilentServer&) = delete;
    ~SilentServer() { std::filesystem::remove_all(directory_); }

    [[nodiscard]] std::string conninfo() const { return "host=" + directory_.string() + " dbname=d user=u"; }

private:
    util::FileDescriptor socket_;
    std::filesystem::path directory_;
};

}  // namespace

class HastySessionTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(HastySessionTest);
    CPPUNIT_TEST(time_that_is_up_is_no_fault_of_the_database);
    CPPUNIT_TEST_SUITE_END();

public:
    /// If a call with 20 ms of time cannot open a session, the next call tries to open one again. If a call
    /// with 1900 ms, which are enough time, cannot open a session, the next calls fail at once with the same
    /// failure.
    void time_that_is_up_is_no_fault_of_the_database() {
        const SilentServer server;
        database::Database database({.conninfo = server.conninfo()});
        for (const bool retryable : {true, false}) {
            const database::Call call{.name = "n", .sql = "SELECT 1", .retryable = retryable};
            CPPUNIT_ASSERT_THROW(database.execute(call, std::chrono::steady_clock::now() + 20ms),
                                 database::TimedOut);
        }
        const database::Call call{.name = "n", .sql = "SELECT 1"};
        CPPUNIT_ASSERT_THROW(database.execute(call, std::chrono::steady_clock::now() + 1900ms),
                             database::Unavailable);
        CPPUNIT_ASSERT_THROW(database.execute(call, std::chrono::steady_clock::now() + 20ms),
                             database::Unavailable);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(HastySessionTest);

}  // namespace data_import::tests
