#include "fastcgi/batch.h"

#include <utility>

namespace data_import::fastcgi {

std::size_t Batch::answer(http::Handler& handler, KeptConnections& kept) {
    const std::size_t size = admitted_.size();
    if (size > 0) {
        kept.hand_on();
        handler.answer(admitted_, [&] {
            keep_answered(kept);
            kept.hand_on();
        });
    }
    admitted_.clear();
    keep_answered(kept);
    exchanges_.clear();
    bytes_ = 0;
    has_suspect_ = false;
    return size;
}

void Batch::keep_answered(KeptConnections& kept) {
    for (const auto& exchange : exchanges_) {
        if (auto connection = exchange->take_connection()) kept.keep(*std::move(connection));
    }
}

}  // namespace data_import::fastcgi
