#include "util/shell_command.h"

#include <algorithm>

namespace data_import::util {

namespace {

std::string shell_word(std::string_view text) {
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
