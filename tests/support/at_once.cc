#include "at_once.h"

#include <chrono>
#include <thread>

namespace data_import::tests {

namespace {

/// Asks again after a 429. If other organisations asked in earlier tests, the service keeps their shares for
/// two seconds more, so that this organisation may be beyond its own share.
Answer ask_patiently(HttpConnection& connection, const HttpRequest& request) {
    constexpr int most_attempts = 5;
    Answer answer = connection.ask(request);
    for (int attempt = 1; answer.status == 429 && attempt < most_attempts; ++attempt) {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        answer = connection.ask(request);
    }
    return answer;
}

using Ask = std::function<Answer(HttpConnection& connection, std::size_t number)>;

std::vector<Answer> ask_each(const Stack& stack, std::size_t connections, const Ask& ask) {
    std::vector<Answer> answers(connections);
    std::vector<HttpConnection> open;
    open.reserve(connections);
    while (open.size() < connections) open.emplace_back(stack.port(), stack.value("CA_FILE"));
    std::vector<std::thread> threads;
    for (std::size_t number = 0; number < connections; ++number)
        threads.emplace_back([&, number] { answers[number] = ask(open[number], number); });
    for (std::thread& thread : threads) thread.join();
    return answers;
}

}  // namespace

std::vector<Answer> ask_all_at_once(const Stack& stack, const std::vector<HttpRequest>& requests) {
    return ask_each(stack, requests.size(), [&](HttpConnection& connection, std::size_t number) {
        return connection.ask(requests[number]);
    });
}

std::vector<Answer> ask_at_once(const Stack& stack, std::size_t connections,
                                const std::function<HttpRequest(std::size_t)>& make_request) {
    return ask_each(stack, connections, [&](HttpConnection& connection, std::size_t number) {
        return ask_patiently(connection, make_request(number));
    });
}

}  // namespace data_import::tests
