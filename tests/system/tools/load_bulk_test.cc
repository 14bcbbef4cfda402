// How data-import-load sends many lines at once, and continues after an interruption. A fake in the test
// program, PlayedService, stands in for the service.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "../../support/command.h"
#include "../../support/played_service.h"
#include "../../support/processes.h"
#include "../../support/stack.h"
#include "data/json/reader.h"

namespace data_import::tests {

namespace {

using Reply = PlayedService::Reply;

constexpr int accounts = 7;
constexpr long most_memory_kb = 64L * 1024;

/// The behaviour of the fake of the service.
struct Play {
    int throttled = 0;                  ///< number of bulk requests, from the first on, that get 429
    int cut = 0;                        ///< number of bulk requests whose answers lack the last line
    std::size_t late = 0;               ///< lines that are answered 503 the first time
    bool has_bulk = true;               ///< else 404
    int rotate_after = -1;              ///< lines after which the key is replaced, also in its file
    std::chrono::milliseconds work{0};  ///< time that each request takes
    /// The bulk request with this number, and all later ones, wait for release(). -1: none waits.
    int hold_from = -1;
};

/// Accepts lines whose body has a `number`; it refuses numbers that are divisible by 10.
class Bulk {
public:
    explicit Bulk(const Play& play) : play_(play) {}

    Reply answer(const PlayedService::Request& request, const PlayedService& service) {
        const Reply reply = answer_now(request, service);
        std::this_thread::sleep_for(play_.work);
        while (holds_ && !is_released_) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return reply;
    }

    /// Whether a request waits for release().
    [[nodiscard]] bool holds() const { return holds_; }
    void release() { is_released_ = true; }

    int requests = 0;  ///< bulk requests
    int singles = 0;
    int lines = 0;              ///< lines that were taken, including repeats
    int tokens = 0;             ///< given out
    std::set<int> numbers;      ///< of the lines
    bool in_order = true;       ///< the lines of every account came in their order
    std::atomic<int> most = 0;  ///< the most lines in one request

private:
    Reply answer_now(const PlayedService::Request& request, const PlayedService& service) {
        const std::lock_guard lock(mutex_);
        if (request.path == "/v1/graphql/") return give_token(request.plain);
        if (request.token != "Token " + key_) return PlayedService::refused(401, "authentication_failed");
        if (request.path == "/v1/data-import/token/") return {200, R"({"organisation": "Played"})"};
        const auto take = [&](const std::string& line) { return this->take(line, service); };
        if (request.path.starts_with("/v1/data-import/bulk/")) return take_lines(request.plain, take);
        ++singles;
        return take(request.plain);
    }

    /// The token is the key itself.
    Reply give_token(const std::string& body) {
        if (body.find('"' + key_ + '"') == std::string::npos)
            return {200,
                    R"({"errors": [{"message": "x", "extensions": {"code": "authentication_failed"}}]})"};
        ++tokens;
        return PlayedService::token(key_);
    }

    Reply take_lines(const std::string& body, const std::function<Reply(const std::string&)>& take) {
        if (++requests == play_.hold_from) holds_ = true;
        if (!play_.has_bulk) return PlayedService::refused(404, "not_found");
        if (play_.throttled-- > 0) return PlayedService::refused(429, "throttled");
        most = std::max<int>(most, static_cast<int>(std::ranges::count(body, '\n')));
        Reply reply = PlayedService::answer_lines(body, take);
        if (play_.cut-- > 0) reply.body.erase(reply.body.rfind(R"({"lines")"));
        return reply;
    }

    Reply take(const std::string& line, const PlayedService& service) {
        const json::Document document = json::read(line);
        const auto bulk = document.root().find("body");
        const json::Value body = bulk ? *bulk : document.root();
        const int number = std::stoi(std::string(body.at("number").text()));
        if (late_.size() < play_.late && number % 3 == 0 && late_.insert(number).second) {
            return PlayedService::refused(503, "service_unavailable");
        }
        ++lines;
        const bool is_new = numbers.insert(number).second;
        int& before = last_[std::string(body.at("external_account_number").text())];
        if (is_new && number < before) in_order = false;
        before = std::max(before, number);
        if (lines == play_.rotate_after) {
            key_ = "dik_second";
            service.add("key", key_);
        }
        return number % 10 == 0 ? refusal : Reply{};
    }

    const Reply refusal = {
        400, R"({"detail": "x", "code": "validation_error", "errors": [{"attr": "notes.0", "code": "blank", )"
             R"("detail": "x"}]})"};

    Play play_;
    std::string key_ = PlayedService::api_key;
    std::mutex mutex_;
    std::map<std::string, int> last_;
    std::set<int> late_;
    std::atomic<bool> holds_ = false;
    std::atomic<bool> is_released_ = false;
};

/// Runs of data-import-load with one fake of the service and one file, whose lines are numbered from 1.
class Loading {
public:
    Loading(const Play& play, int lines)
        : service(play), played_([this](const auto& request) { return service.answer(request, played_); }) {
        std::ofstream file(path("notes.ndjson"));
        for (int line = 1; line <= lines; ++line) file << text_of(line) << '\n';
    }

    [[nodiscard]] CommandResult run(const std::string& before = "", const std::string& options = "") const {
        return played_.load(arguments + options + " notes.ndjson", before);
    }
    [[nodiscard]] CommandResult run_on_terminal() const {
        const std::string program =
            std::filesystem::absolute(build_directory() / "data-import-load").string();
        const std::string command = program + " --url " + url() + " --api-key-file key notes.ndjson";
        return run_command("cd " + shell_word(path("")) + " && script --quiet --return --command " +
                           shell_word(command) + " /dev/null");
    }

    /// A run that is interrupted in the middle of a request.
    CommandResult run_interrupted() {
        std::jthread releasing([this] {
            static_cast<void>(wait_until([this] { return service.holds(); }, std::chrono::seconds(30)));
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            service.release();
        });
        return played_.load_until([this] { return service.holds(); }, SIGINT, arguments + " notes.ndjson");
    }

    [[nodiscard]] std::string url() const { return played_.url(); }
    [[nodiscard]] std::string path(const std::string& name) const { return played_.path(name); }
    [[nodiscard]] bool has(const std::string& name) const { return played_.has(name); }
    [[nodiscard]] std::set<std::string> lines_of(const std::string& name, std::size_t& count) const {
        std::set<std::string> lines;
        std::ifstream file(path(name));
        for (std::string line; std::getline(file, line); ++count) lines.insert(line);
        return lines;
    }

    static std::string text_of(int line) {
        return R"({"path": "/v1/data-import/notes/create/", "body": {"import_supplier": "ACME", )"
               R"("external_account_number": ")" +
               std::to_string(line % accounts) + R"(", "number": )" + std::to_string(line) + "}}";
    }

    Bulk service;

private:
    static inline const std::string arguments = "--connections 4 --rejects rejects --report report ";

    PlayedService played_;
};

int from_environment(const char* name, int usual) {
    const char* const text = std::getenv(name);
    return text == nullptr ? usual : std::stoi(text);
}

/// The most kilobytes that a running process has had in memory; 0 as long as it does not run `program` yet.
long high_water_of(pid_t process, const std::string& program) {
    const std::filesystem::path directory("/proc/" + std::to_string(process));
    std::error_code error;
    if (std::filesystem::read_symlink(directory / "exe", error) != program) return 0;
    std::ifstream status(directory / "status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) return std::stol(line.substr(6));
    }
    return 0;
}

/// Runs the command `words`, and returns the most kilobytes that it had in memory. Does not use wait4(),
/// whose figure includes the memory of the test program before execv().
long memory_of(const std::vector<std::string>& words) {
    const pid_t child = fork();
    CPPUNIT_ASSERT(child >= 0);
    if (child == 0) {
        std::vector<char*> arguments;
        for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        const int null = open("/dev/null", O_WRONLY);
        dup2(null, STDOUT_FILENO);
        execv(arguments.front(), arguments.data());
        _exit(127);
    }
    int status = 0;
    long most = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        most = std::max(most, high_water_of(child, words.front()));
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    CPPUNIT_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CPPUNIT_ASSERT(most > 0);
    return most;
}

}  // namespace

class LoadBulkTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LoadBulkTest);
    CPPUNIT_TEST(one_request_carries_many_lines_in_the_order_of_their_accounts);
    CPPUNIT_TEST(single_requests_where_they_are_asked_for);
    CPPUNIT_TEST(a_busy_service_is_asked_again);
    CPPUNIT_TEST(a_cut_answer_is_no_answer);
    CPPUNIT_TEST(lines_that_were_not_begun_are_sent_again_alone);
    CPPUNIT_TEST(a_service_without_bulk_requests_gets_single_ones);
    CPPUNIT_TEST(a_key_may_be_replaced_during_the_run);
    CPPUNIT_TEST(an_interrupted_run_goes_on);
    CPPUNIT_TEST(killed_runs_go_on_and_send_little_twice);
    CPPUNIT_TEST(a_changed_file_is_noticed);
    CPPUNIT_TEST(progress_tells_that_nothing_is_answered);
    CPPUNIT_TEST(the_rate_is_kept);
    CPPUNIT_TEST(memory_does_not_grow_with_the_input);
    CPPUNIT_TEST_SUITE_END();

public:
    void one_request_carries_many_lines_in_the_order_of_their_accounts() {
        const Loading loading({.work = std::chrono::milliseconds(20)}, 3000);
        const CommandResult result = loading.run();
        check_complete(loading, result, 3000);
        CPPUNIT_ASSERT_EQUAL(3000, loading.service.lines);
        CPPUNIT_ASSERT_EQUAL(1, loading.service.tokens);
        CPPUNIT_ASSERT_EQUAL(0, loading.service.singles);
        CPPUNIT_ASSERT(loading.service.most >= 100);
        CPPUNIT_ASSERT_MESSAGE(result.output,
                               result.output.find("400 blank at notes.N: 300, such as") != std::string::npos);
    }

    void single_requests_where_they_are_asked_for() {
        const Loading loading({}, 200);
        check_complete(loading, loading.run("", "--single"), 200);
        CPPUNIT_ASSERT_EQUAL(0, loading.service.requests);
        CPPUNIT_ASSERT_EQUAL(200, loading.service.singles);
    }

    void a_busy_service_is_asked_again() {
        const Loading loading({.throttled = 3}, 500);
        const CommandResult result = loading.run();
        check_complete(loading, result, 500);
        CPPUNIT_ASSERT_MESSAGE(result.output,
                               result.output.find("requests/s, 3 retries\n") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(500, loading.service.lines);
    }

    void a_cut_answer_is_no_answer() {
        const Loading loading({.cut = 1}, 500);
        const CommandResult result = loading.run();
        check_complete(loading, result, 500);
        CPPUNIT_ASSERT_MESSAGE(result.output,
                               result.output.find("requests/s, 1 retry\n") != std::string::npos);
        CPPUNIT_ASSERT(loading.service.lines > 500);
    }

    void lines_that_were_not_begun_are_sent_again_alone() {
        const Loading loading({.late = 20}, 500);
        check_complete(loading, loading.run(), 500, false);
        CPPUNIT_ASSERT_EQUAL(500, loading.service.lines);
    }

    void a_service_without_bulk_requests_gets_single_ones() {
        const Loading loading({.has_bulk = false}, 200);
        check_complete(loading, loading.run(), 200);
        CPPUNIT_ASSERT_EQUAL(200, loading.service.singles);
    }

    void a_key_may_be_replaced_during_the_run() {
        const Loading loading({.rotate_after = 150}, 1000);
        check_complete(loading, loading.run(), 1000);
        CPPUNIT_ASSERT_EQUAL(2, loading.service.tokens);
    }

    void an_interrupted_run_goes_on() {
        Loading loading({.hold_from = 3}, 20'000);
        const CommandResult first = loading.run_interrupted();
        CPPUNIT_ASSERT_MESSAGE(first.errors, first.errors.find("stopped: interrupted") != std::string::npos);
        CPPUNIT_ASSERT(loading.has("notes.ndjson.journal"));
        const int sent = loading.service.lines;
        CPPUNIT_ASSERT(sent > 0 && sent < 20'000);
        const CommandResult second = loading.run();
        CPPUNIT_ASSERT_MESSAGE(second.errors, second.errors.find("resumes from") != std::string::npos);
        check_complete(loading, second, 20'000);
        CPPUNIT_ASSERT_EQUAL(20'000, loading.service.lines);
    }

    /// LOAD_KILLS sets the number of kills.
    void killed_runs_go_on_and_send_little_twice() {
        const int kills = from_environment("LOAD_KILLS", 6);
        constexpr int lines = 60'000;
        const Loading loading({.work = std::chrono::milliseconds(50)}, lines);
        std::minstd_rand random(std::random_device{}());
        int killed = 0;
        for (int time = 0; time < kills; ++time) {
            const int moment = std::uniform_int_distribution<>(20, 400)(random);
            const std::string seconds = "0." + std::to_string(1000 + moment).substr(1);
            killed += loading.run("timeout --signal=KILL " + seconds).status == 137 ? 1 : 0;
        }
        CPPUNIT_ASSERT(killed > 0);
        check_complete(loading, loading.run(), lines);
        const int most_in_flight = 4 * loading.service.most;
        CPPUNIT_ASSERT(loading.service.lines - lines <= killed * most_in_flight);
    }

    void a_changed_file_is_noticed() {
        Loading loading({.hold_from = 3}, 20'000);
        const CommandResult first = loading.run_interrupted();
        CPPUNIT_ASSERT(loading.has("notes.ndjson.journal"));
        std::fstream(loading.path("notes.ndjson"), std::ios::in | std::ios::out) << R"({"path": "/v1/date)";
        const CommandResult second = loading.run();
        CPPUNIT_ASSERT_EQUAL_MESSAGE(second.errors, 1, second.status);
        CPPUNIT_ASSERT_MESSAGE(second.errors,
                               second.errors.find("changed since. Remove the journal") != std::string::npos);
    }

    void progress_tells_that_nothing_is_answered() {
        const Loading loading({.work = std::chrono::milliseconds(2800)}, 1);
        const CommandResult result = loading.run_on_terminal();
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output, 0, result.status);
        CPPUNIT_ASSERT_MESSAGE(result.output, result.output.find("  no answer for 5 s") != std::string::npos);
    }

    void the_rate_is_kept() {
        const Loading loading({}, 60);
        const auto begin = std::chrono::steady_clock::now();
        check_complete(loading, loading.run("", "--rate 30"), 60);
        CPPUNIT_ASSERT(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(950));
    }

    /// Tries lines of the greatest length, and many short ones.
    void memory_does_not_grow_with_the_input() {
        const Loading loading({}, 200'000);
        const std::string program =
            std::filesystem::canonical(build_directory() / "data-import-load").string();
        const std::string url = loading.url();
        const std::string key = loading.path("key");
        {
            std::ofstream file(loading.path("long.ndjson"));
            for (int line = 1; line <= 6; ++line) {
                file << R"({"path": "/v1/data-import/notes/create/", "body": {"import_supplier": "ACME", )"
                        R"("external_account_number": "1", "number": )"
                     << line << R"(, "notes": [)";
                for (int note = 0; note < 160; ++note)
                    file << (note > 0 ? "," : "") << R"({"body": ")" << std::string(65'000, 'x') << "\"}";
                file << "]}}\n";
            }
        }
        for (const std::string option : {"--no-journal", "--single"}) {
            const long memory = memory_of({program, "--url", url, "--api-key-file", key, "--connections", "8",
                                           option, loading.path("long.ndjson")});
            CPPUNIT_ASSERT_MESSAGE(option + " " + std::to_string(memory),
                                   is_memory_below(memory, most_memory_kb));
        }
        CPPUNIT_ASSERT_EQUAL(12, loading.service.lines);
        std::ofstream many(loading.path("many.ndjson"));
        for (int line = 1; line < 300'000; ++line)
            many << (line % 10 == 0 ? "" : Loading::text_of(line) + "\n");
        many.close();
        const long memory =
            memory_of({program, "--url", url, "--api-key-file", key, loading.path("many.ndjson")});
        CPPUNIT_ASSERT_MESSAGE(std::to_string(memory), is_memory_below(memory, most_memory_kb));
    }

private:
    /// Fails unless the service has got all lines, and each of the files `rejects` and `report` has every
    /// refused line exactly once. Every tenth line is refused. With `in_order`, also fails unless the lines
    /// of each account have come in their order.
    static void check_complete(const Loading& loading, const CommandResult& result, int lines,
                               bool in_order = true) {
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output + result.errors, 1, result.status);
        CPPUNIT_ASSERT_EQUAL(static_cast<std::size_t>(lines), loading.service.numbers.size());
        CPPUNIT_ASSERT(!in_order || loading.service.in_order);
        for (const char* file : {"rejects", "report"}) {
            std::size_t count = 0;
            CPPUNIT_ASSERT_EQUAL(static_cast<std::size_t>(lines / 10), loading.lines_of(file, count).size());
            CPPUNIT_ASSERT_EQUAL(static_cast<std::size_t>(lines / 10), count);
        }
        std::size_t count = 0;
        CPPUNIT_ASSERT(loading.lines_of("rejects", count).contains(Loading::text_of(10)));
        CPPUNIT_ASSERT(!loading.has("notes.ndjson.journal"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(LoadBulkTest);

}  // namespace data_import::tests
