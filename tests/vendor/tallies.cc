#include "tallies.h"

namespace data_import::vendor_simulator {

namespace {

using Lock = std::lock_guard<std::mutex>;

template <typename Value>
Value found(const std::map<std::string, Value>& values, const std::string& name, const Value& otherwise) {
    const auto place = values.find(name);
    return place == values.end() ? otherwise : place->second;
}

}  // namespace

long Tallies::count_call(const std::string& reference, const std::string& target) {
    const Lock lock(mutex_);
    ++totals_.calls;
    Calls& calls = calls_[reference];
    calls.last_target = target;
    return ++calls.count;
}

void Tallies::count_connection(const std::string& listener) {
    const Lock lock(mutex_);
    ++totals_.connections;
    ++connections_[listener];
}

void Tallies::count_followed() {
    const Lock lock(mutex_);
    ++totals_.followed;
}

Totals Tallies::totals() const {
    const Lock lock(mutex_);
    return totals_;
}

Calls Tallies::calls(const std::string& reference) const {
    const Lock lock(mutex_);
    return found(calls_, reference, Calls{});
}

long Tallies::connections(const std::string& listener) const {
    const Lock lock(mutex_);
    return found(connections_, listener, 0L);
}

void Tallies::set_switch(const std::string& name, const std::string& behaviour) {
    const Lock lock(mutex_);
    switches_[name] = behaviour;
}

std::string Tallies::switched(const std::string& name) const {
    const Lock lock(mutex_);
    return found(switches_, name, std::string("good"));
}

}  // namespace data_import::vendor_simulator
