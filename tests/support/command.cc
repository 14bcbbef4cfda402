#include "command.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <system_error>

namespace data_import::tests {

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// Returns a file without a name for a command's output. With a pipe, the command would wait while the pipe
/// is full.
File scratch_file() {
    File file(std::tmpfile(), &std::fclose);
    if (!file) throw std::system_error(errno, std::generic_category(), "tmpfile");
    return file;
}

std::string contents(std::FILE* file) {
    std::string text;
    std::array<char, 65536> piece{};
    std::rewind(file);
    while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), file))
        text.append(piece.data(), count);
    return text;
}

[[noreturn]] void become_bash(const std::string& line, int output, int errors) {
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    execl("/bin/bash", "bash", "-c", line.c_str(), static_cast<char*>(nullptr));
    _exit(127);
}

}  // namespace

CommandResult run_command(const std::string& line) {
    const File output = scratch_file();
    const File errors = scratch_file();
    const pid_t child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (child == 0) become_bash(line, fileno(output.get()), fileno(errors.get()));
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return {code, contents(output.get()), contents(errors.get())};
}

std::string must_run(const std::string& line) {
    CommandResult result = run_command(line);
    if (result.status != 0) {
        throw std::runtime_error("`" + line + "` ended with " + std::to_string(result.status) + ": " +
                                 result.errors);
    }
    while (!result.output.empty() && result.output.back() == '\n') result.output.pop_back();
    return result.output;
}

std::string shell_word(const std::string& word) {
    std::string text = "'";
    for (const char character : word)
        text += character == '\'' ? std::string("'\\''") : std::string(1, character);
    return text + "'";
}

}  // namespace data_import::tests
