// Schemas for tests: the one of the token endpoint as far as clients see it, and one with every feature.
#pragma once

#include "service/graphql/execute.h"
#include "service/graphql/types.h"

namespace data_import::tests {

/// The schema of tests/graphql/service.graphql.
[[nodiscard]] const graphql::Schema& service_schema();

/// The schema of tests/graphql/sample.graphql.
[[nodiscard]] const graphql::Schema& sample_schema();

/// Answers the root fields of both. `fail` gives an error with the code SAMPLE, `broken` null for a field
/// that must not be null, `echo` its arguments as text.
[[nodiscard]] graphql::Datum resolve_sample(const graphql::RootField& field);

}  // namespace data_import::tests
