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

/// What follows an option or stands as an argument: files, one of some words, names that the database knows,
/// or anything.
std::string action_for(std::string_view value) {
    if (value == "CODE") return "_data_importctl_names suppliers ${current:+\"$current\"}";
    if (value == "EXTERNAL") return "_data_importctl_names accounts \"$supplier\" ${current:+\"$current\"}";
    if (is_file(value)) return "mapfile -t COMPREPLY < <(compgen -f -- \"$current\")";
    const std::string choices = choices_of(value);
    if (choices.empty()) return ":";
    return "mapfile -t COMPREPLY < <(compgen -W '" + choices + "' -- \"$current\")";
}

using Values = std::map<std::string, std::string>;

void add_option(Values& values, std::string_view name, std::string_view value) {
    if (!value.empty()) values[std::string(name)] = action_for(value);
}

Values ctl_values() {
    Values values;
    for (const ctl::Option& option : ctl::common_options()) add_option(values, option.name, option.value);
    for (const ctl::Command& command : ctl::commands()) {
        for (const ctl::Option& option : command.options) add_option(values, option.name, option.value);
    }
    return values;
}

Values ctl_arguments() {
    Values values;
    for (const ctl::Command& command : ctl::commands()) {
        for (const ctl::Argument& argument : command.arguments)
            values[std::string(argument.name)] = action_for(argument.name);
    }
    return values;
}

/// `--config | --name`: options that take a value.
std::string names_of(const Values& values) {
    std::string text;
    for (const auto& [name, action] : values) text += (text.empty() ? "" : " | ") + name;
    return text;
}

std::string value_cases(const Values& values) {
    std::string text;
    for (const auto& [name, action] : values) {
        if (action != ":") text += "        " + name + ") " + action + "; return ;;\n";
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

std::string command_cases() {
    std::string text;
    for (const ctl::Command& command : ctl::commands()) {
        std::vector<std::string> options;
        std::vector<std::string> arguments;
        for (const ctl::Option& option : command.options) options.emplace_back(option.name);
        for (const ctl::Argument& argument : command.arguments) arguments.emplace_back(argument.name);
        if (options.empty() && arguments.empty()) continue;
        text += "        '" + ctl::command_name(command) + "')";
        if (!options.empty()) text += " options+=' " + words_of(options) + "'";
        if (!arguments.empty())
            text += (options.empty() ? "" : ";") + (" arguments=(" + words_of(arguments) + ")");
        text += " ;;\n";
    }
    return text;
}

std::string common_names() {
    std::vector<std::string> names;
    for (const ctl::Option& option : ctl::common_options()) names.emplace_back(option.name);
    return words_of(names);
}

// Names come from the database as they are: nothing of them may be expanded, as compgen -W would do.
std::string names_function() {
    return R"(_data_importctl_names() {
    local place
    mapfile -t COMPREPLY < <("${words[0]}" complete "${configuration[@]}" -- "$@" 2>/dev/null </dev/null)
    for place in "${!COMPREPLY[@]}"; do printf -v "COMPREPLY[place]" %q "${COMPREPLY[place]}"; done
    compopt +o filenames 2>/dev/null
}

)";
}

/// bash parts words also at the characters of COMP_WORDBREAKS, as A:1 at its colon, and puts an answer in the
/// place of the last piece. Here words are those of the command line, and answers lose what stands there
/// already.
std::string words_functions() {
    return R"(_data_importctl_words() {
    local line=$COMP_LINE piece
    words=()
    for piece in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        if [[ ${#words[@]} == 0 || $line == [[:blank:]]* ]]; then words+=("$piece"); else words[-1]+=$piece; fi
        line=${line#"${line%%[![:blank:]]*}"}
        line=${line#"$piece"}
    done
}

_data_importctl() {
    local words current before option='' there piece=${COMP_WORDS[COMP_CWORD]}
    _data_importctl_words
    before=${words[-2]} current=${words[-1]} there=${words[-1]}
    [[ $current != --*=* ]] || { before=${current%%=*}; option=$before=; current=${current#*=}; }
    current=${current#[\'\"]} current=${current//\\/}
    COMPREPLY=()
    _data_importctl_answer
    [[ $piece == [:=]* ]] || there=${there%"$piece"}
    COMPREPLY=("${COMPREPLY[@]/#/"$option"}")
    COMPREPLY=("${COMPREPLY[@]#"$there"}")
}

)";
}

std::string ctl_function() {
    return names_function() + words_functions() + R"(_data_importctl_answer() {
    local group='' verb='' verbs='' supplier='' word skip='' given=() arguments=() configuration=()
    local options=')" +
           common_names() +
           R"('
    for word in "${words[@]:1:${#words[@]}-2}"; do
        case $skip in
            --config) configuration=(--config "$word") ;;
            --supplier) supplier=$word ;;
        esac
        [[ -z $skip ]] || { skip=''; continue; }
        case $word in
            )" +
           names_of(ctl_values()) +
           R"() skip=$word ;;
            --config=*) configuration=("$word") ;;
            --supplier=*) supplier=${word#*=} ;;
            -*) ;;
            help) ((${#given[@]} == 0)) || given+=("$word") ;;
            *) given+=("$word") ;;
        esac
    done
    group=${given[0]:-}
    given=("${given[@]:1}")
    case $group in
)" + verb_cases() +
           R"(    esac
    [[ -z ${given[0]:-} || " $verbs " != *" ${given[0]} "* ]] || { verb=${given[0]}; given=("${given[@]:1}"); }
    case ${group}${verb:+ $verb} in
)" + command_cases() +
           R"(    esac
    [[ ${arguments[0]:-} != CODE ]] || supplier=${given[0]:-}
    case $before in
)" + value_cases(ctl_values()) +
           R"(    esac
    if [[ $current == -* ]]; then mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current"); return
    elif [[ -z $group ]]; then mapfile -t COMPREPLY < <(compgen -W ')" +
           words_of(groups()) +
           R"(' -- "$current"); return
    elif [[ -n $verbs && -z $verb && ${#given[@]} == 0 ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$verbs" -- "$current")
        ((${#COMPREPLY[@]} == 0)) || return
    fi
    case ${arguments[${#given[@]}]:-} in
)" + value_cases(ctl_arguments()) +
           R"(    esac
}
complete -o filenames -F _data_importctl data-importctl
)";
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
