// Schemas for tests: the one that clients of the token endpoint see, and a sample with every feature.
#pragma once

#include "service/graphql/execute.h"
#include "service/graphql/types.h"

namespace data_import::tests {

/// The schema of tests/graphql/service.graphql.
[[nodiscard]] const graphql::Schema& service_schema();

/// The schema of tests/graphql/sample.graphql.
[[nodiscard]] const graphql::Schema& sample_schema();

/// Returns the values of the root fields of both schemas: `fail` is an error with the code SAMPLE, `broken`
/// is null for a field that must not be null, `echo` is its arguments as text.
[[nodiscard]] graphql::Datum resolve_sample(const graphql::RootField& field);

}  // namespace data_import::tests
