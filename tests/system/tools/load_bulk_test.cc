// How data-import-load sends many lines at once, and continues after an interruption, against a played
// service.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <Poco/Net/HTTPRequestHandler.h>
#include <Poco/Net/HTTPRequestHandlerFactory.h>
#include <Poco/Net/HTTPServer.h>
#include <Poco/Net/HTTPServerParams.h>
#include <Poco/Net/HTTPServerRequest.h>
#include <Poco/Net/HTTPServerResponse.h>
#include <Poco/Net/ServerSocket.h>
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

#include "../../gzip.h"
#include "../../support/command.h"
#include "../../support/processes.h"
#include "../../support/stack.h"
#include "data/json/reader.h"

namespace data_import::tests {

namespace {

namespace net = Poco::Net;

constexpr int accounts = 7;
constexpr long most_memory_kb = 64L * 1024;

/// The behaviour of the played service.
struct Play {
    std::string key = "dik_first";
    int throttled = 0;      ///< bulk requests that are answered 429 first
    int cut = 0;            ///< bulk requests that are answered without their last line
    std::size_t late = 0;   ///< lines that are answered 503 the first time
    bool has_bulk = true;   ///< else 404
    int rotate_after = -1;  ///< lines; from then on only another key is good, which stands in the file then
    std::chrono::milliseconds work{0};  ///< of each request
    int hold_from = -1;  ///< the bulk request that comes as this one waits for release(), and all behind it
};

/// Accepts lines whose body has a `number`; it refuses numbers that are divisible by 10.
class PlayedService : public net::HTTPRequestHandlerFactory {
public:
    PlayedService(Play play, std::filesystem::path key_file)
        : play_(std::move(play)), key_file_(std::move(key_file)) {}

    net::HTTPRequestHandler* createRequestHandler(const net::HTTPServerRequest&) override {
        return new Handler(*this);
    }

    /// Whether a request waits.
    [[nodiscard]] bool holds() const { return holds_; }
    void release() { is_released_ = true; }

    int requests = 0;  ///< bulk requests
    int singles = 0;
    int lines = 0;              ///< taken, repeats counted
    int tokens = 0;             ///< given out
    std::set<int> numbers;      ///< of the lines
    bool in_order = true;       ///< the lines of every account came in their order
    std::atomic<int> most = 0;  ///< lines of one request

private:
    struct Reply {
        int status;
        std::string body;
    };

    class Handler : public net::HTTPRequestHandler {
    public:
        explicit Handler(PlayedService& service) : service_(service) {}

        void handleRequest(net::HTTPServerRequest& request, net::HTTPServerResponse& response) override {
            std::string body(std::istreambuf_iterator<char>(request.stream()), {});
            if (request.get("Content-Encoding", "") == "gzip") body = unpacked(body);
            const Reply reply = service_.answer(request.getURI(), request.get("Authorization", ""), body);
            std::this_thread::sleep_for(service_.play_.work);
            service_.wait_for_release();
            response.setStatus(static_cast<net::HTTPResponse::HTTPStatus>(reply.status));
            response.set("X-Request-Id", "played");
            if (reply.status == 429) response.set("Retry-After", "0");
            response.sendBuffer(reply.body.data(), reply.body.size());
        }

    private:
        PlayedService& service_;
    };

    void wait_for_release() {
        while (holds_ && !is_released_) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }

    Reply answer(const std::string& path, const std::string& token, const std::string& body) {
        const std::lock_guard lock(mutex_);
        if (path == "/v1/graphql/") return give_token(body);
        if (token != "Token " + play_.key)
            return {401, R"({"detail": "x", "code": "authentication_failed", "errors": []})"};
        if (path.starts_with("/v1/data-import/bulk/")) return take_lines(body);
        if (path == "/v1/data-import/token/") return {200, R"({"organisation": "Played"})"};
        ++singles;
        return take(body).status == 201 ? Reply{201, "[]"} : refusal;
    }

    /// The token is the key itself.
    Reply give_token(const std::string& body) {
        if (body.find('"' + play_.key + '"') == std::string::npos)
            return {200,
                    R"({"errors": [{"message": "x", "extensions": {"code": "authentication_failed"}}]})"};
        ++tokens;
        return {200, R"({"data": {"obtainToken": {"token": ")" + play_.key + R"(", "expiresIn": 3600}}})"};
    }

    Reply take_lines(const std::string& body) {
        if (++requests == play_.hold_from) holds_ = true;
        if (!play_.has_bulk) return {404, R"({"detail": "x", "code": "not_found", "errors": []})"};
        if (play_.throttled-- > 0) return {429, R"({"detail": "x", "code": "throttled", "errors": []})"};
        std::istringstream text(body);
        std::string results;
        int count = 0;
        int refused = 0;
        for (std::string line; std::getline(text, line);) {
            const Reply reply = take(line);
            refused += reply.status == 201 ? 0 : 1;
            results += R"({"line": )" + std::to_string(++count) + R"(, "status": )" +
                       std::to_string(reply.status) + R"(, "body": )" + reply.body + "}\n";
        }
        most = std::max<int>(most, count);
        if (play_.cut-- > 0) return {200, results};
        return {refused > 0 ? 207 : 200, results + R"({"lines": )" + std::to_string(count) +
                                             R"(, "accepted": )" + std::to_string(count - refused) +
                                             R"(, "refused": )" + std::to_string(refused) + "}\n"};
    }

    Reply take(const std::string& line) {
        const json::Document document = json::read(line);
        const auto bulk = document.root().find("body");
        const json::Value body = bulk ? *bulk : document.root();
        const int number = std::stoi(std::string(body.at("number").text()));
        if (late_.size() < play_.late && number % 3 == 0 && late_.insert(number).second) {
            return {503, R"({"detail": "x", "code": "service_unavailable", "errors": []})"};
        }
        ++lines;
        const bool is_new = numbers.insert(number).second;
        int& before = last_[std::string(body.at("external_account_number").text())];
        if (is_new && number < before) in_order = false;
        before = std::max(before, number);
        if (lines == play_.rotate_after) {
            play_.key = "dik_second";
            std::ofstream(key_file_) << play_.key;
        }
        return number % 10 == 0 ? refusal : Reply{201, "[]"};
    }

    const Reply refusal = {
        400, R"({"detail": "x", "code": "validation_error", "errors": [{"attr": "notes.0", "code": "blank", )"
             R"("detail": "x"}]})"};

    Play play_;
    std::filesystem::path key_file_;
    std::mutex mutex_;
    std::map<std::string, int> last_;
    std::set<int> late_;
    std::atomic<bool> holds_ = false;
    std::atomic<bool> is_released_ = false;
};

/// Runs of the client against one played service, with one file of lines numbered from 1.
class Loading {
public:
    Loading(const Play& play, int lines)
        : directory_(std::filesystem::temp_directory_path() /
                     ("load-bulk-" + std::to_string(getpid()) + '-' + std::to_string(++made_))) {
        std::filesystem::create_directories(directory_);
        std::ofstream(directory_ / "key") << play.key << '\n';
        std::filesystem::permissions(directory_ / "key", std::filesystem::perms(0600));
        std::ofstream file(directory_ / "notes.ndjson");
        for (int line = 1; line <= lines; ++line) file << text_of(line) << '\n';
        service = new PlayedService(play, directory_ / "key");
        server_ = std::make_unique<net::HTTPServer>(service, socket_, new net::HTTPServerParams);
        server_->start();
    }
    ~Loading() {
        server_->stopAll(true);
        std::filesystem::remove_all(directory_);
    }
    Loading(const Loading&) = delete;
    Loading& operator=(const Loading&) = delete;

    CommandResult run(const std::string& before = "", const std::string& options = "") const {
        return run_command(before + ' ' + command(options));
    }
    CommandResult run_on_terminal() const {
        return run_command("script --quiet --return --command " + shell_word(command("")) + " /dev/null");
    }

    /// A run that is interrupted in the middle of a request. A shell has its background commands ignore
    /// SIGINT.
    CommandResult run_interrupted() {
        CommandResult result;
        std::thread running([&] {
            result = run("env --default-signal=INT bash -c 'echo $$ >" + path("pid") + "; exec \"$@\"' run");
        });
        for (int wait = 0; wait < 6000 && !service->holds(); ++wait)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        pid_t process = 0;
        std::ifstream(path("pid")) >> process;
        if (process > 0) kill(process, SIGINT);
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        service->release();
        running.join();
        return result;
    }

    [[nodiscard]] std::string port() const { return std::to_string(socket_.address().port()); }
    [[nodiscard]] std::string path(const std::string& name) const { return (directory_ / name).string(); }
    [[nodiscard]] bool has(const std::string& name) const {
        return std::filesystem::exists(directory_ / name);
    }
    [[nodiscard]] std::set<std::string> lines_of(const std::string& name, std::size_t& count) const {
        std::set<std::string> lines;
        std::ifstream file(directory_ / name);
        for (std::string line; std::getline(file, line); ++count) lines.insert(line);
        return lines;
    }

    static std::string text_of(int line) {
        return R"({"path": "/v1/data-import/notes/create/", "body": {"import_supplier": "ACME", )"
               R"("external_account_number": ")" +
               std::to_string(line % accounts) + R"(", "number": )" + std::to_string(line) + "}}";
    }

    Poco::SharedPtr<PlayedService> service;

private:
    [[nodiscard]] std::string command(const std::string& options) const {
        return (build_directory() / "data-import-load").string() + " --url http://127.0.0.1:" + port() +
               " --connections 4 --api-key-file " + path("key") + " --rejects " + path("rejects") +
               " --report " + path("report") + ' ' + options + ' ' + path("notes.ndjson");
    }

    static inline int made_ = 0;
    std::filesystem::path directory_;
    net::ServerSocket socket_{net::SocketAddress("127.0.0.1", 0)};
    std::unique_ptr<net::HTTPServer> server_;
};

int from_environment(const char* name, int usual) {
    const char* const text = std::getenv(name);
    return text == nullptr ? usual : std::stoi(text);
}

/// The most kilobytes that a running program has had in memory; 0 while it is not that program yet.
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

/// The most kilobytes that a program had in memory. The figure of wait4() would count this program, too.
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
        CPPUNIT_ASSERT_EQUAL(3000, loading.service->lines);
        CPPUNIT_ASSERT_EQUAL(1, loading.service->tokens);
        CPPUNIT_ASSERT_EQUAL(0, loading.service->singles);
        CPPUNIT_ASSERT(loading.service->most >= 100);
        CPPUNIT_ASSERT_MESSAGE(result.output,
                               result.output.find("400 blank at notes.N: 300, such as") != std::string::npos);
    }

    void single_requests_where_they_are_asked_for() {
        const Loading loading({}, 200);
        check_complete(loading, loading.run("", "--single"), 200);
        CPPUNIT_ASSERT_EQUAL(0, loading.service->requests);
        CPPUNIT_ASSERT_EQUAL(200, loading.service->singles);
    }

    void a_busy_service_is_asked_again() {
        const Loading loading({.throttled = 3}, 500);
        const CommandResult result = loading.run();
        check_complete(loading, result, 500);
        CPPUNIT_ASSERT_MESSAGE(result.output,
                               result.output.find("requests/s, 3 repeats\n") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(500, loading.service->lines);
    }

    void a_cut_answer_is_no_answer() {
        const Loading loading({.cut = 1}, 500);
        const CommandResult result = loading.run();
        check_complete(loading, result, 500);
        CPPUNIT_ASSERT_MESSAGE(result.output,
                               result.output.find("requests/s, 1 repeat\n") != std::string::npos);
        CPPUNIT_ASSERT(loading.service->lines > 500);
    }

    void lines_that_were_not_begun_are_sent_again_alone() {
        const Loading loading({.late = 20}, 500);
        check_complete(loading, loading.run(), 500, false);
        CPPUNIT_ASSERT_EQUAL(500, loading.service->lines);
    }

    void a_service_without_bulk_requests_gets_single_ones() {
        const Loading loading({.has_bulk = false}, 200);
        check_complete(loading, loading.run(), 200);
        CPPUNIT_ASSERT_EQUAL(200, loading.service->singles);
    }

    void a_key_may_be_replaced_during_the_run() {
        const Loading loading({.rotate_after = 150}, 1000);
        check_complete(loading, loading.run(), 1000);
        CPPUNIT_ASSERT_EQUAL(2, loading.service->tokens);
    }

    void an_interrupted_run_goes_on() {
        Loading loading({.hold_from = 3}, 20'000);
        const CommandResult first = loading.run_interrupted();
        CPPUNIT_ASSERT_MESSAGE(first.errors, first.errors.find("stopped: interrupted") != std::string::npos);
        CPPUNIT_ASSERT(loading.has("notes.ndjson.journal"));
        const int sent = loading.service->lines;
        CPPUNIT_ASSERT(sent > 0 && sent < 20'000);
        const CommandResult second = loading.run();
        CPPUNIT_ASSERT_MESSAGE(second.errors, second.errors.find("resumes from") != std::string::npos);
        check_complete(loading, second, 20'000);
        CPPUNIT_ASSERT_EQUAL(20'000, loading.service->lines);
    }

    /// LOAD_KILLS is the number of kills.
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
        const int most_in_flight = 4 * loading.service->most;
        CPPUNIT_ASSERT(loading.service->lines - lines <= killed * most_in_flight);
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

    /// Lines of the greatest length, and many short ones.
    void memory_does_not_grow_with_the_input() {
        const Loading loading({}, 200'000);
        const std::string program =
            std::filesystem::canonical(build_directory() / "data-import-load").string();
        const std::string url = "http://127.0.0.1:" + loading.port();
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
        CPPUNIT_ASSERT_EQUAL(12, loading.service->lines);
        std::ofstream many(loading.path("many.ndjson"));
        for (int line = 1; line < 300'000; ++line)
            many << (line % 10 == 0 ? "" : Loading::text_of(line) + "\n");
        many.close();
        const long memory =
            memory_of({program, "--url", url, "--api-key-file", key, loading.path("many.ndjson")});
        CPPUNIT_ASSERT_MESSAGE(std::to_string(memory), is_memory_below(memory, most_memory_kb));
    }

private:
    /// Every tenth line is refused and kept, once.
    static void check_complete(const Loading& loading, const CommandResult& result, int lines,
                               bool in_order = true) {
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output + result.errors, 1, result.status);
        CPPUNIT_ASSERT_EQUAL(static_cast<std::size_t>(lines), loading.service->numbers.size());
        CPPUNIT_ASSERT(!in_order || loading.service->in_order);
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
