// Runs a part of a load generator in a process of its own, so that it does not delay the other parts.
#pragma once

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "base/util/file_descriptor.h"

namespace data_import::bench {

/// A process of its own that runs `work`, a function that returns one line. The process ends with its parent.
class Companion {
public:
    template <typename Work>
    explicit Companion(Work work) {
        std::array<int, 2> ends{};
        if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
        process_ = ::fork();
        if (process_ < 0) throw std::runtime_error("no process");
        if (process_ == 0) speak(ends[1], work);
        ::close(ends[1]);
        input_ = util::FileDescriptor(ends[0]);
    }
    Companion(const Companion&) = delete;
    Companion& operator=(const Companion&) = delete;
    ~Companion() {
        if (process_ <= 0) return;
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }

    /// Waits for the end of the process, and returns the line that the constructor's parameter `work`, a
    /// function, returned in the process. Throws std::runtime_error if the process failed.
    std::string line() {
        std::string text;
        std::array<char, 4096> buffer;
        for (ssize_t count = 0; (count = ::read(input_.get(), buffer.data(), buffer.size())) > 0;)
            text.append(buffer.data(), static_cast<std::size_t>(count));
        int status = 0;
        ::waitpid(process_, &status, 0);
        process_ = 0;
        if (status != 0) throw std::runtime_error("a part of the load generator failed");
        return text;
    }

private:
    template <typename Work>
    [[noreturn]] static void speak(int output, Work work) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        int status = 1;
        try {
            const std::string text = work();
            status = ::write(output, text.data(), text.size()) < 0 ? 1 : 0;
        } catch (const std::exception& failure) {
            std::fprintf(stderr, "attack: %s\n", failure.what());
        }
        std::fflush(nullptr);
        ::_exit(status);
    }

    pid_t process_ = 0;
    util::FileDescriptor input_;
};

}  // namespace data_import::bench
