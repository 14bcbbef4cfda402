// The declared form of the answers about a supplier and its progress.
#pragma once

#include "schema/schema.h"

namespace data_import::api {

/// `Ongoing`, `Paused` or `Complete`.
[[nodiscard]] schema::Schema supplier_status();

/// The form of the JSON that store::write_progress writes, behind the members of `around`; with the arrivals
/// of the last day if these are told.
[[nodiscard]] schema::Object progress_answer(const schema::Object& around, bool with_last_day);

}  // namespace data_import::api
