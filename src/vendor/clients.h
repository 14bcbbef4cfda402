// All payment vendors, for one worker.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vendor/client.h"
#include "vendor/configuration.h"

namespace data_import::vendor {

/// Makes connections, and the thread that watches them, when the first of them is needed: so it may be made
/// before a fork, and in a process that never asks. For one thread.
class Clients {
public:
    Clients(std::vector<Vendor> vendors, std::size_t max_answer_bytes);

    /// The vendor with this code, or null.
    [[nodiscard]] const Vendor* find(std::string_view code) const;

    /// `vendor` comes from `find`.
    [[nodiscard]] Client& client_of(const Vendor& vendor);

private:
    std::vector<Vendor> vendors_;
    std::size_t max_answer_bytes_;
    std::unique_ptr<Surroundings> surroundings_;
    std::map<const Vendor*, Client> clients_;  // last: they use the members before
};

}  // namespace data_import::vendor
