// The queue of requests between the reader of the files and the connections, limited in number and in bytes.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <unordered_set>
#include <vector>

#include "tools/client/import_request.h"
#include "tools/client/input.h"

namespace data_import::client {

/// A line that is a request. It is not moved, because the request points into the line.
struct Job {
    InputLine line;
    ImportRequest request;
    std::string account;   ///< account of the request; empty if it has none
    std::string key = {};  ///< Idempotency-Key of a request that must not be carried out twice
    bool fits_bulk = false;
    bool is_document = false;  ///< the import stores a document (payload::DeclaredImport)
};

/// Requests that are sent together: one, or as many as fit into a bulk request.
using Bundle = std::vector<std::unique_ptr<Job>>;

/// Hands out requests in their order. Two bundles that are sent at the same time never have requests for the
/// same account. So an account's requests are carried out in their order. One thread may call push(), and any
/// number of threads take().
///
/// The limit in number holds for the requests that wait, from push() to take(). The limit in bytes holds for
/// all requests from push() to release(), also while they are being sent. A request of any size fits if there
/// is no other.
class Schedule {
public:
    Schedule(std::size_t max_jobs, std::size_t max_bytes) : max_jobs_(max_jobs), max_bytes_(max_bytes) {}

    /// Waits for room, and adds the request. If stopped, drops the request and returns false.
    bool push(std::unique_ptr<Job> job, const std::stop_token& stop);
    /// Waits for a request whose account is free. Returns it together with others that may stand in the same
    /// bulk request. The bundle has at most `most_lines` requests, with at most `most_bytes` together; but a
    /// single request may have more bytes. Documents and other requests are never mixed. A request that fits
    /// into no bulk request is returned alone. The bundle is empty if stopped, or if closed and no request is
    /// left.
    [[nodiscard]] Bundle take(std::size_t most_lines, std::size_t most_bytes, const std::stop_token& stop);
    /// Ends the work on a bundle that take() returned. Later requests for its accounts may be taken from then
    /// on, and its bytes no longer count in the limit of bytes.
    void release(const Bundle& bundle);
    /// Says that no more requests will come.
    void close();

private:
    [[nodiscard]] bool has_room_for(const Job& job) const;
    [[nodiscard]] bool has_free_one() const;
    [[nodiscard]] Bundle take_free_ones(std::size_t most_lines, std::size_t most_bytes);

    const std::size_t max_jobs_;
    const std::size_t max_bytes_;
    std::mutex mutex_;
    std::condition_variable_any room_;
    std::condition_variable_any jobs_or_end_;
    std::list<std::unique_ptr<Job>> jobs_;
    std::unordered_set<std::string> busy_;  ///< accounts of the bundles that are being sent
    std::size_t bytes_ = 0;
    bool closed_ = false;
};

}  // namespace data_import::client
