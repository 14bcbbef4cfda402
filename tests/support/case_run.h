// Runs a case, which is written in a text file below tests/cases, against the shared stack.
#pragma once

#include "case_file.h"
#include "world.h"

namespace data_import::tests {

/// How the imports of a case reach the service.
enum class Way {
    alone,
    bulk  ///< each import is the only line of a bulk request if it can be; the answer must be as for `alone`
};

/// Whether the case has a step that can be a line of a bulk request.
[[nodiscard]] bool has_bulk_lines(const Case& one);

/// Runs the case. An import that is sent alone is first sent as a dry run, which must have the same answer
/// and change nothing. Throws std::runtime_error that names the line of the step and the first difference.
void run_case(const Case& one, World& world, Way way = Way::alone);

}  // namespace data_import::tests
