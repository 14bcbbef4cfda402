#include "base/command_line/help.h"

#include <algorithm>
#include <cctype>
#include <ostream>
#include <sstream>

#include "base/texts/texts.h"
#include "base/util/readable.h"
#include "base/util/version.h"

namespace data_import::command_line {

namespace {

std::string option_form(const Option& option) {
    std::string form(option.name);
    if (!option.value.empty()) form += " " + std::string(option.value);
    if (option.required) return option.is_list ? form + " [" + form + " ...]" : form;
    return "[" + form + (option.is_list ? " ..." : "") + "]";
}

std::string verbs(const Program& program, std::string_view group) {
    std::string list;
    for (const Command& command : program.commands) {
        if (command.group == group) list += (list.empty() ? "" : "|") + std::string(command.verb);
    }
    return list;
}

/// Turns `Print this text.` into `print this text`.
std::string as_phrase(std::string sentence) {
    sentence.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence.front())));
    if (sentence.ends_with('.')) sentence.pop_back();
    return sentence;
}

/// Returns a line for each option: its name and value, then its sentence. The sentence begins at the column
/// `column` or, if that is 0, two blanks after the longest name and value.
std::string option_lines(const std::vector<Option>& options, std::size_t column) {
    std::size_t width = 0;
    for (const Option& option : options)
        width = std::max(width, option.name.size() + 1 + option.value.size());
    std::string text;
    for (const Option& option : options) {
        std::string form = std::string(option.name) + " " + std::string(option.value);
        form.resize(column > 0 ? std::max(column, form.size()) : width + 2, ' ');
        text +=
            (text.empty() ? "" : "\n") + form + (column > 0 ? as_phrase(option.sentence) : option.sentence);
    }
    return text;
}

std::string indented(std::string_view lines, const std::string& indent) {
    std::string text = indent;
    for (const char character : lines) {
        text += character;
        if (character == '\n') text += indent;
    }
    return text;
}

/// Returns a command's sentences, broken into lines for a terminal. Indented lines, which are examples, stay
/// as they are.
std::string sentence_lines(const Command& command) {
    constexpr std::size_t width = 104;
    std::string text;
    std::istringstream lines(command.sentence);
    for (std::string line; std::getline(lines, line);)
        text +=
            (text.empty() ? "" : "\n") + (line.starts_with(' ') ? line : util::wrapped(line, width, "\n"));
    return text;
}

std::string command_help(const Program& program, const Command& command) {
    std::string text = usage_line(program, &command, command.group) + "\n\n" + sentence_lines(command) + "\n";
    if (!command.options.empty())
        text += "\nOptions:\n" + indented(option_lines(command.options, 0), "    ") + "\n";
    return text + "\nOptions of every command:\n" +
           indented(option_lines(program.common_options, 0), "    ") + "\n\nExample:\n    " +
           example(program, command) + "\n";
}

std::string command_list(const Program& program, std::string_view group) {
    std::string text;
    std::string_view last_group;
    for (const Command& command : program.commands) {
        if (!group.empty() && command.group != group) continue;
        if (!text.empty()) text += command.group != last_group ? "\n\n" : "\n";
        last_group = command.group;
        text += command_form(command) + "\n" + indented(sentence_lines(command), "    ") +
                "\n    Example: " + example(program, command);
    }
    return text;
}

/// Returns the command line that prints the help on the first command that has options (`PROGRAM COMMAND
/// --help`).
std::string call_for_help(const Program& program, std::string_view group) {
    const auto has_options = [&](const Command& command) {
        return (group.empty() || command.group == group) && !command.options.empty();
    };
    const auto found = std::ranges::find_if(program.commands, has_options);
    const Command& command = found == program.commands.end() ? program.commands.front() : *found;
    return std::string(program.name) + " " + command_name(command) + " --help";
}

std::string help_on_all(const Program& program, std::string_view group) {
    if (program.has_commands())
        return texts::filled(program.help, {{"COMMANDS", command_list(program, group)},
                                            {"HELP_OF_COMMAND", call_for_help(program, group)},
                                            {"OPTIONS", option_lines(program.common_options, 0)}});
    constexpr std::string_view usage = "Usage: ";
    std::string forms;
    for (const std::string_view form : program.synopsis)
        forms.append(forms.empty() ? usage : "\n" + std::string(usage.size(), ' ')).append(form);
    const Command& command = program.commands.front();
    return texts::filled(program.help, {{"USAGE", forms},
                                        {"OPTIONS", option_lines(command.options, program.sentence_column)},
                                        {"EXAMPLE", example(program, command)}});
}

}  // namespace

std::string command_name(const Command& command) {
    return std::string(command.group) + (command.verb.empty() ? "" : " " + std::string(command.verb));
}

std::string command_form(const Command& command) {
    std::string form = command_name(command);
    for (const Argument& argument : command.arguments) {
        const std::string name(argument.name);
        form += argument.is_optional ? " [" + name + (argument.is_list ? " ...]" : "]") : " " + name;
    }
    for (const Option& option : command.options) form += " " + option_form(option);
    return form;
}

std::string example(const Program& program, const Command& command) {
    return std::string(program.name) + " " + command.example;
}

std::string usage_line(const Program& program, const Command* command, std::string_view group) {
    const std::string name(program.name);
    const std::string form(program.synopsis.front());
    if (!program.has_commands()) return form + " (see --help)";
    if (command != nullptr) return name + " " + command_form(*command);
    if (!group.empty()) return name + " " + std::string(group) + " " + verbs(program, group);
    return form + "; \"" + name + " help\" lists the commands";
}

std::string help(const Program& program, const Command* command, std::string_view group) {
    const bool is_on_command = program.has_commands() && command != nullptr;
    return is_on_command ? command_help(program, *command) : help_on_all(program, group);
}

bool answer(const Invocation& invocation, std::ostream& output) {
    switch (invocation.wanted()) {
        case Invocation::Wanted::help:
            output << help(invocation.program(), invocation.command(), invocation.group());
            return true;
        case Invocation::Wanted::version:
            output << invocation.program().name << ' ' << util::version << '\n';
            return true;
        default:
            return false;
    }
}

}  // namespace data_import::command_line
