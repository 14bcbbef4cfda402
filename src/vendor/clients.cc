#include "vendor/clients.h"

#include <algorithm>
#include <utility>

namespace data_import::vendor {

Clients::Clients(std::vector<Vendor> vendors, std::size_t max_answer_bytes)
    : vendors_(std::move(vendors)), max_answer_bytes_(max_answer_bytes) {}

const Vendor* Clients::find(std::string_view code) const {
    const auto found = std::ranges::find(vendors_, code, &Vendor::code);
    return found == vendors_.end() ? nullptr : &*found;
}

Client& Clients::client_of(const Vendor& vendor) {
    if (!surroundings_) surroundings_ = std::make_unique<Surroundings>();
    return clients_.try_emplace(&vendor, vendor, max_answer_bytes_, *surroundings_).first->second;
}

}  // namespace data_import::vendor
