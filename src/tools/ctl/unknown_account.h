// Advice about a number that no account has.
#pragma once

#include <optional>
#include <string>

#include "tools/ctl/command.h"

namespace data_import::ctl {

/// Returns `did you mean 4711 of ACME?` if exactly one account has a similar number. If `import_supplier` is
/// given, looks only at its accounts, and leaves ` of ACME` out.
[[nodiscard]] std::optional<std::string> question_of_meant(Context& context, const std::string& number,
                                                           const std::optional<std::string>& import_supplier);

/// Returns advice about `number`, which no account of the supplier has. If exactly one account of the
/// supplier has a similar number, the advice begins with the question whether this account was meant. Then
/// the advice names the command that stages an account with the number `number`, or the reason why this
/// number cannot be staged.
[[nodiscard]] std::string advice_on_unknown(Context& context, const std::string& import_supplier,
                                            const std::string& number);

/// Returns a line for each erased account of this number; empty if there is none.
[[nodiscard]] std::string describe_erasures(Context& context, const std::string& number,
                                            const std::optional<std::string>& import_supplier);

}  // namespace data_import::ctl
