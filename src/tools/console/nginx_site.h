// The site in nginx's configuration: where it is, whether it is enabled, and what it says.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace data_import::console {

/// Debian's places, beside nginx's main file.
struct Site {
    explicit Site(const std::filesystem::path& nginx_config);

    std::filesystem::path config;     ///< the main file
    std::filesystem::path available;  ///< the site
    std::filesystem::path link;       ///< to it, where it is enabled

    [[nodiscard]] bool is_there() const;
    /// The link leads to the site.
    [[nodiscard]] bool is_enabled() const;
    /// A link is there that leads nowhere.
    [[nodiscard]] bool is_dangling() const;
    /// Something else stands in the link's place.
    [[nodiscard]] bool is_obstructed() const;
};

/// The judgement of nginx on its whole configuration: nothing when it is right, else the line that says what
/// is wrong. Throws TimeOver, and Failure where there is no nginx.
[[nodiscard]] std::optional<std::string> nginx_refusal(const Site& site);

/// Has the running nginx read its configuration; false when none runs. Throws Failure.
bool reload_nginx(const Site& site);

/// The parts of the site that others have to fit.
struct SiteFacts {
    std::string address = "127.0.0.1";  ///< of the first TLS listener
    int port = 0;                       ///< 0: there is none
    bool takes_proxy_protocol = false;  ///< it answers nobody who does not begin with its line
    std::vector<std::string> names;     ///< server_name, without those that stand for all
    /// Paths: one, or one for each kind of key.
    std::vector<std::string> certificates;
    std::vector<std::string> certificate_keys;
    /// Seconds for which nginx waits for an answer, and the longest body of an import that it takes; 0: none,
    /// or in a form that is not understood.
    std::uint64_t answer_seconds = 0;
    std::uint64_t longest_body = 0;
};

/// From what `nginx -T` prints: every file under a line `# configuration file PATH:`.
[[nodiscard]] SiteFacts read_site(const std::string& dump);

/// Runs `nginx -T`. Throws Failure where it fails.
[[nodiscard]] SiteFacts read_site(const Site& site);

}  // namespace data_import::console
