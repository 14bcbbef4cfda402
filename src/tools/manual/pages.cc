#include "tools/manual/pages.h"

#include <sstream>

#include "base/command_line/help.h"
#include "base/config/daemon.h"
#include "base/config/setting_table.h"
#include "base/texts/texts.h"
#include "base/util/limits.h"
#include "base/util/readable.h"
#include "tools/client/options.h"
#include "tools/ctl/command.h"

namespace data_import::manual {

namespace {

std::string item(std::string_view term, std::string_view meaning) {
    return std::string(term) + "\n: " + std::string(meaning) + "\n\n";
}

std::string options(const std::vector<command_line::Option>& options) {
    std::string items;
    for (const command_line::Option& option : options) {
        const std::string form = std::string(option.name) + (option.value.empty() ? "" : " ");
        items += item(form + std::string(option.value), option.sentence);
    }
    return items;
}

/// Returns a command's description for the manual: neighbouring lines are one paragraph; indented lines,
/// which are examples, are paragraphs of their own.
std::string paragraphs(std::string_view sentence) {
    std::string text;
    bool is_example = false;
    std::istringstream lines{std::string(sentence)};
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("  ") != is_example) text += "\n";
        is_example = line.starts_with("  ");
        text += (is_example ? "  " : "") + line + "\n";
    }
    return text + "\n";
}

std::string commands(const command_line::Program& program) {
    std::string text;
    for (const command_line::Command& command : program.commands) {
        text += "### " + command_line::command_form(command) + "\n\n" + paragraphs(command.sentence) +
                options(command.options) + "    " + command_line::example(program, command) + "\n\n";
    }
    return text;
}

std::string synopsis(const command_line::Program& program) {
    std::string paragraphs;
    for (const std::string_view form : program.synopsis) paragraphs.append(form).append("\n\n");
    return paragraphs;
}

std::string settings() {
    std::string text;
    std::string_view group;
    for (const config::Setting& setting : config::table()) {
        if (setting.group != group) text += "## " + std::string(group = setting.group) + "\n\n";
        const std::string value = setting.default_value.empty() ? "empty" : setting.default_value;
        text += item(setting.name, explanation(setting)) + "Allowed: " + allowed(setting) +
                ". Default: " + value + ".\n\n";
    }
    return text;
}

std::string items_of(const Terms& terms) {
    std::string items;
    for (const auto& [term, meaning] : terms) items += item(term, meaning);
    return items;
}

/// Makes the page of a program that has commands, or only options.
Page page_of(const command_line::Program& program, std::string_view text, texts::Replacements places = {}) {
    places["SYNOPSIS"] = synopsis(program);
    if (program.has_commands()) {
        places["COMMANDS"] = commands(program);
        places["OPTIONS"] = options(program.common_options);
    } else {
        places["OPTIONS"] = options(program.commands.front().options);
        places["EXAMPLE"] = command_line::example(program, program.commands.front());
    }
    return Page(texts::filled(text, places));
}

}  // namespace

std::vector<Page> pages(const Terms& metrics) {
    const std::string configuration = config::default_file;
    return {page_of(ctl::program(), texts::data_importctl_1, {{"CONFIGURATION", configuration}}),
            page_of(client::program_table(), texts::data_import_load_1),
            page_of(config::daemon(), texts::data_importd_8, {{"METRICS", items_of(metrics)}}),
            Page(texts::filled(texts::data_import_conf_5,
                               {{"SETTINGS", settings()}, {"CONFIGURATION", configuration}})),
            Page(texts::filled(texts::data_import_csv_5,
                               {{"ACCOUNT_NUMBER", std::to_string(util::limits::external_account_number)},
                                {"RECORD", util::size_text(util::limits::csv_record)}})),
            Page(texts::data_import_ndjson_5)};
}

}  // namespace data_import::manual
