// The texts of a payload that are codes, numbers or identifiers.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "data/json/value.h"
#include "data/schema/schema.h"

namespace data_import::schema {

/// Takes the dotted path of a text in the payload, and the text.
using TakeText = std::function<void(const std::string& path, std::string_view text)>;

/// Calls `take` with each string of the payload, valid or not, whose field is declared as a single value
/// other than free text.
void each_code_text(const Schema& schema, const json::Value& payload, const TakeText& take);

}  // namespace data_import::schema
