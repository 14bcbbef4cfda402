// What endpoints answer about the progress of a supplier, declared.
#pragma once

#include "schema/schema.h"

namespace data_import::api {

/// What store::write_progress writes, behind the members of `around`; the arrivals of the last day only where
/// they are told.
[[nodiscard]] schema::Object progress_answer(const schema::Object& around, bool with_last_day);

}  // namespace data_import::api
