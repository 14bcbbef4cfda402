// The site in nginx's configuration: where it is, whether it is enabled, and what it says.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace data_import::console {

/// The paths of the service's site where Debian has sites: in folders beside nginx's main file.
struct Site {
    explicit Site(const std::filesystem::path& nginx_config);

    std::filesystem::path config;     ///< the main file
    std::filesystem::path available;  ///< the site
    std::filesystem::path link;       ///< to the site, if it is enabled

    [[nodiscard]] bool is_there() const;
    /// Returns whether the link leads to the site.
    [[nodiscard]] bool is_enabled() const;
    /// Returns whether there is a link that leads nowhere.
    [[nodiscard]] bool is_dangling() const;
    /// Returns whether something else has the link's place.
    [[nodiscard]] bool is_obstructed() const;
};

/// Returns nginx's judgement on its whole configuration: nothing if it is right, else the line that says what
/// is wrong. Throws TimeOver, and Failure if there is no nginx.
[[nodiscard]] std::optional<std::string> nginx_refusal(const Site& site);

/// Makes the running nginx read its configuration. Returns false if none runs. Throws Failure.
bool reload_nginx(const Site& site);

/// The facts of the site that other settings have to fit.
struct SiteFacts {
    std::string address = "127.0.0.1";  ///< of the first TLS listener
    int port = 0;                       ///< 0: there is none
    bool takes_proxy_protocol = false;  ///< it answers only clients that begin with its line
    std::vector<std::string> names;     ///< server_name, without those that stand for all
    /// Paths: one, or one for each kind of key.
    std::vector<std::string> certificates;
    std::vector<std::string> certificate_keys;
    /// Seconds for which nginx waits for an answer, and the longest body of an import that it takes; 0: none,
    /// or in an unknown form.
    std::uint64_t answer_seconds = 0;
    std::uint64_t longest_body = 0;
};

/// Reads the output of `nginx -T`, with every file after a line `# configuration file PATH:`.
[[nodiscard]] SiteFacts read_site(const std::string& dump);

/// Runs `nginx -T`. Throws Failure if it fails.
[[nodiscard]] SiteFacts read_site(const Site& site);

}  // namespace data_import::console
