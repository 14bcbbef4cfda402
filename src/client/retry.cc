#include "client/retry.h"

#include "codes/codes.h"

namespace data_import::client {

namespace {

Decision judge_silence(const Attempt& attempt) {
    const bool fare_others_alike = attempt.failure == Failure::certificate ||
                                   attempt.failure == Failure::proxy || attempt.failure == Failure::no_token;
    return fare_others_alike ? Decision::stop : Decision::repeat;
}

}  // namespace

Decision judge(const Attempt& attempt, std::string_view code, bool has_key) {
    if (attempt.failure != Failure::none) return judge_silence(attempt);
    if (is_passing(attempt.status)) return Decision::repeat;
    switch (attempt.status) {
        case 401:
            return Decision::stop;
        case 409:
            return code == codes::name_of(Code::request_in_progress) ? Decision::repeat : Decision::refused;
        case 500:  // the outcome may be unknown, which the key tells
            return has_key || code == codes::name_of(Code::vendor_intermittent) ? Decision::repeat
                                                                                : Decision::refused;
        default:
            return attempt.status >= 200 && attempt.status < 300 ? Decision::accepted : Decision::refused;
    }
}

bool is_passing(int status) {
    return status == 408 || status == 429 || (status >= 502 && status <= 504);
}

bool is_in_doubt(const Attempt& attempt) {
    if (attempt.failure != Failure::none) return attempt.sent;
    return attempt.status == 500 || attempt.status == 502 || attempt.status == 503 || attempt.status == 504;
}

}  // namespace data_import::client
