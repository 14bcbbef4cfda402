// The payment vendors of an installation: files vendors.d/NAME.conf next to the main configuration (contract,
// section 8).
//
//     code            what clients send as `vendor`; required, no two vendors have the same
//     base_url        https://HOST[:PORT][/PATH]; required
//     secret_file     file that holds the bearer token, not readable by others; required
//     connect_timeout seconds for look-up, connection and TLS handshake
//     total_timeout   seconds for a request's calls and the waits between them; less than request_timeout
//     ca_file         certificates that are trusted, in PEM format; default: the system's
//     retries         how often a call that failed is repeated
//     proxy           http://HOST:PORT, through which connections go; default: none
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/config/settings.h"
#include "base/net/server.h"

namespace data_import::payment_vendors {

struct BaseUrl {
    net::Server server;
    std::string path;  ///< path of the URL, without a slash at its end
};

/// Returns the parts of `https://HOST[:PORT][/PATH]`. Nothing for any other text: another scheme, a user, a
/// query, a fragment, a blank, a broken percent-encoding, an empty segment, or a segment `.` or `..`.
[[nodiscard]] std::optional<BaseUrl> parse_base_url(std::string_view text);

/// Returns the server of `http://HOST:PORT`, which may have a slash at its end.
[[nodiscard]] std::optional<net::Server> parse_proxy(std::string_view text);

struct Vendor {
    std::filesystem::path file;  ///< the file that declares the vendor
    std::string code;
    std::string base_url;  ///< the setting base_url as it was written
    net::Server server;
    std::string path;  ///< path of base_url, without a slash at its end; empty if it has none
    std::filesystem::path secret_file;
    std::string secret;  ///< the bearer token in secret_file; never shown
    std::chrono::seconds connect_timeout{5};
    std::chrono::seconds total_timeout{20};
    std::filesystem::path ca_file;  ///< file of trusted certificates; empty: the system's
    unsigned retries = 2;
    std::optional<net::Server> proxy;
};

/// Returns the vendors of `vendors.d/*.conf` next to `main_file`, with their secrets, ordered by file name.
/// `request_timeout` is the setting of the main configuration; the total_timeout of each vendor has to be
/// less. Throws config::ConfigError, whose text names file, line, key and rule and holds no secret.
[[nodiscard]] std::vector<Vendor> load_vendors(const std::filesystem::path& main_file,
                                               std::chrono::seconds request_timeout);

/// Returns the codes that payment instructions can name as `vendor`, in the order of the vendors.
[[nodiscard]] std::vector<std::string> codes_of(const std::vector<Vendor>& vendors);

/// Overwrites and empties the secrets.
void forget_secrets(std::vector<Vendor>& vendors);

/// Returns key and value of all settings in force for a vendor, without its secret.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> describe(const Vendor& vendor);

}  // namespace data_import::payment_vendors
