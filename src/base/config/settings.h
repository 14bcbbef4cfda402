// The settings of an installation. One table (setting_table.cc) yields the parser, the check for unknown
// keys, --print-config, the settings that a reload leaves as they are, the sample file in etc/ and the manual
// page.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace data_import::config {

struct Settings {
    // database
    std::string database;        ///< libpq connection parameters of the service
    std::string admin_database;  ///< libpq connection parameters of data-importctl
    std::string admin_user;      ///< system user that data-importctl becomes when root starts it; empty: none
    std::chrono::seconds statement_timeout{};
    std::chrono::seconds database_silence{};
    std::filesystem::path sql_directory;
    std::string operator_database;  ///< libpq connection parameters of workers in the pool `operator`

    // processes
    std::filesystem::path socket_directory;
    std::string socket_group;  ///< group of the sockets; empty: the group of the service
    std::size_t import_workers = 0;
    std::size_t import_workers_at_once = 0;
    std::size_t bulk_workers = 0;
    std::size_t listing_workers = 0;
    std::size_t vendor_workers = 0;
    std::size_t health_workers = 0;
    std::size_t operator_workers = 0;  ///< 0: there is no such pool
    std::size_t batch = 0;             ///< requests that a worker of the import pool takes together
    /// Most bytes of bodies in a batch; while several organisations import, a quarter of this number.
    std::size_t batch_bytes = 0;
    std::size_t max_requests = 0;  ///< requests after which a worker is replaced; 0: never
    std::chrono::seconds stop_timeout{};

    // requests
    std::size_t max_body_bytes = 0;
    std::size_t max_graphql_bytes = 0;
    std::chrono::seconds read_timeout{};  ///< longest wait for the next bytes of a request from nginx
    std::chrono::seconds request_timeout{};
    std::chrono::seconds listing_timeout{};
    std::chrono::seconds idempotency_retention{};  ///< time for which answers are kept for an Idempotency-Key
    /// Most bytes that all kept answers of one organisation may take together, as they are stored.
    std::size_t idempotency_bytes = 0;
    std::string unknown_fields;  ///< treatment of undocumented fields: `refuse` or `ignore`

    // documents
    std::string document_bucket;  ///< bucket that full locations of documents begin with; empty: none

    // payment vendors
    std::size_t vendor_answer_bytes = 0;
    std::size_t vendor_circuit_failures = 0;
    std::size_t vendor_circuit_time_outs = 0;
    std::chrono::seconds vendor_circuit_pause{};
    std::chrono::seconds vendor_circuit_longest_pause{};

    // tokens
    std::filesystem::path keys_directory;
    std::chrono::seconds token_lifetime{};
    std::chrono::seconds refresh_token_lifetime{};
    /// Greatest number of token requests from one address that may be refused within a minute.
    std::size_t max_refused_token_requests = 0;
    std::chrono::seconds access_refresh{};  ///< greatest age of a worker's copy of the API keys

    // operation
    std::filesystem::path nginx_config;  ///< nginx's main file; sites-enabled/ lies next to it
    std::string metrics_url;             ///< URL of the metrics at nginx's local listener
    /// Least percentage of a file system's space, and of its inodes, that has to be free.
    std::size_t least_free_percent = 0;
    std::size_t import_log_days = 0;         ///< days for which refused requests are kept in the import log
    std::size_t events_days = 0;             ///< days for which events are kept
    bool operators_see_records = false;      ///< the page of operators shows records
    std::size_t operator_acts_a_minute = 0;  ///< most acts of one person within a minute

    // log
    std::string log_level;      ///< least severe lines that are logged: error, warning, notice, info or debug
    bool log_requests = false;  ///< every request has a log line, not only refused and failed ones
};

/// Returns the file that exists while the host is drained. While the file exists, /readyz answers 503, and
/// all other requests are served as usual. The file lies next to the sockets, so it survives a restart of the
/// service, but not of the machine.
[[nodiscard]] inline std::filesystem::path drain_mark(const Settings& settings) {
    return settings.socket_directory / "drained";
}

/// A configuration cannot be used. `what()` is one line: `FILE:LINE: what is wrong and what is allowed`,
/// without the line if the file as a whole is at fault.
class ConfigError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

inline constexpr const char* default_file = "/etc/data-import/data-import.conf";

/// Reads `file`, then `conf.d/*.conf` next to it in the order of their names; later values win. Lines are
/// `key = value`, blank, or comments that begin with `#`. Unknown keys, keys twice in one file, values of a
/// wrong type or out of range, and unreadable files are refused. Throws ConfigError.
[[nodiscard]] Settings load(const std::filesystem::path& file);

/// Loads the settings as `load` does, but skips lines that `load` refuses, and files that cannot be read.
[[nodiscard]] Settings load_valid_rows(const std::filesystem::path& file);

/// Resets the settings that need a restart to change: each gets its value in `running`, the settings of the
/// running service. Returns the names of the settings whose values differed.
[[nodiscard]] std::vector<std::string> keep_until_restart(Settings& settings, const Settings& running);

/// Throws ConfigError if keys_directory names a directory that does not exist. The default directory may be
/// missing, because the package makes it.
void check_directories(const Settings& settings);

/// Returns all settings with their values, secrets left out (a `password=` in connection parameters is shown
/// as `password=***`).
[[nodiscard]] std::vector<std::pair<std::string, std::string>> values(const Settings& settings);
/// Writes all settings with their values in the format of the file.
[[nodiscard]] std::string print(const Settings& settings);

/// Writes the sample file: every setting as a comment with its sentence, default, unit and range.
[[nodiscard]] std::string sample();

}  // namespace data_import::config
