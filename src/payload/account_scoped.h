// The part that all payloads share which import into one account (contract, section 4.1).
#pragma once

#include "schema/schema.h"

namespace data_import::payload {

/// The two fields that every such payload has; each adds its own.
[[nodiscard]] schema::Object account_scoped();

}  // namespace data_import::payload
