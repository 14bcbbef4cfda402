// The wait for imports that began before a change and do not see it.
#pragma once

#include <functional>
#include <string>

#include "tools/ctl/command.h"
#include "tools/ctl/interruption.h"

namespace data_import::ctl {

/// Waits until all transactions that run now and may import have ended. Calls `stop` with the
/// reason after a signal (`interrupted`) or after ten minutes. `stop` has to throw.
void await_running_imports(Context& context, const Interruption& interruption,
                           const std::function<void(const std::string& reason)>& stop);

}  // namespace data_import::ctl
