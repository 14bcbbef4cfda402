// The commands of data-importctl: each file that carries some out describes them, too.
#pragma once

#include "ctl/command.h"

namespace data_import::ctl {

[[nodiscard]] std::vector<Command> database_commands();         // db.cc
[[nodiscard]] std::vector<Command> supplier_commands();         // supplier.cc
[[nodiscard]] std::vector<Command> key_commands();              // key.cc
[[nodiscard]] std::vector<Command> signing_key_commands();      // signing_key.cc
[[nodiscard]] std::vector<Command> audit_commands();            // audit.cc
[[nodiscard]] std::vector<Command> account_commands();          // account.cc
[[nodiscard]] std::vector<Command> account_load_commands();     // account_load_command.cc
[[nodiscard]] std::vector<Command> account_removal_commands();  // account_removal_command.cc
[[nodiscard]] std::vector<Command> account_list_commands();     // account_list_command.cc
[[nodiscard]] std::vector<Command> account_retry_commands();    // account_retry_command.cc
[[nodiscard]] std::vector<Command> reconcile_commands();        // reconcile_command.cc
[[nodiscard]] std::vector<Command> report_commands();           // report_command.cc
[[nodiscard]] std::vector<Command> statement_commands();        // statement.cc
[[nodiscard]] std::vector<Command> import_log_commands();       // import_log_command.cc
[[nodiscard]] std::vector<Command> request_commands();          // request_command.cc
[[nodiscard]] std::vector<Command> token_commands();            // token_command.cc
[[nodiscard]] std::vector<Command> doctor_commands();           // doctor_command.cc
[[nodiscard]] std::vector<Command> nginx_commands();            // nginx.cc
[[nodiscard]] std::vector<Command> drain_commands();            // drain.cc
[[nodiscard]] std::vector<Command> metrics_commands();          // metrics_command.cc
[[nodiscard]] std::vector<Command> config_commands();           // config.cc

}  // namespace data_import::ctl
