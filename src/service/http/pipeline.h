// A whole request, from the first check to the log line. Read Pipeline::admit and Pipeline::answer first.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "service/http/request_run.h"

namespace data_import::http {

/// Answers the requests of one worker; not for use by several threads.
///
/// Imports that arrive together share one transaction and one round trip to the database; imports of one kind
/// share a call. Imports with longer bodies come after them, in another transaction. All other requests are
/// carried out by themselves.
///
/// A request for a locked account stays unanswered, so that no other request waits for it. The worker passes
/// the unanswered request to `answer` again later. A request whose client has gone is not carried out.
class Pipeline {
public:
    explicit Pipeline(WorkerContext worker);
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;
    ~Pipeline() = default;

    /// Admits a request. Returns null if it has been refused and answered. Throws nothing.
    [[nodiscard]] std::unique_ptr<Admitted> admit(const Task& task);
    /// Returns whether the next call of `admit` has to ask the database, which may take long.
    [[nodiscard]] bool admission_waits() const { return worker_.authenticator.is_due(); }

    /// Answers admitted requests, as Handler::answer in request.h promises. Throws nothing.
    void answer(std::span<const std::unique_ptr<Admitted>> requests, WorkerEvents& events);

    /// Logs how many requests of each API key were refused because they were beyond the share of their
    /// organisation. Also logs how many requests without a valid token were refused without a log line of
    /// their own. Called about once a second, between requests.
    void tick();

private:
    void prepare(const std::vector<RequestRun*>& runs);
    void look_at_locks(const std::vector<RequestRun*>& runs);
    void carry_out(std::span<RequestRun* const> runs, WorkerEvents& events);
    void wait_for_lock(RequestRun& run);
    [[nodiscard]] bool may_wait(const RequestRun& run) const;

    WorkerContext worker_;
    std::size_t waiting_bytes_ = 0;  ///< bytes of bodies of requests that wait for locked accounts
};

}  // namespace data_import::http
