#include "data/payment_vendors/configuration.h"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <map>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/config/key_values.h"
#include "base/util/failure.h"
#include "base/util/joined.h"
#include "base/util/secret_file.h"
#include "base/util/text.h"
#include "base/util/whole_number.h"

namespace data_import::payment_vendors {

namespace {

using config::ConfigError;
using config::KeyValue;
using std::chrono::seconds;

constexpr std::size_t max_code_length = 64;
constexpr unsigned max_connect_seconds = 60;
constexpr unsigned max_total_seconds = 3600;
constexpr unsigned max_retries = 10;

constexpr std::uint16_t https_port = 443;

bool is_host_character(char character) {
    return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
           (character >= 'A' && character <= 'Z') || character == '-' || character == '.';
}

bool is_path_character(char character) {
    constexpr std::string_view others = "-._~%!$&'()*+,;=:@/";
    return is_host_character(character) || others.find(character) != std::string_view::npos;
}

/// Returns whether the text is empty, or consists of segments with a slash before each.
bool is_path(std::string_view path) {
    if (!std::ranges::all_of(path, is_path_character)) return false;
    while (!path.empty()) {
        path.remove_prefix(1);
        const std::string_view segment = path.substr(0, path.find('/'));
        const auto decoded = util::percent_decode(segment);
        if (!decoded || decoded->empty() || *decoded == "." || *decoded == "..") return false;
        path.remove_prefix(segment.size());
    }
    return true;
}

/// A secret or certificate cannot be used. `what()` names the file and the rule, and nothing of the content.
class CredentialsError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

constexpr std::size_t max_secret_bytes = 4096;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& reason) {
    throw CredentialsError(file.string() + " " + reason);
}

[[noreturn]] void fail_to_read(const std::filesystem::path& file, int error) {
    util::fail<CredentialsError>(file.string() + " cannot be read", error);
}

/// Returns the start of the file, at most one byte more than a secret may have.
std::string read_start(const std::filesystem::path& file) {
    try {
        const util::SecretFile input(file, O_NONBLOCK);
        if (!input.is_regular()) refuse(file, "is not a regular file");
        if (input.allows(S_IRWXO)) refuse(file, "is accessible to others: type chmod o=");
        return input.read_up_to(max_secret_bytes + 1);
    } catch (const std::system_error& failure) {
        fail_to_read(file, failure.code().value());
    }
}

/// Returns the bearer token in a file: one word of printable ASCII characters, at most 4096 bytes, with or
/// without a line end. Throws CredentialsError for any other content, for a file that cannot be read, and for
/// a file that is accessible to others than its owner and group.
std::string read_secret(const std::filesystem::path& file) {
    std::string secret = read_start(file);
    if (secret.size() > max_secret_bytes) refuse(file, "is longer than a secret may be, 4096 bytes");
    if (secret.ends_with('\n')) secret.pop_back();
    if (secret.ends_with('\r')) secret.pop_back();
    if (secret.empty()) refuse(file, "is empty");
    const bool is_word = std::ranges::all_of(secret, [](char c) { return c > ' ' && c < '\x7f'; });
    if (!is_word) refuse(file, "must hold one word of printable ASCII characters and nothing else");
    return secret;
}

/// Throws CredentialsError unless the file holds at least one certificate in PEM format.
void check_certificates(const std::filesystem::path& file) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "re"), std::fclose);
    if (!stream) fail_to_read(file, errno);
    const std::unique_ptr<X509, void (*)(X509*)> certificate(
        PEM_read_X509(stream.get(), nullptr, nullptr, nullptr), X509_free);
    ERR_clear_error();
    if (!certificate) refuse(file, "holds no certificate in PEM format");
}

/// Thrown for a value that is not allowed. expected() describes the allowed values, for the error.
class NotAllowed {
public:
    explicit NotAllowed(std::string expected) : expected_(std::move(expected)) {}
    [[nodiscard]] const std::string& expected() const { return expected_; }

private:
    std::string expected_;
};

unsigned number_in(std::string_view text, unsigned least, unsigned most, const std::string& unit) {
    const auto number = util::whole_number<unsigned>(text);
    if (!number || *number < least || *number > most) {
        throw NotAllowed(unit + " from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return *number;
}

std::filesystem::path absolute_path(std::string_view text) {
    if (!text.starts_with('/')) throw NotAllowed("an absolute path");
    return std::filesystem::path(text).lexically_normal();
}

void set_code(Vendor& vendor, const std::string& value) {
    const bool fits = util::is_utf8(value) && !util::is_blank(value) &&
                      util::count_code_points(value) <= max_code_length &&
                      !util::has_control_character(value) && !util::has_direction_control(value);
    if (!fits) {
        throw NotAllowed("1 to " + std::to_string(max_code_length) +
                         " characters in UTF-8, no control characters among them");
    }
    vendor.code = value;
}

void set_base_url(Vendor& vendor, const std::string& value) {
    const auto url = parse_base_url(value);
    if (!url) throw NotAllowed("https://HOST[:PORT][/PATH], without user, query and fragment");
    vendor.base_url = value;
    vendor.server = url->server;
    vendor.path = url->path;
}

void set_proxy(Vendor& vendor, const std::string& value) {
    vendor.proxy = parse_proxy(value);
    if (!vendor.proxy) throw NotAllowed("http://HOST:PORT");
}

void read_secret_file(Vendor& vendor, const std::string& value) {
    vendor.secret_file = absolute_path(value);
    vendor.secret = read_secret(vendor.secret_file);
}

void check_ca_file(Vendor& vendor, const std::string& value) {
    vendor.ca_file = absolute_path(value);
    check_certificates(vendor.ca_file);
}

struct Key {
    std::string_view name;
    bool required;
    void (*set)(Vendor&, const std::string& value);
};

constexpr std::array keys = {
    Key{"code", true, set_code},
    Key{"base_url", true, set_base_url},
    Key{"secret_file", true, read_secret_file},
    Key{"connect_timeout", false,
        [](Vendor& vendor, const std::string& value) {
            vendor.connect_timeout = seconds(number_in(value, 1, max_connect_seconds, "seconds"));
        }},
    Key{"total_timeout", false,
        [](Vendor& vendor, const std::string& value) {
            vendor.total_timeout = seconds(number_in(value, 1, max_total_seconds, "seconds"));
        }},
    Key{"ca_file", false, check_ca_file},
    Key{"retries", false,
        [](Vendor& vendor, const std::string& value) {
            vendor.retries = number_in(value, 0, max_retries, "a number");
        }},
    Key{"proxy", false, set_proxy},
};

/// Takes one setting of a vendor from its line. Errors do not show values, because a secret may stand in the
/// wrong line.
void take(Vendor& vendor, const KeyValue& line) {
    const auto* key = std::ranges::find(keys, line.key, &Key::name);
    if (key == keys.end())
        config::refuse_line(
            vendor.file, line.line,
            "unknown key `" + line.key + "`: the keys of a vendor are " + util::joined(keys, &Key::name));
    const std::string place = "`" + line.key + "`";
    try {
        key->set(vendor, line.value);
    } catch (const NotAllowed& wrong) {
        config::refuse_line(vendor.file, line.line, place + " has to be " + wrong.expected());
    } catch (const CredentialsError& wrong) {
        config::refuse_line(vendor.file, line.line, place + ": " + wrong.what());
    }
}

std::size_t line_of(const std::vector<KeyValue>& lines, std::string_view key) {
    const auto found = std::ranges::find(lines, key, &KeyValue::key);
    return found == lines.end() ? 0 : found->line;
}

/// Throws ConfigError for a time-out of a vendor (`connect_timeout` or `total_timeout`), with the vendor's
/// file and `reason`. `line` is the line of the file that sets the time-out. If `line` is 0, no line sets it,
/// and the error names only the file.
[[noreturn]] void refuse_time(const Vendor& vendor, std::size_t line, const std::string& reason) {
    if (line > 0) config::refuse_line(vendor.file, line, reason);
    throw ConfigError(vendor.file.string() + ": " + reason);
}

void check_times(const Vendor& vendor, const std::vector<KeyValue>& lines, seconds request_timeout) {
    const std::string total = std::to_string(vendor.total_timeout.count());
    if (vendor.total_timeout >= request_timeout) {
        refuse_time(vendor, line_of(lines, "total_timeout"),
                    "`total_timeout` of " + total + " seconds has to be below request_timeout, which is " +
                        std::to_string(request_timeout.count()));
    }
    if (vendor.connect_timeout > vendor.total_timeout) {
        const std::size_t line = std::max(line_of(lines, "connect_timeout"), line_of(lines, "total_timeout"));
        refuse_time(vendor, line,
                    "`connect_timeout` of " + std::to_string(vendor.connect_timeout.count()) +
                        " seconds must not be above total_timeout, which is " + total);
    }
}

Vendor load_vendor(const std::filesystem::path& file, seconds request_timeout) {
    Vendor vendor;
    vendor.file = file;
    const std::vector<KeyValue> lines = config::read_key_values(file);
    for (const KeyValue& line : lines) take(vendor, line);
    for (const Key& key : keys) {
        if (key.required && line_of(lines, key.name) == 0)
            throw ConfigError(file.string() + ": `" + std::string(key.name) + "` is missing");
    }
    check_times(vendor, lines, request_timeout);
    return vendor;
}

}  // namespace

std::optional<BaseUrl> parse_base_url(std::string_view text) {
    constexpr std::string_view scheme = "https://";
    if (!text.starts_with(scheme)) return std::nullopt;
    text.remove_prefix(scheme.size());
    const std::size_t slash = std::min(text.find('/'), text.size());
    std::string_view path = text.substr(slash);
    if (path.ends_with('/')) path.remove_suffix(1);
    auto server = net::parse_authority(text.substr(0, slash));
    if (!server || !is_path(path)) return std::nullopt;
    if (server->port == 0) server->port = https_port;
    return BaseUrl{std::move(*server), std::string(path)};
}

std::optional<net::Server> parse_proxy(std::string_view text) {
    constexpr std::string_view scheme = "http://";
    if (!text.starts_with(scheme)) return std::nullopt;
    text.remove_prefix(scheme.size());
    if (text.ends_with('/')) text.remove_suffix(1);
    auto server = net::parse_authority(text);
    if (!server || server->port == 0) return std::nullopt;
    return server;
}

std::vector<Vendor> load_vendors(const std::filesystem::path& main_file, seconds request_timeout) {
    std::vector<Vendor> vendors;
    for (const auto& file : config::files_in(main_file.parent_path() / "vendors.d")) {
        Vendor vendor = load_vendor(file, request_timeout);
        const auto other = std::ranges::find(vendors, vendor.code, &Vendor::code);
        if (other != vendors.end()) {
            throw ConfigError(file.string() + ": `code` " + vendor.code + " is that of " +
                              other->file.string() + " already");
        }
        vendors.push_back(std::move(vendor));
    }
    return vendors;
}

std::vector<std::string> codes_of(const std::vector<Vendor>& vendors) {
    std::vector<std::string> codes;
    for (const Vendor& vendor : vendors) codes.push_back(vendor.code);
    return codes;
}

void forget_secrets(std::vector<Vendor>& vendors) {
    for (Vendor& vendor : vendors) {
        OPENSSL_cleanse(vendor.secret.data(), vendor.secret.size());
        vendor.secret.clear();
    }
}

std::vector<std::pair<std::string, std::string>> describe(const Vendor& vendor) {
    std::vector<std::pair<std::string, std::string>> lines = {
        {"code", vendor.code},
        {"base_url", vendor.base_url},
        {"secret_file", vendor.secret_file.string()},
        {"connect_timeout", std::to_string(vendor.connect_timeout.count())},
        {"total_timeout", std::to_string(vendor.total_timeout.count())},
        {"retries", std::to_string(vendor.retries)}};
    if (!vendor.ca_file.empty()) lines.emplace_back("ca_file", vendor.ca_file.string());
    if (vendor.proxy) lines.emplace_back("proxy", "http://" + net::authority_of(*vendor.proxy));
    return lines;
}

}  // namespace data_import::payment_vendors
