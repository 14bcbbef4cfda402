// The check that the import supplier of a command exists.
#pragma once

#include <string>
#include <vector>

#include "data/store/suppliers.h"
#include "tools/ctl/command.h"

namespace data_import::ctl {

/// Tells that there are no such suppliers, which one was probably meant, and where to find the right code.
[[nodiscard]] std::string unknown_suppliers(Context& context, const std::vector<std::string>& codes);

/// Throws Failure with that text.
[[noreturn]] void fail_unknown_supplier(Context& context, const std::string& code);

/// Throws Failure if there is none.
store::Supplier need_supplier(Context& context, const std::string& code);

/// Throws Failure if the supplier's accounts are or were erased: nothing could be told of them.
void need_accounts(Context& context, const std::string& code);

}  // namespace data_import::ctl
