// The commands of data-importctl, each described once: dispatch, usage errors, --help and completion come
// from it.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace data_import::ctl {

class Context;
class Invocation;

/// Says what is wrong with a value ("is empty"), nothing when it is right.
using Check = std::optional<std::string> (*)(std::string_view);

/// A value that stands without a name: `CODE`.
struct Argument {
    std::string_view name;
    Check check;
    bool is_optional = false;  ///< the last one may be
};

/// A named value: `--name NAME`; or a flag, which takes none.
struct Option {
    std::string_view name;   ///< with its dashes
    std::string_view value;  ///< what the usage calls the value; empty for a flag
    Check check;             ///< null for a flag
    std::string_view sentence;
    bool required = false;
    bool repeatable = false;
};

/// One command, `GROUP VERB`, or `GROUP` alone where it has no verb.
struct Command {
    std::string_view group;
    std::string_view verb;  ///< empty: the group's only command
    std::vector<Argument> arguments;
    std::vector<Option> options;
    std::string_view sentence;
    std::string_view example;  ///< what follows `data-importctl `
    /// Does the work. Throws Failure or what the folders below throw; nothing is half done then.
    void (*run)(Context& context, const Invocation& invocation);
    bool needs_an_option = false;  ///< a call without any of the options, flags apart, would do nothing
};

/// The commands in the order of the help, those of a group together.
[[nodiscard]] const std::vector<Command>& commands();

/// The options that every command takes.
[[nodiscard]] const std::vector<Option>& common_options();

/// Wrong usage: `what()` is one line that says what is wrong and names the right form. Exit status 2.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Nobody reads standard output any more, and there is nothing else to do.
class UnreadOutput : public std::runtime_error {
public:
    UnreadOutput() : runtime_error("nobody reads standard output any more") {}
};

/// Refused or failed: `what()` is one line that says why and what to do. Exit status 1.
class Failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace data_import::ctl
