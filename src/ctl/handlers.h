// What the rows of the table of commands run; one file for each group.
#pragma once

#include <string>

#include "ctl/context.h"
#include "ctl/invocation.h"

namespace data_import::ctl {

// db.cc
void set_up_database(Context& context, const Invocation& invocation);
void migrate_database(Context& context, const Invocation& invocation);
void check_database(Context& context, const Invocation& invocation);
void distribute_database(Context& context, const Invocation& invocation);

// supplier.cc
void create_supplier(Context& context, const Invocation& invocation);
void set_supplier(Context& context, const Invocation& invocation);
void list_suppliers(Context& context, const Invocation& invocation);
void show_supplier(Context& context, const Invocation& invocation);

// key.cc
void create_key(Context& context, const Invocation& invocation);
void list_keys(Context& context, const Invocation& invocation);
void set_key(Context& context, const Invocation& invocation);
void revoke_key(Context& context, const Invocation& invocation);

// signing_key.cc
void rotate_signing_key(Context& context, const Invocation& invocation);
void list_signing_keys(Context& context, const Invocation& invocation);
void remove_signing_key(Context& context, const Invocation& invocation);

// audit.cc
void list_access_events(Context& context, const Invocation& invocation);

// account.cc
void stage_account(Context& context, const Invocation& invocation);
void begin_account(Context& context, const Invocation& invocation);
void complete_account(Context& context, const Invocation& invocation);
void fail_account(Context& context, const Invocation& invocation);
void show_account(Context& context, const Invocation& invocation);

// account_load_command.cc
void load_accounts(Context& context, const Invocation& invocation);

// account_list_command.cc
void list_accounts(Context& context, const Invocation& invocation);

// account_retry_command.cc
void retry_accounts(Context& context, const Invocation& invocation);

// reconcile_command.cc
void reconcile_accounts(Context& context, const Invocation& invocation);

// report_command.cc
void make_report(Context& context, const Invocation& invocation);
void verify_report(Context& context, const Invocation& invocation);

// account_removal_command.cc
void reset_account(Context& context, const Invocation& invocation);
void hold_account(Context& context, const Invocation& invocation);
void erase_account(Context& context, const Invocation& invocation);

// import_log_command.cc
void show_import_log(Context& context, const Invocation& invocation);

// request_command.cc
void show_request(Context& context, const Invocation& invocation);

// statement.cc
void open_statement(Context& context, const Invocation& invocation);
void close_statement(Context& context, const Invocation& invocation);

// token_command.cc
void issue_token(Context& context, const Invocation& invocation);

// doctor/doctor.cc
void examine_installation(Context& context, const Invocation& invocation);
/// The first thing that keeps nginx from the workers; empty where there is none.
[[nodiscard]] std::string what_keeps_nginx_away(Context& context);

// nginx.cc
void enable_site(Context& context, const Invocation& invocation);
void disable_site(Context& context, const Invocation& invocation);

// drain.cc
void drain_host(Context& context, const Invocation& invocation);

// metrics_command.cc
void print_metrics(Context& context, const Invocation& invocation);

// complete_command.cc
void complete_suppliers(Context& context, const Invocation& invocation);
void complete_accounts(Context& context, const Invocation& invocation);

// config.cc
void check_config(Context& context, const Invocation& invocation);
void show_config(Context& context, const Invocation& invocation);

}  // namespace data_import::ctl
