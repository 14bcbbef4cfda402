#include "base/config/setting_table.h"

#include <algorithm>
#include <optional>

#include "base/util/joined.h"
#include "base/util/limits.h"
#include "base/util/nearest_word.h"
#include "base/util/whole_number.h"

namespace data_import::config {

namespace {

constexpr std::uint64_t kibibyte = 1024;
constexpr std::uint64_t mebibyte = 1024 * kibibyte;
constexpr std::uint64_t gibibyte = 1024 * mebibyte;

std::string bytes_to_text(std::uint64_t bytes) {
    if (bytes >= gibibyte && bytes % gibibyte == 0) return std::to_string(bytes / gibibyte) + "GiB";
    if (bytes >= mebibyte && bytes % mebibyte == 0) return std::to_string(bytes / mebibyte) + "MiB";
    if (bytes >= kibibyte && bytes % kibibyte == 0) return std::to_string(bytes / kibibyte) + "KiB";
    return std::to_string(bytes);
}

constexpr std::string_view database_group = "Database";
constexpr std::string_view process_group = "Processes";
constexpr std::string_view request_group = "Requests";
constexpr std::string_view document_group = "Documents";
constexpr std::string_view vendor_group = "Payment vendors";
constexpr std::string_view token_group = "Tokens";
constexpr std::string_view operation_group = "Operation";
constexpr std::string_view log_group = "Log";

// The formatter is off here, because it would put every value of a row on a line of its own.
// clang-format off
const std::vector<Setting> rows{
    {database_group, "database", Type::text, &Settings::database,
     "host=/run/postgresql dbname=data-import user=data-import", 0, 0, {},
     "Connection parameters of the service, in libpq's form. Keep the password in a file that `passfile=` names."},
    {database_group, "admin_database", Type::text, &Settings::admin_database,
     "host=/run/postgresql dbname=data-import user=postgres", 0, 0, {},
     "Connection parameters of data-importctl, which creates and migrates the database."},
    {database_group, "admin_user", Type::optional_text, &Settings::admin_user, "postgres", 0, 0, {},
     "System user that data-importctl becomes for the database when root starts it. Empty: it stays root."},
    {database_group, "statement_timeout", Type::seconds, &Settings::statement_timeout, "30", 1, 3600, {},
     "How long PostgreSQL may work on one statement of a request."},
    {database_group, "database_silence", Type::seconds, &Settings::database_silence, "5", 2, 3600, {},
     "How long PostgreSQL may be silent: it answers neither a waiting session nor a new one. Then the service closes its sessions and retries their calls, on the next host if `database` names several. A server that works on a long statement still answers new sessions, so it is not silent."},
    {database_group, "sql_directory", Type::path, &Settings::sql_directory, "/usr/share/data-import/sql", 0, 0, {},
     "Directory of the migrations of the database."},
    {database_group, "operator_database", Type::text, &Settings::operator_database,
     "host=/run/postgresql dbname=data-import user=data-import-operator", 0, 0, {},
     "Connection parameters of the pool operator, whose role alone may do what operators do in the browser."},

    {process_group, "socket_directory", Type::path, &Settings::socket_directory, "/run/data-import", 0, 0, {},
     "Directory of the pools' sockets: import.sock, bulk.sock, listing.sock, vendor.sock, health.sock and, if there is such a pool, operator.sock. With the package, ListenStream= of data-import.socket places them. This setting must name the same directory, because data-importctl doctor and drain use it.",
     Change::by_restart},
    {process_group, "socket_group", Type::optional_text, &Settings::socket_group, "www-data", 0, 0, {},
     "Group that may connect to the sockets: that of nginx. Empty: the group of the service. With the package, SocketGroup= of data-import.socket decides, and this setting has no effect.", Change::by_restart},
    {process_group, "import_workers", Type::number, &Settings::import_workers, "8", 1, 1024, {},
     "Worker processes for all requests except those of the other pools. Each holds a database session."},
    {process_group, "import_workers_at_once", Type::number, &Settings::import_workers_at_once, "0", 0, 1024, {},
     "How many of the import workers take requests at the same time; the others step in when these have been busy for 50 ms. 0: the number of processors, which suits a database on the same machine. If the database is on another machine, set this to the same number as import_workers."},
    {process_group, "bulk_workers", Type::number, &Settings::bulk_workers, "2", 1, 1024, {},
     "Worker processes for bulk requests and for requests with bodies of 100,000 bytes and more, so that small requests never wait behind them. While others import, an organisation gets at most half of them."},
    {process_group, "listing_workers", Type::number, &Settings::listing_workers, "8", 1, 1024, {},
     "Worker processes for the listings of accounts. This is how many listings can be read at the same time."},
    {process_group, "vendor_workers", Type::number, &Settings::vendor_workers, "8", 1, 1024, {},
     "Worker processes for payment instructions, which wait for payment vendors."},
    {process_group, "health_workers", Type::number, &Settings::health_workers, "1", 1, 1024, {},
     "Worker processes for /healthz, /readyz, /metrics and /v1/openapi.json. They also check the tokens of requests with long bodies."},
    {process_group, "operator_workers", Type::number, &Settings::operator_workers, "0", 0, 64, {},
     "Worker processes for what operators do in the browser. 0: the page of operators only reads. With the package, data-import.socket also needs the socket: see the example operators-socket.conf.",
     Change::by_restart},
    {process_group, "batch", Type::number, &Settings::batch, "16", 1, 64, {},
     "How many waiting requests an import worker takes together into one transaction of the database, at most. 1: one at a time."},
    {process_group, "batch_bytes", Type::bytes, &Settings::batch_bytes, "256KiB", kibibyte, gibibyte, {},
     "How long the bodies of requests taken together may be in all. While several organisations import, only a quarter of this is used, because they wait for each other's transactions. A request with a longer body has a batch of its own."},
    {process_group, "max_requests", Type::number, &Settings::max_requests, "100000", 0, 1'000'000'000, {},
     "Number of requests after which a worker process is replaced, give or take a tenth. 0: never."},
    {process_group, "stop_timeout", Type::seconds, &Settings::stop_timeout, "60", 1, 3600, {},
     "How long running requests may take to finish when the service stops."},

    {request_group, "max_body_bytes", Type::bytes, &Settings::max_body_bytes, bytes_to_text(util::limits::body), kibibyte,
     gibibyte, {},
     "Longest body of a request. client_max_body_size in nginx's snippets import.conf and long-bodies.conf must not be smaller."},
    {request_group, "max_graphql_bytes", Type::bytes, &Settings::max_graphql_bytes, bytes_to_text(util::limits::short_body),
     kibibyte, gibibyte, {},
     "Longest body of a request for a token. client_max_body_size of the first server in nginx's site must not be smaller."},
    {request_group, "read_timeout", Type::seconds, &Settings::read_timeout, "30", 1, 3600, {},
     "How long a worker waits for the next bytes of a request from nginx. nginx has read the whole request before."},
    {request_group, "request_timeout", Type::seconds, &Settings::request_timeout, "55", 1, 3600, {},
     "Time within which a request is answered. nginx's fastcgi_read_timeout must be longer."},
    {request_group, "listing_timeout", Type::seconds, &Settings::listing_timeout, "600", 1, 86400, {},
     "Time within which a listing is sent completely. Account control totals are sent in parts of some accounts each; this is the time for each part."},
    {request_group, "idempotency_retention", Type::seconds, &Settings::idempotency_retention, "86400", 86'400, 2'592'000, {},
     "How long the answer to a request with an Idempotency-Key is kept for repeats of the request."},
    {request_group, "idempotency_bytes", Type::bytes, &Settings::idempotency_bytes, "1GiB", mebibyte, 1024 * gibibyte, {},
     "How much the answers that are kept so may take for one organisation, as they are stored, compressed. Beyond it, its requests with a new Idempotency-Key are refused until older answers are forgotten; those without a key go on. Measured about every ten seconds."},
    {request_group, "unknown_fields", Type::word, &Settings::unknown_fields, "refuse", 0, 0, {"refuse", "ignore"},
     "What happens if a payload has fields that the interface does not know: the request is refused, or the fields are ignored. Unknown parameters of a query are always refused."},

    {document_group, "document_bucket", Type::optional_text, &Settings::document_bucket, "", 0, 0, {},
     "Bucket of this instance's production files in the object storage, for example s3://production-files. data-importctl shows the location of a document as this bucket, the supplier's document root and the path in the payload. Empty: without a bucket."},

    {vendor_group, "vendor_answer_bytes", Type::bytes, &Settings::vendor_answer_bytes, "64KiB", kibibyte, 16 * mebibyte, {},
     "Longest answer that is accepted from a payment vendor."},
    {vendor_group, "vendor_circuit_failures", Type::number, &Settings::vendor_circuit_failures, "10", 1, 1000, {},
     "How many requests of an organisation in a row may fail at a vendor before the vendor's circuit breaker opens for this organisation. While it is open, the vendor gets a pause, and requests for it are refused at once. If the same instruction fails several times in a row, the second to fifth failure do not count, because the client is asked to repeat it. If the circuit breaker is open for two organisations and the vendor has answered nobody in between, it opens for all."},
    {vendor_group, "vendor_circuit_time_outs", Type::number, &Settings::vendor_circuit_time_outs, "3", 1, 1000, {},
     "Of the failed requests in a row that vendor_circuit_failures counts, this many time-outs are enough to open the circuit breaker, because each of them holds a worker for a long time."},
    {vendor_group, "vendor_circuit_pause", Type::seconds, &Settings::vendor_circuit_pause, "2", 1, 3600, {},
     "The first pause of an open circuit breaker. After it one request is let through. If that fails, the next pause is twice as long."},
    {vendor_group, "vendor_circuit_longest_pause", Type::seconds, &Settings::vendor_circuit_longest_pause, "30", 1, 86400, {},
     "The longest pause of a circuit breaker."},

    {token_group, "keys_directory", Type::path, &Settings::keys_directory, "/etc/data-import/keys", 0, 0, {},
     "Directory of the keys that sign tokens. All hosts that share the database need the same files."},
    {token_group, "token_lifetime", Type::seconds, &Settings::token_lifetime, "3600", 60, 86400, {},
     "How long a token is valid. A key that asks again gets the same token for 10 minutes, or for a sixth of this time if "
     "that is less."},
    {token_group, "refresh_token_lifetime", Type::seconds, &Settings::refresh_token_lifetime, "604800", 60, 2'592'000, {},
     "How long a refresh token is valid. A refresh token gets the next token without the API key."},
    {token_group, "max_refused_token_requests", Type::number, &Settings::max_refused_token_requests, "10", 1, 1'000'000, {},
     "How many requests for tokens from one address (or IPv6 /64) may be refused within a minute, on all hosts together. After that, until the minute is over, only valid keys get a token, and other requests are answered 429."},
    {token_group, "access_refresh", Type::seconds, &Settings::access_refresh, "5", 1, 9, {},
     "How often a worker reads the API keys again. A key that is revoked gets no further token; the tokens that it has are refused after this time at the latest."},

    {operation_group, "nginx_config", Type::path, &Settings::nginx_config, "/etc/nginx/nginx.conf", 0, 0, {},
     "The main file of nginx's configuration, for data-importctl nginx and doctor. The site is sites-available/"
     "data-import beside it, and the link to it is in sites-enabled."},
    {operation_group, "metrics_url", Type::text, &Settings::metrics_url, "http://127.0.0.1:9642/metrics", 0, 0, {},
     "Address of the metrics on nginx's local listener, for data-importctl metrics. The site defines this listener."},
    {operation_group, "least_free_percent", Type::number, &Settings::least_free_percent, "5", 0, 100, {},
     "How much of a file system must be free, in space and in inodes. data-importctl doctor reports a fault below this, and a warning below twice as much."},
    {operation_group, "import_log_days", Type::number, &Settings::import_log_days, "14", 1, 3650, {},
     "For how many days the import log keeps refusals (data-importctl import log)."},
    {operation_group, "events_days", Type::number, &Settings::events_days, "30", 1, 3650, {},
     "For how many days the events of accounts and suppliers are kept. A client that reads them later misses some."},
    {operation_group, "operators_see_records", Type::yes_or_no, &Settings::operators_see_records, "yes", 0, 0, {},
     "Whether the page of operators shows the last records of an account, which are personal data. Looks are recorded in the "
     "audit history, data-importctl audit."},
    {operation_group, "operator_acts_a_minute", Type::number, &Settings::operator_acts_a_minute, "60", 1, 10'000, {},
     "How many acts of one person on the page of operators are taken within a minute, on all hosts together."},

    {log_group, "log_level", Type::word, &Settings::log_level, "info", 0, 0,
     {"error", "warning", "notice", "info", "debug"},
     "The least important level that is written to the log."},
    {log_group, "log_requests", Type::yes_or_no, &Settings::log_requests, "no", 0, 0, {},
     "Whether every request gets a line in the log (at level info), or only refused and failed requests. nginx's log has all requests."},
};
// clang-format on

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
    constexpr std::pair<std::string_view, std::uint64_t> units[] = {
        {"KiB", kibibyte}, {"MiB", mebibyte}, {"GiB", gibibyte}};
    std::uint64_t factor = 1;
    for (const auto& [unit, bytes] : units) {
        if (!text.ends_with(unit)) continue;
        factor = bytes;
        text.remove_suffix(unit.size());
        if (text.ends_with(' ')) text.remove_suffix(1);
        break;
    }
    const auto number = util::whole_number<std::uint64_t>(text);
    if (!number || *number > UINT64_MAX / factor) return std::nullopt;
    return *number * factor;
}

bool has_control_character(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](char character) {
        return static_cast<unsigned char>(character) < 0x20 || character == 0x7f;
    });
}

bool is_allowed(const Setting& setting, std::string_view text) {
    if (has_control_character(text)) return false;
    if (setting.type == Type::text) return !text.empty();
    if (setting.type == Type::path) return text.starts_with('/');
    if (setting.type == Type::word) return std::ranges::find(setting.words, text) != setting.words.end();
    if (setting.type == Type::yes_or_no) return text == "yes" || text == "no";
    return true;
}

std::optional<std::uint64_t> parse_in_range(const Setting& setting, std::string_view text) {
    const auto number =
        setting.type == Type::bytes ? parse_bytes(text) : util::whole_number<std::uint64_t>(text);
    if (!number || *number < setting.least || *number > setting.most) return std::nullopt;
    return number;
}

/// Sets the member of a setting, whatever its type, to the value of `text`. Returns false if that is not
/// allowed.
struct Assignment {
    Settings& settings;
    const Setting& setting;
    std::string_view text;

    bool operator()(std::string Settings::*member) const {
        settings.*member = text;
        return true;
    }
    bool operator()(std::filesystem::path Settings::*member) const {
        settings.*member = std::filesystem::path(text).lexically_normal();
        return true;
    }
    bool operator()(bool Settings::*member) const {
        settings.*member = text == "yes";
        return true;
    }
    bool operator()(std::size_t Settings::*member) const {
        const auto number = parse_in_range(setting, text);
        if (number) settings.*member = *number;
        return number.has_value();
    }
    bool operator()(std::chrono::seconds Settings::*member) const {
        const auto number = parse_in_range(setting, text);
        if (number) settings.*member = std::chrono::seconds(*number);
        return number.has_value();
    }
};

/// Returns the value of a setting as text, whatever its type.
struct Text {
    const Settings& settings;
    const Setting& setting;

    std::string operator()(std::string Settings::*member) const { return settings.*member; }
    std::string operator()(std::filesystem::path Settings::*member) const {
        return (settings.*member).string();
    }
    std::string operator()(bool Settings::*member) const { return settings.*member ? "yes" : "no"; }
    std::string operator()(std::size_t Settings::*member) const {
        return setting.type == Type::bytes ? bytes_to_text(settings.*member)
                                           : std::to_string(settings.*member);
    }
    std::string operator()(std::chrono::seconds Settings::*member) const {
        return std::to_string((settings.*member).count());
    }
};

}  // namespace

std::span<const Setting> table() {
    return rows;
}

const Setting* find_setting(std::string_view name) {
    const auto found = std::ranges::find(rows, name, &Setting::name);
    return found == rows.end() ? nullptr : &*found;
}

std::optional<std::string> nearest_name(std::string_view name) {
    std::vector<std::string> names;
    for (const Setting& setting : rows) names.emplace_back(setting.name);
    return util::nearest_word(name, names);
}

bool assign(Settings& settings, const Setting& setting, std::string_view text) {
    return is_allowed(setting, text) && std::visit(Assignment{settings, setting, text}, setting.member);
}

std::string to_text(const Settings& settings, const Setting& setting) {
    return std::visit(Text{settings, setting}, setting.member);
}

std::string explanation(const Setting& setting) {
    const bool is_lasting = setting.change == Change::by_restart;
    return std::string(setting.sentence) + (is_lasting ? " A change needs a restart." : "");
}

std::string allowed(const Setting& setting) {
    const auto range = [&](auto to_words) {
        return to_words(setting.least) + " to " + to_words(setting.most);
    };
    switch (setting.type) {
        case Type::text:
            return "text that is not empty";
        case Type::optional_text:
            return "text";
        case Type::path:
            return "an absolute path";
        case Type::number:
            return "a number from " + range([](std::uint64_t number) { return std::to_string(number); });
        case Type::bytes:
            return "bytes, or a number of KiB, MiB or GiB, from " + range(bytes_to_text);
        case Type::seconds:
            return "seconds from " + range([](std::uint64_t number) { return std::to_string(number); });
        case Type::word:
            return util::alternatives(setting.words);
        case Type::yes_or_no:
            break;
    }
    return "yes or no";
}

}  // namespace data_import::config
