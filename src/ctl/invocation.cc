#include "ctl/invocation.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "ctl/usage.h"
#include "util/nearest_word.h"

namespace data_import::ctl {

namespace {

struct Word {
    std::string text;
    bool is_option;
};

const Command* find_command(std::string_view group, std::string_view verb) {
    const auto found = std::find_if(commands().begin(), commands().end(), [&](const Command& command) {
        return command.group == group && command.verb == verb;
    });
    return found == commands().end() ? nullptr : &*found;
}

bool is_group(std::string_view name) {
    return std::any_of(commands().begin(), commands().end(),
                       [&](const Command& command) { return command.group == name; });
}

const Option* find_option(const std::vector<Option>& options, std::string_view name) {
    const auto found = std::find_if(options.begin(), options.end(),
                                    [&](const Option& option) { return option.name == name; });
    return found == options.end() ? nullptr : &*found;
}

std::string did_you_mean(const std::string& meant) {
    return meant.empty() ? "" : "; did you mean " + meant + "?";
}

/// Words after a bare `--` are arguments whatever they begin with.
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

}  // namespace

class InvocationParser {
public:
    explicit InvocationParser(const std::vector<std::string>& words) : words_(mark_options(words)) {}

    Invocation parse() {
        while (next_ < words_.size()) {
            const Word& word = words_[next_++];
            if (word.is_option) {
                take_option(word.text);
            } else {
                take_argument(word.text);
            }
        }
        if (result_.wanted_ == Invocation::Wanted::command) check_complete();
        return std::move(result_);
    }

private:
    [[noreturn]] void fail(const std::string& sentence) const {
        throw UsageError(sentence + "; usage: " + usage_line(result_.command_, result_.group_));
    }

    void take_argument(const std::string& text) {
        if (result_.group_.empty())
            return text == "help" && !asks_for_help() ? ask_for_help() : take_group(text);
        if (result_.command_ == nullptr) return take_verb(text);
        if (is_behind_group() && find_command(result_.group_, text) != nullptr) return take_verb(text);
        const std::size_t position = result_.arguments_.size();
        if (position == result_.command_->arguments.size()) fail("\"" + text + "\" is one argument too many");
        const Argument& argument = result_.command_->arguments[position];
        check(argument.name, argument.check, text);
        result_.arguments_.push_back(text);
    }

    /// Of a group that is a command, too, a verb stands there and nowhere else: `report verify FILE` beside
    /// `report CODE`.
    [[nodiscard]] bool is_behind_group() const {
        return next_ > 1 && !words_[next_ - 2].is_option && words_[next_ - 2].text == result_.group_ &&
               result_.arguments_.empty();
    }

    [[nodiscard]] bool asks_for_help() const { return result_.wanted_ == Invocation::Wanted::help; }
    void ask_for_help() { result_.wanted_ = Invocation::Wanted::help; }

    void take_group(const std::string& text) {
        if (!is_group(text)) fail_unknown_group(text);
        result_.group_ = text;
        result_.command_ = find_command(text, "");
    }

    void take_verb(const std::string& text) {
        result_.command_ = find_command(result_.group_, text);
        if (result_.command_ == nullptr) fail_unknown_verb(text);
    }

    [[noreturn]] void fail_unknown_group(const std::string& word) const {
        std::vector<std::string> known;
        for (const Command& command : commands()) {
            known.emplace_back(command.group);
            if (command.verb == word) fail_unknown(word, command_name(command));  // the group was left out
        }
        fail_unknown(word, util::nearest_word(word, known).value_or(""));
    }

    [[noreturn]] void fail_unknown_verb(const std::string& word) const {
        std::vector<std::string> known;
        for (const Command& command : commands()) {
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
        const Option* option = find_option(common_options(), name);
        if (option == nullptr && result_.command_ != nullptr) {
            option = find_option(result_.command_->options, name);
        }
        if (option == nullptr) fail_unknown_option(name);
        if (option->value.empty()) {
            if (equals != std::string::npos) fail(name + " takes no value");
            return take_flag(*option);
        }
        take_value(*option, equals == std::string::npos ? next_word(*option) : word.substr(equals + 1));
    }

    [[noreturn]] void fail_unknown_option(const std::string& name) const {
        if (result_.command_ == nullptr)
            fail("option " + name + " stands before its command, or there is none such");
        std::vector<std::string> known;
        for (const std::vector<Option>* options : {&result_.command_->options, &common_options()}) {
            for (const Option& option : *options) known.emplace_back(option.name);
        }
        fail("there is no option " + name + " here" +
             did_you_mean(util::nearest_word(name, known).value_or("")));
    }

    std::string next_word(const Option& option) {
        if (next_ == words_.size() || words_[next_].is_option) {
            fail(std::string(option.name) + " needs a value, " + std::string(option.value));
        }
        return words_[next_++].text;
    }

    void take_flag(const Option& flag) {
        if (flag.name == "--json") {
            result_.json_ = true;
        } else if (flag.name == "--help") {
            ask_for_help();
        } else if (flag.name == "--version") {
            if (!asks_for_help()) result_.wanted_ = Invocation::Wanted::version;
        } else {
            result_.options_[std::string(flag.name)];
        }
    }

    void take_value(const Option& option, std::string text) {
        check(option.name, option.check, text);
        std::vector<std::string>& values = result_.options_[std::string(option.name)];
        if (!values.empty() && !option.repeatable) fail(std::string(option.name) + " is given twice");
        if (option.name == "--config") result_.config_file_ = text;
        values.push_back(std::move(text));
    }

    void check(std::string_view name, Check right, std::string_view text) const {
        if (const auto wrong = right(text)) fail(std::string(name) + " " + *wrong);
    }

    void check_complete() const {
        if (result_.group_.empty()) fail("the command is missing");
        if (result_.command_ == nullptr) fail("\"" + result_.group_ + "\" needs to be told what to do");
        const std::size_t given = result_.arguments_.size();
        if (given < result_.command_->arguments.size() && !result_.command_->arguments[given].is_optional) {
            fail(std::string(result_.command_->arguments[given].name) + " is missing");
        }
        bool any_option = false;
        for (const Option& option : result_.command_->options) {
            const bool is_given = result_.options_.contains(option.name);
            if (option.required && !is_given) fail(std::string(option.name) + " is missing");
            any_option = any_option || (is_given && !option.value.empty());
        }
        if (result_.command_->needs_an_option && !any_option) fail("there is nothing to change");
    }

    std::vector<Word> words_;
    std::size_t next_ = 0;
    Invocation result_;
};

Invocation Invocation::parse(const std::vector<std::string>& words) {
    return InvocationParser(words).parse();
}

const std::string& Invocation::argument(std::string_view name) const {
    for (std::size_t position = 0; position < arguments_.size(); ++position) {
        if (command_->arguments[position].name == name) return arguments_[position];
    }
    throw std::logic_error("the command has no argument " + std::string(name));
}

std::optional<std::string> Invocation::optional_argument(std::string_view name) const {
    if (arguments_.size() < command_->arguments.size()) return std::nullopt;
    return argument(name);
}

std::optional<std::string> Invocation::option(std::string_view name) const {
    const auto found = options_.find(name);
    return found == options_.end() ? std::nullopt : std::optional(found->second.front());
}

bool Invocation::has(std::string_view flag) const {
    return options_.contains(flag);
}

std::vector<std::string> Invocation::options(std::string_view name) const {
    const auto found = options_.find(name);
    return found == options_.end() ? std::vector<std::string>() : found->second;
}

}  // namespace data_import::ctl
