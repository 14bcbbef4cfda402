#include "base/net/resolver.h"

#include <Poco/Exception.h>
#include <Poco/Net/DNS.h>
#include <Poco/Net/HostEntry.h>
#include <Poco/Net/NetException.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace data_import::net {

/// One look-up. Its thread and the waiting thread share it, because either may end first.
struct Resolver::Lookup {
    std::mutex mutex;
    std::condition_variable changed;
    bool is_done = false;
    std::vector<Poco::Net::IPAddress> addresses;

    void run(const LookUp& look_up, const std::string& host) {
        std::vector<Poco::Net::IPAddress> found;
        try {
            found = look_up(host);
        } catch (const std::exception&) {
            found.clear();  // an exception counts as a name without addresses
        }
        const std::lock_guard lock(mutex);
        addresses = std::move(found);
        is_done = true;
        changed.notify_all();
    }
};

Resolver::Resolver()
    : Resolver([](const std::string& host) { return Poco::Net::DNS::hostByName(host).addresses(); }) {}

Resolver::Resolver(LookUp look_up) : look_up_(std::move(look_up)) {}

std::vector<Poco::Net::IPAddress> Resolver::resolve(const std::string& host, Deadline deadline) {
    Poco::Net::IPAddress address;
    if (Poco::Net::IPAddress::tryParse(host, address)) return {address};
    auto& running = running_[host];
    if (!running) {
        auto started = std::make_shared<Lookup>();
        std::thread([started, look_up = look_up_, host] { started->run(look_up, host); }).detach();
        running = std::move(started);
    }
    const std::shared_ptr<Lookup> lookup = running;
    std::unique_lock lock(lookup->mutex);
    if (!lookup->changed.wait_until(lock, deadline, [&] { return lookup->is_done; }))
        throw Poco::TimeoutException("the host's name was not resolved in time");
    running_.erase(host);
    if (lookup->addresses.empty()) throw Poco::Net::HostNotFoundException(host);
    return std::move(lookup->addresses);
}

}  // namespace data_import::net
