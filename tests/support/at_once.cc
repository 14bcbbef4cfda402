#include "at_once.h"

#include <thread>

namespace data_import::tests {

std::vector<Answer> ask_at_once(const Stack& stack, std::size_t connections,
                                const std::function<HttpRequest(std::size_t)>& make_request) {
    std::vector<Answer> answers(connections);
    std::vector<HttpConnection> open;
    open.reserve(connections);
    while (open.size() < connections) open.emplace_back(stack.port(), stack.value("CA_FILE"));
    std::vector<std::thread> threads;
    for (std::size_t number = 0; number < connections; ++number) {
        threads.emplace_back([&, number] { answers[number] = open[number].ask(make_request(number)); });
    }
    for (std::thread& thread : threads) thread.join();
    return answers;
}

}  // namespace data_import::tests
