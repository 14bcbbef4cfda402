#include "answers.h"

#include <exception>

#include "../support/json_match.h"

namespace data_import::soak {

using tests::Answer;

bool is_there(const Answer& answer) {
    return answer.status != 0 && answer.complete;
}

bool is_good(const Answer& answer) {
    return is_there(answer) && answer.status < 300;
}

bool was_not_carried_out(const Answer& answer) {
    return is_there(answer) && (answer.status == 429 || answer.status == 503);
}

bool is_refusal(const Answer& answer) {
    return is_there(answer) && answer.status >= 400 && answer.status < 500 && answer.status != 408 &&
           answer.status != 409 && answer.status != 429;
}

std::string code_of(const Answer& answer) {
    try {
        return tests::parse_error_body(answer.body).code;
    } catch (const std::exception&) {
        return "?";
    }
}

std::string name_of(const Answer& answer) {
    if (!is_there(answer)) return answer.status == 0 ? "no answer" : "cut answer";
    const std::string status = std::to_string(answer.status);
    return answer.status < 400 ? status : status + ' ' + code_of(answer);
}

}  // namespace data_import::soak
