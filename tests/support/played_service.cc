#include "played_service.h"

#include <Poco/Net/HTTPRequestHandler.h>
#include <Poco/Net/HTTPRequestHandlerFactory.h>
#include <Poco/Net/HTTPServerParams.h>
#include <Poco/Net/HTTPServerRequest.h>
#include <Poco/Net/HTTPServerResponse.h>
#include <signal.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "../gzip.h"
#include "processes.h"
#include "stack.h"

namespace data_import::tests {

namespace net = Poco::Net;

namespace {

PlayedService::Request read(net::HTTPServerRequest& request) {
    PlayedService::Request asked{.method = request.getMethod(),
                                 .path = request.getURI(),
                                 .token = request.get("Authorization", ""),
                                 .key = request.get("Idempotency-Key", ""),
                                 .body = {std::istreambuf_iterator<char>(request.stream()), {}},
                                 .plain = {},
                                 .headers = {}};
    asked.plain = request.get("Content-Encoding", "") == "gzip" ? unpacked(asked.body) : asked.body;
    for (const auto& [name, value] : request) asked.headers.emplace(name, value);
    return asked;
}

}  // namespace

class PlayedService::Handler : public net::HTTPRequestHandler {
public:
    explicit Handler(const Answer& answer) : answer_(answer) {}

    void handleRequest(net::HTTPServerRequest& request, net::HTTPServerResponse& response) override {
        const Reply reply = answer_(read(request));
        response.setStatus(static_cast<net::HTTPResponse::HTTPStatus>(reply.status));
        response.setContentType(reply.type);
        response.set("X-Request-Id", "played");
        for (const auto& [name, value] : reply.headers) response.set(name, value);
        response.sendBuffer(reply.body.data(), reply.body.size());
    }

private:
    const Answer& answer_;
};

class PlayedService::Factory : public net::HTTPRequestHandlerFactory {
public:
    explicit Factory(Answer answer) : answer_(std::move(answer)) {}

    net::HTTPRequestHandler* createRequestHandler(const net::HTTPServerRequest&) override {
        return new Handler(answer_);
    }

private:
    const Answer answer_;
};

PlayedService::PlayedService(Answer answer) : socket_(net::SocketAddress("127.0.0.1", 0)) {
    std::string pattern = (std::filesystem::temp_directory_path() / "played-service-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no directory " + pattern);
    directory_ = pattern;
    add("key", std::string(api_key) + '\n');
    std::filesystem::permissions(directory_ / "key", std::filesystem::perms(0600));
    server_ =
        std::make_unique<net::HTTPServer>(new Factory(std::move(answer)), socket_, new net::HTTPServerParams);
    server_->start();
}

PlayedService::~PlayedService() {
    stop();
    std::filesystem::remove_all(directory_);
}

void PlayedService::stop() {
    server_->stopAll(true);
}

std::string PlayedService::add(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ / name, std::ios::binary) << text;
    return path(name);
}

std::string PlayedService::text_of(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(directory_ / name, std::ios::binary).rdbuf();
    return text.str();
}

std::string PlayedService::url() const {
    return "http://127.0.0.1:" + std::to_string(socket_.address().port());
}

CommandResult PlayedService::run(const std::string& arguments, const std::string& before) const {
    return run_command("cd " + shell_word(directory_.string()) + " && " + before + ' ' +
                       std::filesystem::absolute(build_directory() / "data-import-load").string() + ' ' +
                       arguments);
}

CommandResult PlayedService::load(const std::string& arguments, const std::string& before) const {
    return run("--url " + url() + " --api-key-file key " + arguments, before);
}

CommandResult PlayedService::load_until(const std::function<bool()>& when, int signal,
                                        const std::string& arguments, const std::string& before) const {
    CommandResult result;
    // the client must not ignore signals: it would inherit that for SIGINT from a shell that runs the tests
    // in the background, and for SIGHUP from nohup
    std::thread running([&] {
        result = load(arguments,
                      "env --default-signal=INT,HUP " + before + " bash -c 'echo $$ >pid; exec \"$@\"' run");
    });
    static_cast<void>(wait_until(when, std::chrono::seconds(30)));
    pid_t process = 0;
    std::ifstream(path("pid")) >> process;
    if (process > 0) kill(process, signal);
    running.join();
    return result;
}

PlayedService::Reply PlayedService::token(const std::string& token, int lifetime) {
    return {.status = 200,
            .body = R"({"data": {"obtainToken": {"token": ")" + token + R"(", "expiresIn": )" +
                    std::to_string(lifetime) + "}}}"};
}

PlayedService::Reply PlayedService::refused(int status, const std::string& code) {
    Reply reply{.status = status,
                .body = R"({"detail": "played )" + std::to_string(status) + R"(", "code": ")" + code +
                        R"(", "errors": []})"};
    if (status == 409 || status == 429 || status == 503) reply.headers = {{"Retry-After", "0"}};
    return reply;
}

PlayedService::Reply PlayedService::answer_lines(const std::string& lines,
                                                 const std::function<Reply(const std::string& line)>& take) {
    std::istringstream text(lines);
    std::string results;
    int count = 0;
    int refused = 0;
    for (std::string line; std::getline(text, line);) {
        const Reply reply = take(line);
        refused += reply.status < 300 ? 0 : 1;
        results += R"({"line": )" + std::to_string(++count) + R"(, "status": )" +
                   std::to_string(reply.status) + R"(, "body": )" + reply.body + "}\n";
    }
    return {.status = refused > 0 ? 207 : 200,
            .body = results + R"({"lines": )" + std::to_string(count) + R"(, "accepted": )" +
                    std::to_string(count - refused) + R"(, "refused": )" + std::to_string(refused) + "}\n"};
}

}  // namespace data_import::tests
