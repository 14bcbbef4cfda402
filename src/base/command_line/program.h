// The command line of a program as a table. The parser, usage errors, --help, the manual page and completion
// follow from it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data_import::command_line {

class Invocation;

/// Checks a value. Returns what is wrong with it ("is empty"); nothing if it is right.
using Check = std::function<std::optional<std::string>(std::string_view)>;

/// A value of a command line that has no option's name before it.
struct Argument {
    std::string_view name;     ///< the word for the value in the usage text, such as `CODE`
    Check check;               ///< check of a value; null: every value is right
    bool is_optional = false;  ///< the value may be left out; only a command's last argument can be optional
    /// Any number of values may be given; only a command's last argument can be a list.
    bool is_list = false;
};

/// A named value: `--name NAME`; or a flag, which takes none.
struct Option {
    std::string_view name;   ///< its name with the dashes: `--name`
    std::string_view value;  ///< name of its value in the usage: `NAME`; empty: a flag
    Check check;             ///< check of a value; null: every value is right
    std::string sentence;    ///< the sentence about the option in the help: `The supplier's code.`
    bool required = false;
    bool is_list = false;
};

/// One command: `GROUP VERB`, or `GROUP` alone if it has no verb.
struct Command {
    std::string_view group;
    std::string_view verb;  ///< empty: the command is the group's name alone (`report CODE`)
    std::vector<Argument> arguments;
    std::vector<Option> options;
    /// Sentences about the command in the help; lines that begin with a blank are examples.
    std::string sentence;
    std::string example;           ///< the words of an example after the program's name
    bool needs_an_option = false;  ///< the user has to give at least one option with a value
};

/// Returns the values that begin with `beginning`, for the completion of values that stand in no table, such
/// as codes of suppliers. `value` is the name of the value in the usage (`CODE`). `before` is the command
/// line before the value.
using Names = std::function<std::vector<std::string>(std::string_view value, const std::string& beginning,
                                                     const Invocation& before)>;

/// A program. `answer` in help.h handles its options `--help` and `--version`.
struct Program {
    std::string_view name;
    std::vector<std::string_view> synopsis;  ///< the forms of its command line; usage errors name the first
    /// The commands in the order of the help; those of a group stand together. A program without commands has
    /// one Command here, with an empty group.
    std::vector<Command> commands;
    std::vector<Option> common_options;  ///< the options that every command takes
    std::string_view help;               ///< the help on the whole program; help.cc replaces `@NAME@` in it
    /// Column in which sentences of options begin; 0: after the longest option.
    std::size_t sentence_column = 0;
    Names names;  ///< finds values for completion; null: there are none

    [[nodiscard]] bool has_commands() const { return !commands.front().group.empty(); }
};

}  // namespace data_import::command_line
