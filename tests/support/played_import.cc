#include "played_import.h"

#include <Poco/Net/HTTPRequestHandler.h>
#include <Poco/Net/HTTPRequestHandlerFactory.h>
#include <Poco/Net/HTTPServerParams.h>
#include <Poco/Net/HTTPServerRequest.h>
#include <Poco/Net/HTTPServerResponse.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "../gzip.h"
#include "data/json/reader.h"
#include "processes.h"
#include "stack.h"

namespace data_import::tests {

namespace net = Poco::Net;

namespace {

std::string error_of(int status) {
    return R"({"detail": "played )" + std::to_string(status) + R"(", "code": ")" +
           (status == 409 ? "request_in_progress" : "played") + R"(", "errors": []})";
}

std::string line_of(const std::string& path, int number, const std::string& account) {
    return R"({"path": ")" + path + R"(", "body": {"import_supplier": "ACME", "external_account_number": ")" +
           account + R"(", "number": )" + std::to_string(number) + "}}\n";
}

}  // namespace

class PlayedImport::Handler : public net::HTTPRequestHandler {
public:
    explicit Handler(PlayedImport& service) : service_(service) {}

    void handleRequest(net::HTTPServerRequest& request, net::HTTPServerResponse& response) override {
        std::string body(std::istreambuf_iterator<char>(request.stream()), {});
        if (request.get("Content-Encoding", "") == "gzip") body = unpacked(body);
        const Reply reply = service_.answer(request.getURI(), request.get("Idempotency-Key", ""), body);
        if (reply.status == cut) throw std::runtime_error("the connection is to end");
        response.setStatus(static_cast<net::HTTPResponse::HTTPStatus>(reply.status));
        response.set("X-Request-Id", "played");
        if (reply.status == 409 || reply.status == 429 || reply.status == 503)
            response.set("Retry-After", "0");
        response.sendBuffer(reply.body.data(), reply.body.size());
    }

private:
    PlayedImport& service_;
};

class PlayedImport::Factory : public net::HTTPRequestHandlerFactory {
public:
    explicit Factory(PlayedImport& service) : service_(service) {}

    net::HTTPRequestHandler* createRequestHandler(const net::HTTPServerRequest&) override {
        return new Handler(service_);
    }

private:
    PlayedImport& service_;
};

PlayedImport::PlayedImport(Plan plan) : plan_(std::move(plan)), socket_(net::SocketAddress("127.0.0.1", 0)) {
    std::string pattern = (std::filesystem::temp_directory_path() / "played-import-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no directory " + pattern);
    directory_ = pattern;
    add("key", "dik_played\n");
    std::filesystem::permissions(directory_ / "key", std::filesystem::perms::owner_read);
    server_ = std::make_unique<net::HTTPServer>(new Factory(*this), socket_, new net::HTTPServerParams);
    server_->start();
}

PlayedImport::~PlayedImport() {
    server_->stopAll(true);
    std::filesystem::remove_all(directory_);
}

void PlayedImport::forget_keys() {
    const std::lock_guard lock(mutex_);
    kept_.clear();
}

std::map<int, int> PlayedImport::stored() const {
    const std::lock_guard lock(mutex_);
    return stored_;
}

std::vector<PlayedImport::Arrival> PlayedImport::arrivals() const {
    const std::lock_guard lock(mutex_);
    return arrivals_;
}

PlayedImport::Reply PlayedImport::answer(const std::string& path, const std::string& key,
                                         const std::string& body) {
    if (path == "/v1/graphql/")
        return {200, R"({"data": {"obtainToken": {"token": "played", "expiresIn": 3600}}})"};
    return path.starts_with("/v1/data-import/bulk/") ? take_lines(body) : take(path, key, body);
}

PlayedImport::Reply PlayedImport::take_lines(const std::string& body) {
    std::istringstream text(body);
    std::string results;
    int count = 0;
    int refused = 0;
    for (std::string line; std::getline(text, line);) {
        const json::Document document = json::read(line);
        const std::size_t begin = line.find(R"("body":)") + 7;
        const Reply reply = take(std::string(document.root().at("path").text()), "",
                                 line.substr(begin, line.size() - begin - 1));
        if (reply.status == cut) return reply;
        refused += reply.status < 300 ? 0 : 1;
        results += R"({"line": )" + std::to_string(++count) + R"(, "status": )" +
                   std::to_string(reply.status) + R"(, "body": )" + reply.body + "}\n";
    }
    return {refused > 0 ? 207 : 200, results + R"({"lines": )" + std::to_string(count) + R"(, "accepted": )" +
                                         std::to_string(count - refused) + R"(, "refused": )" +
                                         std::to_string(refused) + "}\n"};
}

PlayedImport::Reply PlayedImport::take(const std::string& path, const std::string& key,
                                       const std::string& body) {
    const json::Document document = json::read(body);
    const auto number = document.root().find("number");
    Arrival arrival{path, key, number ? std::stoi(std::string(number->text())) : 0};
    {
        const std::lock_guard lock(mutex_);
        arrival.times = ++times_[arrival.number];
        arrivals_.push_back(arrival);
        if (const auto kept = kept_.find(key); kept != kept_.end()) {
            return kept->second == arrival.number ? Reply{201, "[]"} : Reply{422, error_of(422)};
        }
    }
    const auto store = [&] {
        const std::lock_guard lock(mutex_);
        ++stored_[arrival.number];
        if (!key.empty()) kept_[key] = arrival.number;
    };
    const int status = plan_ ? plan_(arrival) : 0;
    if (status <= 0) store();
    if (status > foreign) return {status - foreign, "<html>This is not here</html>"};
    if (status == other_content)
        return {201, R"({"results": [{"status": "TRANSACTION_ALREADY_EXISTS", "differs": true, )"
                     R"("transaction_data": {"transaction_id": "T-)" +
                         std::to_string(arrival.number) + "\"}}]}"};
    return status == 0 ? Reply{201, "[]"} : Reply{std::abs(status), error_of(std::abs(status))};
}

std::string PlayedImport::add(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ / name, std::ios::binary) << text;
    return path(name);
}

std::string PlayedImport::text_of(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(directory_ / name, std::ios::binary).rdbuf();
    return text.str();
}

CommandResult PlayedImport::run(const std::string& arguments, const std::string& before) const {
    return run_command("cd " + shell_word(directory_.string()) + " && " + before + ' ' +
                       std::filesystem::absolute(build_directory() / "data-import-load").string() + ' ' +
                       arguments);
}

CommandResult PlayedImport::load(const std::string& arguments, const std::string& before) const {
    return run("--url http://127.0.0.1:" + std::to_string(socket_.address().port()) + " --api-key-file key " +
                   arguments,
               before);
}

CommandResult PlayedImport::load_until(const std::function<bool()>& when, int signal,
                                       const std::string& arguments, const std::string& before) const {
    CommandResult result;
    // a shell has its background commands ignore SIGINT, and the tests themselves may run under nohup
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

std::string PlayedImport::note(int number, const std::string& account) {
    return line_of("/v1/data-import/notes/create/", number, account);
}

std::string PlayedImport::charge(int number, const std::string& account) {
    return line_of("/v1/data-import/transactions/create/?check_previously_added=false", number, account);
}

}  // namespace data_import::tests
