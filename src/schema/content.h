// The text by which repeats of a record are recognised (contract, section 5).
#pragma once

#include <string>

#include "json/value.h"
#include "schema/schema.h"

namespace data_import::schema {

/// One text for all valid values with the same content; values with another content have another text. The
/// text is for comparing or digesting, not for reading or keeping: it has the declared fields that were sent,
/// in the order of the declaration, with instants and integers as eight bytes. In a field that takes any
/// scalar, `1`, `1.0` and `1e0` are one number, and none of them is a string. No such text is the beginning
/// of another one of the same schema.
[[nodiscard]] std::string content_text(const Schema& schema, const json::Value& value);

}  // namespace data_import::schema
