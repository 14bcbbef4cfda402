// A client of systemd's journal in its own protocol: each `key=value` of a log line is a field there, which
// `journalctl KEY=value` finds (https://systemd.io/JOURNAL_NATIVE_PROTOCOL).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/util/file_descriptor.h"

namespace data_import::util {

class SystemdJournal {
public:
    /// The journal behind standard error; unusable where standard error leads elsewhere.
    [[nodiscard]] static SystemdJournal behind_standard_error();
    /// The journal that listens on the socket.
    explicit SystemdJournal(std::string socket_path);

    [[nodiscard]] bool is_usable() const { return static_cast<bool>(socket_); }
    /// False where the entry was not taken.
    [[nodiscard]] bool send(std::string_view entry) const noexcept;

private:
    SystemdJournal() = default;

    std::string path_;
    FileDescriptor socket_;
};

/// One field of an entry: the name in capitals, with underlines for other characters than letters and digits;
/// any bytes as value.
void append_journal_field(std::string& entry, std::string_view name, std::string_view value);

}  // namespace data_import::util
