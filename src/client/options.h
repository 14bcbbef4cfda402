// The command line of data-import-load.
#pragma once

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "net/server.h"

namespace data_import::client {

inline constexpr std::string_view program = "data-import-load";

/// Where the service is.
struct Target {
    bool secure = true;  ///< https; plain http is for loopback addresses only
    net::Server server;
    std::string prefix;  ///< path before every request's path, without a slash at its end
};

struct Options {
    Target target;
    std::string ca_file;  ///< empty: the certificate authorities of the system
    std::string api_key_file;
    std::size_t connections = 8;
    unsigned retries = 8;              ///< repeats of one request at most
    std::chrono::seconds timeout{60};  ///< for one attempt as a whole, connecting included
    std::string rejects_file;          ///< empty: refused lines are only counted
    bool json = false;                 ///< the summary as JSON
    std::vector<std::string> files;    ///< `-` is standard input
};

/// The command line is not understood. `what()` is one line that names the right form.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

enum class Action { load, help, version };

struct Invocation {
    Action action = Action::load;
    Options options;  ///< complete and in range if the action is `load`
};

/// Understands the arguments that follow the program's name. Throws UsageError.
[[nodiscard]] Invocation parse_arguments(const std::vector<std::string>& arguments);

/// `https://HOST[:PORT][/PREFIX]`, or the same with http for a loopback address. Throws UsageError.
[[nodiscard]] Target parse_url(const std::string& url);

/// What --help prints.
[[nodiscard]] std::string help_text();

}  // namespace data_import::client
