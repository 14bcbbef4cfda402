#include "tools/console/context.h"

#include <unistd.h>

#include <array>
#include <iostream>

#include "base/util/printable.h"
#include "base/util/standard_output.h"
#include "data/proof/account_totals.h"
#include "data/store/setup.h"
#include "tools/console/failure.h"
#include "tools/console/system_user.h"

namespace data_import::console {

namespace {

// The server cancels a statement after this time, before the deadline of Context::soon(). Otherwise it could
// carry out the statement after the program has ended.
constexpr std::chrono::milliseconds statement_limit{110'000};

}  // namespace

std::filesystem::path config_file_of(const command_line::Invocation& invocation) {
    return invocation.option("--config").value_or(config::default_file);
}

Context::Context(const command_line::Invocation& invocation)
    : config_file_(config_file_of(invocation)),
      json_(invocation.has("--json")),
      operator_name_(console::operator_name()) {}

store::Operator Context::acting_operator() const {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    return {.system_user = operator_name_, .host = host.data()};
}

const config::Settings& Context::settings() const {
    if (!settings_) settings_ = config::load(config_file_);
    return *settings_;
}

database::Database& Context::database() {
    if (!database_) database_ = open_database(settings().admin_database, std::string(store::owner_role));
    return *database_;
}

std::unique_ptr<database::Database> Context::open_database(const std::string& conninfo,
                                                           const std::string& role) {
    if (!settings().admin_user.empty()) become_user(settings().admin_user);
    return std::make_unique<database::Database>(
        database::Options{.conninfo = conninfo,
                          .application_name = std::string(program_name),
                          .statement_timeout = statement_limit,
                          .longest_silence = settings().database_silence,
                          .role = role});
}

database::Deadline Context::soon() {
    return std::chrono::steady_clock::now() + statement_limit + std::chrono::seconds(10);
}

database::Deadline Context::late() {
    return std::chrono::steady_clock::now() + proof::longest_snapshot;
}

void Context::print(const std::string& text) {
    std::cout << util::with_escaped_controls(text);
}

void Context::print_part(const std::string& text) {
    print(text);
    if (!std::cout && util::finish_output() == util::Output::unread) throw UnreadOutput();
}

}  // namespace data_import::console
