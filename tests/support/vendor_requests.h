// Requests for payment instructions, as the tests of payment vendors send them.
#pragma once

#include <string>

#include "http.h"

namespace data_import::tests {

/// A payment instruction of an account of ACME.
struct Instruction {
    std::string account;
    std::string vendor;
    std::string reference;
    std::string type = "CARD";
    std::string supplier = "ACME";
};

[[nodiscard]] HttpRequest instruction_request(const std::string& token, const Instruction& instruction);

/// `201`, or the code of the refusal.
[[nodiscard]] std::string outcome_of(const Answer& answer);

}  // namespace data_import::tests
