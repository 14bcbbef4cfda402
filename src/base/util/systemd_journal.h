// systemd's journal: each `key=value` of a log line becomes a field, which `journalctl KEY=value` finds.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace data_import::util {

/// Returns true if standard error leads to the journal.
[[nodiscard]] bool is_standard_error_the_journal();

/// Returns one field of an entry: `NAME=value`. Turns the letters of `name` into capitals, and each character
/// that is neither an ASCII letter nor a digit into an underscore. `value` may have any bytes.
[[nodiscard]] std::string journal_field(std::string_view name, std::string_view value);

/// Sends the journal an entry of these fields. Returns false if the journal did not take it.
[[nodiscard]] bool send_to_journal(std::span<const std::string> fields);

}  // namespace data_import::util
