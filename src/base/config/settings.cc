#include "base/config/settings.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/config/key_values.h"
#include "base/config/setting_table.h"
#include "base/util/readable.h"
#include "base/util/text.h"

namespace data_import::config {

namespace {

constexpr std::size_t sample_width = 100;

[[noreturn]] void refuse_unknown(const std::filesystem::path& file, const KeyValue& line) {
    const auto nearest = nearest_name(line.key);
    const std::string hint =
        nearest ? "did you mean `" + *nearest + "`?" : "data-importd --sample-config lists all settings";
    refuse_line(file, line.line, "unknown setting `" + line.key + "`: " + hint);
}

enum class Faults { refused, skipped };

/// Takes the settings that stand in one file. `faults` says whether a faulty line or file is refused or
/// skipped.
void read_into(Settings& settings, const std::filesystem::path& file, Faults faults) {
    try {
        for (const KeyValue& line : read_key_values(file)) {
            const Setting* setting = find_setting(line.key);
            const bool is_taken = setting != nullptr && assign(settings, *setting, line.value);
            if (is_taken || faults == Faults::skipped) continue;
            if (setting == nullptr) refuse_unknown(file, line);
            refuse_line(
                file, line.line,
                "`" + line.key + " = " + line.value + "` is not possible: expected " + allowed(*setting));
        }
    } catch (const ConfigError&) {
        if (faults == Faults::refused) throw;
    }
}

Settings defaults() {
    Settings settings;
    for (const Setting& setting : table()) {
        if (!assign(settings, setting, setting.default_value)) {
            throw std::logic_error("the default of " + std::string(setting.name) + " is not allowed");
        }
    }
    return settings;
}

Settings read(const std::filesystem::path& file, Faults faults) {
    Settings settings = defaults();
    read_into(settings, file, faults);
    for (const std::filesystem::path& part : files_in(file.parent_path() / "conf.d"))
        read_into(settings, part, faults);
    return settings;
}

constexpr std::string_view mask = "***";
constexpr std::string_view blanks = " \t\n\v\f\r";  // characters that separate libpq's parameters

/// Returns the place where the value of a connection parameter ends: at the first blank or `&` outside of
/// quotes. `begin` is the place where the value begins.
///
/// Text right after a closing quote is a mistake, and most likely a part of a password. So this text counts
/// as a part of the value, and is hidden with it.
std::size_t end_of_value(std::string_view text, std::size_t begin) {
    bool is_quoted = begin < text.size() && text[begin] == '\'';
    for (std::size_t at = is_quoted ? begin + 1 : begin; at < text.size(); ++at) {
        if (text[at] == '\\') {
            ++at;
        } else if (is_quoted && text[at] == '\'') {
            is_quoted = false;
        } else if (!is_quoted && (text[at] == '&' || blanks.find(text[at]) != std::string_view::npos)) {
            return at;
        }
    }
    return text.size();
}

/// libpq's keywords whose values are no secrets. Values of all other words are hidden, because a misspelt
/// `pasword` has a secret as its value.
constexpr std::array<std::string_view, 37> shown_keywords = {"application_name",
                                                             "channel_binding",
                                                             "client_encoding",
                                                             "connect_timeout",
                                                             "dbname",
                                                             "fallback_application_name",
                                                             "gssdelegation",
                                                             "gssencmode",
                                                             "gsslib",
                                                             "host",
                                                             "hostaddr",
                                                             "keepalives",
                                                             "keepalives_count",
                                                             "keepalives_idle",
                                                             "keepalives_interval",
                                                             "krbsrvname",
                                                             "load_balance_hosts",
                                                             "options",
                                                             "passfile",
                                                             "port",
                                                             "replication",
                                                             "require_auth",
                                                             "requirepeer",
                                                             "service",
                                                             "ssl_max_protocol_version",
                                                             "ssl_min_protocol_version",
                                                             "sslcert",
                                                             "sslcertmode",
                                                             "sslcrl",
                                                             "sslcrldir",
                                                             "sslkey",
                                                             "sslmode",
                                                             "sslnegotiation",
                                                             "sslrootcert",
                                                             "target_session_attrs",
                                                             "tcp_user_timeout",
                                                             "user"};

/// Hides the values of the `key=value` parameters from `at` on. Blanks or `&` separate the parameters. Values
/// of shown_keywords stay, unless they have `://` inside. Also hides a word without a keyword, because it may
/// be the end of a password with a blank.
void hide_values(std::string& text, std::size_t at) {
    const auto skip_blanks = [&](std::size_t from) {
        return std::min(text.find_first_not_of(blanks, from), text.size());
    };
    const auto hide = [&](std::size_t begin, std::size_t end) {
        text.replace(begin, end - begin, mask);
        return begin + mask.size();
    };
    for (at = skip_blanks(at); at < text.size(); at = skip_blanks(at)) {
        const std::size_t key = at;
        at = std::min(text.find_first_of("=&", key), text.find_first_of(blanks, key));
        at = std::min(at, text.size());
        const std::string_view keyword = std::string_view(text).substr(key, at - key);
        const bool is_shown = std::ranges::find(shown_keywords, keyword) != shown_keywords.end();
        const std::size_t equals = skip_blanks(at);
        if (equals == text.size() || text[equals] != '=') {
            at = hide(key, at);
        } else {
            const std::size_t value = skip_blanks(equals + 1);
            at = end_of_value(text, value);
            const bool is_address = text.substr(value, at - value).find("://") != std::string::npos;
            if (!is_shown || is_address) at = hide(value, at);
        }
        if (at < text.size() && text[at] == '&') ++at;
    }
}

/// Hides the secrets in connection parameters of libpq. Their form is `password=...` or
/// `postgresql://user:password@host`.
std::string without_secrets(const std::string& conninfo) {
    std::string text = conninfo;
    if (!text.starts_with("postgresql://") && !text.starts_with("postgres://")) {
        hide_values(text, 0);
        return text;
    }
    const std::size_t user = text.find("://") + 3;
    const std::size_t end = std::min(text.find_first_of("@/", user), text.size());
    // the query begins at a `?` after the @: an earlier `?` belongs to the password
    const std::size_t query = text.find('?', end < text.size() && text[end] == '@' ? end : user);
    if (query != std::string::npos) hide_values(text, query + 1);
    const std::size_t at_sign = text.substr(0, query).rfind('@');
    const std::size_t colon = text.find(':', user);
    if (at_sign != std::string::npos && colon < at_sign) text.replace(colon + 1, at_sign - colon - 1, mask);
    return text;
}

/// Writes `text` as comment lines of the sample file.
std::string as_comment(std::string_view text) {
    return "# " + util::wrapped(text, sample_width - 2, "\n# ") + '\n';
}

std::string heading(std::string_view group) {
    return "\n# --- " + std::string(group) + " " + std::string(sample_width - group.size() - 7, '-') + "\n";
}

}  // namespace

Settings load(const std::filesystem::path& file) {
    return read(file, Faults::refused);
}

Settings load_valid_rows(const std::filesystem::path& file) {
    return read(file, Faults::skipped);
}

std::vector<std::string> keep_until_restart(Settings& settings, const Settings& running) {
    std::vector<std::string> kept;
    for (const Setting& setting : table()) {
        if (setting.change != Change::by_restart) continue;
        const auto keep = [&](auto member) {
            return std::exchange(settings.*member, running.*member) != running.*member;
        };
        if (std::visit(keep, setting.member)) kept.emplace_back(setting.name);
    }
    return kept;
}

void check_directories(const Settings& settings) {
    std::error_code ignored;
    const std::filesystem::path& keys = settings.keys_directory;
    const bool is_default = keys == find_setting("keys_directory")->default_value;
    if (!is_default && std::filesystem::status(keys, ignored).type() == std::filesystem::file_type::not_found)
        throw ConfigError("setting keys_directory: " + keys.string() + " does not exist");
}

std::vector<std::pair<std::string, std::string>> values(const Settings& settings) {
    std::vector<std::pair<std::string, std::string>> values;
    for (const Setting& setting : table()) {
        const std::string value = to_text(settings, setting);
        const bool is_conninfo = setting.name.ends_with("database");
        values.emplace_back(setting.name, is_conninfo ? without_secrets(value) : value);
    }
    return values;
}

std::string print(const Settings& settings) {
    std::string text;
    for (const auto& [name, value] : values(settings)) text += name + " = " + value + "\n";
    return text;
}

std::string sample() {
    std::string text =
        "# Settings of data-import. Settings in comments show their defaults. Lines are `key = value`.\n"
        "# The files conf.d/*.conf beside this file are read after it, in the order of their names, and\n"
        "# later values win. `data-importd --check-config` checks the result, and `systemctl reload\n"
        "# data-import` applies it.\n";
    std::string_view group;
    for (const Setting& setting : table()) {
        if (setting.group != group) text += heading(group = setting.group);
        const std::string& value = setting.default_value;
        text += "\n" + as_comment(explanation(setting)) + as_comment("Allowed: " + allowed(setting) + ".");
        text += "#" + std::string(setting.name) + (value.empty() ? " =" : " = " + value) + "\n";
    }
    return text;
}

}  // namespace data_import::config
