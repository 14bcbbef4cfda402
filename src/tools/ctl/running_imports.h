// The wait for imports that began before a change and do not see it.
#pragma once

#include <functional>
#include <string>

#include "tools/ctl/command.h"
#include "tools/ctl/interruption.h"

namespace data_import::ctl {

/// Waits until the transactions that may import and run now have ended, ten minutes at most. If it ends
/// earlier, `stop` gets the reason (`interrupted`), and throws.
void await_running_imports(Context& context, const Interruption& interruption,
                           const std::function<void(const std::string& reason)>& stop);

}  // namespace data_import::ctl
