#include "tools/ctl/command.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <set>

#include "base/texts/texts.h"
#include "data/store/accounts.h"
#include "data/store/consumers.h"
#include "data/store/suppliers.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

/// Returns all commands in the order of the help.
std::vector<Command> all_commands() {
    std::vector<Command> all;
    for (const auto commands_of_file : {database_commands,
                                        database_check_commands,
                                        supplier_commands,
                                        supplier_show_commands,
                                        supplier_erasure_commands,
                                        key_commands,
                                        signing_key_commands,
                                        operator_commands,
                                        audit_commands,
                                        account_commands,
                                        account_load_commands,
                                        account_removal_commands,
                                        account_list_commands,
                                        account_retry_commands,
                                        reconcile_commands,
                                        recount_commands,
                                        report_commands,
                                        statement_commands,
                                        consumer_commands,
                                        consumer_totals_commands,
                                        export_commands,
                                        import_log_commands,
                                        request_commands,
                                        token_commands,
                                        host_commands,
                                        config_commands}) {
        std::ranges::move(commands_of_file(), std::back_inserter(all));
    }
    return all;
}

std::vector<Option> common_options() {
    return {
        {"--config", "FILE", check_file,
         "The configuration file; " + std::string(config::default_file) + " if left out."},
        {"--json", "", nullptr, "Output for programs."},
        {"--help", "", nullptr, "Prints the help of the command."},
        {"--version", "", nullptr, "Prints the version of the program."},
    };
}

constexpr std::size_t most_offered = 100;

/// Returns a short deadline, because a person waits at the prompt.
database::Deadline at_once() {
    return std::chrono::steady_clock::now() + std::chrono::seconds(2);
}

std::vector<std::string> suppliers(Context& context, const std::string& beginning) {
    std::vector<std::string> codes;
    for (const store::Supplier& supplier : store::list_suppliers(context.database(), at_once())) {
        if (supplier.code.starts_with(beginning) && codes.size() < most_offered)
            codes.push_back(supplier.code);
    }
    return codes;
}

std::vector<std::string> consumers(Context& context, const std::string& beginning) {
    std::set<std::string> names;
    for (const store::ConsumerProgress& one : store::read_consumer_progress(
             context.database().execute(store::find_consumer_progress(), at_once()))) {
        if (one.consumer.name.starts_with(beginning) && names.size() < most_offered)
            names.insert(one.consumer.name);
    }
    return {names.begin(), names.end()};
}

std::string supplier_of(const Invocation& before) {
    const auto argument = before.optional_argument("CODE");
    return argument ? *argument : before.option("--supplier").value_or("");
}

/// Returns at most a hundred names that begin with `beginning`, for the completion of bash. For the `value`
/// CODE, they are codes of suppliers. For NAME, they are consumers, but only in the groups consumer and
/// export. For EXTERNAL, they are account numbers of the supplier in the command line `before`. Returns
/// nothing for other values, after a failure, or without an answer within two seconds.
std::vector<std::string> names_for(std::string_view value, const std::string& beginning,
                                   const Invocation& before) {
    try {
        Context context(before);
        if (value == "CODE") return suppliers(context, beginning);
        if (value == "NAME" && (before.group() == "consumer" || before.group() == "export"))
            return consumers(context, beginning);
        if (value == "EXTERNAL")
            return store::account_numbers(context.database(), supplier_of(before), beginning, most_offered,
                                          at_once());
    } catch (const std::exception&) {
    }
    return {};
}

}  // namespace

Command command(std::string_view name, std::vector<Argument> arguments, std::vector<Option> options,
                Action run, std::string sentence, std::string_view example, bool needs_an_option) {
    const std::size_t blank = std::min(name.find(' '), name.size());
    return {{.group = name.substr(0, blank),
             .verb = name.substr(std::min(blank + 1, name.size())),
             .arguments = std::move(arguments),
             .options = std::move(options),
             .sentence = std::move(sentence),
             .example = std::string(name) + (example.empty() ? "" : " ") + std::string(example),
             .needs_an_option = needs_an_option},
            run};
}

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
