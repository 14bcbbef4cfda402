#include "tools/client/files_to_load.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <map>
#include <stdexcept>
#include <system_error>

#include "base/util/failure.h"
#include "base/util/joined.h"
#include "base/util/printable.h"
#include "base/util/text.h"
#include "tools/client/kept_file.h"
#include "tools/client/left_files.h"
#include "tools/client/replaced_lines.h"

namespace data_import::client {

using util::printable;

namespace {

[[noreturn]] void fail(const std::string& name, int error = errno) {
    util::fail("cannot read " + name, error);
}

bool is_to_load(std::string_view name) {
    const std::string plain = without_packing(name);
    return plain.ends_with(".ndjson") || plain.ends_with(".jsonl") || plain.ends_with(".csv");
}

/// Returns `a.txt, old/ and 3 more`.
std::string names_text(std::vector<std::string> names) {
    constexpr std::size_t most_named = 10;
    std::ranges::sort(names);
    const std::size_t named = std::min(names.size(), most_named);
    std::string text = util::joined(std::vector(names.begin(), names.begin() + std::ptrdiff_t(named)));
    if (names.size() > named) text += " and " + std::to_string(names.size() - named) + " more";
    return printable(text);
}

/// The entries of a directory: the files to load, leftovers of other programs, and all others.
struct Listing {
    std::vector<std::string> files;
    std::vector<std::string> others;
    /// Names of the files and directories that are skipped because other programs have left them, by their
    /// kind, such as `temporary files` (origin_of_left_file()).
    std::map<std::string_view, std::vector<std::string>> left;

    void add(const std::filesystem::directory_entry& entry) {
        std::error_code ignored;
        const std::string name = entry.path().filename().string();
        const bool is_directory = entry.is_directory(ignored);
        const auto origin = origin_of_left_file(name);
        const bool is_file = !origin && !is_directory && is_to_load(name);
        if (is_file) return files.push_back(entry.path().string());
        if (!is_directory && is_refused_list(name)) return;
        (origin ? left[*origin] : others).push_back(name + (is_directory ? "/" : ""));
    }

    /// Leaves out the accounts.csv of an export (a directory with a manifest.json), because it has no
    /// records.
    void pass_over_accounts_of_export() {
        const auto accounts = std::ranges::find_if(files, [](const std::string& name) {
            return std::filesystem::path(name).filename() == "accounts.csv";
        });
        if (accounts == files.end() || std::ranges::find(others, "manifest.json") == others.end()) return;
        files.erase(accounts);
        left["accounts of an export: data-importctl account load takes them"].push_back("accounts.csv");
    }

    /// Returns a text that lists the skipped files of `left`, such as `b.tmp, c.tmp (temporary files)`.
    [[nodiscard]] std::string left_text() const {
        std::string text;
        for (const auto& [origin, names] : left)
            text += (text.empty() ? "" : "; ") + names_text(names) + " (" + std::string(origin) + ")";
        return text;
    }
};

Listing list(const std::string& directory) {
    Listing listing;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error))
        listing.add(*entry);
    if (error) fail(directory, error.value());
    listing.pass_over_accounts_of_export();
    std::ranges::sort(listing.files);
    return listing;
}

void add_passed_over(Files& files, const std::string& text) {
    files.passed_over += (files.passed_over.empty() ? "" : "; ") + text;
}

constexpr std::string_view endings = ".ndjson, .jsonl or .csv, also with .gz or .zst";

void add_files_in(const std::string& directory, Files& files) {
    const Listing listing = list(directory);
    const std::string place = "skipped in " + printable(directory);
    if (!listing.others.empty())
        add_passed_over(files, place + ", because only " + std::string(endings) +
                                   " is loaded: " + names_text(listing.others));
    if (!listing.left.empty()) add_passed_over(files, place + ": " + listing.left_text());
    if (listing.files.empty()) {
        throw std::runtime_error("the directory " + directory +
                                 " has no file to load: " + std::string(endings) +
                                 (files.passed_over.empty() ? "" : "; " + files.passed_over));
    }
    std::ranges::copy(listing.files, std::back_inserter(files.names));
}

/// Returns the name without its path. The name of a directory may end with slashes.
std::string without_path(std::string name) {
    while (name.ends_with('/')) name.pop_back();
    return std::filesystem::path(name).filename().string();
}

/// Refuses a file that is named twice. Otherwise all its lines would be sent twice, even lines that must not
/// be carried out twice.
void refuse_same_twice(const std::vector<std::string>& names) {
    std::map<FileIdentity, std::string> seen;
    for (const std::string& name : names) {
        const FileIdentity identity = name == "-" ? std::nullopt : identity_of(name);
        const auto [first, is_new] = seen.try_emplace(identity, name);
        if (identity && !is_new)
            throw std::runtime_error(first->second + " and " + name + " are the same file");
    }
}

}  // namespace

Files files_of(const std::vector<std::string>& names) {
    Files files;
    for (const std::string& name : names) {
        const std::string own_name = without_path(name);
        if (is_never_meant(own_name))
            add_passed_over(files, "skipped: " + printable(name) + " (" +
                                       std::string(*origin_of_left_file(own_name)) + ")");
        else if (name != "-" && std::filesystem::is_directory(name))
            add_files_in(name, files);
        else
            files.names.push_back(name);
    }
    if (files.names.empty()) throw std::runtime_error("there is no file to load; " + files.passed_over);
    refuse_same_twice(files.names);
    return files;
}

std::optional<std::uint64_t> file_bytes(const std::string& name) {
    // The file is not opened: if it is a pipe, closing it again could end the program that writes into it.
    const bool standard_input = name == "-";
    struct stat status {};
    const int result = standard_input ? ::fstat(STDIN_FILENO, &status) : ::stat(name.c_str(), &status);
    if (result != 0 || (!standard_input && ::access(name.c_str(), R_OK) != 0)) fail(name);
    if (S_ISDIR(status.st_mode)) fail(name, EISDIR);
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    const off_t offset = standard_input ? std::max<off_t>(::lseek(STDIN_FILENO, 0, SEEK_CUR), 0) : 0;
    return static_cast<std::uint64_t>(std::max<off_t>(status.st_size - offset, 0));
}

std::optional<std::uint64_t> total_bytes(const std::vector<std::string>& names) {
    std::uint64_t total = 0;
    bool known = true;
    for (const std::string& name : names) {
        const auto bytes = file_bytes(name);
        known = known && bytes.has_value();
        total += bytes.value_or(0);
    }
    return known ? std::optional(total) : std::nullopt;
}

std::string rejects_name_of(const std::string& name) {
    if (name == "-") return "standard-input";
    const std::string file = std::filesystem::path(name).filename().string();
    return file.substr(0, without_packing(file).size());
}

std::string without_packing(std::string_view name) {
    std::string plain = util::lowered(name);
    for (const std::string_view ending : {".gz", ".zst"}) {
        if (plain.ends_with(ending)) return plain.substr(0, plain.size() - ending.size());
    }
    return plain;
}

}  // namespace data_import::client
