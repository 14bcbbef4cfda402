#include "config/settings.h"

#include <algorithm>
#include <utility>

#include "config/key_values.h"
#include "config/setting_table.h"
#include "util/readable.h"
#include "util/text.h"

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

/// Reads the lines of one file into the settings.
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

/// The end of the value that begins at `begin`: a blank, or the next parameter of a URI that is not quoted.
/// Text right behind a closing quote is a mistake, and most likely a part of the secret.
std::size_t end_of_value(std::string_view text, std::size_t begin) {
    bool is_quoted = begin < text.size() && text[begin] == '\'';
    for (std::size_t at = is_quoted ? begin + 1 : begin; at < text.size(); ++at) {
        if (text[at] == '\\') {
            ++at;
        } else if (is_quoted && text[at] == '\'') {
            is_quoted = false;
        } else if (!is_quoted && (text[at] == ' ' || text[at] == '&')) {
            return at;
        }
    }
    return text.size();
}

/// `password=...`, also as the end of a longer keyword (sslpassword) and as a parameter of a URI.
std::string without_password_values(std::string text) {
    constexpr std::string_view keyword = "password";
    const std::string lower = util::lowered(text);
    // From the end, so that earlier offsets stay valid.
    std::size_t at = lower.rfind(keyword);
    while (at != std::string::npos) {
        const std::size_t equals = text.find_first_not_of(' ', at + keyword.size());
        if (equals != std::string::npos && text[equals] == '=') {
            const std::size_t value = std::min(text.find_first_not_of(' ', equals + 1), text.size());
            text.replace(value, end_of_value(text, value) - value, mask);
        }
        at = at == 0 ? std::string::npos : lower.rfind(keyword, at - 1);
    }
    return text;
}

/// libpq's connection parameters in both forms, `password=...` and `postgresql://user:password@host`.
std::string without_secrets(const std::string& conninfo) {
    std::string text = without_password_values(conninfo);
    const std::size_t scheme = text.find("://");
    if (scheme == std::string::npos) return text;
    const std::size_t user = scheme + 3;
    const std::size_t at_sign = text.find('@', user);
    const std::size_t colon = text.find(':', user);
    if (at_sign != std::string::npos && colon < at_sign) text.replace(colon + 1, at_sign - colon - 1, mask);
    return text;
}

/// `text` as comment lines.
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
