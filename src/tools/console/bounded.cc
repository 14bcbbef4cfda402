#include "tools/console/bounded.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <utility>

#include "base/util/failure.h"
#include "base/util/file_descriptor.h"

namespace data_import::console {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t longest_output = 16 * 1024 * 1024;
constexpr int not_found = 127;

/// A forked process. The destructor kills it with all processes that it has started, unless wait() has seen
/// its end.
class Child {
public:
    explicit Child(const std::function<void()>& become) : id_(fork()) {
        if (id_ < 0) util::fail<Failure>("no process can be started");
        if (id_ == 0) {
            setpgid(0, 0);
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            become();
            _exit(not_found);
        }
        setpgid(id_, id_);  // both processes set the group, because either may run first
    }
    ~Child() {
        if (id_ > 0) {
            kill(-id_, SIGKILL);
            static_cast<void>(wait());
        }
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Waits for the end. Returns the status as a shell does: 128 plus the number of the signal that ended
    /// the process.
    int wait() {
        int status = 0;
        while (waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
        id_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

private:
    pid_t id_;
};

/// Writes the text without stdio, because a child has copies of its parent's buffers, whose text would be
/// written twice.
void write_all(int descriptor, const std::string& text) {
    for (std::size_t written = 0; written < text.size();) {
        const ssize_t count = write(descriptor, text.data() + written, text.size() - written);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) _exit(not_found);
        written += static_cast<std::size_t>(count);
    }
}

bool wait_for_bytes(int descriptor, Clock::time_point deadline) {
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) return false;
        pollfd awaited{descriptor, POLLIN, 0};
        const int ready = poll(&awaited, 1, static_cast<int>(left));
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
    }
}

std::string read_all(int descriptor, Clock::time_point deadline) {
    std::string text;
    std::array<char, 65536> piece{};
    while (text.size() < longest_output) {
        if (!wait_for_bytes(descriptor, deadline)) throw TimeOver("no answer in time");
        const ssize_t count = read(descriptor, piece.data(), piece.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        text.append(piece.data(), static_cast<std::size_t>(count));
    }
    return text;
}

std::pair<int, int> open_pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) util::fail<Failure>("no pipe can be made");
    return {ends[0], ends[1]};
}

/// Writes `+` and the text of the work, or `-` and the sentence of its failure. Then ends the child.
[[noreturn]] void answer(const std::function<std::string()>& work, int descriptor) {
    std::string text;
    try {
        text = "+" + work();
    } catch (const std::exception& failure) {
        text = std::string("-") + failure.what();
    }
    write_all(descriptor, text);
    _exit(0);
}

void become_program(const std::vector<std::string>& words, int output) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const char* path = std::getenv("PATH");
    setenv("PATH", (std::string(path == nullptr ? "/usr/bin:/bin" : path) + ":/usr/sbin:/sbin").c_str(), 1);
    setenv("LC_ALL", "C", 1);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    execvp(arguments.front(), arguments.data());
}

}  // namespace

std::string run_bounded(const std::function<std::string()>& work, std::chrono::milliseconds limit) {
    const auto deadline = Clock::now() + limit;
    const auto [begin, end] = open_pipe();
    const util::FileDescriptor reader(begin);
    util::FileDescriptor writer(end);
    Child child([&] { answer(work, writer.get()); });
    writer.close();
    const std::string text = read_all(reader.get(), deadline);
    if (text.empty()) throw Failure("its process ended with status " + std::to_string(child.wait()));
    child.wait();
    if (text.front() == '-') throw Failure(text.substr(1));
    return text.substr(1);
}

ProgramResult run_program(const std::vector<std::string>& words, std::chrono::milliseconds limit) {
    const auto deadline = Clock::now() + limit;
    const auto [begin, end] = open_pipe();
    const util::FileDescriptor reader(begin);
    util::FileDescriptor writer(end);
    Child child([&] { become_program(words, writer.get()); });
    writer.close();
    ProgramResult result;
    try {
        result.output = read_all(reader.get(), deadline);
    } catch (const TimeOver&) {
        throw TimeOver(words.front() + " did not end in time");
    }
    result.status = child.wait();
    return result;
}

}  // namespace data_import::console
