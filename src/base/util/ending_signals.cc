#include "base/util/ending_signals.h"

namespace data_import::util {

sigset_t ending_signals() {
    sigset_t signals;
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGINT);
    ::sigaddset(&signals, SIGTERM);
    struct sigaction hanging_up {};
    if (::sigaction(SIGHUP, nullptr, &hanging_up) != 0 || hanging_up.sa_handler != SIG_IGN)
        ::sigaddset(&signals, SIGHUP);
    return signals;
}

}  // namespace data_import::util
