#include "base/util/standard_output.h"

#include <poll.h>
#include <unistd.h>

#include <iostream>

namespace data_import::util {

// The stream loses errno, so poll() has to find out whether a reader is missing: a pipe without a reader
// always reports POLLERR.
Output finish_output() {
    std::cout.flush();
    if (std::cout) return Output::written;
    pollfd output{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
    const bool is_unread = ::poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP)) != 0;
    return is_unread ? Output::unread : Output::failed;
}

}  // namespace data_import::util
