// The site in nginx's configuration: where it is, whether it is enabled, and what it says.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace data_import::console {

/// The paths of the service's site, in Debian's folders `sites-available` and `sites-enabled` next to nginx's
/// main file.
struct Site {
    explicit Site(const std::filesystem::path& nginx_config);

    std::filesystem::path config;     ///< nginx's main file
    std::filesystem::path available;  ///< the site's configuration file, in `sites-available`
    std::filesystem::path link;       ///< the link to the site; exists if the site is enabled

    [[nodiscard]] bool is_there() const;
    /// Returns whether the link leads to the site.
    [[nodiscard]] bool is_enabled() const;
    /// Returns whether there is a link that leads nowhere.
    [[nodiscard]] bool is_dangling() const;
    /// Returns whether the link's name is taken by something else: a file, or a link to another site.
    [[nodiscard]] bool is_obstructed() const;
};

/// Lets nginx check its whole configuration. Returns the line that says what is wrong; nothing if the
/// configuration is right. Throws TimeOver, and Failure if there is no nginx.
[[nodiscard]] std::optional<std::string> nginx_refusal(const Site& site);

/// Makes the running nginx read its configuration. Returns false if no nginx runs. Throws Failure if nginx
/// does not read it.
bool reload_nginx(const Site& site);

/// Values of the site's configuration that have to agree with the certificates and with settings of the
/// service.
struct SiteFacts {
    std::string address = "127.0.0.1";  ///< address of the first TLS listener
    int port = 0;                       ///< port of the first TLS listener; 0 if no listener speaks TLS
    bool takes_proxy_protocol = false;  ///< the listener expects a line of the PROXY protocol first
    std::vector<std::string> names;     ///< server_name, without patterns, `_` and `localhost`
    /// Paths of the certificates and of their keys. The site has one pair, or a pair for each type of key
    /// (RSA, ECDSA).
    std::vector<std::string> certificates;
    std::vector<std::string> certificate_keys;
    /// Seconds for which nginx waits for an answer, and the smallest of its limits for the body of an import,
    /// in bytes. 0 if the directive is missing or has an unknown form.
    std::uint64_t answer_seconds = 0;
    std::uint64_t longest_body = 0;
};

/// nginx's whole configuration, as nginx reads it.
struct NginxConfiguration {
    std::optional<std::string> refusal;  ///< the line that says what is wrong; nothing if nginx accepts it
    std::string dump;  ///< output of `nginx -T`: each file after a line `# configuration file PATH:`
};

/// Runs `nginx -T`. Throws TimeOver, and Failure if there is no nginx.
[[nodiscard]] NginxConfiguration read_configuration(const Site& site);

/// Reads the output of `nginx -T`.
[[nodiscard]] SiteFacts read_site(const std::string& dump);

/// A server of nginx that passes acts of operators to the workers.
struct ActingServer {
    std::string name = {};      ///< the first server_name; empty without one
    bool is_encrypted = false;  ///< all its listeners speak TLS
    bool signs_in = false;      ///< people have to sign in: by password, single sign-on or certificate
    /// The text or variable, such as `$remote_user`, that nginx passes to the workers as the person's name
    /// (DATA_IMPORT_OPERATOR). Empty if nginx passes none.
    std::string person = {};
    /// True if the text `person` does not tell who has signed in, because it has no variable, or a variable
    /// whose value the client chooses, such as `$http_user`.
    bool person_is_of_client = false;
};

/// Returns an element for each place in the output of `nginx -T` that passes acts to the workers.
/// Does not follow `include`, so the directives for signing in must not stand in included files.
[[nodiscard]] std::vector<ActingServer> acting_servers(const std::string& dump);

}  // namespace data_import::console
