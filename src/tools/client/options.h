// The command line of data-import-load.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/command_line/invocation.h"
#include "base/net/proxy.h"
#include "base/net/server.h"
#include "tools/client/csv_reading.h"

namespace data_import::client {

inline constexpr std::string_view program = "data-import-load";

/// Exit status of a run that has left something for the next one.
inline constexpr int ended_early = 3;

/// The address of the service, and the proxy on the way to it.
struct Target {
    bool secure = true;  ///< https; plain http is for loopback addresses only
    net::Server server;
    std::string prefix;  ///< path before every request's path, without a slash at its end
    std::optional<net::Proxy> proxy = {};
};

struct Options {
    Target target;
    std::string ca_file;  ///< file of the certificate authorities to trust; empty: those of the system
    std::string api_key_file;
    std::size_t connections = 8;   ///< most connections at a time
    bool single = false;           ///< each request is sent alone, and not in a bulk request
    std::size_t rate = 0;          ///< most requests a second; 0: as many as the service takes
    bool dry_run = false;          ///< the service checks everything, and stores nothing
    bool check = false;            ///< the files are only checked, without a connection
    bool totals = false;           ///< the files are added up, and not loaded
    bool declare = false;          ///< with `totals`: declares the totals to the service
    bool verify = false;           ///< the service's records are compared with the files
    std::string per_account_file;  ///< with `totals`: file for the rows that `data-importctl reconcile` reads
    unsigned retries = 8;          ///< most retries of one request
    std::chrono::seconds timeout{120};  ///< time limit of one attempt as a whole, with connecting
    std::string rejects_file;  ///< file or directory of rejects; empty: refused lines are only counted
    std::string report_file;   ///< file of the report; empty: no report
    std::string journal_file;  ///< file of the journal; empty: next to the first file
    bool no_journal = false;
    CsvReading csv;                        ///< how CSV files are read
    std::optional<net::Proxy> proxy = {};  ///< proxy that --proxy names
    bool json = false;                     ///< the summary is written as JSON
    /// Files to load; `-` is standard input; directories are replaced by their files.
    std::vector<std::string> files;
    std::string url = {};  ///< text of --url, as it was given
};

/// Returns the description of the program's command line.
[[nodiscard]] const command_line::Program& program_table();

/// Returns the options of a command line. Throws command_line::UsageError if one is missing, or if two
/// contradict each other.
[[nodiscard]] Options options_of(const command_line::Invocation& invocation);

/// Reads `https://HOST[:PORT][/PREFIX]`, or the same with http for a loopback address. Throws
/// std::invalid_argument, whose text continues a sentence that begins with the name of the option.
[[nodiscard]] Target parse_url(const std::string& url);

/// Sets the proxy of options.target. It is the proxy of --proxy. Without --proxy, it is taken from the
/// environment for https; plain http has no proxy. `variable` returns the value of an environment variable,
/// or null. Throws net::NoProxy.
void choose_proxy(Options& options, const std::function<const char*(const char* name)>& variable);

/// Returns the path of a run's journal. Empty if the run keeps none: with --no-journal, if it reads standard
/// input, or if it stores nothing.
[[nodiscard]] std::string journal_of(const Options& options);

}  // namespace data_import::client
