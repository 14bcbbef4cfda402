#include "base/util/log.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <utility>

#include "base/util/systemd_journal.h"
#include "base/util/text.h"

namespace data_import::util {

namespace {

Severity least_severity = Severity::info;

/// Returns true for a character that a terminal would obey, or that changes the direction of text.
bool is_unsafe(std::string_view well_formed) {
    return has_control_character(well_formed) || has_direction_control(well_formed);
}

bool needs_quotes(std::string_view value) {
    return value.empty() || !is_utf8(value) || is_unsafe(value) ||
           value.find_first_of(" \"\\=") != std::string_view::npos;
}

void append_hexadecimal(std::string& line, unsigned char byte) {
    constexpr std::string_view digits = "0123456789abcdef";
    line += "\\x";
    line += digits[byte >> 4];
    line += digits[byte & 0xf];
}

/// Appends escaped text. Escapes quotes and backslashes only inside of quotes, because a message reads better
/// without escapes.
void append_escaped(std::string& line, std::string_view text, bool inside_quotes) {
    // If the text is no UTF-8, each byte is escaped by itself.
    const bool well_formed = is_utf8(text);
    while (!text.empty()) {
        const std::string_view character = well_formed ? first_code_points(text, 1) : text.substr(0, 1);
        text.remove_prefix(character.size());
        if (character == "\n") {
            line += "\\n";
        } else if (!is_utf8(character) || is_unsafe(character)) {
            for (const char byte : character) append_hexadecimal(line, static_cast<unsigned char>(byte));
        } else {
            if (inside_quotes && (character == "\"" || character == "\\")) line += '\\';
            line += character;
        }
    }
}

void append_field(std::string& line, const LogField& field) {
    line += ' ';
    line += field.key;
    line += '=';
    if (!needs_quotes(field.value)) {
        line += field.value;
        return;
    }
    line += '"';
    append_escaped(line, field.value, true);
    line += '"';
}

/// Cuts a line between characters, so that journald does not take it for binary data.
void shorten(std::string& line) {
    constexpr std::string_view ending = "...";
    std::size_t length = max_log_line - ending.size() - 1;
    while (length > 0 && (static_cast<unsigned char>(line[length]) & 0xc0) == 0x80) --length;
    line.resize(length);
    line += ending;
}

bool is_journal() {
    static const bool is_standard_error = is_standard_error_the_journal();
    return is_standard_error;
}

void write_once(std::string_view lines) {
    while (::write(STDERR_FILENO, lines.data(), lines.size()) < 0 && errno == EINTR) {
    }
}

bool are_together = false;
std::string waiting_lines;

void write_waiting_lines() {
    if (!waiting_lines.empty()) write_once(waiting_lines);
    waiting_lines.clear();
}

void write(const std::string& line) {
    if (waiting_lines.size() + line.size() > max_log_line) write_waiting_lines();
    if (!are_together) return write_once(line);
    waiting_lines += line;
}

}  // namespace

std::optional<Severity> parse_severity(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, Severity>, 5> names{{{"error", Severity::error},
                                                                          {"warning", Severity::warning},
                                                                          {"notice", Severity::notice},
                                                                          {"info", Severity::info},
                                                                          {"debug", Severity::debug}}};
    for (const auto& [known, severity] : names) {
        if (known == name) return severity;
    }
    return std::nullopt;
}

void set_log_level(Severity least) {
    least_severity = least;
}

std::string format_log_line(Severity severity, std::string_view message,
                            std::initializer_list<LogField> fields) {
    return format_log_line(severity, message, std::span(fields.begin(), fields.size()));
}

std::string format_log_line(Severity severity, std::string_view message, std::span<const LogField> fields) {
    std::string line = "<" + std::to_string(static_cast<int>(severity)) + ">";
    append_escaped(line, message, false);
    for (const LogField& field : fields) append_field(line, field);
    if (line.size() >= max_log_line) shorten(line);
    line += '\n';
    return line;
}

// The message repeats the fields, so that people who read the journal as text miss nothing.
std::vector<std::string> format_journal_entry(Severity severity, std::string_view message,
                                              std::span<const LogField> fields) {
    const std::string line = format_log_line(severity, message, fields);
    constexpr std::size_t priority_length = std::string_view("<6>").size();
    std::vector<std::string> entry = {
        journal_field("PRIORITY", std::to_string(static_cast<int>(severity))),
        journal_field("SYSLOG_IDENTIFIER", program_invocation_short_name),
        journal_field("MESSAGE",
                      std::string_view(line).substr(priority_length, line.size() - priority_length - 1))};
    for (const LogField& field : fields) entry.push_back(journal_field(field.key, field.value));
    return entry;
}

LinesTogether::LinesTogether() noexcept {
    are_together = true;
}

LinesTogether::~LinesTogether() {
    are_together = false;
    write_waiting_lines();
}

void log(Severity severity, std::string_view message, std::initializer_list<LogField> fields) noexcept {
    log(severity, message, std::span(fields.begin(), fields.size()));
}

void log(Severity severity, std::string_view message, std::span<const LogField> fields) noexcept {
    if (severity > least_severity) return;
    try {
        const bool is_taken =
            is_journal() && send_to_journal(format_journal_entry(severity, message, fields));
        if (!is_taken) write(format_log_line(severity, message, fields));
    } catch (const std::exception&) {
        write_once("<3>out of memory while writing a log line\n");
    }
}

}  // namespace data_import::util
