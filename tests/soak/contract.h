// The answers that are allowed at all: the statuses and codes that /v1/openapi.json lists for each path.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "../support/http.h"

namespace data_import::soak {

class Contract {
public:
    /// Throws if the text is no OpenAPI document.
    explicit Contract(const std::string& document);

    /// Throws std::runtime_error with the reason if the answer to this request is not documented, lacks the
    /// common shape of answers, or is a 500 that neither an unknown outcome nor a vendor explains.
    void check(const tests::HttpRequest& request, const tests::Answer& answer) const;

private:
    using Codes = std::set<std::string>;  ///< empty for an answer without a code
    struct Operation {
        std::string method;
        std::vector<std::string> segments;  ///< segments of the path; `{...}` stands for any
        std::map<int, Codes> answers;
    };

    [[nodiscard]] const Operation& find(const tests::HttpRequest& request) const;

    std::vector<Operation> operations_;
};

}  // namespace data_import::soak
