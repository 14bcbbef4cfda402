#include "service/api/local_endpoints.h"

#include "base/util/log.h"
#include "data/database/database.h"
#include "service/http/failure_answer.h"
#include "service/http/request_log.h"

namespace data_import::api {

namespace {

constexpr std::chrono::seconds patience{2};
// The work of a request. The pools bulk and vendor measure shares in requests, not in bytes.
constexpr std::uint64_t one_request = 1;
constexpr std::chrono::seconds between_notices{1};

sharing::PoolKind asked_pool(const http::Context& context) {
    return context.query.values.at("pool") == "vendor" ? sharing::PoolKind::vendor : sharing::PoolKind::bulk;
}

/// Returns the 401 for the auth::Denied that is being handled, with the body in a header. WWW-Authenticate is
/// left out, because nginx turns an answer with that header into an error page.
http::Reply denied(const std::string& request_id) {
    const http::Reply told = http::render(http::current_failure(request_id).problem);
    return {.status = told.status, .body = "", .headers = {{"Data-Import-Denial", told.body}}};
}

class Admission {
public:
    Admission(auth::Authenticator& authenticator, const metrics::Recorder& recorder)
        : authenticator_(authenticator), recorder_(recorder) {}

    [[nodiscard]] http::Reply decide(const http::Context& context, database::Database& database) {
        try {
            const auth::Sender sender = authenticator_.authenticate(
                context.request.authorization, database, std::chrono::steady_clock::now() + patience);
            const sharing::PoolKind pool = asked_pool(context);
            const bool is_refused =
                recorder_.shares().is_beyond_share(pool, sender.access->organisation, one_request);
            if (is_refused) note_refused(pool, sender.access->id);
            return {.status = is_refused ? 403 : 204, .body = ""};
        } catch (const auth::Denied&) {
            return denied(context.request.request_id);
        } catch (const std::exception& failure) {
            util::log(util::Severity::warning, "a long body is admitted without checking its token",
                      {{"request_id", context.request.request_id}, {"reason", failure.what()}});
            return {.status = 204, .body = ""};
        }
    }

private:
    /// Counts a refusal. Logs the counts at most once a second, because refusals come by the thousand.
    void note_refused(sharing::PoolKind pool, const std::string& api_key) {
        recorder_.shares().count_refused(pool);
        ++refused_[api_key];
        const auto now = std::chrono::steady_clock::now();
        if (now < next_notice_) return;
        next_notice_ = now + between_notices;
        http::log_beyond_share(std::exchange(refused_, {}));
    }

    auth::Authenticator& authenticator_;
    metrics::Recorder recorder_;
    http::RequestsByKey refused_;
    std::chrono::steady_clock::time_point next_notice_{};
};

http::Run run(auth::Authenticator& authenticator, const metrics::Recorder& recorder) {
    return [admission = std::make_shared<Admission>(authenticator, recorder)](
               const http::Context& context, database::Database& database, http::Responder& responder) {
        responder.send(admission->decide(context, database));
    };
}

}  // namespace

http::Endpoint admission(auth::Authenticator& authenticator, const metrics::Recorder& recorder) {
    return {
        .method = "GET",
        .path = admission_path,
        .summary = "Tell whether a long body may come.",
        .needs_token = false,
        .query = {{.name = "pool", .description = "The pool that it is for.", .choices = {"bulk", "vendor"}}},
        .run = run(authenticator, recorder)};
}

}  // namespace data_import::api
