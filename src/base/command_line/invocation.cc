#include "base/command_line/invocation.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/command_line/help.h"
#include "base/util/nearest_word.h"

namespace data_import::command_line {

namespace {

struct Word {
    std::string text;
    bool is_option;
};

std::string did_you_mean(const std::string& meant) {
    return meant.empty() ? "" : "; did you mean " + meant + "?";
}

/// Returns the words, each with a mark whether it is an option. Words after a bare `--` are arguments, even
/// if they look like options.
std::vector<Word> mark_options(const std::vector<std::string>& words) {
    std::vector<Word> marked;
    bool only_arguments = false;
    for (const std::string& word : words) {
        if (!only_arguments && word == "--") {
            only_arguments = true;
            continue;
        }
        marked.push_back({word, !only_arguments && word.size() > 1 && word.front() == '-'});
    }
    return marked;
}

const Option* option_named(const std::vector<Option>& options, std::string_view name) {
    const auto found = std::ranges::find(options, name, &Option::name);
    return found == options.end() ? nullptr : &*found;
}

}  // namespace

const Option* find_option(const Invocation& invocation, std::string_view name) {
    const Option* option = option_named(invocation.program().common_options, name);
    const bool is_of_command = option == nullptr && invocation.command() != nullptr;
    return is_of_command ? option_named(invocation.command()->options, name) : option;
}

class Parser {
public:
    Parser(const Program& program, const std::vector<std::string>& words, bool is_finished)
        : program_(program), words_(mark_options(words)), is_finished_(is_finished), result_(program) {}

    Invocation parse() {
        while (next_ < words_.size()) {
            const Word& word = words_[next_++];
            if (word.is_option) {
                take_option(word.text);
            } else {
                take_argument(word.text);
            }
        }
        if (is_finished_ && result_.wanted_ == Invocation::Wanted::command) check_complete();
        return std::move(result_);
    }

    /// Returns the option at the end of an unfinished line, whose value is missing.
    [[nodiscard]] const Option* awaits_value_of() const { return awaits_value_of_; }

private:
    [[noreturn]] void fail(const std::string& sentence) const { result_.refuse(sentence); }

    void take_argument(const std::string& text) {
        if (program_.has_commands()) {
            if (result_.group_.empty())
                return text == "help" && !asks_for_help() ? ask_for_help() : take_group(text);
            if (result_.command_ == nullptr) return take_verb(text);
            if (!text.empty() && is_behind_group() && find_command(result_.group_, text) != nullptr)
                return take_verb(text);
        }
        const Argument* const argument = next_argument();
        if (argument == nullptr) fail("\"" + text + "\" is one argument too many");
        check(argument->name, argument->check, text);
        result_.arguments_.push_back(text);
    }

    /// Returns whether the current word stands directly after its group's name. For example, there are the
    /// commands `report CODE` and `report verify FILE`. The word `verify` is a verb directly after `report`,
    /// and an argument elsewhere.
    [[nodiscard]] bool is_behind_group() const {
        return next_ > 1 && !words_[next_ - 2].is_option && words_[next_ - 2].text == result_.group_ &&
               result_.arguments_.empty();
    }

    [[nodiscard]] bool asks_for_help() const { return result_.wanted_ == Invocation::Wanted::help; }
    void ask_for_help() { result_.wanted_ = Invocation::Wanted::help; }

    [[nodiscard]] const Command* find_command(std::string_view group, std::string_view verb) const {
        const auto found = std::ranges::find_if(program_.commands, [&](const Command& command) {
            return command.group == group && command.verb == verb;
        });
        return found == program_.commands.end() ? nullptr : &*found;
    }

    void take_group(const std::string& text) {
        const bool is_group =
            std::ranges::find(program_.commands, text, &Command::group) != program_.commands.end();
        if (!is_group) fail_unknown_group(text);
        result_.group_ = text;
        result_.command_ = find_command(text, "");
    }

    void take_verb(const std::string& text) {
        result_.command_ = find_command(result_.group_, text);
        if (result_.command_ == nullptr) fail_unknown_verb(text);
    }

    [[noreturn]] void fail_unknown_group(const std::string& word) const {
        std::vector<std::string> known;
        for (const Command& command : program_.commands) {
            known.emplace_back(command.group);
            // The word is a verb whose group the user has left out.
            if (command.verb == word) fail_unknown(word, command_name(command));
        }
        fail_unknown(word, util::nearest_word(word, known).value_or(""));
    }

    [[noreturn]] void fail_unknown_verb(const std::string& word) const {
        std::vector<std::string> known;
        for (const Command& command : program_.commands) {
            if (command.group == result_.group_) known.emplace_back(command.verb);
        }
        const auto meant = util::nearest_word(word, known);
        fail_unknown(result_.group_ + " " + word, meant ? result_.group_ + " " + *meant : "");
    }

    [[noreturn]] void fail_unknown(const std::string& name, const std::string& meant) const {
        fail("there is no command \"" + name + "\"" + did_you_mean(meant));
    }

    void take_option(const std::string& word) {
        const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
        const std::string name = word == "-h" ? "--help" : word.substr(0, equals);
        const Option* option = find_option(result_, name);
        if (option == nullptr) fail_unknown_option(name, word);
        if (option->value.empty()) {
            if (equals != std::string::npos) fail(name + " takes no value");
            return take_flag(*option);
        }
        if (equals != std::string::npos) return take_value(*option, word.substr(equals + 1));
        if (next_ < words_.size() && !words_[next_].is_option)
            return take_value(*option, words_[next_++].text);
        if (next_ < words_.size())
            fail(name + " needs a value, " + std::string(option->value) + "; write " + name + "=" +
                 std::string(option->value) + " if it begins with -");
        if (is_finished_) fail(name + " needs a value, " + std::string(option->value));
        awaits_value_of_ = option;
    }

    [[noreturn]] void fail_unknown_option(const std::string& name, const std::string& word) const {
        if (result_.command_ == nullptr) fail("option " + name + " is before its command, or does not exist");
        std::vector<std::string> known;
        for (const std::vector<Option>* options : {&result_.command_->options, &program_.common_options}) {
            for (const Option& option : *options) known.emplace_back(option.name);
        }
        const auto meant = util::nearest_word(name, known);
        fail("there is no option " + name + (program_.has_commands() ? " here" : "") +
             (meant ? did_you_mean(*meant) : dashes_before(word)));
    }

    /// Returns the argument whose value the next word is; null if the command takes no more arguments.
    [[nodiscard]] const Argument* next_argument() const {
        const std::vector<Argument>& known = result_.command_->arguments;
        if (result_.arguments_.size() < known.size()) return &known[result_.arguments_.size()];
        return known.empty() || !known.back().is_list ? nullptr : &known.back();
    }

    [[nodiscard]] std::string dashes_before(const std::string& word) const {
        const Argument* const argument = next_argument();
        if (argument == nullptr) return {};
        return "; if it is " + std::string(argument->name) + ", put -- before it: -- " + word;
    }

    void take_flag(const Option& flag) {
        result_.options_[std::string(flag.name)];
        if (flag.name == "--help") ask_for_help();
        if (flag.name == "--version" && !asks_for_help()) result_.wanted_ = Invocation::Wanted::version;
    }

    void take_value(const Option& option, std::string text) {
        check(option.name, option.check, text);
        std::vector<std::string>& values = result_.options_[std::string(option.name)];
        if (!values.empty() && !option.is_list) fail(std::string(option.name) + " is given twice");
        values.push_back(std::move(text));
    }

    void check(std::string_view name, const Check& right, std::string_view text) const {
        if (!is_finished_ || !right) return;
        if (const auto wrong = right(text)) fail(std::string(name) + " " + *wrong);
    }

    void check_complete() const {
        if (result_.command_ == nullptr && result_.group_.empty()) fail("the command is missing");
        if (result_.command_ == nullptr) fail("\"" + result_.group_ + "\" needs another word");
        const std::size_t given = result_.arguments_.size();
        const std::vector<Argument>& known = result_.command_->arguments;
        if (given < known.size() && !known[given].is_optional)
            fail(std::string(known[given].name) + " is missing");
        bool any_option = false;
        for (const Option& option : result_.command_->options) {
            const bool is_given = result_.options_.contains(option.name);
            if (option.required && !is_given) fail(std::string(option.name) + " is missing");
            any_option = any_option || (is_given && !option.value.empty());
        }
        if (result_.command_->needs_an_option && !any_option) fail("there is nothing to change");
    }

    const Program& program_;
    std::vector<Word> words_;
    bool is_finished_;
    std::size_t next_ = 0;
    const Option* awaits_value_of_ = nullptr;
    Invocation result_;
};

Invocation parse(const Program& program, const std::vector<std::string>& words) {
    return Parser(program, words, true).parse();
}

Unfinished parse_unfinished(const Program& program, const std::vector<std::string>& words) {
    Parser parser(program, words, false);
    Invocation before = parser.parse();
    return {std::move(before), parser.awaits_value_of(), std::ranges::find(words, "--") != words.end()};
}

Invocation::Invocation(const Program& program)
    : program_(&program), command_(program.has_commands() ? nullptr : &program.commands.front()) {}

const std::string& Invocation::argument(std::string_view name) const {
    for (std::size_t position = 0; position < arguments_.size(); ++position) {
        if (command_->arguments.at(position).name == name) return arguments_[position];
    }
    throw std::logic_error("the command has no argument " + std::string(name));
}

std::optional<std::string> Invocation::optional_argument(std::string_view name) const {
    if (command_ == nullptr) return std::nullopt;
    const std::size_t position = static_cast<std::size_t>(
        std::ranges::find(command_->arguments, name, &Argument::name) - command_->arguments.begin());
    return position < arguments_.size() ? std::optional(arguments_[position]) : std::nullopt;
}

bool Invocation::has(std::string_view option) const {
    return options_.contains(option);
}

std::optional<std::string> Invocation::option(std::string_view name) const {
    const auto found = options_.find(name);
    const bool has_value = found != options_.end() && !found->second.empty();
    return has_value ? std::optional(found->second.front()) : std::nullopt;
}

std::vector<std::string> Invocation::options(std::string_view name) const {
    const auto found = options_.find(name);
    return found == options_.end() ? std::vector<std::string>() : found->second;
}

void Invocation::refuse(const std::string& sentence) const {
    throw UsageError(sentence + "; usage: " + usage_line(*program_, command_, group_));
}

}  // namespace data_import::command_line
