#include "api/admission.h"

#include "database/database.h"
#include "http/failure_answer.h"
#include "util/log.h"

namespace data_import::api {

namespace {

http::Run run(auth::Authenticator& authenticator, const metrics::Recorder& recorder);

}  // namespace

http::Endpoint admission(auth::Authenticator& authenticator, const metrics::Recorder& recorder) {
    return {.method = "GET",
            .path = admission_path,
            .summary = "Tell whether a long body may come.",
            .needs_token = false,
            .run = run(authenticator, recorder)};
}

namespace {

constexpr std::chrono::seconds patience{2};
constexpr std::uint64_t one_request = 1;  // as the pool bulk counts them

/// For the Denied that is being handled.
http::Reply denied(const std::string& request_id) {
    http::Reply reply = http::render(http::current_failure(request_id).problem);
    reply.headers.emplace_back("Data-Import-Denial", std::exchange(reply.body, ""));
    return reply;
}

class Admission {
public:
    Admission(auth::Authenticator& authenticator, const metrics::Recorder& recorder)
        : authenticator_(authenticator), recorder_(recorder) {}

    [[nodiscard]] http::Reply decide(const http::Request& request, database::Database& database) {
        try {
            const auth::Sender sender = authenticator_.authenticate(
                request.authorization, database, std::chrono::steady_clock::now() + patience);
            const bool is_refused =
                recorder_.is_beyond_share(metrics::PoolKind::bulk, sender.access->organisation, one_request);
            return {.status = is_refused ? 403 : 204, .body = ""};
        } catch (const auth::Denied&) {
            return denied(request.request_id);
        } catch (const std::exception& failure) {
            util::log(util::Severity::warning, "a long body is admitted unseen",
                      {{"request_id", request.request_id}, {"reason", failure.what()}});
            return {.status = 204, .body = ""};
        }
    }

private:
    auth::Authenticator& authenticator_;
    metrics::Recorder recorder_;
};

http::Run run(auth::Authenticator& authenticator, const metrics::Recorder& recorder) {
    return [admission = std::make_shared<Admission>(authenticator, recorder)](
               const http::Context& context, database::Database& database, http::Responder& responder) {
        responder.send(admission->decide(context.request, database));
    };
}

}  // namespace

}  // namespace data_import::api
