#include "base/command_line/completion.h"

#include <ostream>
#include <sstream>

#include "base/command_line/invocation.h"

namespace data_import::command_line {

namespace {

bool is_file(std::string_view value) {
    return value.starts_with("FILE") || value == "F";
}

class Completion {
public:
    Completion(const Program& program, const Unfinished& line, std::string last)
        : program_(program), line_(line), last_(std::move(last)) {}

    Candidates take() {
        const std::size_t equals = last_.starts_with("--") ? last_.find('=') : std::string::npos;
        if (line_.awaits_value_of != nullptr) {
            add_values(line_.awaits_value_of->value, last_);
        } else if (!line_.is_behind_dashes && equals != std::string::npos) {
            add_values_behind(last_.substr(0, equals + 1));
        } else if (!line_.is_behind_dashes && last_.starts_with('-')) {
            add_options();
        } else {
            add_words();
        }
        return std::move(found_);
    }

private:
    void add(std::string_view word) {
        if (word.starts_with(last_)) found_.words.emplace_back(word);
    }

    /// Adds candidates for a value that the table calls `value`. A list such as `Ongoing|Paused|Complete`
    /// contains the candidates itself; for a word such as `CODE`, the program finds them.
    void add_values(std::string_view value, const std::string& beginning) {
        if (is_file(value)) {
            found_.are_files = true;
        } else if (value.find('|') != std::string_view::npos) {
            std::istringstream choices{std::string(value)};
            for (std::string choice; std::getline(choices, choice, '|');) {
                if (choice.starts_with(beginning)) found_.words.push_back(choice);
            }
        } else if (program_.names) {
            found_.words = program_.names(value, beginning, line_.before);
        }
    }

    void add_values_behind(const std::string& option_and_sign) {
        const Option* option = find_option(
            line_.before, std::string_view(option_and_sign).substr(0, option_and_sign.size() - 1));
        if (option == nullptr || option->value.empty()) return;
        add_values(option->value, last_.substr(option_and_sign.size()));
        for (std::string& word : found_.words) word.insert(0, option_and_sign);
    }

    void add_options() {
        for (const Option& option : program_.common_options) add(option.name);
        if (line_.before.command() == nullptr) return;
        for (const Option& option : line_.before.command()->options) add(option.name);
    }

    void add_words() {
        if (program_.has_commands() && line_.before.group().empty()) return add_groups();
        if (line_.before.arguments().empty()) add_verbs();
        if (found_.words.empty()) add_arguments();
    }

    void add_groups() {
        std::string_view last_group;
        for (const Command& command : program_.commands) {
            if (command.group != last_group) add(command.group);
            last_group = command.group;
        }
        if (line_.before.wanted() != Invocation::Wanted::help) add("help");
    }

    void add_verbs() {
        const Command* given = line_.before.command();
        if (given != nullptr && !given->verb.empty()) return;
        for (const Command& command : program_.commands) {
            if (command.group == line_.before.group() && !command.verb.empty()) add(command.verb);
        }
    }

    void add_arguments() {
        if (line_.before.command() == nullptr) return;
        const std::vector<Argument>& known = line_.before.command()->arguments;
        const std::size_t position = line_.before.arguments().size();
        if (position < known.size()) return add_values(known[position].name, last_);
        if (!known.empty() && known.back().is_list) add_values(known.back().name, last_);
    }

    const Program& program_;
    const Unfinished& line_;
    std::string last_;
    Candidates found_;
};

}  // namespace

Candidates candidates(const Program& program, const std::vector<std::string>& words) {
    if (words.empty()) return {};
    try {
        const Unfinished line = parse_unfinished(program, {words.begin(), words.end() - 1});
        return Completion(program, line, words.back()).take();
    } catch (const UsageError&) {
        return {};
    }
}

bool complete(const Program& program, const std::vector<std::string>& words, std::ostream& output) {
    if (words.empty() || words.front() != complete_option) return false;
    const Candidates found = candidates(program, {words.begin() + 1, words.end()});
    output << (found.are_files ? "files\n" : "words\n");
    for (const std::string& word : found.words) output << word << '\n';
    return true;
}

}  // namespace data_import::command_line
