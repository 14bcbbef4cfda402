// Checks of files: configuration, signing keys, and the free space.
#include <grp.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <regex>
#include <sstream>

#include "base/config/key_values.h"
#include "base/util/readable.h"
#include "base/util/shell_command.h"
#include "data/database/database.h"
#include "data/keys/key_ring.h"
#include "data/store/migrations.h"
#include "data/store/setup.h"
#include "tools/console/bounded.h"
#include "tools/doctor/doctor.h"

namespace data_import::doctor {

namespace {

namespace fs = std::filesystem;

constexpr mode_t open_to_others = S_IRWXO;
constexpr mode_t writable_by_all = S_IWOTH;
constexpr std::chrono::seconds patience{5};

std::vector<fs::path> configuration_files(const Context& context) {
    std::error_code ignored;
    std::vector<fs::path> files = files_in(context.config_file().parent_path() / "conf.d", ".conf", ignored);
    files.insert(files.begin(), context.config_file());
    return files;
}

/// Returns whether this user may not read the file that a ConfigError is about. `message` begins with the
/// file's name.
bool is_closed_to_this_user(const std::string& message) {
    const std::string file = message.substr(0, message.find(": "));
    return access(file.c_str(), R_OK) != 0 && errno == EACCES;
}

bool holds_password(const fs::path& file) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        const std::size_t begin = line.find_first_not_of(" \t");
        if (begin == std::string::npos || line[begin] == '#') continue;
        const bool is_address = line.find("://") != std::string::npos && line.find('@') != std::string::npos;
        if (line.find("password") != std::string::npos || is_address) return true;
    }
    return false;
}

/// Returns the first of the paths that the service's user may not read; empty if there is none.
std::string first_closed(const std::vector<fs::path>& directories, const std::vector<fs::path>& files) {
    return console::run_bounded(
        [&]() -> std::string {
            become_service();
            const auto is_closed = [](const fs::path& path, int use) {
                return access(path.c_str(), use) != 0 && errno == EACCES;
            };
            for (const fs::path& directory : directories)
                if (is_closed(directory, R_OK | X_OK)) return directory.string();
            for (const fs::path& file : files)
                if (is_closed(file, R_OK)) return file.string();
            return "";
        },
        patience);
}

/// Returns `command` with the paths for which `is_wrong` is true, such as `chmod 0640 PATH...`. Paths that do
/// not exist are left out. Empty if no path is left.
std::string command_for(const std::string& command, const std::vector<fs::path>& paths,
                        const std::function<bool(const struct stat&)>& is_wrong) {
    std::string words;
    for (const fs::path& path : paths) {
        const FileState state = look_at(path);
        if (state.error == 0 && is_wrong(state.status)) words += ' ' + path.string();
    }
    return words.empty() ? "" : command + words;
}

/// Returns the command that gives all paths the group `group`, directories the mode 0750, and files the mode
/// 0640. Returns an empty text if no path needs a change.
std::string mend_modes(const std::vector<fs::path>& directories, const std::vector<fs::path>& files,
                       gid_t group) {
    std::vector<fs::path> all = directories;
    all.insert(all.end(), files.begin(), files.end());
    const auto has_other_group = [&](const struct stat& status) { return status.st_gid != group; };
    const auto has_other_mode = [](mode_t mode) {
        return [mode](const struct stat& status) { return (status.st_mode & 0777) != mode; };
    };
    std::string mend;
    for (const std::string& command : {command_for("chgrp " + group_name(group), all, has_other_group),
                                       command_for("chmod 0750", directories, has_other_mode(0750)),
                                       command_for("chmod 0640", files, has_other_mode(0640))}) {
        if (!command.empty()) mend += (mend.empty() ? "" : " && ") + command;
    }
    return mend;
}

Findings check_configuration_access(const Context& context) {
    const fs::path directory = context.config_file().parent_path();
    std::vector<fs::path> files = configuration_files(context);
    std::error_code ignored;
    std::ranges::copy(files_in(directory / "vendors.d", ".conf", ignored), std::back_inserter(files));
    return closed_to_service("configuration files",
                             {directory, directory / "conf.d", directory / "vendors.d"}, files);
}

/// Checks the modes of the configuration. Somebody who can write it can make the service do anything;
/// somebody who can read it may find passwords.
Findings check_configuration_modes(const Context& context) {
    Findings findings;
    for (const fs::path& file : configuration_files(context)) {
        const FileState state = look_at(file);
        if (state.error != 0) continue;
        const mode_t mode = state.status.st_mode;
        if ((mode & writable_by_all) != 0) {
            findings.push_back(fault("configuration files", file.string() + " can be written by everybody",
                                     "chmod 0640 " + file.string()));
        } else if ((mode & S_IROTH) != 0 && holds_password(file)) {
            findings.push_back(fault("configuration files",
                                     file.string() + " holds a password and can be read by everybody",
                                     "chmod 0640 " + file.string()));
        }
    }
    return findings;
}

std::optional<std::string> fault_of_parameters(const config::Settings& settings, const std::string& setting) {
    try {
        const bool is_service = setting == "database";
        database::check_conninfo(is_service ? settings.database : settings.admin_database);
        if (!is_service) static_cast<void>(store::database_name(settings.admin_database));
        return std::nullopt;
    } catch (const std::exception& wrong) {
        return setting + ": " + wrong.what();
    }
}

Finding check_migration_files(const Context& context) {
    try {
        const auto migrations = store::own_migrations(context.settings().sql_directory);
        return ok("migration files", "the schema, and what leads from " +
                                         std::to_string(migrations.upgrades.front().version - 1) + " to " +
                                         std::to_string(migrations.schema.version));
    } catch (const store::MigrationError& wrong) {
        return fault("migration files", wrong.what(), "apt-get install --reinstall data-import");
    }
}

std::string name_of_key(const fs::path& file) {
    return file.filename().string();
}

std::optional<Finding> check_key_file(const fs::path& file, gid_t expected_group, const std::string& mend) {
    const FileState state = look_at(file);
    if (state.error != 0)
        return unseen("signing keys", file.string() + ": " + std::strerror(state.error),
                      "ls -l " + file.string());
    if ((state.status.st_mode & (open_to_others | S_IWGRP)) != 0) {
        return fault("signing keys",
                     name_of_key(file) + " has mode " + octal(state.status.st_mode) +
                         " and is not used: everybody who can read it could make tokens",
                     mend);
    }
    if (state.status.st_gid != expected_group) {
        return fault("signing keys",
                     name_of_key(file) + " belongs to group " + group_name(state.status.st_gid) +
                         ", and not to the service's, " + group_name(expected_group),
                     mend);
    }
    return std::nullopt;
}

Finding check_key_ring(const Context& context, const std::vector<fs::path>& files) {
    try {
        const keys::KeyRing ring = keys::KeyRing::load(context.settings().keys_directory);
        return ok("signing keys",
                  std::to_string(ring.keys().size()) + ", the newest is " + ring.signing_key().kid);
    } catch (const keys::KeyRingError& wrong) {
        const std::string rotate = own_command(context, "signing-key rotate");
        if (files.empty()) return fault("signing keys", wrong.what(), rotate);
        std::string remove = "rm";
        for (const fs::path& file : files) remove += ' ' + file.string();
        return fault("signing keys", wrong.what(),
                     util::with_remark(remove + " && " + rotate, "or put them right"));
    }
}

/// Returns a size in MiB; from 10 GiB on, in GiB.
std::string size_text(std::uint64_t bytes) {
    constexpr std::uint64_t mebibyte = 1024 * 1024;
    if (bytes < 10 * 1024 * mebibyte) return std::to_string(bytes / mebibyte) + " MiB";
    return std::to_string(bytes / mebibyte / 1024) + " GiB";
}

std::uint64_t percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 100 : part * 100 / whole;
}

}  // namespace

FileState look_at(const fs::path& path) {
    FileState state;
    if (stat(path.c_str(), &state.status) != 0) state.error = errno;
    return state;
}

std::string octal(mode_t mode) {
    std::ostringstream text;
    text << '0' << std::oct << (mode & 07777);
    return text.str();
}

std::string group_name(gid_t group) {
    const struct group* entry = getgrgid(group);
    return entry == nullptr ? std::to_string(group) : entry->gr_name;
}

std::vector<fs::path> files_in(const fs::path& directory, std::string_view extension,
                               std::error_code& error) {
    std::vector<fs::path> files;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().extension() == extension) files.push_back(entry->path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

Findings closed_to_service(const std::string& subject, const std::vector<fs::path>& directories,
                           const std::vector<fs::path>& files) {
    const std::optional<gid_t> group = service_group();
    if (geteuid() != 0 || !group) return {};
    const std::string closed = first_closed(directories, files);
    if (closed.empty()) return {};
    const std::string mend = mend_modes(directories, files, *group);
    return {fault(subject, closed + " cannot be read by the service: Permission denied",
                  mend.empty() ? "namei --long " + closed : mend)};
}

std::string edit_place(const std::string& message, const fs::path& otherwise) {
    static const std::regex form("(/[^:]*):([0-9]+): .*");
    std::smatch parts;
    if (std::regex_match(message, parts, form))
        return util::shell_command("editor +" + parts[2].str(), {parts[1].str()});
    return util::shell_command("editor", {otherwise.string()});
}

std::string edit_setting(const Context& context, std::string_view name) {
    std::string place;
    for (const fs::path& file : configuration_files(context)) {
        for (const config::KeyValue& line : config::read_key_values(file)) {
            if (line.key == name) place = file.string() + ":" + std::to_string(line.line) + ": ";
        }
    }
    return edit_place(place, context.config_file());
}

Findings check_configuration(Context& context) {
    const std::string file = context.config_file().string();
    const std::string look = own_command(context, "config check");
    try {
        static_cast<void>(context.settings());
    } catch (const config::ConfigError& wrong) {
        if (is_closed_to_this_user(wrong.what()))
            return {unseen("configuration", wrong.what(), as_root(context))};
        if (access(file.c_str(), F_OK) != 0) {
            return {fault("configuration", wrong.what(),
                          "apt-get install --reinstall -o Dpkg::Options::=--force-confmiss data-import")};
        }
        return {fault("configuration", wrong.what(), edit_place(wrong.what(), file) + " && " + look)};
    }
    Findings findings{
        ok("configuration", util::counted(configuration_files(context).size(), "file") + " read")};
    for (const char* setting : {"database", "admin_database"}) {
        if (const auto wrong = fault_of_parameters(context.settings(), setting)) {
            findings.push_back(
                fault("connection parameters", *wrong, edit_setting(context, setting) + " && " + look));
        }
    }
    findings.push_back(check_migration_files(context));
    append(findings, check_configuration_modes(context));
    append(findings, check_configuration_access(context));
    return findings;
}

Findings check_signing_keys(Context& context) {
    const fs::path directory = context.settings().keys_directory;
    std::error_code error;
    const std::vector<fs::path> files = files_in(directory, ".key", error);
    if (error == std::errc::permission_denied)
        return {unseen("signing keys", directory.string() + " is closed to this user", as_root(context))};
    if (error) {
        return {fault("signing keys", "keys_directory " + directory.string() + ": " + error.message(),
                      util::with_remark(
                          edit_setting(context, "keys_directory") + " && systemctl reload data-import",
                          "or, if its keys are lost: " +
                              util::shell_command("install -d -m 0750 -g data-import", {directory.string()}) +
                              " && " + own_command(context, "signing-key rotate")))};
    }
    const FileState state = look_at(directory);
    const gid_t group = service_group().value_or(state.status.st_gid);
    const std::string mend = mend_modes({directory}, files, group);
    Findings findings;
    if ((state.status.st_mode & (open_to_others | S_IWGRP)) != 0) {
        findings.push_back(
            fault("signing keys",
                  directory.string() + " has mode " + octal(state.status.st_mode) + " and is open to others",
                  mend));
    }
    for (const fs::path& file : files) {
        if (auto finding = check_key_file(file, group, mend)) findings.push_back(std::move(*finding));
    }
    if (findings.empty()) findings = closed_to_service("signing keys", {directory}, files);
    if (findings.empty() || files.empty()) findings.push_back(check_key_ring(context, files));
    return findings;
}

Findings check_file_system(const Context& context, const fs::path& path) {
    struct statvfs state {};
    if (statvfs(path.c_str(), &state) != 0) return {};
    const std::uint64_t free_bytes = std::uint64_t{state.f_bavail} * state.f_frsize;
    const std::uint64_t free_space = percent(state.f_bavail, state.f_blocks);
    // file systems without a fixed number of inodes have 0 in f_files
    const std::uint64_t free_inodes = percent(state.f_favail, state.f_files);
    const std::string text = path.string() + " has " + size_text(free_bytes) + " (" +
                             std::to_string(free_space) + "%) and " + std::to_string(free_inodes) +
                             "% of its inodes free";
    const std::uint64_t least = context.settings().least_free_percent;
    const std::uint64_t freest = std::min(free_space, free_inodes);
    const std::string remedy = util::with_remark(
        util::shell_command("df -h", {path.string()}) + "; " + util::shell_command("df -i", {path.string()}),
        "make room, or enlarge it");
    if (freest < least) return {fault("disk space", text, remedy)};
    if (freest < 2 * least) return {warning("disk space", text, remedy)};
    return {ok("disk space", text)};
}

Findings check_disk(Context& context) {
    Findings findings;
    for (const fs::path& path :
         {context.settings().socket_directory, fs::path("/var/log"), fs::path("/var/lib")}) {
        append(findings, check_file_system(context, path));
    }
    return findings;
}

}  // namespace data_import::doctor
