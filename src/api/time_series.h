// The curves of a migration as endpoints answer them: counts of equal times.
#pragma once

#include <string_view>

#include "http/endpoint.h"
#include "schema/schema.h"
#include "store/time_series.h"

namespace data_import::api {

/// How far back a curve looks: `span`.
[[nodiscard]] http::QueryParameter span_parameter();
[[nodiscard]] store::Span span_of(const http::Context& context);

/// `as_of`, and the members of `store::write_series`, with `counts` as declared here; `about_counts` is their
/// sentence.
[[nodiscard]] schema::Object series_answer(const schema::Object& counts, std::string_view about_counts);
/// The numbers of one name among the counts.
[[nodiscard]] schema::Schema counts_by_time();

}  // namespace data_import::api
