// The options of data-import-load, taken from its help text.
#pragma once

#include <string>
#include <vector>

namespace data_import::manual {

struct ClientOption {
    std::string term;  ///< `--url URL`
    std::string sentence;
};

[[nodiscard]] std::vector<ClientOption> client_options();

/// The lines of its example, without their indent.
[[nodiscard]] std::string client_example();

}  // namespace data_import::manual
