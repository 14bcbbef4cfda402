// The declared form of the answers about a supplier, its progress and the curves of its migration.
#pragma once

#include <string_view>

#include "data/schema/schema.h"
#include "data/store/time_series.h"
#include "service/http/endpoint.h"

namespace data_import::api {

/// Declares `Ongoing`, `Paused` or `Complete`.
[[nodiscard]] schema::Schema supplier_status();

/// Declares the JSON of store::write_accounts.
[[nodiscard]] schema::Object accounts_by_state();

/// Declares the JSON of store::write_progress after the members of `around`; with the arrivals of the last
/// day if these are told.
[[nodiscard]] schema::Object progress_answer(const schema::Object& around, bool with_last_day);

/// Declares `span`: the time that a curve covers.
[[nodiscard]] http::QueryParameter span_parameter();
[[nodiscard]] store::Span span_of(const http::Context& context);

/// Declares `as_of`, and the members of store::write_series, with `counts` as declared here; `about_counts`
/// is their sentence.
[[nodiscard]] schema::Object series_answer(const schema::Object& counts, std::string_view about_counts);
/// Declares the numbers of one name among the counts.
[[nodiscard]] schema::Schema counts_by_time();

}  // namespace data_import::api
