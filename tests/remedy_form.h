// Checks the form of the remedies that `data-importctl doctor` prints: a shell must accept them as they are,
// and every command in them must be a program.
#pragma once

#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace data_import::tests {

/// The words of each command in a line, without quotes and without a comment.
inline std::vector<std::vector<std::string>> shell_commands(std::string_view line) {
    std::vector<std::vector<std::string>> commands(1);
    std::string word;
    bool has_word = false;
    char quote = '\0';
    const auto end_word = [&] {
        if (has_word) commands.back().push_back(word);
        word.clear();
        has_word = false;
    };
    for (std::size_t at = 0; at < line.size(); ++at) {
        const char character = line[at];
        if (quote != '\0' && character == quote) {
            quote = '\0';
        } else if (quote == '\0' && (character == '\'' || character == '"')) {
            quote = character;
            has_word = true;
        } else if (character == '\\' && quote != '\'' && at + 1 < line.size()) {
            word += line[++at];
            has_word = true;
        } else if (quote == '\0' && character == '#' && !has_word) {
            break;
        } else if (quote == '\0' && (character == ';' || character == '&' || character == '|')) {
            end_word();
            commands.emplace_back();
        } else if (quote == '\0' && character == ' ') {
            end_word();
        } else {
            word += character;
            has_word = true;
        }
    }
    end_word();
    std::erase_if(commands, [](const std::vector<std::string>& words) { return words.empty(); });
    return commands;
}

/// The first fault of a remedy's form; empty if there is none.
inline std::string fault_of_form(const std::string& remedy) {
    static const std::set<std::string_view> programs = {
        "apt-get",     "diff",    "chgrp", "chmod",  "chown",      "curl",          "data-importctl",
        "df",          "editor",  "free",  "getent", "grep",       "install",       "ip",
        "journalctl",  "ls",      "namei", "nginx",  "patronictl", "pg_lsclusters", "pg_upgradecluster",
        "rm",          "runuser", "scp",   "sleep",  "ss",         "ssh",           "systemctl",
        "timedatectl", "top"};
    std::FILE* shell = popen("exec bash -n 2>/dev/null", "w");
    if (shell == nullptr) return "there is no bash";
    std::fputs((remedy + "\n").c_str(), shell);
    if (pclose(shell) != 0) return "bash -n refuses it: " + remedy;
    const auto commands = shell_commands(remedy);
    if (commands.empty()) return "no command: " + remedy;
    for (const auto& words : commands) {
        if (!programs.contains(words.front())) return "`" + words.front() + "` is no program: " + remedy;
        if (words.front() != "ssh") continue;
        if (const std::string fault = fault_of_form(words.back()); !fault.empty()) return fault;
    }
    return "";
}

}  // namespace data_import::tests
