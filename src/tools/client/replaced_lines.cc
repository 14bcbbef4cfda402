#include "tools/client/replaced_lines.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/util/crypto.h"
#include "base/util/failure.h"

namespace data_import::client {

namespace {

constexpr std::string_view ending = ".refused";

std::vector<std::string> marks_in(const std::string& list) {
    std::ifstream input(list);
    if (!input) util::fail("cannot read " + list);
    std::vector<std::string> marks;
    for (std::string mark; std::getline(input, mark);) marks.push_back(mark);
    return marks;
}

}  // namespace

std::string refused_list_of(const std::string& rejects) {
    const std::filesystem::path path(rejects);
    return path.parent_path() / ("." + path.filename().string() + std::string(ending));
}

bool is_refused_list(std::string_view name) {
    return name.starts_with('.') && name.ends_with(ending);
}

std::string line_mark(std::string_view line) {
    constexpr std::size_t bytes = 8;
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    return util::to_hex(util::bytes_of(util::sha256(line)).substr(0, bytes));
}

ReplacedLines::ReplacedLines(const std::vector<std::string>& files) : is_rejects_(files.size()) {
    for (std::size_t file = 0; file < files.size(); ++file) {
        const std::string list = refused_list_of(files[file]);
        std::error_code ignored;
        is_rejects_[file] = std::filesystem::is_regular_file(list, ignored);
        if (!is_rejects_[file]) continue;
        for (const std::string& mark : marks_in(list)) last_[mark] = file;
    }
}

bool ReplacedLines::contains(const InputLine& line) const {
    if (last_.empty()) return false;
    const auto is_replaced = [&](std::string_view text) {
        const auto found = last_.find(line_mark(text));
        return found != last_.end() && (!is_rejects_[line.file] || found->second > line.file);
    };
    for (std::size_t record = 0; record < std::max<std::size_t>(line.records.size(), 1); ++record) {
        if (is_replaced(line.text_of_record(record))) return true;
    }
    return false;
}

}  // namespace data_import::client
