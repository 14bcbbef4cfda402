// The clock: tokens, audit and periods go by it.
#include <sys/timex.h>

#include "doctor/doctor.h"

namespace data_import::doctor {

Findings check_clock(Context&) {
    timex state{};  // asks only
    const int result = adjtimex(&state);
    if (result < 0)
        return {unseen("clock", "the system does not tell whether it is synchronised", "timedatectl")};
    const bool is_synchronised = result != TIME_ERROR && (state.status & STA_UNSYNC) == 0;
    if (is_synchronised) return {ok("clock", "is synchronised")};
    return {warning("clock", "is not synchronised with a time server", "timedatectl set-ntp true")};
}

}  // namespace data_import::doctor
