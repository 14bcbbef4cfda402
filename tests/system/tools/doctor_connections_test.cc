// data-importctl doctor: the number of database sessions that others, such as the workers of other hosts,
// leave free.
#include <arpa/inet.h>
#include <cppunit/extensions/HelperMacros.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "../../support/command.h"
#include "../../support/database.h"
#include "../../support/stack.h"
#include "base/util/file_descriptor.h"

namespace data_import::tests {

namespace {

/// An address of this machine that no other run uses.
std::string own_address(int last) {
    const unsigned process = static_cast<unsigned>(getpid());
    return "127." + std::to_string(process / 256 % 256) + "." + std::to_string(process % 256) + "." +
           std::to_string(last);
}

std::string number(std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
    return bytes;
}

sockaddr_in place(const std::string& address, std::uint16_t port) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    CPPUNIT_ASSERT_EQUAL(1, inet_pton(AF_INET, address.c_str(), &place.sin_addr));
    return place;
}

/// A session of the service's role from a chosen address of this machine. With libpq the address cannot be
/// chosen.
class SessionFrom {
public:
    SessionFrom(const std::string& address, const std::string& server) {
        const sockaddr_in from = place(address, 0);
        const sockaddr_in to = place(server, 5432);
        CPPUNIT_ASSERT_EQUAL(0, bind(socket_.get(), reinterpret_cast<const sockaddr*>(&from), sizeof from));
        CPPUNIT_ASSERT_EQUAL(0, connect(socket_.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to));
        using namespace std::string_literals;
        const std::string startup = number(196'608) + "user\0data-import\0database\0data-import\0\0"s;
        const std::string message = number(static_cast<std::uint32_t>(startup.size()) + 4) + startup;
        CPPUNIT_ASSERT_EQUAL(static_cast<ssize_t>(message.size()),
                             send(socket_.get(), message.data(), message.size(), MSG_NOSIGNAL));
        char answer = 0;
        CPPUNIT_ASSERT_EQUAL(ssize_t{1}, recv(socket_.get(), &answer, 1, 0));
        CPPUNIT_ASSERT_EQUAL('R', answer);  // PostgreSQL sends this byte when the session is open
    }

private:
    util::FileDescriptor socket_{socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
};

}  // namespace

class DoctorConnectionsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DoctorConnectionsTest);
    CPPUNIT_TEST(counts_sessions_of_other_hosts);
    CPPUNIT_TEST_SUITE_END();

public:
    void counts_sessions_of_other_hosts() {
        const std::string server = own_address(1);
        setenv("POSTGRESQL_SETTINGS", ("-c listen_addresses=" + server).c_str(), 1);
        const PrivateStack stack;
        unsetenv("POSTGRESQL_SETTINGS");
        AdminSession session(stack->value("DATABASE_URL"));
        const std::string trust = "host all all 127.0.0.0/8 trust";
        must_run("echo '" + trust + "' >>" + session.value("SHOW hba_file"));
        session.rows("SELECT pg_reload_conf()");
        const std::string settings = (stack->run_directory() / "conf.d/doctor.conf").string();
        const std::string by_address =
            "echo 'admin_database = host=" + server + " user=postgres dbname=data-import' >" + settings;

        const long at_first = left_by_others(*stack);
        must_run(by_address);
        CPPUNIT_ASSERT_EQUAL(at_first, left_by_others(*stack));
        const SessionFrom own("127.0.0.1", server);
        CPPUNIT_ASSERT_EQUAL(at_first, left_by_others(*stack));
        const SessionFrom other(own_address(2), server);
        const SessionFrom another(own_address(3), server);
        CPPUNIT_ASSERT_EQUAL(at_first - 2, left_by_others(*stack));
        must_run("rm " + settings);
        CPPUNIT_ASSERT_EQUAL(at_first - 2, left_by_others(*stack));
    }

private:
    static long left_by_others(const Stack& stack) {
        const std::string said = run_command(stack.value("CTL") + " doctor --json").output;
        const std::string mark = "others have left ";
        const std::size_t found = said.find(mark);
        CPPUNIT_ASSERT_MESSAGE(said, found != std::string::npos);
        return std::stol(said.substr(found + mark.size()));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(DoctorConnectionsTest);

}  // namespace data_import::tests
