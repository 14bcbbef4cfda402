#include "fastcgi/batch.h"

#include <utility>

namespace data_import::fastcgi {

namespace {

/// Keeps connections at work while the batch takes long.
class BatchEvents : public http::WorkerEvents {
public:
    BatchEvents(Batch& batch, KeptConnections& kept) : batch_(batch), kept_(kept) {}
    void before_long_step() override {
        batch_.keep_answered(kept_);
        kept_.hand_on();
    }

private:
    Batch& batch_;
    KeptConnections& kept_;
};

}  // namespace

std::size_t Batch::answer(http::Handler& handler, KeptConnections& kept, std::deque<TakenRequest>& waiting) {
    std::size_t answered = 0;
    if (!admitted_.empty()) {
        kept.hand_on();
        BatchEvents events(*this, kept);
        handler.answer(admitted_, events);
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
