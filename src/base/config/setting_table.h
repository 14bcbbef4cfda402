// The one table of settings, and the text form of their values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/config/settings.h"

namespace data_import::config {

enum class Type { text, optional_text, path, number, bytes, seconds, word, yes_or_no };

using Member = std::variant<std::string Settings::*, std::filesystem::path Settings::*,
                            std::size_t Settings::*, std::chrono::seconds Settings::*, bool Settings::*>;

/// The event that puts a changed value into force.
enum class Change { by_reload, by_restart };

/// A setting: one row of the table.
struct Setting {
    std::string_view group;
    std::string_view name;
    Type type;
    Member member;
    std::string default_value;
    std::uint64_t least;                  ///< least value, as a number, in bytes or in seconds
    std::uint64_t most;                   ///< greatest value, in the unit of `least`
    std::vector<std::string_view> words;  ///< allowed values of a setting of the type `word`
    std::string_view sentence;
    Change change = Change::by_reload;
};

/// Returns all settings in the order of the sample file, those of one group together.
[[nodiscard]] std::span<const Setting> table();

/// Returns the row of that name, or null.
[[nodiscard]] const Setting* find_setting(std::string_view name);

/// Returns the name of the setting that is most similar to `name`; nothing if none is similar.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view name);

/// Sets the setting's member of `settings` to the value that `text` stands for. Returns false if that is not
/// one of the values that allowed() describes.
[[nodiscard]] bool assign(Settings& settings, const Setting& setting, std::string_view text);

/// Writes the setting's value in the form that `assign` reads.
[[nodiscard]] std::string to_text(const Settings& settings, const Setting& setting);

/// Returns the setting's sentence. If a change needs a restart, another sentence says so.
[[nodiscard]] std::string explanation(const Setting& setting);

/// Describes the values that `assign` takes: `a number from 1 to 256`.
[[nodiscard]] std::string allowed(const Setting& setting);

}  // namespace data_import::config
