// The surroundings of a running command: the configuration, the database, standard output.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/command_line/invocation.h"
#include "base/config/settings.h"
#include "data/database/database.h"
#include "data/store/operator.h"

namespace data_import::console {

inline constexpr std::string_view program_name = "data-importctl";

/// Returns the path of the configuration: the one after --config, or the default.
[[nodiscard]] std::filesystem::path config_file_of(const command_line::Invocation& invocation);

class Context {
public:
    explicit Context(const command_line::Invocation& invocation);

    [[nodiscard]] const std::filesystem::path& config_file() const { return config_file_; }
    /// Reads the configuration on the first call. Throws config::ConfigError.
    [[nodiscard]] const config::Settings& settings() const;
    [[nodiscard]] bool json() const { return json_; }
    /// Returns the system user who started the program.
    [[nodiscard]] const std::string& operator_name() const { return operator_name_; }
    /// Returns operator_name() with the name of this host, for the audit history.
    [[nodiscard]] store::Operator acting_operator() const;

    /// Returns a session of the installation's database, in the role that owns everything there. If root
    /// started the program, the first call makes the process become `admin_user`. So anything that only root
    /// can read has to be read or opened before.
    database::Database& database();

    /// Opens another session as the administrator, in which `role` is set. If `role` is empty, the session
    /// keeps the administrator's own role. If root started the program, the process first becomes the system
    /// user of the setting `admin_user`, and is never root again.
    [[nodiscard]] std::unique_ptr<database::Database> open_database(const std::string& conninfo,
                                                                    const std::string& role);

    /// Returns the deadline of an ordinary command: two minutes from now.
    [[nodiscard]] static database::Deadline soon();
    /// Returns the deadline of a command that may wait for other sessions, move millions of rows or read
    /// every record.
    [[nodiscard]] static database::Deadline late();

    /// Writes to standard output; a failure is noticed when the program ends. C1 and direction control
    /// characters are written as escapes of JSON (`\u202e`), also in text for people. The escapes do not
    /// change the meaning of JSON.
    static void print(const std::string& text);
    /// Writes a part of a list that may be long. Throws UnreadOutput when nobody reads it any more, so that
    /// the rest need not be found. Not for a command that changes anything.
    static void print_part(const std::string& text);

private:
    std::filesystem::path config_file_;
    mutable std::optional<config::Settings> settings_;
    bool json_;
    std::string operator_name_;
    std::unique_ptr<database::Database> database_;
};

}  // namespace data_import::console
