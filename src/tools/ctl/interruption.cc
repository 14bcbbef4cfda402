#include "tools/ctl/interruption.h"

#include <poll.h>
#include <sys/signalfd.h>

#include "base/util/ending_signals.h"
#include "base/util/failure.h"
#include "tools/console/failure.h"

namespace data_import::ctl {

Interruption::Interruption() {
    const sigset_t signals = util::ending_signals();
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    signals_ = util::FileDescriptor(signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!signals_) util::fail<console::Failure>("cannot wait for signals");
}

bool Interruption::comes_within(std::chrono::milliseconds time) const {
    pollfd descriptor{signals_.get(), POLLIN, 0};
    return poll(&descriptor, 1, static_cast<int>(time.count())) > 0;
}

}  // namespace data_import::ctl
