// Writes log lines to standard error, `<priority>message key=value ...`, each by one write(). If standard
// error is systemd's journal, sends each line as an entry with the line's fields instead.
#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace data_import::util {

/// Severities as syslog numbers them.
enum class Severity { error = 3, warning = 4, notice = 5, info = 6, debug = 7 };

/// Returns the severity of a name in the configuration (`error`, `warning`, `notice`, `info`, `debug`).
[[nodiscard]] std::optional<Severity> parse_severity(std::string_view name);

/// One `key=value` of a log line. Values never hold payload content or secrets, only ids (the account's
/// number is one), codes, counts and times.
struct LogField {
    std::string_view key;
    std::string value;

    LogField(std::string_view name, std::string_view text) : key(name), value(text) {}
    LogField(std::string_view name, std::integral auto number) : key(name), value(std::to_string(number)) {}
};

/// Drops lines that are less severe than `least` (have a higher number). The default is Severity::info.
void set_log_level(Severity least);

/// Returns the line that `log` writes, with its line end. It is at most `max_log_line` bytes long; a longer
/// one is cut and ends with `...`. Values with blanks, quotes or control characters are quoted and escaped,
/// so that a line stays one line and its fields stay apart. Bytes that are no UTF-8 become `\xNN`.
[[nodiscard]] std::string format_log_line(Severity severity, std::string_view message,
                                          std::span<const LogField> fields);
[[nodiscard]] std::string format_log_line(Severity severity, std::string_view message,
                                          std::initializer_list<LogField> fields = {});

/// Returns the line of format_log_line() as fields of the journal (util/systemd_journal.h): PRIORITY,
/// SYSLOG_IDENTIFIER, MESSAGE, and each field by its key in capitals.
[[nodiscard]] std::vector<std::string> format_journal_entry(Severity severity, std::string_view message,
                                                            std::span<const LogField> fields);

/// Most bytes of a line. Up to this length, lines of several processes do not mix on a pipe (PIPE_BUF).
inline constexpr std::size_t max_log_line = 4096;

/// Collects the log lines of its lifetime, and writes them together: at the end, or earlier if they would get
/// longer than `max_log_line`. Entries of the journal are not collected, but sent at once.
class LinesTogether {
public:
    LinesTogether() noexcept;
    ~LinesTogether();
    LinesTogether(const LinesTogether&) = delete;
    LinesTogether& operator=(const LinesTogether&) = delete;
};

/// Writes one line. Never throws; a line that cannot be written is lost.
void log(Severity severity, std::string_view message, std::span<const LogField> fields) noexcept;
void log(Severity severity, std::string_view message, std::initializer_list<LogField> fields = {}) noexcept;

}  // namespace data_import::util
