// The settings of an installation: one table (settings.cc) from which come the parser, the check for unknown
// keys,
// --print-config, the sample file in etc/ and the manual page.
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
    std::filesystem::path sql_directory;

    // processes
    std::filesystem::path socket_directory;
    std::string socket_group;  ///< group of the sockets; empty: the service's own
    std::size_t import_workers = 0;
    std::size_t listing_workers = 0;
    std::size_t vendor_workers = 0;
    std::size_t max_requests = 0;  ///< requests after which a worker is replaced; 0: never
    std::chrono::seconds stop_timeout{};

    // requests
    std::size_t max_body_bytes = 0;
    std::chrono::seconds request_timeout{};
    std::chrono::seconds listing_timeout{};
    std::string unknown_fields;  ///< `refuse` or `ignore`

    // documents
    std::string document_bucket;  ///< what full locations of documents begin with; empty: nothing

    // tokens
    std::filesystem::path keys_directory;
    std::chrono::seconds token_lifetime{};
    std::chrono::seconds access_refresh{};  ///< how old a worker's knowledge of API keys may get

    // log
    std::string log_level;     ///< error, warning, notice, info, debug
    bool log_requests = true;  ///< a line for every request, not only for refused and failed ones
};

/// `what()` is one line: `FILE:LINE: what is wrong and what is allowed`, without the line where a file as a
/// whole is meant.
class ConfigError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

inline constexpr const char* default_file = "/etc/data-import/data-import.conf";

/// Reads `file`, then `conf.d/*.conf` beside it in the order of their names; later values win. Lines are
/// `key = value`, blank, or comments that begin with `#`. Unknown keys, keys twice in one file, values of a
/// wrong type or out of range, and unreadable files are refused. Throws ConfigError.
[[nodiscard]] Settings load(const std::filesystem::path& file);

/// All settings with their values in the format of the file, secrets left out (a `password=` in connection
/// parameters is shown as `password=***`).
[[nodiscard]] std::string print(const Settings& settings);

/// The sample file: every setting as a comment with its sentence, default, unit and range.
[[nodiscard]] std::string sample();

/// One row of the table, for the manual page and for the tests.
struct SettingDescription {
    std::string name;
    std::string group;  ///< the heading it stands under
    std::string type;   ///< text, path, number, bytes, seconds, yes or no, word
    std::string default_value;
    std::string range;  ///< what is allowed, as the errors say it: `a number from 1 to 256`
    std::string sentence;
};
[[nodiscard]] std::vector<SettingDescription> describe();

}  // namespace data_import::config
