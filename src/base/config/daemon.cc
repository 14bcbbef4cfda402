#include "base/config/daemon.h"

#include "base/config/settings.h"
#include "base/texts/texts.h"

namespace data_import::config {

namespace {

std::optional<std::string> check_file(std::string_view text) {
    if (text.empty()) return "is empty";
    return std::nullopt;
}

std::vector<command_line::Option> options() {
    return {{"--config", "FILE", check_file,
             "Read FILE, conf.d/*.conf and vendors.d/*.conf beside it; " + std::string(default_file) +
                 " if left out."},
            {"--check-config", "", nullptr, "Check the configuration, and exit with 0 or 1."},
            {"--print-config", "", nullptr, "Print all settings with their present values, without secrets."},
            {"--sample-config", "", nullptr, "Print a configuration file that explains all settings."},
            {"--version", "", nullptr, "Print the version."},
            {"--help", "", nullptr, "Print this text."}};
}

}  // namespace

const command_line::Program& daemon() {
    static const command_line::Program table{
        .name = "data-importd",
        .synopsis = {"data-importd [--config FILE] [--check-config | --print-config]",
                     "data-importd --sample-config | --version | --help"},
        .commands =
            {{.group = {}, .verb = {}, .arguments = {}, .options = options(), .sentence = {}, .example = {}}},
        .common_options = {},
        .help = texts::data_importd_help,
        .sentence_column = 17,
        .names = nullptr};
    return table;
}

std::string wanted_action(const command_line::Invocation& invocation) {
    std::string wanted;
    for (const char* action : {"--check-config", "--print-config", "--sample-config"}) {
        if (!invocation.has(action)) continue;
        if (!wanted.empty()) invocation.refuse(wanted + " and " + action + " exclude each other");
        wanted = action;
    }
    return wanted;
}

}  // namespace data_import::config
