// The commands of data-importctl as tables. Dispatch, usage errors, --help, the manual page and completion
// follow from them.
#pragma once

#include "base/command_line/invocation.h"
#include "tools/console/context.h"
#include "tools/console/failure.h"

namespace data_import::ctl {

using namespace console;
using command_line::Argument;
using command_line::Invocation;
using command_line::Option;

/// Carries out a command. Throws Failure, or an exception of the code in src/data or src/base. If it throws,
/// nothing is half done.
using Action = void (*)(Context& context, const Invocation& invocation);

/// A command with its action.
struct Command : command_line::Command {
    Action run = nullptr;
};

/// Makes a command. `name` is `GROUP VERB`, or `GROUP` alone. `example` has the words that follow the name in
/// the example of the help. The other parameters become the members of the same names.
[[nodiscard]] Command command(std::string_view name, std::vector<Argument> arguments,
                              std::vector<Option> options, Action run, std::string sentence,
                              std::string_view example = {}, bool needs_an_option = false);

/// Returns `data-importctl db VERB`, the command that errors and advice name.
[[nodiscard]] inline std::string db_command(std::string_view verb) {
    return std::string(program_name) + " db " + std::string(verb);
}

/// Returns the commands in the order of the help, with the commands of a group together.
[[nodiscard]] const std::vector<Command>& commands();

/// Returns the description of data-importctl, which has all commands of commands().
[[nodiscard]] const command_line::Program& program();

// Each function returns the commands that its file carries out.
[[nodiscard]] std::vector<Command> database_commands();          // defined in db.cc
[[nodiscard]] std::vector<Command> database_check_commands();    // defined in db_check_command.cc
[[nodiscard]] std::vector<Command> supplier_commands();          // defined in supplier.cc
[[nodiscard]] std::vector<Command> supplier_erasure_commands();  // defined in supplier_erase_command.cc
[[nodiscard]] std::vector<Command> supplier_show_commands();     // defined in supplier_show_command.cc
[[nodiscard]] std::vector<Command> key_commands();               // defined in key.cc
[[nodiscard]] std::vector<Command> signing_key_commands();       // defined in signing_key.cc
[[nodiscard]] std::vector<Command> audit_commands();             // defined in audit.cc
[[nodiscard]] std::vector<Command> account_commands();           // defined in account.cc
[[nodiscard]] std::vector<Command> account_load_commands();      // defined in account_load_command.cc
[[nodiscard]] std::vector<Command> account_removal_commands();   // defined in account_removal_command.cc
[[nodiscard]] std::vector<Command> account_list_commands();      // defined in account_list_command.cc
[[nodiscard]] std::vector<Command> account_retry_commands();     // defined in account.cc
[[nodiscard]] std::vector<Command> reconcile_commands();         // defined in reconcile_command.cc
[[nodiscard]] std::vector<Command> recount_commands();           // defined in recount_command.cc
[[nodiscard]] std::vector<Command> report_commands();            // defined in report_command.cc
[[nodiscard]] std::vector<Command> statement_commands();         // defined in account.cc
[[nodiscard]] std::vector<Command> consumer_commands();          // defined in consumer.cc
[[nodiscard]] std::vector<Command> consumer_totals_commands();   // defined in consumer_totals_command.cc
[[nodiscard]] std::vector<Command> export_commands();            // defined in export_command.cc
[[nodiscard]] std::vector<Command> import_log_commands();        // defined in import_log_command.cc
[[nodiscard]] std::vector<Command> request_commands();           // defined in request_command.cc
[[nodiscard]] std::vector<Command> token_commands();             // defined in key.cc
[[nodiscard]] std::vector<Command> host_commands();              // defined in host.cc
[[nodiscard]] std::vector<Command> config_commands();            // defined in config.cc
[[nodiscard]] std::vector<Command> operator_commands();          // defined in operator_command.cc

}  // namespace data_import::ctl
