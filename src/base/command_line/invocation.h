// Reads a command line by the table of its program (program.h).
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/command_line/program.h"

namespace data_import::command_line {

/// The usage is wrong. `what()` is one line that says what is wrong and names the right form.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A command line that was understood. Every value in it has passed the check that the program declares for
/// the value's option or argument.
class Invocation {
public:
    /// The request of a command line: to run a command, or to print the help or the version instead.
    enum class Wanted { command, help, version };

    explicit Invocation(const Program& program);

    [[nodiscard]] const Program& program() const { return *program_; }
    [[nodiscard]] Wanted wanted() const { return wanted_; }
    /// Returns the command; null if help is wanted on a group or on everything.
    [[nodiscard]] const Command* command() const { return command_; }
    /// Returns the group that help is wanted on; empty for everything.
    [[nodiscard]] const std::string& group() const { return group_; }

    /// Returns the value of the command's argument with this name. The argument has to be one that the user
    /// cannot leave out.
    [[nodiscard]] const std::string& argument(std::string_view name) const;
    /// Returns the value of an argument that the user may leave out; nothing if the user has left it out.
    [[nodiscard]] std::optional<std::string> optional_argument(std::string_view name) const;
    /// Returns all arguments in their order.
    [[nodiscard]] const std::vector<std::string>& arguments() const { return arguments_; }
    /// Returns whether an option was given.
    [[nodiscard]] bool has(std::string_view option) const;
    /// Returns the value of an option; nothing if the option was not given, or takes no value.
    [[nodiscard]] std::optional<std::string> option(std::string_view name) const;
    /// Returns all values of an option that may be given several times, in their order.
    [[nodiscard]] std::vector<std::string> options(std::string_view name) const;

    /// Throws UsageError with the sentence, followed by the usage line of the command, the group or the
    /// program.
    [[noreturn]] void refuse(const std::string& sentence) const;

private:
    friend class Parser;

    const Program* program_;
    Wanted wanted_ = Wanted::command;
    const Command* command_ = nullptr;
    std::string group_;
    std::vector<std::string> arguments_;
    std::map<std::string, std::vector<std::string>, std::less<>> options_;
};

/// Reads the words after the program's name. `program` has to outlive the invocation. Throws UsageError.
[[nodiscard]] Invocation parse(const Program& program, const std::vector<std::string>& words);

/// A command line whose last word the user is still typing.
struct Unfinished {
    Invocation before;
    const Option* awaits_value_of = nullptr;
    /// A bare `--` was given, so the next words are arguments, even if they look like options.
    bool is_behind_dashes = false;
};

/// Reads the words before the one that is being typed, without checking values. Throws UsageError.
[[nodiscard]] Unfinished parse_unfinished(const Program& program, const std::vector<std::string>& words);

/// Returns the option of that name for the command or group that the invocation has reached, or null.
[[nodiscard]] const Option* find_option(const Invocation& invocation, std::string_view name);

}  // namespace data_import::command_line
