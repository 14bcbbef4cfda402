// Running one text case against the shared stack.
#pragma once

#include "case_file.h"
#include "world.h"

namespace data_import::tests {

/// Throws std::runtime_error that names the line of the step and the first difference.
void run_case(const Case& one, World& world);

}  // namespace data_import::tests
