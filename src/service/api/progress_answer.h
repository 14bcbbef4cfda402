// Declares the answers about a supplier: its status, its progress and the curves of its migration.
#pragma once

#include <string_view>

#include "data/schema/schema.h"
#include "data/store/time_series.h"
#include "service/http/endpoint.h"

namespace data_import::api {

/// Declares the status of a supplier: `Ongoing`, `Paused` or `Complete`.
[[nodiscard]] schema::Schema supplier_status();

/// Declares the JSON of store::write_accounts: the number of accounts in each state.
[[nodiscard]] schema::Object accounts_by_state();

/// Declares an answer that has the members of `around` and, after them, the members that
/// store::write_progress writes. If `with_last_day` is true, the answer also has the numbers of accounts and
/// records that were imported in the last 24 hours.
[[nodiscard]] schema::Object progress_answer(const schema::Object& around, bool with_last_day);

/// Declares the parameter `span`: the interval that a curve covers.
[[nodiscard]] http::QueryParameter span_parameter();
[[nodiscard]] store::Span span_of(const http::Context& context);

/// Declares an answer: `as_of`, and the members that store::write_series writes. The parameter `counts` is
/// the schema of the member `counts`, and `about_counts` is its description.
[[nodiscard]] schema::Object series_answer(const schema::Object& counts, std::string_view about_counts);
/// Declares one member of `counts`: an array with one number for each interval of time.
[[nodiscard]] schema::Schema counts_by_time();

}  // namespace data_import::api
