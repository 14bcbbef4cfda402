#include "ctl/run.h"

#include <exception>
#include <iostream>

#include "auth/key_ring.h"
#include "config/settings.h"
#include "ctl/colour.h"
#include "ctl/context.h"
#include "ctl/failure_sentences.h"
#include "ctl/invocation.h"
#include "ctl/text_table.h"
#include "ctl/usage.h"
#include "database/failures.h"
#include "store/migrations.h"
#include "store/setup.h"
#include "util/log.h"
#include "util/standard_output.h"
#include "util/version.h"

namespace data_import::ctl {

namespace {

constexpr int done = 0;
constexpr int failed = 1;
constexpr int wrong_usage = 2;

int say(int status, const std::string& sentence) {
    std::cerr << coloured_error(std::string(program_name) + ":", Colour::bad) << ' ' << in_one_line(sentence)
              << std::endl;
    return status;
}

void run_wanted(const Invocation& invocation) {
    switch (invocation.wanted()) {
        case Invocation::Wanted::help:
            std::cout << help(invocation.command(), invocation.group());
            return;
        case Invocation::Wanted::version:
            std::cout << program_name << ' ' << util::version << '\n';
            return;
        case Invocation::Wanted::command:
            break;
    }
    Context context(invocation);
    try {
        invocation.command()->run(context, invocation);
    } catch (const database::Refused& refused) {
        throw Failure(describe(refused, invocation, context));
    }
}

int run_command(const Invocation& invocation) {
    try {
        run_wanted(invocation);
    } catch (const UsageError&) {
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

}  // namespace

int run(const std::vector<std::string>& words) {
    util::set_log_level(util::Severity::error);  // the one line on standard error says it all
    try {
        return run_command(Invocation::parse(words));
    } catch (const UsageError& error) {
        return say(wrong_usage, error.what());
    }
}

}  // namespace data_import::ctl
