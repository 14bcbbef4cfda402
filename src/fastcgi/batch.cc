#include "fastcgi/batch.h"

#include <utility>

namespace data_import::fastcgi {

std::size_t Batch::answer(http::Handler& handler, KeptConnections& kept, std::deque<Visitor>& waiting) {
    std::size_t answered = 0;
    if (!admitted_.empty()) {
        kept.hand_on();
        handler.answer(admitted_, [&] {
            keep_answered(kept);
            kept.hand_on();
        });
    }
    for (std::size_t place = 0; place < admitted_.size(); ++place) {
        if (admitted_[place]->is_answered())
            ++answered;
        else
            waiting.push_back({std::move(exchanges_[place]), std::move(admitted_[place])});
    }
    admitted_.clear();
    keep_answered(kept);
    exchanges_.clear();
    bytes_ = 0;
    is_closed_ = false;
    return answered;
}

void Batch::keep_answered(KeptConnections& kept) {
    for (const auto& exchange : exchanges_) {
        if (!exchange) continue;
        if (auto connection = exchange->take_connection()) kept.keep(*std::move(connection));
    }
}

}  // namespace data_import::fastcgi
