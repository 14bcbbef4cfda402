// The head of a request, from the parameters that nginx passes on.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/request.h"

namespace data_import::fastcgi {

/// The parameters of a request, with all values of those sent more than once; a view of where they are. They
/// are few: looking through all of them is cheaper than any order.
class Parameters {
public:
    /// NAME=VALUE each, up to a null pointer.
    explicit Parameters(char** environment);

    /// The first value, empty when absent.
    [[nodiscard]] std::string text(std::string_view name) const;
    /// Nothing when absent, empty when sent twice.
    [[nodiscard]] std::optional<std::string> single(std::string_view name) const;
    /// All values, a comma between them.
    [[nodiscard]] std::string joined(std::string_view name) const;

private:
    struct Entry {
        std::string_view name;
        std::string_view value;
    };

    std::vector<Entry> entries_;
};

/// All of a request but its body. A request ID that nginx did not make is replaced.
[[nodiscard]] http::Request read_head(const Parameters& parameters);

/// CONTENT_LENGTH as digits only: 0 when it is absent or empty, as nginx sends it for a request without a
/// body; nothing when it is anything else.
[[nodiscard]] std::optional<std::size_t> content_length(const Parameters& parameters);

}  // namespace data_import::fastcgi
