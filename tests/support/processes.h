// Reads about processes in /proc, and signals those of a test's own stack.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace data_import::tests {

/// The children of a process, in no particular order.
[[nodiscard]] std::vector<pid_t> children_of(pid_t parent);

/// Whether the process has a Unix socket that was bound to a path with this part.
[[nodiscard]] bool has_socket(pid_t process, const std::string& part);

/// False for zombies too.
[[nodiscard]] bool is_running(pid_t process);

/// A value of /proc/PID/status in kB (`VmHWM`, `RssAnon`); 0 when the process or the line is gone.
[[nodiscard]] long memory_of(pid_t process, const std::string& name);

/// Whether the memory of a process is known and below the bound. With the address sanitizer, which keeps
/// freed memory, the bound is not checked.
[[nodiscard]] constexpr bool is_memory_below(long memory_kb, long bound_kb) {
#ifdef __SANITIZE_ADDRESS__
    static_cast<void>(bound_kb);
    return memory_kb > 0;
#else
    return memory_kb > 0 && memory_kb < bound_kb;
#endif
}

/// Processor time that a process has used, in clock ticks; 0 when it is gone.
[[nodiscard]] long processor_ticks(pid_t process);

/// Asks every few milliseconds until the condition holds; false when the time is over.
[[nodiscard]] bool wait_until(const std::function<bool()>& condition, std::chrono::milliseconds timeout);

}  // namespace data_import::tests
