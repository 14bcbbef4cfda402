#include "load.h"

#include <Poco/Exception.h>

#include "answer_check.h"
#include "data/json/writer.h"

namespace data_import::tests {

namespace {

std::string body_of(const std::string& supplier, const std::string& account,
                    const std::vector<SentNote>& notes) {
    json::Writer writer;
    writer.begin_object()
        .key("import_supplier")
        .string(supplier)
        .key("external_account_number")
        .string(account);
    writer.key("notes").begin_array();
    for (const SentNote& note : notes) {
        writer.begin_object().key("body").string(note.body);
        if (!note.created_at.empty()) writer.key("created_at").string(note.created_at);
        writer.end_object();
    }
    writer.end_array().end_object();
    return writer.take();
}

/// An answer of status 0 stands for a connection that failed.
Answer ask_on(std::unique_ptr<HttpConnection>& connection, const Stack& stack, const HttpRequest& request) {
    Answer answer;
    try {
        if (!connection) connection = std::make_unique<HttpConnection>(stack.port(), stack.value("CA_FILE"));
        answer = connection->ask(request);
    } catch (const Poco::Exception& reason) {
        answer = Answer{};
        answer.body = reason.displayText();
    }
    if (!answer.complete || answer.header("Connection") == "close") connection.reset();
    return answer;
}

}  // namespace

HttpRequest notes_request(const std::string& token, const std::string& supplier, const std::string& account,
                          const std::vector<SentNote>& notes) {
    return {
        "POST",
        "/v1/data-import/notes/create/",
        {{"Host", "localhost"}, {"Authorization", "Token " + token}, {"Content-Type", "application/json"}},
        body_of(supplier, account, notes)};
}

HttpRequest get_request(const std::string& target, const std::string& token) {
    HttpRequest request{"GET", target, {{"Host", "localhost"}}, ""};
    if (!token.empty()) request.headers.emplace_back("Authorization", "Token " + token);
    return request;
}

Answer ask(const Stack& stack, const HttpRequest& request) {
    return HttpConnection(stack.port(), stack.value("CA_FILE")).ask(request);
}

Load::Load(const Stack& stack, Options options) : stack_(stack), options_(std::move(options)) {
    for (int number = 0; number < options_.clients; ++number) {
        clients_.emplace_back([this, number] { run_client(number); });
    }
}

Load::~Load() {
    stop();
}

void Load::stop() {
    stopping_ = true;
    for (std::thread& client : clients_) client.join();
    clients_.clear();
}

void Load::run_client(int number) {
    std::unique_ptr<HttpConnection> connection;
    for (int count = 0; !stopping_; ++count) {
        const std::string body = "note " + std::to_string(number) + '-' + std::to_string(count) + ' ' +
                                 std::string(options_.padding, 'x');
        while (!post(connection, body) && options_.repeat)
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

bool Load::post(std::unique_ptr<HttpConnection>& connection, const std::string& body) {
    const HttpRequest request = notes_request(options_.token, options_.supplier, options_.account, {{body}});
    const Answer answer = ask_on(connection, stack_, request);
    const std::lock_guard<std::mutex> lock(mutex_);
    ++answered_;
    if (answer.status == 201) {
        acknowledged_.push_back(body);
        return true;
    }
    ++failures_[answer.status];
    first_failures_.emplace(answer.status, answer);
    return answer.status != 0 && answer.status < 500;
}

std::string Load::examples() const {
    std::string text;
    for (const auto& [status, answer] : first_failures_) {
        text += std::to_string(failures_.at(status)) + " times " + shown(answer) + '\n';
    }
    return text;
}

int Load::failed() const {
    int sum = 0;
    for (const auto& [status, count] : failures_) sum += count;
    return sum;
}

}  // namespace data_import::tests
