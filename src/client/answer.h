// The content of the service's answers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "json/value.h"

namespace data_import::client {

/// One item of `errors` (contract, section 3.1).
struct ErrorItem {
    std::string attr;
    std::string code;
    std::string detail;
};

struct Answer {
    std::string code;                              ///< top-level code of an error, or empty
    std::string detail;                            ///< its sentence
    std::vector<ErrorItem> errors;                 ///< items of `errors`
    std::map<std::string, std::uint64_t> records;  ///< result items by their `status`
    std::uint64_t differing = 0;                   ///< result items that are stored with other content
};

/// Reads the body of an answer; nothing if it is no JSON, so that it does not come from the service.
[[nodiscard]] std::optional<Answer> read_answer(const std::string& body);
[[nodiscard]] Answer answer_of(const json::Value& body);

}  // namespace data_import::client
