#include "base/util/shell_command.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/util/code_point.h"
#include "base/util/invisible.h"

namespace data_import::util {

namespace {

/// Writes an invisible character as an escape for bash's $'...'. The escape has eight digits, because bash
/// would take digits that follow a shorter escape for a part of it.
std::string escape_of(char32_t point) {
    std::array<char, 16> escape{};
    std::snprintf(escape.data(), escape.size(), "\\U%08X", static_cast<unsigned>(point));
    return escape.data();
}

std::string word_with_escapes(std::string_view text) {
    std::string word = "$'";
    for (std::size_t offset = 0; offset < text.size();) {
        const std::size_t begin = offset;
        const char32_t point = next_code_point(text, offset);
        if (is_invisible(point)) {
            word += escape_of(point);
        } else {
            if (point == '\'' || point == '\\') word += '\\';
            word += text.substr(begin, offset - begin);
        }
    }
    return word += '\'';
}

std::string shell_word(std::string_view text) {
    const auto invisible = find_invisible(text);
    if (invisible && is_invisible(invisible->point)) return word_with_escapes(text);
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=,-";
    if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return std::string(text);
    std::string word = "'";
    for (const char character : text) character == '\'' ? word += "'\\''" : word += character;
    return word += '\'';
}

}  // namespace

std::string shell_command(std::string_view command, const std::vector<std::string>& arguments,
                          std::string_view options) {
    std::string words;
    for (const std::string& argument : arguments) (words += ' ') += shell_word(argument);
    const bool need_mark =
        std::ranges::any_of(arguments, [](const std::string& one) { return one.starts_with('-'); });
    const std::string begin = std::string(command);
    return need_mark ? begin + std::string(options) + " --" + words : begin + words + std::string(options);
}

std::string with_remark(std::string command, std::string_view words) {
    constexpr std::string_view mark = "   # ";
    command += command.find(mark) == std::string::npos ? mark : "; ";
    return command += words;
}

}  // namespace data_import::util
