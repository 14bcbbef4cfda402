#include "ctl/usage.h"

#include <algorithm>

namespace data_import::ctl {

namespace {

std::string option_form(const Option& option) {
    std::string form(option.name);
    if (!option.value.empty()) form += " " + std::string(option.value);
    if (option.required) return option.repeatable ? form + " [" + form + " ...]" : form;
    return "[" + form + (option.repeatable ? " ..." : "") + "]";
}

/// `supplier create CODE --name NAME [--status S]`
std::string command_form(const Command& command) {
    std::string form = command_name(command);
    for (const Argument& argument : command.arguments) {
        const std::string name(argument.name);
        form += argument.is_optional ? " [" + name + "]" : " " + name;
    }
    for (const Option& option : command.options) form += " " + option_form(option);
    return form;
}

std::string verbs(std::string_view group) {
    std::string list;
    for (const Command& command : commands()) {
        if (command.group == group) list += (list.empty() ? "" : "|") + std::string(command.verb);
    }
    return list;
}

void append_options(std::string& text, const std::vector<Option>& options) {
    std::size_t width = 0;
    for (const Option& option : options) {
        width = std::max(width, option.name.size() + 1 + option.value.size());
    }
    for (const Option& option : options) {
        std::string form = std::string(option.name) + " " + std::string(option.value);
        form.resize(width + 2, ' ');
        text += "    " + form + std::string(option.sentence) + "\n";
    }
}

std::string command_help(const Command& command) {
    std::string text = usage_line(&command, command.group) + "\n\n" + std::string(command.sentence) + "\n";
    if (!command.options.empty()) {
        text += "\nOptions:\n";
        append_options(text, command.options);
    }
    text += "\nOptions of every command:\n";
    append_options(text, common_options());
    return text + "\nExample:\n    " + std::string(program_name) + " " + std::string(command.example) + "\n";
}

std::string indented(std::string_view lines, const std::string& indent) {
    std::string text = indent;
    for (const char character : lines) {
        text += character;
        if (character == '\n') text += indent;
    }
    return text;
}

std::string command_list(std::string_view group) {
    std::string text;
    std::string_view last_group;
    for (const Command& command : commands()) {
        if (!group.empty() && command.group != group) continue;
        if (!text.empty() && command.group != last_group) text += "\n";
        last_group = command.group;
        text += "    " + command_form(command) + "\n" + indented(command.sentence, "        ") +
                "\n        Example: " + std::string(program_name) + " " + std::string(command.example) + "\n";
    }
    return text;
}

}  // namespace

std::string command_name(const Command& command) {
    return std::string(command.group) + (command.verb.empty() ? "" : " " + std::string(command.verb));
}

std::string usage_line(const Command* command, std::string_view group) {
    const std::string name(program_name);
    if (command != nullptr) return name + " " + command_form(*command);
    if (!group.empty()) return name + " " + std::string(group) + " " + verbs(group);
    return name + " COMMAND [ARGUMENT ...] [--json] [--config FILE]; \"" + name +
           " help\" lists the commands";
}

std::string help(const Command* command, std::string_view group) {
    if (command != nullptr) return command_help(*command);
    std::string text =
        "Operates an installation of data-import: its database, import suppliers, API keys and accounts.\n\n";
    text += "Commands:\n" + command_list(group) + "\nOptions of every command:\n";
    append_options(text, common_options());
    return text +
           "\nExit status: 0 done, 1 refused or failed (one line on standard error says why and what to "
           "do),\n"
           "2 wrong usage, 141 nobody reads the output any more.\n";
}

}  // namespace data_import::ctl
