#include "auth/current_ring.h"

namespace data_import::auth {

namespace {

constexpr std::chrono::seconds pause{1};  // between two looks into the directory for an unknown kid

}  // namespace

const KeyRing& CurrentRing::ring() {
    if (!ring_ || Clock::now() - loaded_ >= refresh_) load();
    return *ring_;
}

const SigningKey* CurrentRing::find(std::string_view kid) {
    const SigningKey* key = ring().find(kid);
    if (key != nullptr || Clock::now() - loaded_ < pause) return key;
    load();  // made a moment ago, perhaps
    return ring_->find(kid);
}

void CurrentRing::load() {
    KeyRing ring = KeyRing::load(directory_);
    loaded_ = Clock::now();
    if (ring_ && ring.keys() == ring_->keys()) return;
    ring_ = std::move(ring);
    ++generation_;
}

}  // namespace data_import::auth
