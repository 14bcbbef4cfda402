#include <map>

#include "ctl/command.h"
#include "ctl/usage.h"
#include "manual/client_help.h"
#include "manual/pages.h"

namespace data_import::manual {

namespace {

std::string words_of(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

/// The words that may stand for a value: `Ongoing|Paused|Complete` names them, `CODE` does not.
std::string choices_of(std::string_view value) {
    if (value.find('|') == std::string_view::npos) return "";
    std::string words(value);
    for (char& character : words) {
        if (character == '|') character = ' ';
    }
    return words;
}

bool is_file(std::string_view value) {
    return value.starts_with("FILE") || value == "F";
}

/// What follows an option: files, one of some words, or anything.
using Values = std::map<std::string, std::string>;

void add_option(Values& values, std::string_view name, std::string_view value) {
    if (value.empty()) return;
    const std::string choices = choices_of(value);
    values[std::string(name)] = is_file(value)    ? "compgen -f -- \"$current\""
                                : choices.empty() ? ":"
                                                  : "compgen -W '" + choices + "' -- \"$current\"";
}

Values ctl_values() {
    Values values;
    for (const ctl::Option& option : ctl::common_options()) add_option(values, option.name, option.value);
    for (const ctl::Command& command : ctl::commands()) {
        for (const ctl::Option& option : command.options) add_option(values, option.name, option.value);
    }
    return values;
}

std::string value_cases(const Values& values) {
    std::string text;
    for (const auto& [name, action] : values) {
        text += "        " + name + ") mapfile -t COMPREPLY < <(" + action + "); return ;;\n";
    }
    return text;
}

std::vector<std::string> groups() {
    std::vector<std::string> names;
    for (const ctl::Command& command : ctl::commands()) {
        if (names.empty() || names.back() != command.group) names.emplace_back(command.group);
    }
    names.emplace_back("help");
    return names;
}

std::string verb_cases() {
    std::map<std::string, std::vector<std::string>> verbs;
    for (const ctl::Command& command : ctl::commands()) {
        if (!command.verb.empty()) verbs[std::string(command.group)].emplace_back(command.verb);
    }
    std::string text;
    for (const auto& [group, names] : verbs)
        text += "        " + group + ") verbs='" + words_of(names) + "' ;;\n";
    return text;
}

std::string option_cases() {
    std::string text;
    for (const ctl::Command& command : ctl::commands()) {
        std::vector<std::string> names;
        for (const ctl::Option& option : command.options) names.emplace_back(option.name);
        if (names.empty()) continue;
        text += "        '" + ctl::command_name(command) + "') options+=' " + words_of(names) + "' ;;\n";
    }
    return text;
}

std::string common_names() {
    std::vector<std::string> names;
    for (const ctl::Option& option : ctl::common_options()) names.emplace_back(option.name);
    return words_of(names);
}

std::string ctl_function() {
    return "_data_importctl() {\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    local group='' verb='' verbs='' options='" +
           common_names() +
           "' word skip=''\n"
           "    COMPREPLY=()\n"
           "    case $before in\n" +
           value_cases(ctl_values()) +
           "    esac\n"
           "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
           "        case $word in\n"
           "            --config) skip=yes ;;\n"
           "            -* | help) ;;\n"
           "            *)\n"
           "                if [[ -n $skip ]]; then skip=''\n"
           "                elif [[ -z $group ]]; then group=$word\n"
           "                elif [[ -z $verb ]]; then verb=$word\n"
           "                fi ;;\n"
           "        esac\n"
           "    done\n"
           "    case $group in\n" +
           verb_cases() +
           "    esac\n"
           "    [[ \" $verbs \" == *\" $verb \"* ]] || verb=''\n"
           "    case ${group}${verb:+ $verb} in\n" +
           option_cases() +
           "    esac\n"
           "    if [[ $current == -* ]]; then mapfile -t COMPREPLY < <(compgen -W \"$options\" -- "
           "\"$current\")\n"
           "    elif [[ -z $group ]]; then mapfile -t COMPREPLY < <(compgen -W '" +
           words_of(groups()) +
           "' -- \"$current\")\n"
           "    elif [[ -n $verbs && -z $verb ]]; then mapfile -t COMPREPLY < <(compgen -W \"$verbs\" -- "
           "\"$current\")\n"
           "    else mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
           "    fi\n"
           "}\n"
           "complete -o filenames -F _data_importctl data-importctl\n";
}

std::string load_function() {
    Values values;
    std::vector<std::string> names;
    for (const ClientOption& option : client_options()) {
        const std::size_t blank = option.term.find(' ');
        names.push_back(option.term.substr(0, blank));
        if (blank != std::string::npos) add_option(values, names.back(), option.term.substr(blank + 1));
    }
    return "_data_import_load() {\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    COMPREPLY=()\n"
           "    case $before in\n" +
           value_cases(values) +
           "    esac\n"
           "    if [[ $current == -* ]]; then mapfile -t COMPREPLY < <(compgen -W '" +
           words_of(names) +
           "' -- \"$current\")\n"
           "    else mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
           "    fi\n"
           "}\n"
           "complete -o filenames -F _data_import_load data-import-load\n";
}

std::string with_head(std::string_view program, const std::string& function) {
    return "# bash completion for " + std::string(program) +
           ", written from its table of commands\n# shellcheck shell=bash\n\n" + function;
}

}  // namespace

std::string ctl_completion() {
    return with_head("data-importctl", ctl_function());
}

std::string load_completion() {
    return with_head("data-import-load", load_function());
}

}  // namespace data_import::manual
