#include "tools/ctl/failure_sentences.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "base/command_line/help.h"
#include "base/util/invisible.h"
#include "base/util/shell_command.h"
#include "data/store/account_details.h"
#include "data/store/erasure.h"
#include "tools/ctl/known_supplier.h"
#include "tools/ctl/unknown_account.h"

namespace data_import::ctl {

namespace {

bool takes(const Invocation& invocation, std::string_view name) {
    return std::ranges::any_of(invocation.command()->arguments,
                               [&](const Argument& argument) { return argument.name == name; });
}

/// Returns a command line of this program, ready to paste into a shell: `command` with the arguments `names`
/// and with `options`. Each argument has its value from `invocation`. If the command of `invocation` does not
/// take an argument, the name of the argument, such as `CODE`, stands in place of a value.
std::string command_for(const Invocation& invocation, std::span<const std::string_view> names,
                        std::string_view command, std::string_view options = "") {
    std::vector<std::string> arguments;
    for (const std::string_view name : names)
        arguments.push_back(takes(invocation, name) ? invocation.argument(name) : std::string(name));
    return std::string(program_name) + " " + util::shell_command(command, arguments, options);
}

constexpr std::array<std::string_view, 1> of_supplier{"CODE"};
constexpr std::array<std::string_view, 2> of_account{"CODE", "EXTERNAL"};

/// Advice on a command that the state of an account does not allow.
struct NextCommand {
    std::string_view command;
    std::string_view state;
    std::string_view next;     ///< the command that the user has to run first, for the same account
    std::string_view options;  ///< the options of the advised command; empty: none
    std::string_view effect;
};

constexpr std::array<NextCommand, 8> next_commands{{
    {"account complete", "failed", "account begin", "", " begins another attempt, which can be completed"},
    {"account fail", "staged", "account begin", "", " begins an attempt, which can fail"},
    {"account stage", "in_progress", "account fail", " --reason TEXT", " ends the attempt first"},
    {"account reset", "in_progress", "account fail", " --reason TEXT", " ends the attempt first"},
    {"account erase", "in_progress", "account fail", " --reason TEXT", " ends the attempt first"},
    {"statement open", "staged", "account complete", "", " tells that it exists on the platform"},
    {"statement open", "in_progress", "account complete", "", " tells that it exists on the platform"},
    {"statement open", "failed", "account begin", "", " begins another attempt, which can be completed"},
}};

std::string advice_on_state(const Invocation& invocation, Context& context) {
    const auto account = store::find_account(
        context.database(), {invocation.argument("CODE"), invocation.argument("EXTERNAL")}, Context::soon());
    const std::string command = command_line::command_name(*invocation.command());
    const auto found = std::ranges::find_if(next_commands, [&](const NextCommand& row) {
        return account && row.command == command && row.state == account->state;
    });
    if (found == next_commands.end())
        return command_for(invocation, of_account, "account show") + " tells more";
    return command_for(invocation, of_account, found->next, found->options) + std::string(found->effect);
}

std::string advice(const std::string& sqlstate, const Invocation& invocation, Context& context) {
    constexpr const char* another_supplier =
        "data-importctl supplier create makes another supplier for another migration";
    if (sqlstate == "DI002" &&
        store::find_erasure(context.database(), invocation.argument("CODE"), Context::soon()))
        return std::string("its accounts were erased: ") + another_supplier;
    if (sqlstate == "DI002")
        return command_for(invocation, of_supplier, "supplier set", " --status Ongoing") + " changes that";
    if (sqlstate == "DI003")
        return advice_on_unknown(context, invocation.argument("CODE"), invocation.argument("EXTERNAL"));
    if (sqlstate == "DI004") return advice_on_state(invocation, context);
    if (sqlstate == "DI007")
        return command_for(invocation, of_account, "account stage", " --although-erased") +
               " makes it known again";
    if (sqlstate == "DI008")
        return command_for(invocation, of_account, "account hold", " --off") + " ends the hold";
    if (sqlstate == "DI009" && takes(invocation, "EXTERNAL") &&
        util::find_invisible(invocation.argument("EXTERNAL")))
        return question_of_meant(context, invocation.argument("EXTERNAL"), invocation.argument("CODE"))
            .value_or("type it anew, without that character");
    if (sqlstate == "DI005") return "choose another one, or leave it out to have one assigned";
    if (sqlstate == "DI006") return "only one of which nothing else tells can be removed";
    if (sqlstate == "DI015" && command_line::command_name(*invocation.command()) == "supplier erase")
        return command_for(invocation, of_supplier, "supplier show") + " tells more";
    if (sqlstate == "DI015") return another_supplier;
    if (sqlstate == "55P03") return "then repeat the command";
    return "SQLSTATE " + sqlstate;
}

}  // namespace

std::string describe(const database::Refused& refused, const Invocation& invocation, Context& context) {
    const bool may_lack_supplier = refused.sqlstate() == "DI001" || refused.sqlstate() == "DI003";
    if (may_lack_supplier &&
        !store::find_supplier(context.database(), invocation.argument("CODE"), Context::soon()))
        return unknown_suppliers(context, {invocation.argument("CODE")});
    return std::string(refused.what()) + "; " + advice(refused.sqlstate(), invocation, context);
}

std::string describe(const database::Unavailable& unavailable, const Invocation& invocation) {
    const std::string reason = unavailable.what();
    const std::string name(program_name);
    const auto is_one_of = [&](std::initializer_list<std::string_view> prefixes) {
        return std::ranges::any_of(prefixes, [&](std::string_view prefix) {
            return unavailable.refusal().sqlstate.starts_with(prefix);
        });
    };
    // the database, or the role of its owner, does not exist
    if (is_one_of({"3D000", "22023"}))
        return "the database is not set up (" + reason + "); run " + name + " db setup";
    if (is_one_of({"42P01", "42703", "42883", "3F000"}))
        return "the database lacks migrations (" + reason + "); run " + name + " db migrate";
    if (is_one_of({"42501"}))
        return "a right is missing in the database (" + reason + "); run " + name + " db setup";
    if (is_one_of({"28"}))
        return "PostgreSQL refuses the administrator (" + reason +
               "); see admin_user and admin_database in " + config_file_of(invocation).string() + "; " +
               name + " doctor says what to do";
    if (is_one_of({"53300"}))
        return "the database has no session left: " + reason + "; " + name + " doctor says what to do";
    if (is_one_of({"53", "58"}))
        return "the database cannot store now: " + reason + "; " + name + " doctor tells what it lacks";
    return "the database cannot be used: " + reason + "; see admin_database in " +
           config_file_of(invocation).string() + ", and whether PostgreSQL runs";
}

/// Describes an unknown outcome. For a single account, `account show` shows the outcome, and running the
/// command again does no harm.
std::string describe(const database::OutcomeUnknown& unknown, const Invocation& invocation) {
    const std::string sentence = std::string(unknown.what()) + "; whether it was done is unknown";
    if (!takes(invocation, "EXTERNAL")) return sentence + ", look before repeating it";
    if (!invocation.optional_argument("EXTERNAL"))
        return sentence + " of some accounts: " + std::string(program_name) +
               " account show tells of each; repeat the command for those alone where it was not";
    return sentence + ": " + command_for(invocation, of_account, "account show") +
           " tells, and the command can be run again";
}

}  // namespace data_import::ctl
