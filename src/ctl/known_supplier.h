// The import supplier that a command is about has to be there.
#pragma once

#include <string>

#include "ctl/context.h"
#include "store/suppliers.h"

namespace data_import::ctl {

/// Throws Failure, which says where to look for the right code.
[[noreturn]] void fail_unknown_supplier(const std::string& code);

/// Throws Failure when there is none.
store::Supplier need_supplier(Context& context, const std::string& code);

}  // namespace data_import::ctl
