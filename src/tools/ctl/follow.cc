#include "tools/ctl/follow.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <system_error>

#include "base/util/failure.h"
#include "data/store/access_events.h"
#include "data/store/consumers.h"
#include "tools/console/text_table.h"
#include "tools/ctl/interruption.h"
#include "tools/export/follow.h"

namespace data_import::ctl {

namespace {

using namespace std::chrono_literals;

/// Thrown if a signal comes while lines are written.
class Ended {};

/// Waits until standard output takes more, or a signal comes.
void await_output(const Interruption& interruption) {
    pollfd awaited[] = {{STDOUT_FILENO, POLLOUT, 0}, {interruption.descriptor(), POLLIN, 0}};
    while (::poll(awaited, 2, -1) < 0 && errno == EINTR) continue;
    if (awaited[1].revents != 0) throw Ended();
}

/// Writes the lines in pieces of at most PIPE_BUF bytes. Writing such a piece to a pipe that is ready
/// does not block, so a signal is noticed before the next piece.
void write_lines(std::string_view lines, const Interruption& interruption) {
    while (!lines.empty()) {
        await_output(interruption);
        const ssize_t count =
            ::write(STDOUT_FILENO, lines.data(), std::min<std::size_t>(lines.size(), PIPE_BUF));
        if (count < 0 && errno == EPIPE) throw UnreadOutput();
        if (count < 0 && errno != EINTR && errno != EAGAIN)
            util::fail<Failure>("standard output cannot be written; what was not written is not taken");
        if (count > 0) lines.remove_prefix(static_cast<std::size_t>(count));
    }
}

/// Waits until what was written is on disk, if standard output is a file. Otherwise a loss of power could
/// take lines back that the database counts as taken.
void keep_lines() {
    if (::fsync(STDOUT_FILENO) == 0 || errno == EINVAL || errno == ENOTSUP) return;  // no file: a pipe, say
    util::fail<Failure>("standard output cannot be written to disk; the last lines are not taken");
}

void need_consumer(Context& context, const std::string& name) {
    const auto consumer = store::find_consumer(context.database(), name, Context::soon());
    if (consumer && consumer->is_ready) return;
    throw Failure((consumer ? "the adding of consumer " + in_one_line(name) + " was interrupted"
                            : "there is no consumer " + in_one_line(name)) +
                  "; " + std::string(program_name) + " consumer add adds it");
}

void check_together(const Invocation& invocation) {
    if (!invocation.has("--consumer")) invocation.refuse("--follow needs --consumer NAME");
    if (invocation.optional_argument("CODE"))
        invocation.refuse("a consumer takes the accounts of all its suppliers: leave CODE out");
    for (const char* option : {"--accounts", "--kind", "--since", "--csv", "--compress", "--jobs"}) {
        if (invocation.has(option)) invocation.refuse(std::string(option) + " does not go with --follow");
    }
    if (invocation.option("--output").value_or("-") != "-")
        invocation.refuse("--follow writes to standard output: leave --output out");
}

}  // namespace

void follow(Context& context, const Invocation& invocation) {
    check_together(invocation);
    const std::string consumer = *invocation.option("--consumer");
    const Interruption interruption;
    need_consumer(context, consumer);
    store::record_action(context.database(), {.action = "consumer_followed", .consumer = consumer},
                         context.acting_operator(), Context::soon());
    try {
        while (!interruption.has_come()) {
            const bool has_news = exports::take_news(
                context.database(), consumer,
                [&](std::string_view lines) { write_lines(lines, interruption); }, keep_lines);
            if (!has_news) static_cast<void>(interruption.comes_within(1s));
        }
    } catch (const Ended&) {
        // Nothing to do: the lines that were not written are not taken, and the next run gets them.
    }
}

}  // namespace data_import::ctl
