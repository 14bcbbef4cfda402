// data-importctl: operates an installation; see `data-importctl --help`.
#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "base/command_line/completion.h"
#include "base/command_line/help.h"
#include "base/util/log.h"
#include "base/util/standard_output.h"
#include "data/database/failures.h"
#include "tools/console/colour.h"
#include "tools/console/text_table.h"
#include "tools/ctl/failure_sentences.h"

namespace {

using namespace data_import;
using namespace ctl;

constexpr int done = 0;
constexpr int failed = 1;
constexpr int wrong_usage = 2;

int say(int status, const std::string& sentence) {
    std::cerr << coloured_error(std::string(program_name) + ":", Colour::bad) << ' ' << in_one_line(sentence)
              << std::endl;
    return status;
}

void carry_out(const Invocation& invocation) {
    if (command_line::answer(invocation, std::cout)) return;
    const auto command = std::ranges::find_if(commands(), [&](const Command& row) {
        return row.group == invocation.command()->group && row.verb == invocation.command()->verb;
    });
    Context context(invocation);
    try {
        command->run(context, invocation);
    } catch (const database::Refused& refused) {
        throw Failure(describe(refused, invocation, context));
    }
}

int run_command(const Invocation& invocation) {
    try {
        carry_out(invocation);
    } catch (const command_line::UsageError&) {
        throw;
    } catch (const UnreadOutput&) {
        return util::status_of_unread_output;
    } catch (const database::Unavailable& unavailable) {
        return say(failed, describe(unavailable, invocation));
    } catch (const database::TimedOut& timed_out) {
        return say(failed, std::string(timed_out.what()) + "; look whether it was done before you repeat it");
    } catch (const database::OutcomeUnknown& unknown) {
        return say(failed, describe(unknown, invocation));
    } catch (const std::exception& failure) {
        return say(failed, failure.what());
    }
    switch (util::finish_output()) {
        case util::Output::written:
            return done;
        case util::Output::unread:
            return util::status_of_unread_output;
        default:
            return say(failed, "standard output cannot be written; what was asked for was done");
    }
}

/// Runs a command; `words` is the command line without the program's name. Returns the exit status: 0 done,
/// 1 refused or failed, 2 wrong usage. An error goes to standard error in one line.
int run(const std::vector<std::string>& words) {
    util::set_log_level(util::Severity::error);  // the one line on standard error says everything
    if (command_line::complete(program(), words, std::cout)) return done;
    try {
        return run_command(command_line::parse(program(), words));
    } catch (const command_line::UsageError& error) {
        return say(wrong_usage, error.what());
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(std::vector<std::string>(argv + 1, argv + argc));
    } catch (const std::exception& failure) {
        std::cerr << "data-importctl: " << failure.what() << std::endl;
        return 1;
    }
}
