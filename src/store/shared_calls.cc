#include "store/shared_calls.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace data_import::store {

namespace {

/// The imports for an account that have no call yet, by their places.
class Queue {
public:
    void push(std::size_t place) { places_.push_back(place); }

    [[nodiscard]] std::size_t size() const { return places_.size() - next_; }
    [[nodiscard]] std::size_t front() const { return places_[next_]; }

    /// Moves the imports that may stand in a call of the function.
    void move_to(std::vector<std::size_t>& call, const ImportFunction* function,
                 std::span<const Import* const> imports) {
        std::set<std::string_view> contents;
        while (size() > 0 && call.size() < function->most) {
            const Import& import = *imports[front()];
            if (import.function != function || !contents.insert(import.content).second) return;
            call.push_back(front());
            ++next_;
            if (import.content.empty()) return;
        }
    }

private:
    std::vector<std::size_t> places_;
    std::size_t next_ = 0;
};

std::vector<Queue> queues_of(std::span<const Import* const> imports) {
    std::vector<Queue> queues;
    std::map<std::string_view, std::size_t> accounts;
    for (std::size_t place = 0; place < imports.size(); ++place) {
        const auto [account, is_new] = accounts.emplace(imports[place]->fields.front(), queues.size());
        if (is_new) queues.emplace_back();
        queues[account->second].push(place);
    }
    return queues;
}

}  // namespace

// Picks the kind at the head of the longest queue, so that accounts stay in step.
std::vector<std::vector<std::size_t>> shared_calls(std::span<const Import* const> imports) {
    std::vector<std::vector<std::size_t>> calls;
    std::vector<Queue> queues = queues_of(imports);
    for (std::size_t left = imports.size(); left > 0; left -= calls.back().size()) {
        const ImportFunction* function =
            imports[std::ranges::max_element(queues, {}, &Queue::size)->front()]->function;
        calls.emplace_back();
        for (Queue& queue : queues) queue.move_to(calls.back(), function, imports);
    }
    return calls;
}

}  // namespace data_import::store
