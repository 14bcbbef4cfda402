// The command `export --follow`.
#pragma once

#include "tools/ctl/command.h"

namespace data_import::ctl {

/// Writes the news for a consumer to standard output, and takes them, until a signal comes.
void follow(Context& context, const Invocation& invocation);

}  // namespace data_import::ctl
