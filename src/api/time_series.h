// The curves of a migration as endpoints answer them: what happened in each of equal times.
#pragma once

#include <cstdint>
#include <string>

#include "http/endpoint.h"
#include "json/writer.h"
#include "schema/schema.h"
#include "store/time_series.h"

namespace data_import::api {

/// How far back a curve looks: `span`.
[[nodiscard]] http::QueryParameter span_parameter();
[[nodiscard]] store::Span span_of(const http::Context& context);

/// Unix time as in every answer.
[[nodiscard]] std::string time_text(std::int64_t unix_time);

/// Members of an object that is open. Where time `N` begins follows from `began_at` and `seconds`.
void write_series(json::Writer& writer, const store::TimeSeries& series);

/// What `write_series` writes, `counts` as declared here; `about_counts` is their sentence.
[[nodiscard]] schema::Object series_answer(const schema::Object& counts, std::string_view about_counts);
/// The numbers of one name among the counts.
[[nodiscard]] schema::Schema counts_by_time();

}  // namespace data_import::api
