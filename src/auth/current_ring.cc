#include "auth/current_ring.h"

#include "util/log.h"

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
    try {
        take(KeyRing::load(directory_, ring_ ? &*ring_ : nullptr));
    } catch (const KeyRingUnreadable& unreadable) {
        if (!ring_) throw;
        warn(unreadable.what());
    } catch (const KeyRingError&) {
        drop();  // so that no error of another kind brings its keys back
        throw;
    }
    loaded_ = Clock::now();
}

void CurrentRing::take(KeyRing ring) {
    if (!ring.unread().empty()) warn(ring.unread().front());
    if (ring_ && ring.keys() == ring_->keys()) return;
    ring_ = std::move(ring);
    ++generation_;
}

void CurrentRing::drop() {
    if (ring_) ++generation_;
    ring_.reset();
}

void CurrentRing::warn(const std::string& reason) {
    constexpr std::chrono::minutes silence{1};
    if (warned_ && Clock::now() - *warned_ < silence) return;
    warned_ = Clock::now();
    util::log(util::Severity::warning, "signing keys cannot be read: those known before stay in force",
              {{"reason", reason}});
}

}  // namespace data_import::auth
