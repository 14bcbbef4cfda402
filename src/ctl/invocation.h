// A command line, read by the table of commands.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.h"
#include "ctl/command.h"

namespace data_import::ctl {

/// What a command line asks for; every value in it has passed the check of its table row.
class Invocation {
public:
    /// What is wanted instead of running a command.
    enum class Wanted { command, help, version };

    /// Reads the words after the program's name. Throws UsageError.
    [[nodiscard]] static Invocation parse(const std::vector<std::string>& words);

    [[nodiscard]] Wanted wanted() const { return wanted_; }
    /// The command; null where help is wanted on a group or on everything.
    [[nodiscard]] const Command* command() const { return command_; }
    /// The group that help is wanted on; empty for everything.
    [[nodiscard]] const std::string& group() const { return group_; }
    [[nodiscard]] bool json() const { return json_; }
    [[nodiscard]] const std::filesystem::path& config_file() const { return config_file_; }

    /// The value of an argument of the command's table row.
    [[nodiscard]] const std::string& argument(std::string_view name) const;
    /// Whether an option that takes no value was given.
    [[nodiscard]] bool has(std::string_view flag) const;
    /// The value of an argument that may be left out.
    [[nodiscard]] std::optional<std::string> optional_argument(std::string_view name) const;
    /// The value of an option that was given.
    [[nodiscard]] std::optional<std::string> option(std::string_view name) const;
    /// All values of an option that may be repeated, in their order.
    [[nodiscard]] std::vector<std::string> options(std::string_view name) const;

private:
    friend class InvocationParser;

    Wanted wanted_ = Wanted::command;
    const Command* command_ = nullptr;
    std::string group_;
    bool json_ = false;
    std::filesystem::path config_file_ = config::default_file;
    std::vector<std::string> arguments_;
    std::map<std::string, std::vector<std::string>, std::less<>> options_;
};

}  // namespace data_import::ctl
