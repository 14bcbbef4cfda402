// What is wrong with the rows of a file.
#pragma once

#include "ctl/context.h"
#include "store/account_load.h"

namespace data_import::ctl {

/// Prints the first of them, line by line, and how many more there are.
void print_row_errors(const Context& context, const store::LoadErrors& errors);

}  // namespace data_import::ctl
