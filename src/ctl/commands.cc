#include "ctl/commands.h"

#include <iterator>

#include "ctl/names.h"
#include "ctl/values.h"
#include "texts/texts.h"

namespace data_import::ctl {

namespace {

/// In the order of the help.
std::vector<Command> all_commands() {
    std::vector<Command> all;
    for (const auto commands_of_file :
         {database_commands,     supplier_commands,      key_commands,          signing_key_commands,
          audit_commands,        account_commands,       account_load_commands, account_removal_commands,
          account_list_commands, account_retry_commands, reconcile_commands,    report_commands,
          statement_commands,    import_log_commands,    request_commands,      token_commands,
          doctor_commands,       nginx_commands,         drain_commands,        metrics_commands,
          config_commands}) {
        std::ranges::move(commands_of_file(), std::back_inserter(all));
    }
    return all;
}

std::vector<Option> common_options() {
    return {
        {"--config", "FILE", check_file,
         "The configuration; " + std::string(config::default_file) + " if left out."},
        {"--json", "", nullptr, "Output for programs."},
        {"--help", "", nullptr, "What the command does."},
        {"--version", "", nullptr, "The version of the program."},
    };
}

}  // namespace

const std::vector<Command>& commands() {
    static const std::vector<Command> table = all_commands();
    return table;
}

const command_line::Program& program() {
    static const command_line::Program table{
        .name = program_name,
        .synopsis = {"data-importctl COMMAND [ARGUMENT ...] [--json] [--config FILE]",
                     "data-importctl help [COMMAND]"},
        .commands = {commands().begin(), commands().end()},
        .common_options = common_options(),
        .help = texts::data_importctl_help,
        .names = names_for};
    return table;
}

}  // namespace data_import::ctl
