// The vendor simulator itself: its promises to the tests that rely on it.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/http.h"
#include "../../support/processes.h"
#include "../../support/stack.h"

namespace data_import::tests {

namespace {

/// A simulator that is a child of this program, and ends with it or with the process `watched`.
class OwnSimulator {
public:
    explicit OwnSimulator(const std::string& watched = "") {
        std::string pattern = (std::filesystem::temp_directory_path() / "vendor-simulator-XXXXXX").string();
        CPPUNIT_ASSERT(mkdtemp(pattern.data()) != nullptr);
        directory_ = pattern;
        process_ = fork();
        CPPUNIT_ASSERT(process_ >= 0);
        if (process_ == 0) become(watched);
        CPPUNIT_ASSERT_MESSAGE(
            "the simulator does not start",
            wait_until([&] { return std::filesystem::exists(directory_ / "ports"); }, 60s));
        read_ports();
    }
    ~OwnSimulator() {
        if (process_ > 0) kill(process_, SIGKILL), static_cast<void>(wait());
        std::filesystem::remove_all(directory_);
    }
    OwnSimulator(const OwnSimulator&) = delete;
    OwnSimulator& operator=(const OwnSimulator&) = delete;

    [[nodiscard]] std::uint16_t port(const std::string& listener) const { return ports_.at(listener); }
    [[nodiscard]] std::string authority() const { return directory_ / "ca.pem"; }
    [[nodiscard]] std::string secret() const {
        std::ifstream file(directory_ / "secret");
        std::string secret;
        std::getline(file, secret);
        return secret;
    }

    void signal(int number) const { kill(process_, number); }
    [[nodiscard]] bool ends() {
        return wait_until(
            [&] {
                if (process_ > 0 && waitpid(process_, nullptr, WNOHANG) == process_) process_ = -1;
                return process_ < 0;
            },
            60s);
    }

private:
    [[noreturn]] void become(const std::string& watched) const {
        const std::string program = build_directory() / "tests/vendor-simulator";
        const std::string vendors = directory_ / "vendors.d";
        const std::string until = watched.empty() ? std::to_string(getppid()) : watched;
        execl(program.c_str(), program.c_str(), "--directory", directory_.c_str(), "--vendors-directory",
              vendors.c_str(), "--while", until.c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }

    void read_ports() {
        std::ifstream file(directory_ / "ports");
        for (std::string line; std::getline(file, line);) {
            const std::size_t equals = line.find('=');
            ports_[line.substr(0, equals)] = static_cast<std::uint16_t>(std::stoi(line.substr(equals + 1)));
        }
    }

    int wait() const { return waitpid(process_, nullptr, 0); }

    std::filesystem::path directory_;
    std::map<std::string, std::uint16_t> ports_;
    pid_t process_ = -1;
};

Answer get(const OwnSimulator& simulator, const std::string& target, const std::string& token) {
    HttpConnection connection(simulator.port("good"), simulator.authority());
    return connection.ask({"GET", target, {{"Host", "localhost"}, {"Authorization", "Bearer " + token}}, ""});
}

}  // namespace

class VendorSimulatorTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(VendorSimulatorTest);
    CPPUNIT_TEST(it_answers_with_the_right_token_only);
    CPPUNIT_TEST(it_counts_the_calls_of_each_reference);
    CPPUNIT_TEST(it_ends_when_it_is_told_to);
    CPPUNIT_TEST(it_ends_with_the_process_it_watches);
    CPPUNIT_TEST(its_read_me_names_every_listener);
    CPPUNIT_TEST_SUITE_END();

public:
    void it_answers_with_the_right_token_only() {
        const OwnSimulator simulator;
        const Answer answer = get(simulator, "/good/instructions/R?type=CARD", simulator.secret());
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 200, answer.status);
        CPPUNIT_ASSERT(answer.body.find("\"status\":\"active\"") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(401, get(simulator, "/good/instructions/R?type=CARD", "guessed").status);
        CPPUNIT_ASSERT_EQUAL(404,
                             get(simulator, "/none/instructions/R?type=CARD", simulator.secret()).status);
    }

    void it_counts_the_calls_of_each_reference() {
        const OwnSimulator simulator;
        CPPUNIT_ASSERT_EQUAL(503, get(simulator, "/flaky/2/instructions/a%2Fb", simulator.secret()).status);
        CPPUNIT_ASSERT_EQUAL(503, get(simulator, "/flaky/2/instructions/a%2Fb", simulator.secret()).status);
        CPPUNIT_ASSERT_EQUAL(200, get(simulator, "/flaky/2/instructions/a%2Fb", simulator.secret()).status);
        const Answer calls = HttpConnection(simulator.port("control")).ask({"GET", "/calls/a%2Fb", {}, ""});
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"calls":3,"last_target":"/flaky/2/instructions/a%2Fb"})"),
                             calls.body);
    }

    void it_ends_when_it_is_told_to() {
        OwnSimulator simulator;
        HttpConnection hanging(simulator.port("hangs"));
        simulator.signal(SIGTERM);
        CPPUNIT_ASSERT(simulator.ends());
    }

    void it_ends_with_the_process_it_watches() {
        const pid_t watched = fork();
        if (watched == 0) {
            pause();
            _exit(0);
        }
        OwnSimulator simulator(std::to_string(watched));
        kill(watched, SIGKILL);
        CPPUNIT_ASSERT_EQUAL(watched, waitpid(watched, nullptr, 0));
        CPPUNIT_ASSERT(simulator.ends());
    }

    void its_read_me_names_every_listener() {
        const OwnSimulator simulator;
        const std::string names = must_run("sed -n 's/^| `\\([a-z_]*\\)` |.*/\\1/p' tests/vendor/README.md");
        for (const char* name :
             {"good", "expired", "not_yet_valid", "wrong_name", "unknown_authority", "self_signed", "old_tls",
              "plain_http", "closes", "resets", "hangs", "connect_hangs", "handshake_stalls",
              "handshake_drips", "proxy", "control"}) {
            CPPUNIT_ASSERT_MESSAGE(name, simulator.port(name) != 0);
            CPPUNIT_ASSERT_MESSAGE(
                name, ('\n' + names + '\n').find(std::string("\n") + name + '\n') != std::string::npos);
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(VendorSimulatorTest);

}  // namespace data_import::tests
