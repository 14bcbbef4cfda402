// What repeats of a record have in common (decisions, section 5).
#pragma once

#include <string>

#include "json/value.h"
#include "schema/schema.h"

namespace data_import::schema {

/// One text for all valid values that say the same, and no other value has it. It is to be compared or
/// digested, not to be read or kept: it holds what is declared and was sent, in the order of the declaration,
/// instants and integers as eight bytes. Where any scalar may stand, `1`, `1.0` and `1e0` are one number, and
/// none of them is a string. No such text is the beginning of another one of the same schema.
[[nodiscard]] std::string content_text(const Schema& schema, const json::Value& value);

}  // namespace data_import::schema
