#include "base/config/key_values.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

#include "base/util/failure.h"
#include "base/util/text.h"

namespace data_import::config {

namespace {

KeyValue parse(const std::filesystem::path& file, std::size_t line, std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos)
        refuse_line(file, line, "expected `key = value`, a comment that begins with #, or nothing");
    return {line, std::string(util::trimmed(text.substr(0, equals))),
            std::string(util::trimmed(text.substr(equals + 1)))};
}

}  // namespace

std::string read_file(const std::filesystem::path& file) {
    std::error_code problem;
    if (std::filesystem::is_directory(file, problem)) throw ConfigError(file.string() + ": is a directory");
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    if (stream && stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
    if (stream.bad() || !stream.is_open()) {
        util::fail<ConfigError>(file.string() + ": cannot be read");
    }
    return text.str();
}

std::vector<KeyValue> read_key_values(const std::filesystem::path& file) {
    std::vector<KeyValue> read;
    std::map<std::string, std::size_t> seen;
    std::istringstream lines(read_file(file));
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (number == 1 && line.starts_with("\xEF\xBB\xBF"))
            refuse_line(file, number, "begins with a byte order mark: save the file without it");
        const std::string_view text = util::trimmed(line);
        if (text.empty() || text.starts_with('#')) continue;
        read.push_back(parse(file, number, text));
        const auto [first, is_new] = seen.emplace(read.back().key, number);
        if (!is_new) {
            refuse_line(
                file, number,
                "`" + first->first + "` stands in line " + std::to_string(first->second) + " already");
        }
    }
    return read;
}

void refuse_line(const std::filesystem::path& file, std::size_t line, const std::string& reason) {
    std::string text = file.string() + ":" + std::to_string(line) + ": " + reason;
    std::ranges::replace_if(
        text, [](char character) { return static_cast<unsigned char>(character) < 0x20; }, '?');
    throw ConfigError(text);
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& directory) {
    std::error_code problem;
    std::vector<std::filesystem::path> files;
    for (std::filesystem::directory_iterator entry(directory, problem), end; !problem && entry != end;
         entry.increment(problem)) {
        const std::string name = entry->path().filename().string();
        if (name.ends_with(".conf") && !name.starts_with('.')) files.push_back(entry->path());
    }
    if (problem && problem != std::errc::no_such_file_or_directory) {
        throw ConfigError(directory.string() + ": cannot be read: " + problem.message());
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace data_import::config
