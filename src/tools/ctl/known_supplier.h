// The check that the import supplier of a command exists.
#pragma once

#include <string>
#include <vector>

#include "data/store/suppliers.h"
#include "tools/ctl/command.h"

namespace data_import::ctl {

/// Returns a sentence for the error that these suppliers do not exist. The sentence names the supplier that
/// was probably meant, and the command that lists all suppliers.
[[nodiscard]] std::string unknown_suppliers(Context& context, const std::vector<std::string>& codes);

/// Throws Failure with the sentence of unknown_suppliers().
[[noreturn]] void fail_unknown_supplier(Context& context, const std::string& code);

/// Returns the supplier. Throws Failure if there is none of this code.
store::Supplier need_supplier(Context& context, const std::string& code);

/// Throws Failure if the supplier's accounts were erased or are being erased, because their figures would be
/// wrong.
void need_accounts(Context& context, const std::string& code);

}  // namespace data_import::ctl
