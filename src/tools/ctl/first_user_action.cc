#include "tools/ctl/first_user_action.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/util/failure.h"
#include "tools/ctl/command.h"

namespace data_import::ctl {

namespace {

constexpr char do_it = 'd';
constexpr char keep_it = 'k';
constexpr char give_it_up = 'g';
constexpr char done = '+';
constexpr char failed = '-';  // stands in front of the action's error
constexpr std::size_t longest_line = 4096;

/// Waits for the parent's next command, one of the characters above. Returns `\0` if the parent is gone.
char next_word(int channel) {
    char word = '\0';
    ssize_t count = 0;
    do {
        count = read(channel, &word, 1);
    } while (count < 0 && errno == EINTR);
    return count == 1 ? word : '\0';
}

void say(int channel, char outcome, const std::string& line) {
    const std::string message = outcome + line.substr(0, longest_line - 1);
    // a parent that is gone needs no answer
    [[maybe_unused]] const ssize_t sent = send(channel, message.data(), message.size(), MSG_NOSIGNAL);
}

[[noreturn]] void serve(int channel, const std::function<void()>& action, const std::function<void()>& undo) {
    if (next_word(channel) != do_it) _exit(0);
    try {
        action();
        say(channel, done, "");
        if (next_word(channel) != keep_it) undo();
    } catch (const std::exception& failure) {
        say(channel, failed, failure.what());
    }
    _exit(0);
}

}  // namespace

FirstUserAction::FirstUserAction(const std::function<void()>& action, const std::function<void()>& undo) {
    std::array<int, 2> ends{};
    // With SOCK_SEQPACKET, each message arrives whole.
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        util::fail<Failure>("no channel to a child process");
    child_ = fork();
    if (child_ == 0) {
        close(ends[0]);
        serve(ends[1], action, undo);
    }
    close(ends[1]);
    channel_ = ends[0];
    if (child_ < 0) {
        close(channel_);
        util::fail<Failure>("no child process");
    }
}

// Tells the child to end. Closing the channel is not enough, because children that were forked later keep
// this end of it open.
FirstUserAction::~FirstUserAction() {
    if (channel_ >= 0) static_cast<void>(send(channel_, &give_it_up, 1, MSG_NOSIGNAL));
    wait_for_end();
}

void FirstUserAction::run() {
    tell(do_it);
    std::string message(longest_line, '\0');
    ssize_t count = 0;
    do {
        count = read(channel_, message.data(), message.size());
    } while (count < 0 && errno == EINTR);
    if (count <= 0) throw Failure("the child process that was to do it has ended");
    message.resize(static_cast<std::size_t>(count));
    if (message.front() != done) throw Failure(message.substr(1));
}

void FirstUserAction::keep() {
    tell(keep_it);
    wait_for_end();
}

void FirstUserAction::tell(char word) const {
    if (send(channel_, &word, 1, MSG_NOSIGNAL) != 1)
        throw Failure("the child process that was to do it has ended");
}

void FirstUserAction::wait_for_end() {
    if (channel_ < 0) return;
    close(channel_);
    channel_ = -1;
    while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) continue;
}

}  // namespace data_import::ctl
