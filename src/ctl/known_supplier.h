// The import supplier that a command is about has to be there.
#pragma once

#include <string>
#include <vector>

#include "ctl/command.h"
#include "store/suppliers.h"

namespace data_import::ctl {

/// Says that there are no such suppliers, which one was probably meant, and where to look for the right code.
[[nodiscard]] std::string unknown_suppliers(Context& context, const std::vector<std::string>& codes);

/// Throws Failure, which says that.
[[noreturn]] void fail_unknown_supplier(Context& context, const std::string& code);

/// Throws Failure when there is none.
store::Supplier need_supplier(Context& context, const std::string& code);

}  // namespace data_import::ctl
