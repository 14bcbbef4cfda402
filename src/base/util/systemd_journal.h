// systemd's journal: each `key=value` of a log line becomes a field, which `journalctl KEY=value` finds.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace data_import::util {

/// Returns true if standard error leads to the journal.
[[nodiscard]] bool is_standard_error_the_journal();

/// Writes one field of an entry, `NAME=value`. The name is in capitals, with an underscore for each character
/// that is neither letter nor digit. The value may have any bytes.
[[nodiscard]] std::string journal_field(std::string_view name, std::string_view value);

/// Sends the journal an entry of these fields. Returns false if the journal did not take it.
[[nodiscard]] bool send_to_journal(std::span<const std::string> fields);

}  // namespace data_import::util
