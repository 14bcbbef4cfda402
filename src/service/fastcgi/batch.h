// A batch: requests that a worker has taken together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "service/fastcgi/exchange.h"
#include "service/fastcgi/pool.h"
#include "service/http/request.h"

namespace data_import::fastcgi {

/// A request on its connection, and what the handler knows of it.
struct TakenRequest {
    std::unique_ptr<Exchange> exchange;
    std::unique_ptr<http::Admitted> admitted;

    [[nodiscard]] std::size_t length() const { return exchange->request().body.size(); }
    /// Returns whether another worker died while it had this request, perhaps because of it.
    [[nodiscard]] bool is_suspect() const { return exchange->request().is_sent_again; }
};

/// Requests that a worker has taken together, up to a number of requests and a number of bytes. A suspect
/// request (TakenRequest::is_suspect) is alone in its batch. So if the suspect request ends this worker too,
/// no other request is lost.
class Batch {
public:
    explicit Batch(std::size_t most) : most_(most) {}

    void set_most_bytes(std::uint64_t bytes) { most_bytes_ = bytes; }

    [[nodiscard]] bool is_full() const {
        return is_closed_ || exchanges_.size() >= most_ || bytes_ >= most_bytes_;
    }

    /// Adds a request. Returns false if there is no room, and adds no further request then, so that a long
    /// request does not wait without end while short ones pass it.
    [[nodiscard]] bool add(TakenRequest& taken) {
        const bool fits = exchanges_.empty() ||
                          (!taken.is_suspect() && !is_full() && bytes_ + taken.length() <= most_bytes_);
        is_closed_ = is_closed_ || !fits || taken.is_suspect();
        if (!fits) return false;
        bytes_ += taken.length();
        exchanges_.push_back(std::move(taken.exchange));
        admitted_.push_back(std::move(taken.admitted));
        return true;
    }

    [[nodiscard]] std::span<const std::unique_ptr<http::Admitted>> requests() const { return admitted_; }

    /// Returns the connections of answered requests that nginx keeps open for further requests. Returns each
    /// connection only once.
    [[nodiscard]] std::vector<util::FileDescriptor> take_connections() {
        std::vector<util::FileDescriptor> connections;
        for (const auto& exchange : exchanges_) {
            if (auto connection = exchange->take_connection()) connections.push_back(*std::move(connection));
        }
        return connections;
    }

    /// Empties the batch, and returns the number of answered requests. Requests that wait for something are
    /// appended to `waiting`.
    std::size_t finish(std::deque<TakenRequest>& waiting) {
        std::size_t answered = 0;
        for (std::size_t place = 0; place < admitted_.size(); ++place) {
            if (admitted_[place]->is_answered())
                ++answered;
            else
                waiting.push_back({std::move(exchanges_[place]), std::move(admitted_[place])});
        }
        admitted_.clear();
        exchanges_.clear();
        bytes_ = 0;
        is_closed_ = false;
        return answered;
    }

private:
    std::size_t most_;
    std::uint64_t most_bytes_ = no_limit;
    std::vector<std::unique_ptr<Exchange>> exchanges_;
    std::vector<std::unique_ptr<http::Admitted>> admitted_;
    std::size_t bytes_ = 0;
    bool is_closed_ = false;
};

}  // namespace data_import::fastcgi
