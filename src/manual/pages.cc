#include "manual/pages.h"

#include <sstream>

#include "client/options.h"
#include "config/settings.h"
#include "ctl/command.h"
#include "ctl/usage.h"
#include "manual/client_help.h"
#include "metrics/metric_table.h"
#include "texts/texts.h"

namespace data_import::manual {

namespace {

std::string item(std::string_view term, std::string_view meaning) {
    return std::string(term) + "\n: " + std::string(meaning) + "\n\n";
}

std::string options(const std::vector<ctl::Option>& options) {
    std::string items;
    for (const ctl::Option& option : options)
        items +=
            item(std::string(option.name) + (option.value.empty() ? "" : " ") + std::string(option.value),
                 option.sentence);
    return items;
}

/// A sentence goes on with lines of its paragraph, and indented ones, which are examples.
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

std::string commands() {
    std::string text;
    for (const ctl::Command& command : ctl::commands()) {
        text += "### " + ctl::usage_line(&command, command.group).substr(ctl::program_name.size() + 1) +
                "\n\n" + paragraphs(command.sentence) + options(command.options) + "    " +
                std::string(ctl::program_name) + " " + std::string(command.example) + "\n\n";
    }
    return text;
}

std::string client_options_items() {
    std::string items;
    for (const ClientOption& option : client_options()) items += item(option.term, option.sentence);
    return items;
}

std::string settings() {
    std::string text;
    std::string group;
    for (const config::SettingDescription& setting : config::describe()) {
        if (setting.group != group) text += "## " + (group = setting.group) + "\n\n";
        const std::string value = setting.default_value.empty() ? "empty" : setting.default_value;
        text += item(setting.name, setting.sentence) + "Allowed: " + setting.range + ". Default: " + value +
                ".\n\n";
    }
    return text;
}

std::string metrics_items() {
    std::string items;
    for (const metrics::Metric& metric : metrics::table()) {
        std::string term(metric.name);
        if (!metric.labels.empty()) term += " {" + std::string(metric.labels) + "}";
        items +=
            item(term, std::string(metrics::type_name(metric.type)) + ". " + std::string(metric.sentence));
    }
    return items;
}

std::string daemon_options() {
    return item("--config FILE", "Read FILE, conf.d/*.conf and vendors.d/*.conf beside it; " +
                                     std::string(config::default_file) + " if left out.") +
           item("--check-config", "Say whether the configuration is valid, and exit with 0 or 1.") +
           item("--print-config", "Print all settings as they are in force, without secrets.") +
           item("--sample-config", "Print a configuration file that explains all settings.") +
           item("--version", "Print the version.") + item("--help", "Print a short text.");
}

Page page(std::string_view text, const texts::Places& places) {
    return Page(texts::filled(text, places));
}

}  // namespace

std::vector<Page> pages() {
    return {
        page(texts::data_importctl_1, {{"SYNOPSIS",
                                        "data-importctl COMMAND [ARGUMENT ...] [--json] [--config "
                                        "FILE]\n\ndata-importctl help [COMMAND]"},
                                       {"COMMANDS", commands()},
                                       {"OPTIONS", options(ctl::common_options())},
                                       {"CONFIGURATION", config::default_file}}),
        page(texts::data_import_load_1,
             {{"SYNOPSIS",
               "data-import-load --url URL --api-key-file F [OPTION ...] FILE ...\n\n"
               "data-import-load --check [OPTION ...] FILE ...\n\n"
               "data-import-load --totals [--declare --url URL --api-key-file F] [OPTION ...] FILE ...\n\n"
               "data-import-load --verify --url URL --api-key-file F [OPTION ...] FILE ..."},
              {"OPTIONS", client_options_items()},
              {"EXAMPLE", client_example()}}),
        page(texts::data_importd_8, {{"SYNOPSIS",
                                      "data-importd [--config FILE] [--check-config | --print-config]\n\n"
                                      "data-importd --sample-config | --version | --help"},
                                     {"OPTIONS", daemon_options()},
                                     {"METRICS", metrics_items()}}),
        page(texts::data_import_conf_5, {{"SETTINGS", settings()}, {"CONFIGURATION", config::default_file}}),
        page(texts::data_import_csv_5, {}),
        page(texts::data_import_ndjson_5, {})};
}

}  // namespace data_import::manual
